// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tensors that kernels make, by a library that was built without an assembler.

#include "runtime/girih/runtime.h"
#include "tests/simulated/Artefacts.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

using namespace girih;

namespace {

std::string thrown(int code, auto make) {
  try {
    auto made = make();
  } catch (const RuntimeError &error) {
    EXPECT_EQ(error.code(), code);
    return error.what();
  }
  return "nothing";
}

TEST(NoCreation, SaysWhatToDo) {
  std::string folder =
      std::filesystem::read_symlink("/proc/self/exe").parent_path().string();
  std::string text = thrown(1, [] { return Tensor<bf16>::randn({4}, 1); });
  EXPECT_EQ(text,
            "there is no code of the kernel randn_bf16, which makes such "
            "tensors: this library was built without tileiras, and " +
                folder +
                "/randn_bf16 does not exist; write it with tile-compile "
                "proofs/kernels/randn_bf16/randn_bf16.mlir --arch=sm_90 -o " +
                folder + "/randn_bf16");
  EXPECT_EQ(Device::get().memory().live, 0u);
}

TEST(NoCreation, TakesAFolder) {
  useCreationKernels(GIRIH_KERNELS);
  EXPECT_EQ(Tensor<float>::ones({3}).toHost(), std::vector<float>(3, 1.0f));
  useCreationKernels("/nowhere");
  EXPECT_NE(thrown(3, [] { return Tensor<float>::arange(3); }).find("/nowhere"),
            std::string::npos);
  // What was loaded stays.
  EXPECT_EQ(Tensor<float>::ones({1}).toHost()[0], 1);
}

// An artefact without code for this device.
TEST(NoCreation, SaysWhichArchitecturesThereAre) {
  tests::Folder folder;
  auto copy = std::filesystem::path(folder.path()) / "fill_i32";
  std::filesystem::copy(std::string(GIRIH_KERNELS) + "/fill_i32", copy);
  std::ifstream in(copy / "manifest.json");
  std::string text(std::istreambuf_iterator<char>(in), {});
  auto manifest = tests::Json::parse(text);
  manifest.erase("seal");
  for (auto &variant : manifest["variants"]) {
    auto cubin = variant["cubins"]["sm_90"];
    variant["cubins"] = {{"sm_80", cubin}};
  }
  folder.write("fill_i32/manifest.json", tests::sealed(manifest));
  useCreationKernels(folder.path());
  EXPECT_EQ(thrown(1, [] { return Tensor<int32_t>::ones({3}); }),
            "fill_i32(N = 3, value = 1; grid (1)): no cubin for sm_90: the "
            "artefact has sm_80; tile-compile fill_i32.mlir --arch=sm_80,sm_90 "
            "-o FOLDER makes one that has it");
}

} // namespace
