// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The contract against integers of any size, and each refusal by its words.

#include "runtime/arguments/Contract.h"
#include "tests/unit/runtime/Fixture.h"

#include <boost/multiprecision/cpp_int.hpp>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <set>

using namespace girih::runtime;
using namespace girih::tests;
using Integer = boost::multiprecision::cpp_int;

static Manifest parsed(const Json &manifest) {
  Json with = Json::parse(artefactFiles("add", manifest).at("manifest.json"));
  with.erase("seal");
  Expected<Manifest> result = parseManifest(sealed(with));
  EXPECT_TRUE(result) << result.error().reason;
  return result ? *result : Manifest();
}

// --- expressions ------------------------------------------------------------

namespace {
const Integer wideMin = -(Integer(1) << 127);
const Integer wideMax = (Integer(1) << 127) - 1;

/// The value, or nothing when any step is undefined or leaves 128 bits.
std::optional<Integer> oracle(const Expression &e,
                              const std::vector<int64_t> &symbols) {
  using Op = Expression::Op;
  if (e.op == Op::Constant) {
    return Integer(e.value);
  }
  if (e.op == Op::Symbol) {
    return Integer(symbols[e.value]);
  }
  auto a = oracle(e.args[0], symbols), b = oracle(e.args[1], symbols);
  if (!a || !b) {
    return std::nullopt;
  }
  Integer value;
  switch (e.op) {
  case Op::Add:
    value = *a + *b;
    break;
  case Op::Sub:
    value = *a - *b;
    break;
  case Op::Mul:
    value = *a * *b;
    break;
  case Op::Min:
    value = *a < *b ? *a : *b;
    break;
  case Op::Max:
    value = *a < *b ? *b : *a;
    break;
  default:
    if (*a < 0 || *b < 1) {
      return std::nullopt;
    }
    value = *a / *b;
    if (e.op == Op::Mod || (e.op == Op::CeilDiv && value * *b != *a)) {
      value = e.op == Op::Mod ? Integer(*a - value * *b) : Integer(value + 1);
    }
    break;
  }
  return value < wideMin || value > wideMax ? std::nullopt
                                            : std::optional(value);
}

int64_t anyInteger() {
  // Small numbers and those near powers of two, where wrapping would show.
  if (*rc::gen::inRange(0, 2) == 0) {
    return *rc::gen::inRange<int64_t>(-5, 6);
  }
  auto power = int64_t(1) << *rc::gen::inRange(0, 63);
  return *rc::gen::element(power, -power, power - 1, INT64_MAX, INT64_MIN);
}

Expression anyExpression(int depth) {
  Expression e;
  int kind = *rc::gen::inRange(0, depth ? 10 : 2);
  e.op = static_cast<Expression::Op>(kind);
  if (kind == 0) {
    e.value = anyInteger();
  } else if (kind == 1) {
    e.value = *rc::gen::inRange(0, 3);
  } else {
    e.args = {anyExpression(depth - 1), anyExpression(depth - 1)};
  }
  return e;
}

std::string text(Wide value) {
  Integer wide = static_cast<int64_t>(value >> 64);
  wide = (wide << 64) + static_cast<uint64_t>(value);
  return wide.str();
}
} // namespace

RC_GTEST_PROP(Contract, ExpressionsNeverWrap, ()) {
  Manifest manifest;
  manifest.symbols = {{"A"}, {"B"}, {"C"}};
  std::vector<int64_t> symbols = {anyInteger(), anyInteger(), anyInteger()};
  Expression e = anyExpression(4);
  std::optional<Integer> expected = oracle(e, symbols);
  Expected<Wide> got = evaluate(manifest, e, symbols);
  RC_ASSERT(bool(got) == expected.has_value());
  if (got) {
    RC_ASSERT(text(*got) == expected->str());
  }
}

// --- a call -----------------------------------------------------------------

/// A call of the sum kernel for N elements, with tensors far apart.
static Call sumCall(int64_t n) {
  Call call;
  call.scalars.resize(3);
  for (uint64_t base : {0x100000, 0x200000, 0x300000}) {
    call.tensors.push_back(TensorValue{base, Element::F32, {n}, {1}});
  }
  return call;
}

static std::string reason(const Manifest &manifest, const Call &call) {
  Expected<LaunchPlan> plan = checkCall(manifest, call);
  if (plan) {
    return "admitted";
  }
  EXPECT_EQ(exitCode(plan.error().why), 3);
  return plan.error().reason;
}

TEST(Contract, AGoodCallIsPlanned) {
  Manifest manifest = parsed(sumManifest());
  Expected<LaunchPlan> plan = checkCall(manifest, sumCall(300));
  ASSERT_TRUE(plan) << plan.error().reason;
  EXPECT_EQ(plan->symbols, std::vector<int64_t>{300});
  EXPECT_EQ(plan->grid, std::vector<int64_t>{3});
  EXPECT_EQ(plan->blocks, 3);
  EXPECT_EQ(plan->integers, std::vector<int64_t>{300});
  EXPECT_EQ(checkCall(manifest, sumCall(0))->blocks, 0);
}

TEST(Contract, EachRefusalSaysWhy) {
  Manifest manifest = parsed(sumManifest());
  EXPECT_EQ(reason(manifest, sumCall(1001)),
            "contract: requires N <= 1000: 1001 against 1000");
  EXPECT_EQ(reason(manifest, sumCall(-1)),
            "contract: N = -1 is outside 0..1099511627776");
  Call call = sumCall(8);
  call.tensors[1]->extents = {9};
  EXPECT_EQ(reason(manifest, call),
            "contract: N is 8 for axis 0 of %x and 9 for axis 0 of %y");
  call = sumCall(8);
  call.symbols["N"] = 7;
  EXPECT_EQ(reason(manifest, call),
            "contract: N is 7 for the caller and 8 for axis 0 of %x");
  call = sumCall(8);
  call.symbols["Q"] = 7;
  EXPECT_EQ(reason(manifest, call), "contract: the kernel has no symbol Q");
  call = sumCall(8);
  call.tensors[0]->extents = call.tensors[0]->strides = {8, 1};
  EXPECT_EQ(reason(manifest, call),
            "contract: %x has 2 axes, the kernel has 1");
  call = sumCall(8);
  call.tensors[2].reset();
  EXPECT_EQ(reason(manifest, call), "contract: argument %z is missing");
  call = sumCall(8);
  call.tensors[1]->element = Element::I32;
  EXPECT_EQ(reason(manifest, call),
            "contract: %y holds i32, the kernel has f32");
  call = sumCall(8);
  call.tensors[0]->strides = {2};
  EXPECT_EQ(reason(manifest, call),
            "contract: stride 0 of %x is 2, the kernel has 1");
  call = sumCall(8);
  call.tensors[0]->address += 8;
  EXPECT_EQ(reason(manifest, call), "contract: %x lies at 0x100008, which is "
                                    "not aligned to 16 bytes");
  call = sumCall(8);
  call.tensors[0]->address = 0;
  EXPECT_EQ(reason(manifest, call), "contract: %x has no address");
  call = sumCall(8);
  call.tensors[2]->address = call.tensors[1]->address + 16;
  EXPECT_EQ(reason(manifest, call),
            "contract: the written tensor %z may share memory with %y: "
            "0x200010 and 0x200000");
}

TEST(Contract, SharedTensorsMayOverlap) {
  Manifest manifest = parsed(sumManifest());
  Call call = sumCall(8);
  call.tensors[1]->address = call.tensors[0]->address;
  EXPECT_EQ(reason(manifest, call), "admitted");
}

TEST(Contract, EmptyTensorsNeedNothing) {
  Manifest manifest = parsed(sumManifest());
  Call call = sumCall(0);
  for (auto &tensor : call.tensors) {
    tensor->address = 3;
    tensor->strides = {17};
  }
  EXPECT_EQ(reason(manifest, call), "admitted");
}

TEST(Contract, AnExtentThatNoArgumentHasIsAsked) {
  Manifest manifest = parsed(sumManifest());
  Call call = sumCall(8);
  call.tensors = {std::nullopt, std::nullopt, std::nullopt};
  EXPECT_EQ(reason(manifest, call), "contract: symbol N has no value");
}

TEST(Contract, SpansGridsAndParametersDoNotWrap) {
  Json json = sumManifest();
  json["variants"][0]["requires"] = Json::array();
  Manifest manifest = parsed(json);
  EXPECT_EQ(reason(manifest, sumCall((int64_t(1) << 40) + 1)),
            "contract: N = 1099511627777 is outside 0..1099511627776");
  EXPECT_EQ(reason(manifest, sumCall((int64_t(1) << 38) + 1)),
            "contract: grid[0] = 2147483649 is outside 0..2147483647");
  json["arguments"][0]["dtype"] = "f64";
  json["arguments"][0]["strides"][0] = 1024;
  EXPECT_EQ(reason(parsed(json), sumCall((int64_t(1) << 35) + 1)),
            "contract: stride * extent * size of axis 0 of %x is above 2^47 "
            "bytes");
  json = sumManifest();
  json["variants"][0]["requires"] = Json::array();
  json["variants"][0]["parameters"][3]["type"] = "i32";
  EXPECT_EQ(reason(parsed(json), sumCall(int64_t(1) << 31)),
            "contract: parameter N = 2147483648 is outside "
            "-2147483648..2147483647");
  Json big = {{"symbol", "N"}};
  for (int k = 0; k < 4; ++k) {
    big = {{"op", "*"}, {"args", {big, big}}};
  }
  json["variants"][0]["grid"][0] = big;
  std::string wrapped = reason(parsed(json), sumCall(1 << 20));
  EXPECT_NE(wrapped.find("leaves 128 bits"), wrapped.npos) << wrapped;
}

TEST(Contract, GridProducts) {
  Json json = sumManifest();
  json["variants"][0]["grid"] = {65536, 65536};
  EXPECT_EQ(reason(parsed(json), sumCall(8)),
            "contract: the number of blocks = 4294967296 is outside "
            "0..2147483647");
  json["variants"][0]["grid"] = {2147483647, 2147483647, 2147483647, 0};
  EXPECT_EQ(checkCall(parsed(json), sumCall(8))->blocks, 0);
  json["variants"][0]["grid"] = Json::array();
  EXPECT_EQ(checkCall(parsed(json), sumCall(8))->blocks, 1);
  json["variants"][0]["grid"] = {-1};
  EXPECT_EQ(reason(parsed(json), sumCall(8)),
            "contract: grid[0] = -1 is outside 0..2147483647");
  Json zero = {{"op", "div"}, {"args", {8, {{"symbol", "N"}}}}};
  json["variants"][0]["grid"] = Json::array({zero});
  EXPECT_EQ(reason(parsed(json), sumCall(0)),
            "contract: div(8, N) divides 8 by 0");
}

TEST(Contract, WrittenTensorsMustNotOverlapThemselves) {
  Json json = sumManifest();
  json["arguments"][2]["strides"][0] = 0;
  EXPECT_EQ(reason(parsed(json), sumCall(8)),
            "contract: elements of the written tensor %z share memory");
  json = sumManifest();
  json["arguments"][0]["strides"][0] = 0;
  Call call = sumCall(8);
  call.tensors[0]->strides = {0};
  EXPECT_EQ(reason(parsed(json), call), "admitted");
}

/// A manifest of several variants, whose files nobody looks at.
Expected<Manifest> withDigests(Json json) {
  for (Json &variant : json["variants"]) {
    variant["digest"] = variant["proof"]["sha256"] = std::string(64, '0');
    for (auto &cubin : variant["cubins"]) {
      cubin["sha256"] = std::string(64, '0');
    }
  }
  return parseManifest(sealed(json));
}

TEST(Contract, TheFirstVariantThatAppliesIsTaken) {
  Json json = sumManifest();
  Json small = json["variants"][0];
  small["name"] = "small";
  small["when"] = {
      {{"op", "<"}, {"args", {{{"symbol", "N"}}, 100}}, {"text", "N < 100"}}};
  json["variants"].insert(json["variants"].begin(), small);
  Expected<Manifest> manifest = withDigests(json);
  ASSERT_TRUE(manifest) << manifest.error().reason;
  EXPECT_EQ(checkCall(*manifest, sumCall(99))->variant, 0U);
  EXPECT_EQ(checkCall(*manifest, sumCall(100))->variant, 1U);
  manifest->variants.pop_back();
  EXPECT_EQ(reason(*manifest, sumCall(100)),
            "contract: no variant of sum is for this launch");
}

/// As the aligned entry points bound strides.
TEST(Contract, ConditionsOnProductsDoNotWrap) {
  Json json = sumManifest();
  json["variants"][0]["requires"] = Json::array();
  Json aligned = json["variants"][0];
  Json n = {{"symbol", "N"}};
  aligned["name"] = "aligned";
  aligned["when"] = {{{"op", "<="},
                      {"args", {{{"op", "*"}, {"args", {n, n}}}, 2147483647}},
                      {"text", "N * N <= 2147483647"}}};
  json["variants"].insert(json["variants"].begin(), aligned);
  Expected<Manifest> manifest = withDigests(json);
  ASSERT_TRUE(manifest) << manifest.error().reason;
  EXPECT_EQ(planLaunch(*manifest, {46340})->variant, 0U);
  EXPECT_EQ(planLaunch(*manifest, {46341})->variant, 1U);
  EXPECT_EQ(planLaunch(*manifest, {int64_t(1) << 32})->variant, 1U);
}

TEST(Contract, SymbolsKeepTheRangeOfTheirType) {
  Json json = sumManifest();
  for (auto [name, type] :
       {std::pair{"byte", "i8"}, {"word", "i64"}, {"P", "index"}}) {
    json["symbols"].push_back(
        {{"name", name}, {"type", type}, {"source", "caller"}});
  }
  Manifest manifest = parsed(json);
  auto with = [&](const char *name, int64_t value) {
    Call call = sumCall(8);
    call.symbols = {
        {"byte", -128}, {"word", INT64_MIN}, {"P", int64_t(1) << 40}};
    call.symbols[name] = value;
    return reason(manifest, call);
  };
  EXPECT_EQ(with("byte", 127), "admitted");
  EXPECT_EQ(with("byte", 128), "contract: byte = 128 is outside -128..127");
  EXPECT_EQ(with("P", -1), "contract: P = -1 is outside 0..1099511627776");
}

// --- strides ----------------------------------------------------------------

/// x[N, 4] with strides [ld, 1] beside y and z of the sum kernel.
static Manifest strided() {
  Json json = sumManifest();
  Json n = {{"symbol", "N"}}, ld = {{"symbol", "ld"}};
  json["arguments"][0]["dims"] = {n, 4};
  json["arguments"][0]["strides"] = {ld, 1};
  json["symbols"].push_back(
      {{"name", "ld"}, {"type", "index"}, {"source", "stride"}});
  return parsed(json);
}

static Call stridedCall(int64_t n, int64_t stride) {
  Call call = sumCall(n);
  call.tensors[0] = TensorValue{0x100000, Element::F32, {n, 4}, {stride, 1}};
  return call;
}

static int64_t strideOf(const Manifest &manifest, const Call &call) {
  Expected<std::vector<int64_t>> symbols = bindSymbols(manifest, call);
  return symbols ? symbols->back() : -1;
}

TEST(Contract, StridesAreThoseOfTheTensor) {
  Manifest manifest = strided();
  for (int64_t stride : {4, 5, 1000}) {
    EXPECT_EQ(strideOf(manifest, stridedCall(3, stride)), stride);
    EXPECT_EQ(reason(manifest, stridedCall(3, stride)), "admitted");
  }
  Call call = stridedCall(3, 5);
  call.symbols["ld"] = 6;
  EXPECT_EQ(reason(manifest, call),
            "contract: ld is 6 for the caller and 5 for stride 0 of %x");
  call.symbols["ld"] = 5;
  EXPECT_EQ(reason(manifest, call), "admitted");
  EXPECT_EQ(reason(manifest, stridedCall(3, -1)),
            "contract: ld = -1 is outside 0..1099511627776");
}

TEST(Contract, StridesOfTwoTensorsAgree) {
  Json json = sumManifest();
  Json n = {{"symbol", "N"}}, ld = {{"symbol", "ld"}};
  for (int k : {0, 1}) {
    json["arguments"][k]["dims"] = {n, 4};
    json["arguments"][k]["strides"] = {ld, 1};
  }
  json["symbols"].push_back(
      {{"name", "ld"}, {"type", "index"}, {"source", "stride"}});
  Manifest manifest = parsed(json);
  Call call = stridedCall(3, 5);
  call.tensors[1] = TensorValue{0x200000, Element::F32, {3, 4}, {5, 1}};
  EXPECT_EQ(reason(manifest, call), "admitted");
  call.tensors[1]->strides[0] = 8;
  EXPECT_EQ(reason(manifest, call),
            "contract: ld is 5 for stride 0 of %x and 8 for stride 0 of %y");
}

/// The stride of an axis of one element says nothing, nor does that of a tensor
/// without elements.
TEST(Contract, StridesThatSayNothingArePacked) {
  Manifest manifest = strided();
  for (int64_t n : {0, 1}) {
    for (int64_t stride : {0, 1, 4, 7, 1000}) {
      EXPECT_EQ(strideOf(manifest, stridedCall(n, stride)), 4);
    }
  }
  Call nobody = stridedCall(3, 5);
  nobody.tensors[0].reset();
  EXPECT_EQ(strideOf(manifest, nobody), 4);
  nobody.symbols["ld"] = 9;
  EXPECT_EQ(strideOf(manifest, nobody), 9);
}

/// A row alone begins at a multiple of 16 bytes, and so do those behind it.
TEST(Contract, ThePackedStrideOfATensorIsAMultipleOf16Bytes) {
  Json json = sumManifest();
  Json n = {{"symbol", "N"}}, m = {{"symbol", "M"}}, ld = {{"symbol", "ld"}};
  json["arguments"][0]["dims"] = {n, m};
  json["arguments"][0]["strides"] = {ld, 1};
  json["symbols"].push_back(
      {{"name", "M"}, {"type", "index"}, {"source", "extent"}});
  json["symbols"].push_back(
      {{"name", "ld"}, {"type", "index"}, {"source", "stride"}});
  Manifest manifest = parsed(json);
  for (int64_t columns : {1, 4, 5, 1001}) {
    Call call = sumCall(1);
    call.tensors[0] =
        TensorValue{0x100000, Element::F32, {1, columns}, {columns, 1}};
    EXPECT_EQ(strideOf(manifest, call), (columns + 3) / 4 * 4);
    EXPECT_EQ(reason(manifest, call), "admitted");
    call.tensors[0].reset();
    call.symbols["M"] = columns;
    EXPECT_EQ(strideOf(manifest, call), columns);
  }
  // No number wraps on the way to the refusal.
  Call call = sumCall(1);
  call.tensors[0].reset();
  call.symbols = {{"N", 1}, {"M", INT64_MAX}};
  EXPECT_EQ(reason(manifest, call), "contract: M = 9223372036854775807 is "
                                    "outside 0..1099511627776");
}

/// Of a written tensor: what is admitted has the strides of the tensor wherever
/// they count, and no two of its elements share memory.
RC_GTEST_PROP(Contract, StridesOfWhatIsAdmittedKeepElementsApart, ()) {
  Json json = sumManifest();
  Json a = {{"symbol", "A"}}, b = {{"symbol", "B"}};
  json["arguments"][2]["dims"] = {a, b, 3};
  json["arguments"][2]["strides"] = {{{"symbol", "sa"}}, {{"symbol", "sb"}}, 1};
  for (auto [name, source] : {std::pair{"A", "extent"},
                              {"B", "extent"},
                              {"sa", "stride"},
                              {"sb", "stride"}}) {
    json["symbols"].push_back(
        {{"name", name}, {"type", "index"}, {"source", source}});
  }
  Manifest manifest = parsed(json);
  int64_t extentA = *rc::gen::inRange(0, 5), extentB = *rc::gen::inRange(0, 5);
  int64_t strideA = *rc::gen::inRange(0, 20),
          strideB = *rc::gen::inRange(0, 20);
  Call call = sumCall(1);
  call.tensors[2] = TensorValue{
      0x300000, Element::F32, {extentA, extentB, 3}, {strideA, strideB, 1}};
  Expected<LaunchPlan> plan = checkCall(manifest, call);
  if (!plan) {
    RC_TAG("refused");
    return;
  }
  RC_TAG("admitted");
  const Layout &layout = plan->layouts[2];
  RC_ASSERT(layout.extents == call.tensors[2]->extents);
  if (extentA > 1 && extentB > 0) {
    RC_ASSERT(layout.strides[0] == strideA);
  }
  if (extentB > 1 && extentA > 0) {
    RC_ASSERT(layout.strides[1] == strideB);
  }
  std::set<int64_t> places;
  for (int64_t i = 0; i < extentA; ++i) {
    for (int64_t j = 0; j < extentB; ++j) {
      for (int64_t k = 0; k < 3; ++k) {
        int64_t at = i * layout.strides[0] + j * layout.strides[1] + k;
        RC_ASSERT(places.insert(at).second);
        RC_ASSERT(at < layout.span());
      }
    }
  }
}
