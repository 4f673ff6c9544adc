// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The way from files to a launch and back, on the fake driver: what the driver
// is handed, and that wrong kernels are found out.

#include "runtime/run/Run.h"
#include "tests/unit/runtime/Fixture.h"

#include <cstring>
#include <gtest/gtest.h>

using namespace girih::runtime;
using namespace girih::tests;

namespace {
/// A sum of n elements whose kernel behaves as told.
struct SumRun {
  Folder artefact, files;
  Case what;
  Session session;

  explicit SumRun(const std::string &behaviour, int64_t n = 300,
                  Json manifest = sumManifest(),
                  const std::string &sizes = "8 8 8 8")
      : artefact(artefactFiles(behaviour, std::move(manifest), sizes)) {
    std::vector<float> x, y, z;
    for (int64_t i = 0; i < n; ++i) {
      x.push_back(static_cast<float>(i));
      y.push_back(0.5F);
      z.push_back(x.back() + y.back());
    }
    what.artefact = artefact.path();
    what.inputs["x"] = files.write("x.npy", printNpy(floats(x)));
    what.inputs["y"] = files.write("y.npy", printNpy(floats(y)));
    what.expected["z"] = files.write("z.npy", printNpy(floats(z)));
    *state() = FakeState();
  }

  static FakeState *state() { return &driverState(); }
  Expected<Outcome> run() { return runCase(session, what); }
  std::string reason() {
    Expected<Outcome> outcome = run();
    return outcome ? "ran" : outcome.error().reason;
  }
};

template <typename T> T value(const std::string &bytes) {
  T result;
  EXPECT_EQ(bytes.size(), sizeof(T));
  std::memcpy(&result, bytes.data(), sizeof(T));
  return result;
}
} // namespace

TEST(Run, BlocksAreLaunchedAsTheCubinIsTo) {
  Json manifest = sumManifest();
  for (Json &cubin : manifest["variants"][0]["cubins"]) {
    cubin["launch"] = {{"threads", 256},
                       {"shared", 185376},
                       {"early", {"x"}},
                       {"waits", true}};
  }
  SumRun sum("add", 300, manifest);
  Expected<Outcome> outcome = sum.run();
  ASSERT_TRUE(outcome) << outcome.error().reason;
  EXPECT_TRUE(outcome->agrees());
  ASSERT_EQ(sum.state()->launches.size(), 1U);
  const FakeLaunch &launch = sum.state()->launches[0];
  EXPECT_EQ(launch.block[0], 256U);
  EXPECT_EQ(launch.block[1] * launch.block[2], 1U);
  EXPECT_EQ(launch.sharedBytes, 185376U);
  // The most dynamic shared memory, and the part of the cache that is.
  EXPECT_EQ(launch.attributes, (std::map<int, int>{{8, 185376}, {9, 100}}));
}

TEST(Run, BlocksThatShareLittleLeaveTheCacheAsItIs) {
  for (int shared : {160, 48 << 10, (48 << 10) + 16}) {
    Json manifest = sumManifest();
    for (Json &cubin : manifest["variants"][0]["cubins"]) {
      cubin["launch"] = {{"threads", 256},
                         {"shared", shared},
                         {"early", Json::array()},
                         {"waits", false}};
    }
    SumRun sum("add", 300, manifest);
    Expected<Outcome> outcome = sum.run();
    ASSERT_TRUE(outcome) << outcome.error().reason;
    ASSERT_EQ(sum.state()->launches.size(), 1U);
    const FakeLaunch &launch = sum.state()->launches[0];
    EXPECT_EQ(launch.sharedBytes, static_cast<unsigned>(shared));
    EXPECT_EQ(launch.attributes.size(), shared > 48 << 10 ? 2U : 0U) << shared;
  }
}

TEST(Run, TheDriverGetsWhatTheManifestSays) {
  SumRun sum("add");
  Expected<Outcome> outcome = sum.run();
  ASSERT_TRUE(outcome) << outcome.error().reason;
  EXPECT_TRUE(outcome->agrees());
  EXPECT_EQ(outcome->blocks, 3);
  EXPECT_EQ(outcome->device, "Fake GPU");
  ASSERT_EQ(sum.state()->launches.size(), 1U);
  const FakeLaunch &launch = sum.state()->launches[0];
  EXPECT_EQ(launch.entry, "sum");
  EXPECT_EQ(launch.grid[0], 3U);
  EXPECT_EQ(launch.grid[1] * launch.grid[2], 1U);
  EXPECT_EQ(launch.block[0] * launch.block[1] * launch.block[2], 1U);
  EXPECT_EQ(launch.sharedBytes, 0U);
  EXPECT_TRUE(launch.attributes.empty());
  EXPECT_EQ(launch.stream, nullptr);
  ASSERT_EQ(launch.parameters.size(), 4U);
  EXPECT_EQ(value<int64_t>(launch.parameters[3]), 300);
  for (int k = 0; k < 3; ++k) {
    // The weakest address that align = 16 admits.
    EXPECT_EQ(value<uint64_t>(launch.parameters[k]) % 32, 16U);
  }
  EXPECT_EQ(sum.state()->allocations, 3);
  EXPECT_EQ(sum.state()->frees, 3);
}

TEST(Run, OutputsAreWritten) {
  SumRun sum("add", 5);
  sum.what.outputs["z"] = sum.files.file("out.npy");
  ASSERT_TRUE(sum.run());
  EXPECT_EQ(readFile(sum.files.file("out.npy")),
            readFile(sum.files.file("z.npy")));
}

TEST(Run, AnEmptyGridIsNotLaunched) {
  SumRun sum("add", 0);
  Expected<Outcome> outcome = sum.run();
  ASSERT_TRUE(outcome) << outcome.error().reason;
  EXPECT_TRUE(outcome->agrees());
  EXPECT_EQ(outcome->blocks, 0);
  EXPECT_TRUE(sum.state()->launches.empty());
}

TEST(Run, AnElementThatIsNotWrittenIsFound) {
  SumRun sum("early", 7);
  Expected<Outcome> outcome = sum.run();
  ASSERT_TRUE(outcome) << outcome.error().reason;
  ASSERT_FALSE(outcome->agrees());
  EXPECT_EQ(outcome->comparisons.at(0).second.first->index,
            std::vector<int64_t>{6});
  EXPECT_EQ(outcome->comparisons.at(0).second.first->got, "-nan");
}

TEST(Run, WritesWhereNoneBelongAreFound) {
  EXPECT_EQ(SumRun("outside", 7).reason(),
            "the kernel wrote outside %z: byte 28 from its start");
  EXPECT_EQ(SumRun("input", 7).reason(),
            "the kernel wrote to the read-only %x: byte 2 from its start");
}

TEST(Run, ParametersOfEveryKindInOrder) {
  Json manifest = sumManifest();
  manifest["arguments"].push_back(
      {{"kind", "scalar"}, {"name", "half"}, {"dtype", "f16"}});
  manifest["arguments"].push_back(
      {{"kind", "scalar"}, {"name", "alpha"}, {"dtype", "f32"}});
  Json minus = {{"op", "-"}, {"args", {0, {{"symbol", "N"}}}}};
  manifest["variants"][0]["parameters"] = {
      {{"kind", "scalar"}, {"argument", "half"}},
      {{"kind", "integer"}, {"type", "i32"}, {"value", minus}},
      {{"kind", "pointer"}, {"argument", "z"}},
      {{"kind", "scalar"}, {"argument", "alpha"}},
      {{"kind", "integer"}, {"type", "i64"}, {"value", minus}}};
  // The cubin has another list of parameters.
  SumRun sum("nothing", 9, manifest, "8 8 8 8 8");
  sum.what.scalars = {{"half", 1.5}, {"alpha", -2}};
  EXPECT_EQ(sum.reason(), "parameter 0 of the cubin's entry sum has 8 bytes at "
                          "0, the manifest has 2 at 0");

  auto files = artefactFiles("nothing", manifest);
  Expected<Manifest> parsed = parseManifest(files["manifest.json"]);
  ASSERT_TRUE(parsed) << parsed.error().reason;
  Call call;
  for (uint64_t base : {0x100000, 0x200000, 0x300000}) {
    call.tensors.push_back(TensorValue{base, Element::F32, {9}, {1}});
  }
  call.tensors.resize(5);
  call.scalars = {{}, {}, {}, 1.5, -2.0};
  Expected<LaunchPlan> plan = checkCall(*parsed, call);
  ASSERT_TRUE(plan) << plan.error().reason;
  ParameterBlock block = packParameters(*parsed, *plan, call);
  EXPECT_EQ(block.offsets, (std::vector<size_t>{0, 4, 8, 16, 24}));
  auto at = [&](size_t offset, size_t size) {
    return std::string(
        reinterpret_cast<const char *>(block.bytes.data()) + offset, size);
  };
  EXPECT_EQ(block.bytes.size(), 32U);
  EXPECT_EQ(value<uint16_t>(at(0, 2)), 0x3e00);
  EXPECT_EQ(value<int32_t>(at(4, 4)), -9);
  EXPECT_EQ(value<uint64_t>(at(8, 8)), 0x300000U);
  EXPECT_EQ(value<float>(at(16, 4)), -2.0F);
  EXPECT_EQ(value<int64_t>(at(24, 8)), -9);
  call.scalars[3].reset();
  EXPECT_EQ(checkCall(*parsed, call).error().reason,
            "contract: argument %half is missing");
}

TEST(Run, CubinsThatDoNotFitAreRefusedBeforeALaunch) {
  Json manifest = sumManifest();
  manifest["variants"][0]["entry"] = "absent";
  SumRun absent("add", 8, manifest);
  EXPECT_EQ(absent.reason(), "cuModuleGetFunction: CUDA_ERROR_NOT_FOUND");
  EXPECT_EQ(absent.state()->modulesLoaded, absent.state()->modulesUnloaded);

  manifest = sumManifest();
  manifest["variants"][0]["parameters"].erase(3);
  EXPECT_EQ(SumRun("add", 8, manifest).reason(),
            "the cubin's entry sum has 4 parameters, the manifest has 3");
  manifest = sumManifest();
  manifest["variants"][0]["parameters"].push_back(
      {{"kind", "pointer"}, {"argument", "x"}});
  EXPECT_EQ(SumRun("add", 8, manifest).reason(),
            "the cubin's entry sum has 4 parameters, the manifest has 5");
  manifest = sumManifest();
  manifest["variants"][0]["parameters"][3]["type"] = "i32";
  EXPECT_EQ(SumRun("add", 8, manifest).reason(),
            "parameter 3 of the cubin's entry sum has 8 bytes at 24, the "
            "manifest has 4 at 24");
  manifest = sumManifest();
  manifest["variants"][0]["cubins"].erase("sm_90");
  SumRun missing("add", 8, manifest);
  EXPECT_EQ(
      missing.reason(),
      "no cubin for sm_90: the artefact has sm_100; tile-compile sum.mlir "
      "--arch=sm_100,sm_90 -o FOLDER makes one that has it");
  EXPECT_TRUE(missing.state()->launches.empty());
}

TEST(Run, InputsAreCheckedBeforeTheDriverIsOpened) {
  SumRun sum("add", 8);
  auto reasonWith = [&](auto edit) {
    Case saved = sum.what;
    edit(sum.what);
    int before = sum.state()->calls;
    std::string reason = sum.reason();
    EXPECT_EQ(sum.state()->calls, before);
    sum.what = saved;
    return reason;
  };
  EXPECT_EQ(reasonWith([](Case &c) { c.inputs.erase("x"); }),
            "argument %x is missing");
  EXPECT_EQ(reasonWith([](Case &c) { c.scalars["x"] = 1; }),
            "argument %x is a tensor: give it a .npy file");
  EXPECT_EQ(reasonWith([](Case &c) { c.inputs["w"] = "w.npy"; }),
            "the kernel has no argument %w");
  EXPECT_EQ(reasonWith([](Case &c) { c.bounds["x"] = "x.npy"; }),
            "a bound for %x, of which nothing is expected");
  EXPECT_EQ(reasonWith([](Case &c) { c.symbols["N"] = 9; }),
            "contract: N is 9 for the caller and 8 for axis 0 of %x");
  EXPECT_EQ(reasonWith([](Case &c) { c.inputs["x"] = "absent.npy"; }),
            "absent.npy: cannot be read");
}

TEST(Run, ModulesAreLoadedOnceAndUnloaded) {
  FakeState &state = driverState();
  {
    SumRun sum("add", 8);
    ASSERT_TRUE(sum.run());
    ASSERT_TRUE(sum.run());
    EXPECT_EQ(state.modulesLoaded, 1);
    EXPECT_EQ(state.launches.size(), 2U);
  }
  EXPECT_EQ(state.modulesUnloaded, 1);
}

// The graph may outlive the kernel, and the driver follows its pointers.
TEST(Run, CodeThatAGraphHasRecordedStaysLoaded) {
  FakeState &state = driverState();
  {
    SumRun sum("add", 8);
    state.capturing = 1;
    ASSERT_TRUE(sum.run());
    state.capturing = 0;
    ASSERT_TRUE(sum.run());
  }
  EXPECT_EQ(state.modulesLoaded, 1);
  EXPECT_EQ(state.modulesUnloaded, 0);
}

TEST(Run, TimesAreMedians) {
  EXPECT_EQ(summarize({5}).median, 5);
  Timing timing = summarize({9, 1, 3, 4, 5, 6, 7, 8, 2, 10, 11});
  EXPECT_EQ(timing.median, 6);
  EXPECT_EQ(timing.low, 2);
  EXPECT_EQ(timing.high, 10);
  EXPECT_EQ(timing.samples, 11);
  SumRun sum("add", 8);
  sum.what.samples = 5;
  Expected<Outcome> outcome = sum.run();
  ASSERT_TRUE(outcome) << outcome.error().reason;
  // The fake driver's launches take 3 microseconds each.
  EXPECT_NEAR(outcome->timing->median, 3, 1e-3);
  EXPECT_EQ(outcome->timing->samples, 5);
}
