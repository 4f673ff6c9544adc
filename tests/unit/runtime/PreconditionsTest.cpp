// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a contract gives about contents: looked through on the host, looked up
// on the fake device, vouched for, or assumed; each refusal by its words.

#include "runtime/arguments/Preconditions.h"
#include "runtime/artefact/Sha256.h"
#include "runtime/girih.h"
#include "runtime/run/Run.h"
#include "tests/unit/runtime/Fixture.h"

#include <cstring>
#include <gtest/gtest.h>
#include <numeric>
#include <rapidcheck/gtest.h>

using namespace girih::runtime;
using namespace girih::tests;

namespace {

const Json symbolN = {{"symbol", "N"}};

template <typename T>
Array numbers(Element element, const std::vector<T> &values) {
  Array array{element, {static_cast<int64_t>(values.size())}, {}};
  array.bytes.assign(reinterpret_cast<const char *>(values.data()),
                     values.size() * sizeof(T));
  return array;
}

/// A run of the sum with contents of %ids.
struct PreconditionRun {
  Folder artefact, files;
  Case what;
  Session session;

  static std::map<std::string, std::string> filesOf(Json manifest,
                                                    const char *validator) {
    std::map<std::string, std::string> inner;
    if (validator) {
      addValidator(inner, manifest, validator);
    }
    auto all = artefactFiles("add", manifest);
    all.merge(inner);
    return all;
  }

  PreconditionRun(const Json &manifest, const Array &ids,
                  const char *validator = nullptr)
      : artefact(filesOf(manifest, validator)) {
    std::vector<float> x(static_cast<size_t>(ids.size()), 1.0F);
    what.artefact = artefact.path();
    for (const char *name : {"x", "y"}) {
      what.inputs[name] =
          files.write(std::string(name) + ".npy", printNpy(floats(x)));
    }
    what.inputs["ids"] = files.write("ids.npy", printNpy(ids));
    if (validator) {
      what.validated.insert("ids");
    }
    driverState() = FakeState();
  }

  std::string reason() {
    Expected<Outcome> outcome = runCase(session, what);
    return outcome ? "ran" : outcome.error().reason;
  }
};

std::string onHost(const Json &given, const std::vector<int32_t> &ids) {
  return PreconditionRun(manifestWith(given), numbers(Element::I32, ids))
      .reason();
}

} // namespace

TEST(Preconditions, ContentsFromTheHostAreLookedThrough) {
  Json within = fact("within", {0, symbolN});
  EXPECT_EQ(onHost(within, {3, 0, 2, 1}), "ran");
  EXPECT_EQ(onHost(within, {3, 0, 4, 1}),
            "contract: given within(%ids, 0, N): element [2] is 4, outside "
            "[0, 4)");
  EXPECT_EQ(onHost(within, {3, 0, -1, 9}),
            "contract: given within(%ids, 0, N): element [2] is -1, outside "
            "[0, 4)");
  EXPECT_TRUE(driverState().launches.empty());
  EXPECT_EQ(onHost(within, {}), "ran");
  EXPECT_EQ(onHost(fact("sorted"), {-5, -5, 7}), "ran");
  EXPECT_EQ(onHost(fact("sorted"), {-5, 8, 7}),
            "contract: given sorted(%ids): element [1] is 8 and element [2] "
            "is 7");
  Json splits = fact("splits", {9});
  EXPECT_EQ(onHost(splits, {0, 3, 3, 9}), "ran");
  EXPECT_EQ(onHost(splits, {1, 3, 9}),
            "contract: given splits(%ids, 9): element [0] is 1, not 0");
  EXPECT_EQ(onHost(splits, {0, 3, 8}),
            "contract: given splits(%ids, 9): element [2] is 8, not 9");
  EXPECT_EQ(onHost(splits, {0, 4, 3, 9}),
            "contract: given splits(%ids, 9): element [1] is 4 and element "
            "[2] is 3");
  EXPECT_EQ(onHost(splits, {}),
            "contract: given splits(%ids, 9): the tensor is empty");
  EXPECT_EQ(onHost(fact("distinct"), {4, 1, 9}), "ran");
  EXPECT_EQ(onHost(fact("distinct"), {4, 1, 9, 4, 1}),
            "contract: given distinct(%ids): element [1] is 1 and element [4] "
            "is 1");
}

TEST(Preconditions, ElementsOfEveryWidthHaveTheirSign) {
  Json within = fact("within", {0, 128});
  EXPECT_EQ(PreconditionRun(manifestWith(within, "i8"),
                            numbers<int8_t>(Element::I8, {1, -128}))
                .reason(),
            "contract: given within(%ids, 0, 128): element [1] is -128, "
            "outside [0, 128)");
  EXPECT_EQ(PreconditionRun(manifestWith(within, "i16"),
                            numbers<int16_t>(Element::I16, {127, 128}))
                .reason(),
            "contract: given within(%ids, 0, 128): element [1] is 128, "
            "outside [0, 128)");
  int64_t most = std::numeric_limits<int64_t>::max();
  EXPECT_EQ(PreconditionRun(manifestWith(within, "i64"),
                            numbers<int64_t>(Element::I64, {most}))
                .reason(),
            "contract: given within(%ids, 0, 128): element [0] is "
            "9223372036854775807, outside [0, 128)");
}

TEST(Preconditions, ElementsOfAMatrixAreNamedByTheirCoordinates) {
  Precondition given;
  given.text = "within(%t, 0, 6)";
  std::vector<int32_t> values = {0, 1, 2, 3, 6, 5};
  auto breach = findBreach(given, {0, 6}, Element::I32, {3, 2}, values.data());
  ASSERT_TRUE(breach);
  EXPECT_EQ(breach->reason, "contract: given within(%t, 0, 6): element [2, 0] "
                            "is 6, outside [0, 6)");
  EXPECT_EQ(breach->why, ErrorKind::Usage);
  EXPECT_FALSE(findBreach(given, {0, 7}, Element::I32, {3, 2}, values.data()));
}

TEST(Preconditions, AssumedFactsAreNotLookedUpButSaid) {
  Json given = fact("within", {0, symbolN});
  given["assumed"] = true;
  Json manifest = manifestWith(given);
  manifest["variants"][0]["trusted"] = {"given: within(%ids, 0, N) assumed"};
  PreconditionRun run(manifest, numbers<int32_t>(Element::I32, {7, 8}));
  Expected<Outcome> outcome = runCase(run.session, run.what);
  ASSERT_TRUE(outcome) << outcome.error().reason;
  EXPECT_EQ(outcome->believed,
            std::vector<std::string>{"given: within(%ids, 0, N) assumed"});
}

TEST(Preconditions, DeviceMemoryNeedsSomebodyWhoKnows) {
  auto files = artefactFiles("add", manifestWith(fact("sorted")));
  Expected<Manifest> manifest = parseManifest(files["manifest.json"]);
  ASSERT_TRUE(manifest) << manifest.error().reason;
  auto reason = [&](int64_t n, Evidence evidence) {
    Call call;
    for (uint64_t base : {0x100000, 0x200000, 0x300000}) {
      call.tensors.push_back(
          TensorValue{base, Element::F32, {n}, {1}, Evidence::None, nullptr});
    }
    call.tensors.push_back(
        TensorValue{0x400000, Element::I32, {n}, {1}, evidence, nullptr});
    call.scalars.resize(4);
    Expected<LaunchPlan> plan = checkCall(*manifest, call);
    return plan ? "" : plan.error().reason;
  };
  EXPECT_EQ(reason(5, Evidence::None),
            "contract: given sorted(%ids): nobody has looked at the contents "
            "of %ids; give them from the host, have them validated on the "
            "device, or vouch for them");
  EXPECT_EQ(reason(1, Evidence::None), "");
  EXPECT_EQ(reason(5, Evidence::Vouched), "");
  EXPECT_EQ(reason(5, Evidence::Validated), "");
}

TEST(Preconditions, BoundsAreEvaluatedLikeTheContract) {
  Json big = int64_t(1) << 62;
  for (int i = 0; i < 2; ++i) {
    big = {{"op", "*"}, {"args", {big, big}}};
  }
  Json given = fact("within", {0, symbolN});
  given["args"][1] = big;
  EXPECT_EQ(onHost(given, {1}), "contract: ((4611686018427387904 * "
                                "4611686018427387904) * (4611686018427387904 * "
                                "4611686018427387904)) leaves 128 bits");
}

TEST(Preconditions, AKernelLooksOnTheDevice) {
  Json manifest = manifestWith(fact("within", {-2, symbolN}));
  std::vector<int32_t> ids(3000);
  for (size_t i = 0; i < ids.size(); ++i) {
    ids[i] = static_cast<int32_t>(i % 900);
  }
  auto bounded = [&] {
    Json m = manifest;
    m["variants"][0]["requires"] = Json::array();
    return m;
  }();
  PreconditionRun good(bounded, numbers(Element::I32, ids), "within");
  EXPECT_EQ(good.reason(), "ran");
  ASSERT_EQ(driverState().launches.size(), 2U);
  const FakeLaunch &look = driverState().launches[0];
  EXPECT_EQ(look.grid[0], 3U);
  auto value = [&](size_t k) {
    int64_t v = 0;
    std::memcpy(&v, look.parameters[k].data(), sizeof v);
    return v;
  };
  EXPECT_EQ(value(2), 3000);
  EXPECT_EQ(value(3), 3);
  EXPECT_EQ(value(4), -2);
  EXPECT_EQ(value(5), 2999);
  EXPECT_EQ(driverState().frees, driverState().allocations);

  ids[2047] = 3000;
  PreconditionRun bad(bounded, numbers(Element::I32, ids), "within");
  EXPECT_EQ(bad.reason(), "contract: given within(%ids, -2, N): element "
                          "[2047] is 3000, outside [-2, 3000)");
  EXPECT_EQ(driverState().launches.size(), 1U);
}

TEST(Preconditions, EndsOfSplitsAreLookedUpBesideTheKernel) {
  auto reason = [](const std::vector<int32_t> &ids) {
    return PreconditionRun(manifestWith(fact("splits", {9})),
                           numbers(Element::I32, ids), "sorted")
        .reason();
  };
  EXPECT_EQ(reason({0, 4, 9}), "ran");
  EXPECT_EQ(driverState().launches.size(), 2U);
  EXPECT_EQ(reason({0, 4, 8}),
            "contract: given splits(%ids, 9): element [2] is 8, not 9");
  EXPECT_EQ(reason({1, 4, 9}),
            "contract: given splits(%ids, 9): element [0] is 1, not 0");
  EXPECT_EQ(reason({0, 9, 4, 9}),
            "contract: given splits(%ids, 9): element [1] is 9 and element "
            "[2] is 4");
}

TEST(Preconditions, EqualElementsAreLookedForInTilesOf32) {
  auto launches = [](const std::vector<int32_t> &ids,
                     const std::string &reason) {
    PreconditionRun run(manifestWith(fact("distinct")),
                        numbers(Element::I32, ids), "distinct");
    EXPECT_EQ(run.reason(), reason);
    return driverState().launches;
  };
  std::vector<int32_t> ids(100);
  std::iota(ids.begin(), ids.end(), -50);
  auto good = launches(ids, "ran");
  ASSERT_EQ(good.size(), 2U);
  EXPECT_EQ(good[0].grid[0], 4U);
  ids[97] = ids[3];
  EXPECT_EQ(launches(ids, "contract: given distinct(%ids): element [3] is -47 "
                          "and element [97] is -47")
                .size(),
            1U);
}

// Beyond that, each with each is too many comparisons: the host sorts.
TEST(Preconditions, UpTo2To18ElementsAreComparedOnTheDevice) {
  auto reason = [](size_t count) {
    std::vector<int32_t> ids(count);
    std::iota(ids.begin(), ids.end(), 0);
    Json manifest = manifestWith(fact("distinct"));
    manifest["variants"][0]["requires"] = Json::array(); // any size
    return PreconditionRun(manifest, numbers(Element::I32, ids), "alarm")
        .reason();
  };
  EXPECT_EQ(reason(1 << 18),
            "given distinct(%ids): the kernel finds a breach at element 0, the "
            "host finds none");
  EXPECT_EQ(reason((1 << 18) + 1), "ran");
}

TEST(Preconditions, WithoutAKernelDeviceMemoryIsCopiedAndLookedThrough) {
  auto run = [](const std::vector<int32_t> &ids) {
    PreconditionRun given(manifestWith(fact("distinct")),
                          numbers(Element::I32, ids));
    given.what.validated.insert("ids");
    return given.reason();
  };
  EXPECT_EQ(run({5, 6, 7}), "ran");
  EXPECT_EQ(run({5, 6, 5}),
            "contract: given distinct(%ids): element [0] is 5 and element [2] "
            "is 5");
  EXPECT_TRUE(driverState().launches.empty());
}

TEST(Preconditions, AKernelThatCriesWolfIsToldFromABreach) {
  PreconditionRun run(manifestWith(fact("sorted")),
                      numbers<int32_t>(Element::I32, {1, 2, 3}), "alarm");
  EXPECT_EQ(run.reason(), "given sorted(%ids): the kernel finds a breach at "
                          "element 0, the host finds none");
}

TEST(Preconditions, NothingIsValidatedWhileAGraphIsCaptured) {
  PreconditionRun run(manifestWith(fact("sorted")),
                      numbers<int32_t>(Element::I32, {1, 2, 3}), "sorted");
  driverState().capturing = 1;
  EXPECT_EQ(run.reason(),
            "contract: given sorted(%ids): contents cannot be validated while "
            "a graph is captured; validate them before, and vouch for them");
  EXPECT_TRUE(driverState().launches.empty());
}

TEST(Preconditions, AValidatorIsTheOneThatTheManifestNames) {
  Json manifest = manifestWith(fact("sorted"));
  std::map<std::string, std::string> inner, other;
  addValidator(inner, manifest, "sorted");
  Json changed = manifestWith(fact("sorted"));
  addValidator(other, changed, "nothing");
  auto files = artefactFiles("add", manifest);
  auto reason = [](std::map<std::string, std::string> all,
                   const std::map<std::string, std::string> &within) {
    all.insert(within.begin(), within.end());
    Folder folder(all);
    Expected<Artefact> artefact = loadArtefact(folder.path());
    return artefact ? "" : artefact.error().reason;
  };
  EXPECT_EQ(reason(files, inner), "");
  EXPECT_EQ(reason(files, {}), "validator look: manifest.json cannot be read");
  EXPECT_TRUE(reason(files, other)
                  .starts_with("validator look: manifest.json is not the file "
                               "that the manifest names"));
  inner["look/sm_90.cubin"] = other["look/sm_90.cubin"];
  EXPECT_TRUE(reason(files, inner)
                  .starts_with("validator look: sm_90.cubin is not the file "
                               "that the manifest names"));
  // One to which something is given would have to be validated itself.
  auto nested = artefactFiles("add", manifestWith(fact("sorted")));
  std::map<std::string, std::string> within;
  for (const auto &[name, bytes] : nested) {
    within["look/" + name] = bytes;
  }
  manifest["variants"][0]["given"][0]["validator"]["sha256"] =
      sha256(nested["manifest.json"]);
  EXPECT_EQ(reason(artefactFiles("add", manifest), within),
            "validator look: something is given to it as well");
}

TEST(Preconditions, TheManifestNamesTensorsThatCanBeSo) {
  auto reason = [](Json given, const char *element = "i32") {
    auto files = artefactFiles("add", manifestWith(std::move(given), element));
    Expected<Manifest> manifest = parseManifest(files["manifest.json"]);
    return manifest ? "" : manifest.error().reason;
  };
  std::string at = "manifest.json: variants[0].given[0].";
  EXPECT_EQ(reason(fact("sorted")), "");
  EXPECT_EQ(reason(fact("sorted"), "f32"),
            at + "tensor names no shared tensor of integers that can be so: "
                 "ids");
  EXPECT_EQ(reason(fact("splits")),
            at + "args has 0 expressions, the fact takes 1");
  EXPECT_EQ(reason(fact("within", {1})),
            at + "args has 1 expression, the fact takes 2");
  Json other = fact("sorted");
  other["tensor"] = "absent";
  EXPECT_EQ(reason(other), at + "tensor names no argument: absent");
}

TEST(Preconditions, TheInterfaceOfCTakesEveryEvidence) {
  driverState() = FakeState(); // found here, the library finds it too
  Folder folder(artefactFiles("add", manifestWith(fact("sorted"))));
  girih_kernel *kernel = nullptr;
  ASSERT_EQ(girih_open(folder.path().c_str(), &kernel), 0) << girih_error();
  const int64_t extent = 3, stride = 1;
  alignas(64) float sum[3][16] = {};
  alignas(64) int32_t ids[] = {1, 2, 3};
  std::string believed;
  auto reason = [&](int evidence, const void *contents) {
    std::vector<girih_argument> arguments;
    const char *names[] = {"x", "y", "z"};
    for (int k = 0; k < 3; ++k) {
      arguments.push_back({names[k], "f32", reinterpret_cast<uint64_t>(sum[k]),
                           1, &extent, &stride, 0, GIRIH_NOTHING, nullptr});
    }
    arguments.push_back({"ids", "i32", reinterpret_cast<uint64_t>(ids), 1,
                         &extent, &stride, 0, evidence, contents});
    girih_launch *launch = nullptr;
    int code = girih_prepare(kernel, arguments.data(), arguments.size(),
                             nullptr, 0, &launch);
    if (code == 0) {
      const char *first = girih_believed(launch, 0);
      believed = first ? first : "";
      EXPECT_EQ(girih_believed(launch, 1), nullptr);
      code = girih_run(launch, nullptr);
      girih_release(launch);
    }
    EXPECT_TRUE(code == 0 || code == 3) << code;
    return std::string(code ? girih_error() : "ran");
  };
  std::string given = "contract: given sorted(%ids): ";
  EXPECT_TRUE(reason(GIRIH_NOTHING, nullptr)
                  .starts_with(given + "nobody has looked at the contents"));
  EXPECT_EQ(reason(GIRIH_CONTENTS, ids), "ran");
  EXPECT_EQ(believed, "");
  const int32_t other[] = {1, 3, 2};
  EXPECT_EQ(reason(GIRIH_CONTENTS, other),
            given + "element [1] is 3 and element [2] is 2");
  EXPECT_EQ(reason(GIRIH_CONTENTS, nullptr), "argument %ids has no contents");
  EXPECT_EQ(reason(GIRIH_VALIDATED, nullptr), "ran");
  ids[0] = 9;
  EXPECT_EQ(reason(GIRIH_VALIDATED, nullptr),
            given + "element [0] is 9 and element [1] is 2");
  EXPECT_EQ(reason(GIRIH_VOUCHED, nullptr), "ran");
  EXPECT_EQ(believed, "vouched for: sorted(%ids)");
  EXPECT_EQ(reason(4, nullptr), "argument %ids has no such evidence: 4");
  EXPECT_EQ(reason(-1, nullptr), "argument %ids has no such evidence: -1");
  girih_close(kernel);
}

// Against definitions, on numbers of which facts are often true.
RC_GTEST_PROP(Precondition, FactsAreTrueAsDefined, ()) {
  std::vector<int32_t> v;
  int n = *rc::gen::inRange(2, 6);
  for (int i = 0; i < n; ++i) {
    v.push_back(*rc::gen::inRange(0, 8));
  }
  if (*rc::gen::arbitrary<bool>()) {
    std::sort(v.begin(), v.end());
  }
  Wide low = *rc::gen::inRange(0, 3), high = *rc::gen::inRange(4, 9);
  bool within = true, sorted = true, distinct = true;
  for (int i = 0; i < n; ++i) {
    within = within && low <= v[i] && v[i] < high;
    for (int j = 0; j < i; ++j) {
      sorted = sorted && v[j] <= v[i];
      distinct = distinct && v[j] != v[i];
    }
  }
  bool splits = sorted && v.front() == 0 && v.back() == high;
  using Kind = Precondition::Kind;
  for (auto [kind, truth] :
       {std::pair{Kind::Within, within}, std::pair{Kind::Sorted, sorted},
        std::pair{Kind::Splits, splits}, std::pair{Kind::Distinct, distinct}}) {
    Precondition given;
    given.kind = kind;
    bool found =
        findBreach(given, {low, high}, Element::I32, {n}, v.data()).has_value();
    RC_ASSERT(found == !truth);
  }
}
