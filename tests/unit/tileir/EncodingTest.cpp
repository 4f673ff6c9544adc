// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every row of the table of ops against the disassembler that comes with the
// assembler: a function with one op of each kind is written, and each line that
// comes back is compared.

#include "lower/tileir/Assemble.h"
#include "lower/tileir/Builder.h"
#include "lower/tileir/Writer.h"
#include "tests/unit/tileir/Tools.h"

#include <gtest/gtest.h>
#include <regex>

using namespace girih::tileir;

namespace {

constexpr int64_t yes = 1, no = 0;

struct Sample {
  Opcode opcode;
  /// Blanks stand for any, `%` for any name of a value.
  std::string line;
};

/// A module with one op of each kind, and what each must read as.
struct Samples {
  Module module;
  std::vector<Sample> expected;
  Function &f;
  Builder b;
  Type f32 = TileType{Element::F32, {4}, false};
  Type f64 = TileType{Element::F64, {4}, false};
  Type i32 = TileType{Element::I32, {4}, false};
  Type i1 = TileType{Element::I1, {4}, false};
  Type scalar = scalarType(Element::I32);
  Type token = TokenType{};

  Samples() : f(module.functions.emplace_back()), b(f) {}

  std::vector<Value> op(Opcode code, std::vector<Attribute> attributes,
                        std::vector<std::vector<Value>> operands,
                        std::vector<Type> results, std::string line,
                        std::vector<Region> regions = {}) {
    expected.push_back({code, std::move(line)});
    return b.append(code, std::move(attributes), std::move(operands),
                    std::move(results), std::move(regions));
  }

  void floats(Value x);
  void integers(Value i, Value bits);
  void others(Value x, Value i);
  void shapes(Value x);
  void products();
  void control(Value n, Value x, Value condition);
  void memory(Value base, Value n, Value t);
  void make();
};

void Samples::floats(Value x) {
  int64_t up = int64_t(Rounding::PositiveInf);
  int64_t full = int64_t(Rounding::Full), approx = int64_t(Rounding::Approx);
  op(Opcode::AbsF, {}, {{x}}, {f32}, "absf % : tile<4xf32>");
  op(Opcode::AddF, {up, yes}, {{x}, {x}}, {f32},
     "addf %, % rounding<positive_inf> flush_to_zero : tile<4xf32>");
  op(Opcode::SubF, {int64_t(Rounding::Zero), no}, {{x}, {x}}, {f32},
     "subf %, % rounding<zero> : tile<4xf32>");
  op(Opcode::MulF, {int64_t(Rounding::NegativeInf), no}, {{x}, {x}}, {f32},
     "mulf %, % rounding<negative_inf> : tile<4xf32>");
  op(Opcode::DivF, {approx, no}, {{x}, {x}}, {f32},
     "divf %, % rounding<approx> : tile<4xf32>");
  op(Opcode::Sqrt, {approx, yes}, {{x}}, {f32},
     "sqrt % rounding<approx> flush_to_zero : tile<4xf32>");
  op(Opcode::Fma, {up, no}, {{x}, {x}, {x}}, {f32},
     "fma %, %, % rounding<positive_inf> : tile<4xf32>");
  op(Opcode::NegF, {}, {{x}}, {f32}, "negf % : tile<4xf32>");
  op(Opcode::MaxF, {yes, no}, {{x}, {x}}, {f32},
     "maxf %, % propagate_nan : tile<4xf32>");
  op(Opcode::MinF, {no, yes}, {{x}, {x}}, {f32},
     "minf %, % flush_to_zero : tile<4xf32>");
  op(Opcode::Exp, {approx}, {{x}}, {f32},
     "exp % rounding<approx> : tile<4xf32>");
  op(Opcode::Exp2, {yes}, {{x}}, {f32}, "exp2 % flush_to_zero : tile<4xf32>");
  op(Opcode::Log, {}, {{x}}, {f32}, "log % : tile<4xf32>");
  op(Opcode::Log2, {}, {{x}}, {f32}, "log2 % : tile<4xf32>");
  op(Opcode::Rsqrt, {yes}, {{x}}, {f32}, "rsqrt % flush_to_zero : tile<4xf32>");
  op(Opcode::TanH, {full}, {{x}}, {f32}, "tanh % : tile<4xf32>");
  op(Opcode::Sin, {}, {{x}}, {f32}, "sin % : tile<4xf32>");
  op(Opcode::Cos, {}, {{x}}, {f32}, "cos % : tile<4xf32>");
  op(Opcode::Floor, {}, {{x}}, {f32}, "floor % : tile<4xf32>");
  op(Opcode::Ceil, {}, {{x}}, {f32}, "ceil % : tile<4xf32>");
  op(Opcode::Pow, {}, {{x}, {x}}, {f32}, "fpowf %, % : tile<4xf32>");
  op(Opcode::BitCast, {}, {{x}}, {i32},
     "bitcast % : tile<4xf32> -> tile<4xi32>");
  op(Opcode::FToI, {no, int64_t(Rounding::NearestIntToZero), no}, {{x}}, {i32},
     "ftoi % unsigned : tile<4xf32> -> tile<4xi32>");
  for (auto [element, name] : {std::pair{Element::F8E4M3FN, "f8E4M3FN"},
                               std::pair{Element::F8E5M2, "f8E5M2"}}) {
    op(Opcode::FToF, {no}, {{x}}, {TileType{element, {4}, false}},
       std::string("ftof % : tile<4xf32> -> tile<4x") + name + ">");
  }
  op(Opcode::FToF, {no}, {{x}}, {f64}, "ftof % : tile<4xf32> -> tile<4xf64>");
  op(Opcode::CmpF,
     {int64_t(Predicate::LessEqual), int64_t(Ordering::Unordered)}, {{x}, {x}},
     {i1},
     "cmpf less_than_or_equal unordered %, % : tile<4xf32> -> tile<4xi1>");
}

void Samples::integers(Value i, Value bits) {
  Type i8 = TileType{Element::I8, {4}, false};
  Type i64 = TileType{Element::I64, {4}, false};
  op(Opcode::AddI, {int64_t(Overflow::NSW)}, {{i}, {i}}, {i32},
     "addi %, % overflow<no_signed_wrap> : tile<4xi32>");
  op(Opcode::SubI, {int64_t(Overflow::None)}, {{i}, {i}}, {i32},
     "subi %, % : tile<4xi32>");
  op(Opcode::MulI, {int64_t(Overflow::NW)}, {{i}, {i}}, {i32},
     "muli %, % overflow<no_wrap> : tile<4xi32>");
  op(Opcode::DivI, {yes, int64_t(Rounding::PositiveInf)}, {{i}, {i}}, {i32},
     "divi %, % signed rounding<positive_inf> : tile<4xi32>");
  op(Opcode::RemI, {no}, {{i}, {i}}, {i32}, "remi %, % unsigned : tile<4xi32>");
  op(Opcode::MaxI, {yes}, {{i}, {i}}, {i32}, "maxi %, % signed : tile<4xi32>");
  op(Opcode::MinI, {no}, {{i}, {i}}, {i32}, "mini %, % unsigned : tile<4xi32>");
  op(Opcode::ShLI, {int64_t(Overflow::NUW)}, {{i}, {i}}, {i32},
     "shli %, % overflow<no_unsigned_wrap> : tile<4xi32>");
  op(Opcode::ShRI, {no}, {{i}, {i}}, {i32}, "shri %, % unsigned : tile<4xi32>");
  op(Opcode::AndI, {}, {{i}, {i}}, {i32}, "andi %, % : tile<4xi32>");
  op(Opcode::OrI, {}, {{i}, {i}}, {i32}, "ori %, % : tile<4xi32>");
  op(Opcode::XOrI, {}, {{i}, {i}}, {i32}, "xori %, % : tile<4xi32>");
  op(Opcode::ExtI, {no}, {{i}}, {i64},
     "exti % unsigned : tile<4xi32> -> tile<4xi64>");
  op(Opcode::TruncI, {int64_t(Overflow::None)}, {{i}}, {i8},
     "trunci % : tile<4xi32> -> tile<4xi8>");
  op(Opcode::IToF, {yes, no}, {{i}}, {f32},
     "itof % signed : tile<4xi32> -> tile<4xf32>");
  op(Opcode::CmpI, {int64_t(Predicate::Greater), yes}, {{i}, {i}}, {i1},
     "cmpi greater_than %, %, signed : tile<4xi32> -> tile<4xi1>");
  op(Opcode::Select, {}, {{bits}, {i}, {i}}, {i32},
     "select %, %, % : tile<4xi1>, tile<4xi32>");
  op(Opcode::Assert, {"too large"}, {{bits}}, {},
     "assert %, \"too large\" : tile<4xi1>");
  Value token = b.append(Opcode::MakeToken, {}, {}, {TokenType{}})[0];
  op(Opcode::Print, {"a %d"}, {{i}, {token}}, {TokenType{}},
     "print_tko \"a %\", % token=% : tile<4xi32> -> token");
  op(Opcode::Assume, {DivBy{8}}, {{i}}, {i32},
     "assume div_by<8>, % : tile<4xi32>");
  op(Opcode::Assume, {Bounded{-3, std::nullopt}}, {{i}}, {i32},
     "assume bounded<-3, ?>, % : tile<4xi32>");
}

/// Ops of ir/ops/Elementwise.def without attributes, but those above.
void Samples::others(Value x, Value i) {
  auto add = [&](Opcode opcode, bool isFloat) {
    const OpForm &form = formOf(opcode);
    bool sampled = std::ranges::count(expected, opcode, &Sample::opcode) > 0;
    if (sampled || !form.attributes.empty()) {
      return;
    }
    bool one = form.operands.size() == 1;
    Value v = isFloat ? x : i;
    std::vector<std::vector<Value>> operands(one ? 1 : 2, {v});
    op(opcode, {}, std::move(operands), {isFloat ? f32 : i32},
       form.mnemonic + std::string(one ? " %" : " %, %") + " : tile<4x" +
           (isFloat ? "f32>" : "i32>"));
  };
  bool isFloat = false;
#define ELEMENTS(kinds, text) text
#define TILE_IR(opcode, ...) add(Opcode::opcode, isFloat);
#define ELEMENTWISE(name, shape, elements, executor, coq, tile_ir, ...)        \
  isFloat = std::string_view(elements) == "fN";                                \
  tile_ir
#include "ir/ops/Elementwise.def"
}

void Samples::shapes(Value x) {
  Type row = TileType{Element::F32, {1, 4}, false};
  Type square = TileType{Element::F32, {2, 4}, false};
  Type turned = TileType{Element::F32, {4, 2}, false};
  Value r = op(Opcode::Reshape, {}, {{x}}, {row},
               "reshape % : tile<4xf32> -> tile<1x4xf32>")[0];
  Value s = op(Opcode::Broadcast, {}, {{r}}, {square},
               "broadcast % : tile<1x4xf32> -> tile<2x4xf32>")[0];
  op(Opcode::Permute, {std::vector<int32_t>{1, 0}}, {{s}}, {turned},
     "permute % [1, 0] : tile<2x4xf32> -> tile<4x2xf32>");
  op(Opcode::Cat, {int64_t(0)}, {{r}, {r}}, {square},
     "cat %, % dim = 0 : tile<1x4xf32>, tile<1x4xf32> -> tile<2x4xf32>");
  Value one = b.integer(1, scalarType(Element::I32));
  Value zero = b.integer(0, scalarType(Element::I32));
  op(Opcode::Extract, {}, {{s}, {one, zero}}, {row},
     "extract %[%, %] : tile<2x4xf32> -> tile<1x4xf32>");
  op(Opcode::Iota, {}, {}, {i32}, "iota : tile<4xi32>");
  Type scalarF32 = scalarType(Element::F32);
  Region sum = b.region({scalarF32, scalarF32}, [&](auto &v) {
    Value total =
        b.one(Opcode::AddF, {no, no}, {v[0], v[1]}, scalarType(Element::F32));
    op(Opcode::Yield, {}, {{total}}, {}, "yield % : tile<f32>");
  });
  Region running = b.region({scalarF32, scalarF32}, [&](auto &v) {
    Value total =
        b.one(Opcode::MulF, {no, no}, {v[0], v[1]}, scalarType(Element::F32));
    op(Opcode::Yield, {}, {{total}}, {}, "yield % : tile<f32>");
  });
  op(Opcode::Scan,
     {int64_t(1), yes, std::vector<Identity>{{Element::F32, 0x3F800000}}},
     {{s}}, {b.typeOf(s)},
     "scan % dim=1 reverse=true identities=[1.000000e+00 : f32] : "
     "tile<2x4xf32> "
     "-> tile<2x4xf32>",
     {std::move(running)});
  op(Opcode::Reduce,
     {int64_t(1), std::vector<Identity>{{Element::F32, 0xFF800000}}}, {{s}},
     {TileType{Element::F32, {2}, false}},
     "reduce % dim=1 identities=[0xFF800000 : f32] : tile<2x4xf32> -> "
     "tile<2xf32>",
     {std::move(sum)});
}

void Samples::products() {
  auto zero = [&](Element e, std::vector<int64_t> shape) {
    return b.integer(0, {e, std::move(shape), false});
  };
  Value h = zero(Element::F16, {4, 8}), g = zero(Element::F16, {8, 2});
  Value p = zero(Element::I8, {4, 8}), q = zero(Element::I8, {8, 2});
  Value c = zero(Element::F32, {4, 2}), d = zero(Element::I32, {4, 2});
  op(Opcode::MmaF, {no}, {{h}, {g}, {c}}, {f.types[c]},
     "mmaf %, %, % : tile<4x8xf16>, tile<8x2xf16>, tile<4x2xf32>");
  op(Opcode::MmaI, {yes, no}, {{p}, {q}, {d}}, {f.types[d]},
     "mmai %, %, % signed unsigned : tile<4x8xi8>, tile<8x2xi8>, "
     "tile<4x2xi32>");
  Value x = zero(Element::F4E2M1FN, {4, 32}),
        y = zero(Element::F4E2M1FN, {32, 2});
  Value s = zero(Element::F8E8M0FNU, {4, 1}),
        t = zero(Element::F8E8M0FNU, {1, 2});
  op(Opcode::MmaFScaled, {}, {{x}, {y}, {c}, {s}, {t}}, {f.types[c]},
     "mmaf_scaled %, %, %, %, % : tile<4x32xf4E2M1FN>, tile<32x2xf4E2M1FN>, "
     "tile<4x2xf32>, tile<4x1xf8E8M0FNU>, tile<1x2xf8E8M0FNU>");
}

void Samples::control(Value n, Value x, Value condition) {
  Region body = b.region({scalar, f32}, [&](auto &v) {
    op(Opcode::Continue, {}, {{v[1]}}, {}, "continue % : tile<4xf32>");
  });
  op(Opcode::For, {no}, {{n}, {n}, {n}, {x}}, {f32},
     "for % in (% to %, step %) : tile<i32> iter_values(% = %) -> "
     "(tile<4xf32>) {",
     {std::move(body)});
  auto branch = [&] {
    return b.region({},
                    [&](auto &) { b.append(Opcode::Yield, {}, {{x}}, {}); });
  };
  Region trip = b.region({f32}, [&](auto &v) {
    Region stays =
        b.region({}, [&](auto &) { b.append(Opcode::Yield, {}, {{}}, {}); });
    Region leaves = b.region({}, [&](auto &) {
      op(Opcode::Break, {}, {{v[0]}}, {}, "break % : tile<4xf32>");
    });
    b.append(Opcode::If, {}, {{condition}}, {},
             {std::move(stays), std::move(leaves)});
    b.append(Opcode::Continue, {}, {{v[0]}}, {});
  });
  op(Opcode::Loop, {}, {{x}}, {f32},
     "loop iter_values(% = %) : tile<4xf32> -> tile<4xf32> {",
     {std::move(trip)});
  Region then = branch(), otherwise = branch();
  op(Opcode::If, {}, {{condition}}, {f32}, "if % -> (tile<4xf32>) {",
     {std::move(then), std::move(otherwise)});
}

void Samples::memory(Value base, Value n, Value t) {
  ViewType view{Element::F32, {dynamic, 64}, {dynamic, 1}};
  PartitionType parts{{1, 4}, view, Padding::NegInf};
  const std::string viewText = "tensor_view<?x64xf32, strides=[?,1]>";
  const std::string partsText =
      "partition_view<tile=(1x4), padding_value = neg_inf, " + viewText + ">";
  Type row = TileType{Element::F32, {1, 4}, false};
  int64_t weak = int64_t(Semantics::Weak);
  op(Opcode::GetTileBlockId, {}, {}, {scalar, scalar, scalar},
     "get_tile_block_id : tile<i32>");
  Value v = op(Opcode::MakeTensorView, {}, {{base}, {n}, {n}}, {view},
               "make_tensor_view %, shape = [%, 64], strides = [%, 1] : "
               "tile<i32> -> " +
                   viewText)[0];
  Value p = op(Opcode::MakePartitionView, {}, {{v}}, {parts},
               "make_partition_view % : " + partsText)[0];
  Value x =
      op(Opcode::LoadView, {weak, {}, {}, std::vector<int32_t>{1, 0}},
         {{p}, {n, n}, {t}}, {row, token},
         "load_view_tko weak %[%, %] token = % inbounds = [true, false] : " +
             partsText + ", tile<i32> -> tile<1x4xf32>, token")[0];
  Value stored =
      op(Opcode::StoreView,
         {weak,
          {},
          Hints{{"sm_90", {{"allow_tma", 0, true}, {"latency", 3}}}},
          std::vector<int32_t>{0, 0}},
         {{x}, {p}, {n, n}, {}}, {token},
         "store_view_tko weak %, %[%, %] optimization_hints = <sm_90 = "
         "{allow_tma = false, latency = 3}> : tile<1x4xf32>, " +
             partsText + ", tile<i32> -> token")[0];
  op(Opcode::JoinTokens, {}, {{t, stored}}, {token},
     "join_tokens %, % : token");
  Type pointers = TileType{Element::F32, {4}, true};
  Value many = b.broadcast(base, {4});
  Value lanes = b.one(Opcode::Iota, {}, {}, i32);
  Value at = op(Opcode::Offset, {}, {{many}, {lanes}}, {pointers},
                "offset %, % : tile<4xptr<f32>>, tile<4xi32> -> "
                "tile<4xptr<f32>>")[0];
  Value mask = b.integer(1, {Element::I1, {4}, false});
  Value pad = b.integer(0, {Element::F32, {4}, false});
  op(Opcode::LoadPtr, {weak, {}, {}}, {{at}, {mask}, {pad}, {t}}, {f32, token},
     "load_ptr_tko weak %, %, % token=% : tile<4xptr<f32>>, tile<4xi1>, "
     "tile<4xf32> -> tile<4xf32>, token");
  op(Opcode::StorePtr, {weak, {}, {}}, {{at}, {pad}, {mask}, {t}}, {token},
     "store_ptr_tko weak %, %, % token=% : tile<4xptr<f32>>, tile<4xf32>, "
     "tile<4xi1> -> token");
  // What other blocks may touch meanwhile.
  int64_t relaxed = int64_t(Semantics::Relaxed);
  int64_t device = int64_t(Scope::Device);
  op(Opcode::StorePtr, {relaxed, device, {}}, {{at}, {pad}, {}, {}}, {token},
     "store_ptr_tko relaxed device %, % : tile<4xptr<f32>>, tile<4xf32> -> "
     "token");
  op(Opcode::AtomicRMW, {relaxed, device, int64_t(AtomicMode::AddF)},
     {{at}, {pad}, {mask}, {t}}, {f32, token},
     "atomic_rmw_tko relaxed device %, addf, %, % token=% : "
     "tile<4xptr<f32>>, tile<4xf32>, tile<4xi1> -> tile<4xf32>, token");
  PartitionType bare{{1, 4}, view, std::nullopt};
  const std::string bareText = "partition_view<tile=(1x4), " + viewText + ">";
  Value q = b.append(Opcode::MakePartitionView, {}, {{v}}, {bare})[0];
  op(Opcode::AtomicRedView, {relaxed, device, int64_t(AtomicMode::AddF)},
     {{q}, {n, n}, {x}, {t}}, {token},
     "atomic_red_view_tko relaxed device %[%, %], addf, % token = % : "
     "tile<1x4xf32>, " +
         bareText + ", tile<i32> -> token");
  Value whole = b.integer(3, {Element::I32, {1, 4}, false});
  Value words = b.append(
      Opcode::MakePartitionView, {},
      {{b.append(Opcode::MakeTensorView, {}, {{f.body.arguments[2]}, {}, {}},
                 {ViewType{Element::I32, {8, 64}, {64, 1}}})[0]}},
      {PartitionType{
          {1, 4}, ViewType{Element::I32, {8, 64}, {64, 1}}, std::nullopt}})[0];
  static constexpr std::pair<AtomicMode, const char *> modes[] = {
      {AtomicMode::And, "and"}, {AtomicMode::Or, "or"},
      {AtomicMode::Xor, "xor"}, {AtomicMode::Add, "add"},
      {AtomicMode::Max, "max"}, {AtomicMode::Min, "min"}};
  for (auto [mode, name] : modes) {
    op(Opcode::AtomicRedView, {relaxed, device, int64_t(mode)},
       {{words}, {n, n}, {whole}, {}}, {token},
       std::string("atomic_red_view_tko relaxed device %[%, %], ") + name +
           ", % : tile<1x4xi32>, partition_view<tile=(1x4), "
           "tensor_view<8x64xi32, strides=[64,1]>>, tile<i32> -> token");
  }
}

void Samples::make() {
  f.name = "samples";
  f.hints = {{"sm_90", {{"occupancy", 2}, {"num_worker_warps_per_cta", 8}}}};
  Value base = f.add(TileType{Element::F32, {}, true});
  Value n = f.add(scalar);
  f.body.arguments = {base, n, f.add(TileType{Element::I32, {}, true})};
  Value x = op(Opcode::Constant, {Constant{{0, 0, 0x80, 0x3F}}}, {}, {f32},
               "constant <f32: 1.000000e+00> : tile<4xf32>")[0];
  Value i =
      op(Opcode::Constant,
         {Constant{{1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 255, 255, 255, 255}}},
         {}, {i32}, "constant <i32: [1, 2, 3, -1]> : tile<4xi32>")[0];
  Value bits = op(Opcode::Constant, {Constant{{0b1001}}}, {}, {i1},
                  "constant <i1: [true, false, false, true]> : tile<4xi1>")[0];
  // Of few lanes, all of which a byte could hold.
  op(Opcode::Constant, {Constant{{allBits}}}, {}, {i1},
     "constant <i1: true> : tile<4xi1>");
  Value condition = b.integer(1, scalarType(Element::I1));
  Value t = op(Opcode::MakeToken, {}, {}, {token}, "make_token : token")[0];
  op(Opcode::GdcLaunchDependents, {}, {{}}, {token},
     "gdc_launch_dependents_tko -> token");
  op(Opcode::GdcWait, {}, {{t}}, {token}, "gdc_wait_tko token = % -> token");
  floats(x);
  integers(i, bits);
  others(x, i);
  shapes(x);
  products();
  control(n, x, condition);
  memory(base, n, t);
  op(Opcode::Return, {}, {{}}, {}, "return");
}

/// A pattern in which blanks match any and `%` the name of a value.
std::regex pattern(const std::string &line) {
  std::string out;
  for (char c : line) {
    if (c == ' ') {
      out += "\\s+";
    } else if (c == '%') {
      out += "%[A-Za-z0-9_]+";
    } else {
      out += std::string("\\[](){}?+*.^$|").find(c) != std::string::npos
                 ? std::string("\\") + c
                 : std::string(1, c);
    }
  }
  return std::regex("(^|= )" + out + "$");
}

TEST(Encoding, RowsAreSortedByOpcode) {
  for (size_t i = 1; i < opForms().size(); ++i) {
    EXPECT_LT(opForms()[i - 1].opcode, opForms()[i].opcode)
        << opForms()[i].mnemonic;
  }
}

TEST(Encoding, EveryRowHasASample) {
  Samples s;
  s.make();
  for (const OpForm &form : opForms()) {
    EXPECT_TRUE(std::ranges::any_of(s.expected, [&](const Sample &x) {
      return x.opcode == form.opcode;
    })) << form.mnemonic;
  }
}

TEST(Encoding, DisassemblerReadsEveryRow) {
  ASSERT_NE(disassembler(), "") << "no tileirdisasm beside the assembler: "
                                   "quickstart installs both";
  Samples s;
  s.make();
  std::string text = disassemble(writeBytecode(s.module));
  std::vector<std::string> lines;
  std::stringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    size_t from = line.find_first_not_of(" "), to = line.find_last_not_of(" ");
    lines.push_back(
        from == std::string::npos ? "" : line.substr(from, to - from + 1));
  }
  EXPECT_TRUE(std::ranges::any_of(lines, [](const std::string &line) {
    return line.find("entry @samples(%arg0: tile<ptr<f32>>, %arg1: tile<i32>, "
                     "%arg2: tile<ptr<i32>>) "
                     "optimization_hints=<sm_90 = {num_worker_warps_per_cta = "
                     "8, occupancy = 2}> {") == 0;
  })) << text;
  for (const Sample &sample : s.expected) {
    std::regex expected = pattern(sample.line);
    EXPECT_TRUE(std::ranges::any_of(lines,
                                    [&](const std::string &line) {
                                      return std::regex_search(line, expected);
                                    }))
        << sample.line << "\nis not in\n"
        << text;
  }
}

TEST(Encoding, DisassemblerReadsPlaces) {
  ASSERT_NE(disassembler(), "");
  Samples s;
  s.make();
  s.module.file = "folder/k.mlir";
  s.f.place = {10, 1};
  s.f.body.ops.back().place = {23, 7};
  std::string text =
      disassemble(writeBytecode(s.module, newestMinor, true), "-g");
  for (const char *wanted :
       {"di_file<\"k.mlir\" in \"folder\">", "line = 10, name = \"samples\"",
        "loc(\"folder/k.mlir\":10:1)", "loc(\"folder/k.mlir\":23:7)"}) {
    EXPECT_NE(text.find(wanted), std::string::npos) << wanted << "\n" << text;
  }
  EXPECT_EQ(disassemble(writeBytecode(s.module), "-g").find("k.mlir"),
            std::string::npos);
}

} // namespace
