// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A folder that does not fit together is refused before the driver is asked
// anything.

#include "runtime/artefact/Artefact.h"
#include "runtime/artefact/Sha256.h"
#include "runtime/run/Run.h"
#include "tests/unit/runtime/Fixture.h"

#include <gtest/gtest.h>

using namespace girih::runtime;
using namespace girih::tests;

static std::string reasonFor(const std::map<std::string, std::string> &files) {
  Folder folder(files);
  int before = driverState().calls;
  Case what;
  what.artefact = folder.path();
  Session session;
  Expected<Outcome> outcome = runCase(session, what);
  EXPECT_EQ(driverState().calls, before);
  if (outcome) {
    return "accepted";
  }
  return outcome.error().why == ErrorKind::Artefact ? outcome.error().reason
                                                    : "the artefact is good";
}

TEST(Artefact, AGoodOneIsLoaded) {
  Folder folder(artefactFiles("add"));
  Expected<Artefact> artefact = loadArtefact(folder.path());
  ASSERT_TRUE(artefact) << artefact.error().reason;
  Expected<std::string_view> cubin = cubinFor(*artefact, 0, "sm_90");
  ASSERT_TRUE(cubin);
  EXPECT_EQ(*cubin, fakeCubin("fake 8 8 8 8 ; add", "sum"));
  Expected<std::string_view> other = cubinFor(*artefact, 0, "sm_86");
  ASSERT_FALSE(other);
  EXPECT_EQ(
      other.error().reason,
      "no cubin for sm_86: the artefact has sm_100, sm_90; tile-compile "
      "sum.mlir --arch=sm_100,sm_90,sm_86 -o FOLDER makes one that has it");
  EXPECT_EQ(exitCode(other.error().why), 1);
}

TEST(Artefact, EveryFlippedBitIsRefused) {
  const auto good = artefactFiles("add");
  ASSERT_EQ(reasonFor(good), "the artefact is good");
  for (const auto &[name, bytes] : good) {
    // Every byte of the small files, and one in seven of the manifest.
    size_t step = name == "manifest.json" ? 7 : 1;
    for (size_t at = 0; at < bytes.size(); at += step) {
      auto files = good;
      files[name][at] ^= 1 << at % 8;
      std::string reason = reasonFor(files);
      ASSERT_NE(reason, "the artefact is good") << name << " byte " << at;
      EXPECT_NE(reason.find(name), reason.npos) << reason;
    }
  }
}

TEST(Artefact, MissingFilesAreRefused) {
  for (const auto &[name, bytes] : artefactFiles("add")) {
    auto files = artefactFiles("add");
    files.erase(name);
    EXPECT_NE(reasonFor(files).find(name + " cannot be read"),
              std::string::npos);
  }
}

TEST(Artefact, AForeignProofIsRefused) {
  // Another kernel's proof in its place: the digest of the file is wrong.
  auto files = artefactFiles("add");
  std::string foreign = proofOf("another");
  files["proof.json"] = foreign;
  EXPECT_NE(reasonFor(files).find("proof.json is not the file"),
            std::string::npos);
  // And with a manifest that was made to name it: the kernel's is.
  Json manifest = Json::parse(files["manifest.json"]);
  manifest.erase("seal");
  manifest["variants"][0]["proof"]["sha256"] = sha256(foreign);
  files["manifest.json"] = sealed(manifest);
  EXPECT_NE(reasonFor(files).find("proof.json proves another kernel than sum"),
            std::string::npos);
  auto reasonForProof = [&](const std::string &proof) {
    files["proof.json"] = proof;
    manifest["variants"][0]["proof"]["sha256"] = sha256(proof);
    files["manifest.json"] = sealed(manifest);
    return reasonFor(files);
  };
  EXPECT_EQ(reasonForProof("[]"), "proof.json: format is not a string");
  EXPECT_EQ(reasonForProof(R"({"format": "girih.proof", "version": 2})"),
            "proof.json: version is 2: this program reads version 1 of "
            "girih.proof");
  EXPECT_EQ(reasonForProof(R"({"format": "girih.proof", "version": 1})"),
            "proof.json: kernel is not a string");
}

TEST(Artefact, AFolderThatIsNoneIsWrongUsage) {
  for (const char *path : {"/absent", "/dev/null", ""}) {
    Expected<Artefact> artefact = loadArtefact(path);
    ASSERT_FALSE(artefact);
    EXPECT_EQ(artefact.error().reason, std::string(path) + " is no folder");
    EXPECT_EQ(exitCode(artefact.error().why), 3);
  }
}

TEST(Artefact, AnEmptyFolderIsRefused) {
  EXPECT_NE(reasonFor({}).find("manifest.json cannot be read"),
            std::string::npos);
}
