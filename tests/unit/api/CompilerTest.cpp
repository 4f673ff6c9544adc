// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// girih/compiler.h, with a stand-in for the assembler.

#include "girih/compiler.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

using namespace girih;
namespace fs = std::filesystem;

static const std::string source = GIRIH_SOURCE_DIR "/";

static VerifiedKernels verified(const std::string &path) {
  return verify(Source::file(source + path)).value().verified.value();
}

static CompileOptions withStandIn() {
  CompileOptions options;
  options.architectures = {"sm_90", "sm_120"};
  options.tileiras = source + "tests/tileir/assembler.sh";
  options.cache = "";
  return options;
}

static std::string folder(const char *name) {
  fs::path out = fs::path(testing::TempDir()) /
                 ("girih-api-" + std::to_string(getpid()) + name);
  fs::remove_all(out);
  return out.string();
}

TEST(Compiler, tileIrNeedsNoAssembler) {
  CompileOptions options;
  options.tileiras = "/nowhere";
  auto code = compileToTileIr(verified("proofs/kernels/add/add.mlir"), options);
  ASSERT_TRUE(code) << code.error().message;
  ASSERT_EQ(code->size(), 1u);
  EXPECT_EQ(code->front().kernel, "add");
  const std::vector<uint8_t> &bytes = code->front().bytecode;
  ASSERT_GT(bytes.size(), 12u);
  EXPECT_EQ(std::string(bytes.begin() + 1, bytes.begin() + 7), "TileIR");
  EXPECT_NE(code->front().text.find("add"), std::string::npos);
}

TEST(Compiler, cubinsAreInTheOrderOfArchitectures) {
  auto cubins =
      compileToCubins(verified("proofs/kernels/add/add.mlir"), withStandIn());
  ASSERT_TRUE(cubins) << cubins.error().message;
  ASSERT_EQ(cubins->size(), 2u);
  EXPECT_EQ((*cubins)[0].architecture, "sm_90");
  EXPECT_EQ((*cubins)[1].architecture, "sm_120");
  EXPECT_FALSE((*cubins)[0].bytes.empty());
}

TEST(Compiler, anArtefactIsWrittenWhole) {
  std::string out = folder("artefact");
  auto made = compileToArtefact(verified("proofs/kernels/add/add.mlir"), out,
                                withStandIn());
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(made->name, "add");
  for (const char *file :
       {"manifest.json", "proof.json", "sm_90.cubin", "sm_120.cubin"}) {
    EXPECT_TRUE(fs::exists(fs::path(out) / file)) << file;
  }
  fs::remove_all(out);
}

TEST(Compiler, aValidatorIsCompiledWithIt) {
  std::string out = folder("given");
  auto made = compileToArtefact(
      verified("tests/corpus/girih/contents/given_splits.good.mlir"), out,
      withStandIn());
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_TRUE(fs::exists(fs::path(out) / "validate_sorted/manifest.json"));
  fs::remove_all(out);
}

TEST(Compiler, refusesByKind) {
  VerifiedKernels add = verified("proofs/kernels/add/add.mlir");
  std::string out = folder("refused");
  auto error = [&](const VerifiedKernels &kernels,
                   const CompileOptions &options) {
    auto made = compileToArtefact(kernels, out, options);
    EXPECT_FALSE(made);
    EXPECT_FALSE(fs::exists(out));
    return made.error();
  };
  CompileOptions options = withStandIn();
  options.architectures = {"sm_42"};
  EXPECT_EQ(error(add, options).kind, Error::Kind::Usage);
  options.architectures = {};
  EXPECT_EQ(error(add, options).message, "no architecture is given");
  options = withStandIn();
  options.tileiras = "/nowhere";
  EXPECT_EQ(error(add, options).kind, Error::Kind::Missing);
  EXPECT_EQ(error(add, options).message, "/nowhere cannot be run");
  EXPECT_EQ(
      error(verified("tests/lit/checker/Inputs/assumed.mlir"), withStandIn())
          .kind,
      Error::Kind::Refused);
  options = withStandIn();
  options.tileiras = "/bin/false";
  Error failed = error(add, options);
  EXPECT_EQ(failed.kind, Error::Kind::Failed);
  fs::remove(out + ".tileirbc");
}
