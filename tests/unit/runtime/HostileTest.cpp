// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hostile and stale artefacts, and calls that their contract refuses, through
// the C interface as a program would: each is refused with its reason, with
// exit code 1 for the artefact and 3 for the call, and the driver sees no
// launch.

#include "runtime/artefact/Sha256.h"
#include "runtime/girih.h"
#include "tests/unit/runtime/Fixture.h"

#include <gtest/gtest.h>

using namespace girih::tests;
using Files = std::map<std::string, std::string>;

namespace {

using Arguments = SumArguments;

struct Attempt {
  int code;
  std::string reason;
};

/// Opens, prepares and runs. What fails must fail before any launch.
Attempt attempt(const Files &files, Arguments &arguments) {
  Folder folder(files);
  FakeState &state = driverState();
  state = FakeState();
  girih_kernel *kernel = nullptr;
  girih_launch *launch = nullptr;
  int code = girih_open(folder.path().c_str(), &kernel);
  if (code == 0) {
    code = arguments.prepare(kernel, &launch);
  }
  if (code == 0) {
    code = girih_run(launch, nullptr);
  }
  Attempt result{code, code ? girih_error() : ""};
  EXPECT_EQ(state.launches.size(), code == 0 ? 1U : 0U) << result.reason;
  girih_release(launch);
  girih_close(kernel);
  return result;
}

Attempt attempt(const Files &files) {
  Arguments arguments;
  return attempt(files, arguments);
}

/// A call of a good artefact.
template <typename Edit> Attempt call(Edit edit) {
  Arguments arguments;
  edit(arguments);
  return attempt(artefactFiles("add"), arguments);
}

bool contains(const std::string &text, const std::string &part) {
  return text.find(part) != text.npos;
}

/// The manifest of a good artefact after an edit, under a seal of its own.
template <typename Edit> Files edited(Edit edit) {
  Files files = artefactFiles("add");
  Json manifest = Json::parse(files["manifest.json"]);
  manifest.erase("seal");
  edit(manifest);
  files["manifest.json"] = sealed(manifest);
  return files;
}

} // namespace

TEST(Hostile, TheGoodOneRuns) {
  Arguments arguments;
  EXPECT_EQ(attempt(artefactFiles("add"), arguments).code, 0);
  for (int i = 0; i < 8; ++i) {
    EXPECT_EQ(arguments.memory[2][i], static_cast<float>(1 + 2 * i));
  }
}

TEST(Hostile, FlippedBytes) {
  const Files good = artefactFiles("add");
  for (const auto &[name, bytes] : good) {
    size_t step = std::max<size_t>(bytes.size() / 40, 1);
    for (size_t at = 0; at < bytes.size(); at += step) {
      for (int flip : {0x01, 0x20, 0xFF}) {
        Files files = good;
        files[name][at] = static_cast<char>(files[name][at] ^ flip);
        Attempt refused = attempt(files);
        EXPECT_EQ(refused.code, 1) << name << " byte " << at;
        EXPECT_TRUE(contains(refused.reason, name)) << refused.reason;
      }
    }
  }
}

TEST(Hostile, CutAndLengthened) {
  const Files good = artefactFiles("add");
  for (const auto &[name, bytes] : good) {
    size_t step = std::max<size_t>(bytes.size() / 40, 1);
    std::vector<std::string> others = {bytes + " ", bytes + '\0',
                                       bytes.substr(0, bytes.size() - 1)};
    for (size_t length = 0; length < bytes.size(); length += step) {
      others.push_back(bytes.substr(0, length));
    }
    for (const std::string &other : others) {
      Files files = good;
      files[name] = other;
      Attempt refused = attempt(files);
      EXPECT_EQ(refused.code, 1) << name << " of " << other.size() << " bytes";
      EXPECT_TRUE(contains(refused.reason, name)) << refused.reason;
    }
  }
}

TEST(Hostile, ChangedManifests) {
  // Whatever is changed, the old seal is broken.
  const std::string seal =
      Json::parse(artefactFiles("add")["manifest.json"])["seal"];
  auto refused = [&](auto edit) {
    Files files = edited(edit);
    std::string &text = files["manifest.json"];
    text.replace(text.find(": \"") + 3, seal.size(), seal);
    Attempt result = attempt(files);
    EXPECT_EQ(result.code, 1);
    EXPECT_EQ(result.reason, "manifest.json: was changed after it was sealed");
  };
  refused([](Json &m) { m["variants"][0]["requires"].clear(); });
  refused([](Json &m) { m["variants"][0]["grid"][0] = 1; });
  refused([](Json &m) { m["variants"][0]["entry"] = "other"; });
  refused([](Json &m) { m["variants"][0]["when"].clear(), m["name"] = "b"; });
  refused([](Json &m) { m["arguments"][2]["mode"] = "shared"; });
  refused([](Json &m) { m["arguments"][0]["align"] = 1; });
  refused([](Json &m) { m["arguments"][0]["strides"][0] = 2; });
}

TEST(Hostile, ForeignParts) {
  // The proof, the cubin and the manifest of another artefact, each in turn.
  Json manifest = sumManifest();
  manifest["variants"][0]["grid"][0] = 1;
  Files other = artefactFiles("nothing", manifest);
  other["proof.json"] = proofOf("tile.kernel @other");
  for (const auto &[part, reason] : {
           std::pair("proof.json", "proof.json is not the file"),
           std::pair("sm_90.cubin", "sm_90.cubin is not the file"),
           std::pair("manifest.json", "sm_90.cubin is not the file"),
       }) {
    Files files = artefactFiles("add");
    files[part] = other[part];
    Attempt refused = attempt(files);
    EXPECT_EQ(refused.code, 1);
    EXPECT_TRUE(contains(refused.reason, reason)) << refused.reason;
  }
  // A manifest that names the foreign proof: that is of another kernel.
  Files files = edited([&](Json &m) {
    m["variants"][0]["proof"]["sha256"] =
        girih::runtime::sha256(other["proof.json"]);
  });
  files["proof.json"] = other["proof.json"];
  Attempt refused = attempt(files);
  EXPECT_EQ(refused.code, 1);
  EXPECT_TRUE(
      contains(refused.reason, "proof.json proves another kernel than sum"))
      << refused.reason;
}

TEST(Hostile, MissingArchitecture) {
  Attempt refused = attempt(
      edited([](Json &m) { m["variants"][0]["cubins"].erase("sm_90"); }));
  EXPECT_EQ(refused.code, 1);
  EXPECT_EQ(
      refused.reason,
      "no cubin for sm_90: the artefact has sm_100; tile-compile sum.mlir "
      "--arch=sm_100,sm_90 -o FOLDER makes one that has it");
}

TEST(Hostile, WrongExtents) {
  Attempt refused = call([](Arguments &a) { a.extents[1] = 9; });
  EXPECT_EQ(refused.code, 3);
  EXPECT_EQ(refused.reason,
            "contract: N is 8 for axis 0 of %x and 9 for axis 0 of %y");
  refused = call([](Arguments &a) { a.symbols.push_back({"N", 7}); });
  EXPECT_EQ(refused.code, 3);
  EXPECT_EQ(refused.reason,
            "contract: N is 7 for the caller and 8 for axis 0 of %x");
  refused = call([](Arguments &a) {
    for (int64_t &n : a.extents) {
      n = -1;
    }
  });
  EXPECT_EQ(refused.code, 3);
  EXPECT_EQ(refused.reason, "contract: N = -1 is outside 0..1099511627776");
  refused = call([](Arguments &a) { a.strides[2] = 2; });
  EXPECT_EQ(refused.code, 3);
  EXPECT_EQ(refused.reason, "contract: stride 0 of %z is 2, the kernel has 1");
  refused = call([](Arguments &a) { a.list[2].element = "i32"; });
  EXPECT_EQ(refused.code, 3);
  EXPECT_EQ(refused.reason, "contract: %z holds i32, the kernel has f32");
}

TEST(Hostile, OverlappingArguments) {
  for (int64_t bytes : {0, 16, -16}) {
    Attempt refused = call([&](Arguments &a) {
      a.list[2].address = a.list[1].address + static_cast<uint64_t>(bytes);
    });
    EXPECT_EQ(refused.code, 3);
    EXPECT_TRUE(contains(refused.reason, "contract: the written tensor %z may "
                                         "share memory with %y: "))
        << refused.reason;
  }
}

TEST(Hostile, MisalignedArguments) {
  for (uint64_t bytes : {1, 4, 8}) {
    Attempt refused = call([&](Arguments &a) { a.list[0].address += bytes; });
    EXPECT_EQ(refused.code, 3);
    EXPECT_TRUE(contains(refused.reason, "which is not aligned to 16 bytes"))
        << refused.reason;
  }
  Attempt refused = call([](Arguments &a) { a.list[0].address = 0; });
  EXPECT_EQ(refused.code, 3);
  EXPECT_EQ(refused.reason, "contract: %x has no address");
}

TEST(Hostile, FalseContract) {
  Attempt refused = call([](Arguments &a) {
    for (int64_t &n : a.extents) {
      n = 1001;
    }
  });
  EXPECT_EQ(refused.code, 3);
  EXPECT_EQ(refused.reason, "contract: requires N <= 1000: 1001 against 1000");
  Arguments arguments;
  Files files = edited([](Json &m) {
    m["variants"][0]["grid"][0] = {
        {"op", "*"}, {"args", {{{"symbol", "N"}}, int64_t(1) << 40}}};
  });
  refused = attempt(files, arguments);
  EXPECT_EQ(refused.code, 3);
  EXPECT_EQ(refused.reason,
            "contract: grid[0] = 8796093022208 is outside 0..2147483647");
}
