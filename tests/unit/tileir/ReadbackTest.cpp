// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The gate before the assembler: what the emitter makes passes, and every small
// change of what it makes is named.

#include "lower/tileir/Encoding.h"
#include "tests/unit/tileir/Compiled.h"

#include <fstream>
#include <random>
#include <set>

using namespace girih;
using namespace girih::tileir;

namespace {

/// The ops of a kind, wherever they stand.
void collect(std::vector<Op> &ops, Opcode code, std::vector<Op *> &out) {
  for (Op &op : ops) {
    if (op.opcode == code) {
      out.push_back(&op);
    }
    for (Region &r : op.regions) {
      collect(r.ops, code, out);
    }
  }
}

std::vector<Op *> all(Function &f, Opcode code) {
  std::vector<Op *> out;
  collect(f.body.ops, code, out);
  return out;
}

/// The bounds that are assumed of a sum, difference or product, by its op.
Bounded &boundOf(Function &f, Opcode code) {
  for (Op *made : all(f, code)) {
    for (Op *op : all(f, Opcode::Assume)) {
      if (op->operands[0] == made->results) {
        return std::get<Bounded>(op->attributes[0]);
      }
    }
  }
  throw std::runtime_error("nothing is assumed of it");
}

/// The bounds that are assumed of an integer parameter, the last ones.
Bounded &boundOfParameter(Function &f, Value parameter) {
  std::vector<Value> same = {parameter};
  Bounded *last = nullptr;
  for (Op *op : all(f, Opcode::Assume)) {
    if (op->operands[0] == std::vector<Value>{same.back()}) {
      same.push_back(op->results[0]);
      last = &std::get<Bounded>(op->attributes[0]);
    }
  }
  return *last;
}

/// The first sum of lanes outside of loops, and the first maximum.
std::pair<Op *, Op *> lanesOfTheBody(Function &f) {
  auto find = [&](AtomicMode mode) {
    auto it = std::ranges::find_if(f.body.ops, [&](const Op &op) {
      return op.opcode == Opcode::AtomicRMW &&
             std::get<int64_t>(op.attributes[2]) == int64_t(mode);
    });
    EXPECT_NE(it, f.body.ops.end());
    return it == f.body.ops.end() ? &f.body.ops.front() : &*it;
  };
  return {find(AtomicMode::Add), find(AtomicMode::Max)};
}

struct Change {
  const char *kernel, *name;
  void (*edit)(Function &); ///< of the first entry point
  const char *message;
  bool last = false; ///< of the last one
};

const Change changes[] = {
    {"tests/tileir/kernels/part_lanes.mlir", "a part of its neighbour",
     [](Function &f) {
       auto parts = all(f, Opcode::Extract);
       parts.at(1)->operands[1] = parts.at(0)->operands[1];
     },
     "the kernel has select(compare(2, 1, lane(0, 16), 8), "
     "(8 + 16 * block + lane(0, 16))"},
    {"tests/tileir/kernels/part_lanes.mlir", "halves in the other order",
     [](Function &f) {
       Op *cat = all(f, Opcode::Cat).at(0);
       std::swap(cat->operands[0], cat->operands[1]);
     },
     "the kernel has select(compare(2, 1, lane(0, 16), 8), "
     "(8 + 16 * block + lane(0, 16))"},
    {"tests/tileir/kernels/part_lanes.mlir", "a mask of one half twice",
     [](Function &f) {
       Op *cat = all(f, Opcode::Cat).at(1);
       cat->operands[0] = cat->operands[1];
     },
     "part_lanes.mlir:25:8: the mask is select(compare(2, 1, lane(0, 16), 8)"},
    {"tests/tileir/kernels/parts.mlir", "halves of what a reduction gives",
     [](Function &f) {
       for (Op *cat : all(f, Opcode::Cat)) {
         TileType type = std::get<TileType>(f.types[cat->operands[0][0]]);
         if (type.element == Element::I32 && type.shape.size() == 1) {
           std::swap(cat->operands[0], cat->operands[1]);
         }
       }
     },
     "parts.mlir:93:3: the value is select(compare(2, 1, lane(1, 2), 1)"},
    {"tests/tileir/kernels/parts.mlir", "a part that is not there",
     [](Function &f) {
       auto &numbers = all(f, Opcode::Extract).at(1)->operands[1];
       numbers.at(1) = numbers.at(0);
     },
     "a part that is not there"},
    {"tests/tileir/kernels/parts.mlir", "a number that is no constant",
     [](Function &f) {
       all(f, Opcode::Extract).at(0)->operands[1].at(0) =
           all(f, Opcode::GetTileBlockId).at(0)->results[0];
     },
     "the number of a part is no constant"},
    {"tests/tileir/kernels/parts.mlir", "along another axis",
     [](Function &f) { all(f, Opcode::Cat).at(0)->attributes[0] = int64_t(0); },
     "tiles put together to another shape"},
    {"proofs/kernels/gemm/gemm.mlir", "indices swapped",
     [](Function &f) {
       auto &index = all(f, Opcode::LoadView).at(0)->operands[1];
       std::swap(index.at(0), index.at(1));
     },
     "gemm.mlir:27:10: the index of axis 0 is counter(0), the kernel has"},
    {"proofs/kernels/gemm/gemm.mlir", "padding dropped",
     [](Function &f) {
       Value view = all(f, Opcode::LoadView).at(0)->operands[0][0];
       std::get<PartitionType>(f.types[view]).padding.reset();
     },
     "another padding"},
    {"proofs/kernels/gemm/gemm.mlir", "another tensor",
     [](Function &f) {
       auto views = all(f, Opcode::MakeTensorView);
       views.at(0)->operands[0] = views.at(1)->operands[0];
     },
     "it goes to another tensor"},
    {"proofs/kernels/gemm/gemm.mlir", "extents swapped",
     [](Function &f) {
       auto &shape = all(f, Opcode::MakeTensorView).at(0)->operands[1];
       std::swap(shape.at(0), shape.at(1));
     },
     "the extent of axis 0 is K"},
    {"proofs/kernels/gemm/gemm.mlir", "stride of another extent",
     [](Function &f) {
       auto *view = all(f, Opcode::MakeTensorView).at(0);
       view->operands[2][0] = view->operands[1][0];
     },
     "the stride of axis 0 is M"},
    {"proofs/kernels/gemm/gemm.mlir", "a bound too low",
     [](Function &f) {
       for (Op *op : all(f, Opcode::Assume)) {
         if (auto *b = std::get_if<Bounded>(&op->attributes[0])) {
           b->low = *b->low + 1;
           return;
         }
       }
     },
     "nothing says what is assumed of parameter 3"},
    {"tests/tileir/kernels/slices.mlir", "a product bound too low",
     [](Function &f) { *boundOf(f, Opcode::MulI).high -= 1; },
     "nothing says what is assumed of B * C"},
    {"tests/tileir/kernels/slices.mlir", "a product said to be 2",
     [](Function &f) { boundOf(f, Opcode::MulI).low = 2; },
     "nothing says what is assumed of B * C"},
    {"tests/tileir/kernels/slices.mlir", "the bound of another product",
     [](Function &f) {
       Op *product = all(f, Opcode::MulI).at(0);
       product->operands[1] = product->operands[0];
     },
     "nothing says what is assumed of B * B"},
    {"tests/tileir/kernels/slices.mlir", "a divisor of a product",
     [](Function &f) {
       for (Op *op : all(f, Opcode::Assume)) {
         if (op->operands[0] == all(f, Opcode::MulI).at(0)->results) {
           op->attributes[0] = DivBy{3};
         }
       }
     },
     "nothing says what is assumed of B * C"},
    {"tests/tileir/kernels/slices.mlir", "a slice said not to be empty",
     [](Function &f) { boundOf(f, Opcode::SubI).low = 1; },
     "nothing says what is assumed of ("},
    {"tests/tileir/kernels/slices.mlir", "a slice bound too low",
     [](Function &f) { *boundOf(f, Opcode::SubI).high -= 1; },
     "nothing says what is assumed of ("},
    {"tests/tileir/kernels/slices.mlir", "a sliced parameter bound too low",
     [](Function &f) { *boundOfParameter(f, 8).high -= 1; },
     "nothing says what is assumed of parameter 8"},
    {"tests/tileir/kernels/slices.mlir", "a factor said to fit",
     [](Function &f) { boundOfParameter(f, 7).high = engineSize; },
     "nothing says what is assumed of parameter 7"},
    {"tests/tileir/kernels/slices.mlir", "a slice bound before its branch",
     [](Function &f) {
       auto before = std::ranges::find(f.body.ops, Opcode::If, &Op::opcode);
       std::vector<Op> &branch = before->regions[1].ops;
       Op made = *std::ranges::find(branch, Opcode::SubI, &Op::opcode);
       Op assumed = *std::ranges::find(branch, Opcode::Assume, &Op::opcode);
       made.results = {f.add(f.types[made.results[0]])};
       assumed.operands[0] = made.results;
       assumed.results = {f.add(f.types[made.results[0]])};
       f.body.ops.insert(before, {std::move(made), std::move(assumed)});
     },
     "nothing says what is assumed of ("},
    {"proofs/kernels/gemm/gemm.mlir", "an address too aligned",
     [](Function &f) {
       std::get<DivBy>(all(f, Opcode::Assume).at(0)->attributes[0]).divisor *=
           2;
     },
     "nothing says what is assumed of parameter 0"},
    {"proofs/kernels/gemm/gemm.mlir", "the loop starts late",
     [](Function &f) {
       Op *loop = all(f, Opcode::For).at(0);
       loop->operands[0] = loop->operands[2];
     },
     "the lower bound is 1, the kernel has 0"},
    {"proofs/kernels/gemm/gemm.mlir", "block ids swapped",
     [](Function &f) {
       all(f, Opcode::RemI).at(0)->opcode = Opcode::DivI;
       Op *id = all(f, Opcode::DivI).at(0);
       id->attributes = {int64_t(Signedness::Signed), int64_t(Rounding::Zero)};
     },
     "the index of axis 1 is"},
    {"proofs/kernels/gemm/gemm.mlir", "no store",
     [](Function &f) {
       std::erase_if(f.body.ops, [](const Op &op) {
         return op.opcode == Opcode::StoreView;
       });
     },
     "tile.store at"},
    {"proofs/kernels/gemm/gemm.mlir", "one store more",
     [](Function &f) {
       Op store = *all(f, Opcode::StoreView).at(0);
       store.results = {f.add(TokenType{})};
       f.body.ops.insert(f.body.ops.end() - 1, std::move(store));
     },
     "the bytecode touches more than the kernel"},
    {"tests/tileir/kernels/order.mlir", "no token",
     [](Function &f) {
       for (Op *op : all(f, Opcode::LoadView)) {
         op->operands[2].clear();
       }
     },
     "have no order"},
    {"tests/tileir/kernels/order.mlir", "a loop hands on an old token",
     [](Function &f) {
       for (Op *loop : all(f, Opcode::For)) {
         Region &body = loop->regions[0];
         body.ops.back().operands[0].back() = body.arguments.back();
       }
     },
     "have no order"},
    {"tests/tileir/kernels/raw.mlir", "a raw tensor as weak",
     [](Function &f) {
       Op *op = all(f, Opcode::LoadView).at(0);
       op->attributes[0] = int64_t(Semantics::Weak);
       op->attributes[1] = std::monostate();
     },
     "another order or scope"},
    {"tests/tileir/kernels/lanes.mlir", "no mask",
     [](Function &f) {
       Op *op = all(f, Opcode::LoadPtr).at(0);
       op->operands[1].clear();
       op->operands[2].clear();
     },
     "the mask is nothing"},
    {"tests/tileir/kernels/lanes.mlir", "an address one off",
     [](Function &f) { all(f, Opcode::MulI).at(0)->opcode = Opcode::SubI; },
     "the offset is"},
    {"tests/tileir/kernels/turned_view.mlir", "another offset",
     [](Function &f) {
       Value other = all(f, Opcode::LoadView).at(0)->operands[1][1];
       all(f, Opcode::Offset).at(0)->operands[1] = {other};
     },
     "the offset is"},
    {"proofs/kernels/gemm/gemm.mlir", "a ragged tile as one inside",
     [](Function &f) {
       all(f, Opcode::LoadView).at(0)->attributes[3] =
           std::vector<int32_t>{0, 1};
     },
     "nothing says that it lies inside of axis 1"},
    {"tests/tileir/kernels/stretched.mlir", "an overflow ruled out",
     [](Function &f) {
       for (Op *op : all(f, Opcode::MulI)) {
         if (std::get<TileType>(f.types[op->results[0]]).shape.empty()) {
           op->attributes[0] = int64_t(Overflow::NSW);
         }
       }
     },
     "does not overflow"},
    {"tests/tileir/kernels/lanes.mlir", "an overflow of lanes ruled out",
     [](Function &f) {
       all(f, Opcode::MulI).at(0)->attributes[0] = int64_t(Overflow::NSW);
     },
     "an overflow that nothing speaks of"},
    {"tests/tileir/kernels/gather_padding.mlir", "a padding that is an index",
     [](Function &f) {
       Value padding = all(f, Opcode::LoadPtr).at(0)->operands[2].at(0);
       for (Op *op : all(f, Opcode::Constant)) {
         if (op->results[0] == padding) {
           op->attributes[0] = Constant{{0xFB, 0xFF, 0xFF, 0xFF}};
         }
       }
     },
     "the padding is -5, the kernel has 0"},
    {"tests/tileir/kernels/pad_numbers.mlir", "another padding behind a load",
     [](Function &f) {
       auto selects = all(f, Opcode::Select);
       selects.at(1)->operands[2] = selects.at(0)->operands[2];
     },
     "tile.load at tests/tileir/kernels/pad_numbers.mlir:58:9: lanes outside "
     "hold something else than the padding"},
    {"proofs/kernels/gemm/gemm.mlir", "a sum of another shape",
     [](Function &f) {
       for (Op *op : all(f, Opcode::AddI)) {
         auto &type = std::get<TileType>(f.types[op->results[0]]);
         if (type.shape.size() == 2) {
           type.shape.pop_back();
         }
       }
     },
     "addi of another shape than its result", true},
    {"tests/tileir/kernels/pad_numbers.mlir", "no padding behind a load",
     [](Function &f) {
       Op *select = all(f, Opcode::Select).at(0);
       for (Op *op : all(f, Opcode::SubF)) {
         for (auto &operand : op->operands) {
           if (operand == select->results) {
             operand = select->operands[1];
           }
         }
       }
     },
     "lanes outside hold something else than the padding"},
    {"tests/tileir/kernels/pad_numbers.mlir", "a mask of one axis",
     [](Function &f) {
       Op *both = all(f, Opcode::AndI).at(0);
       all(f, Opcode::Select).at(0)->operands[0] = both->operands[0];
     },
     "lanes outside hold something else than the padding"},
    {"tests/tileir/kernels/pad_numbers.mlir", "padding for the tile",
     [](Function &f) {
       Op *select = all(f, Opcode::Select).at(0);
       std::swap(select->operands[1], select->operands[2]);
     },
     "lanes outside hold something else than the padding"},
    {"tests/tileir/kernels/inside.mlir", "an index that is not clamped",
     [](Function &f) {
       Op *low = all(f, Opcode::MinI).at(0);
       for (Op *op : all(f, Opcode::MulI)) {
         if (op->operands[0] == low->results) {
           op->operands[0] = low->operands[0];
         }
       }
     },
     "the value is"},
    {"tests/tileir/kernels/inside.mlir", "a mask one lane too wide",
     [](Function &f) {
       for (Op *op : all(f, Opcode::CmpI)) {
         if (std::get<int64_t>(op->attributes[0]) == int64_t(Predicate::Less)) {
           op->attributes[0] = int64_t(Predicate::LessEqual);
         }
       }
     },
     "the value is"},
    {"tests/corpus/girih/whiles/search.good.mlir", "it ends where it goes on",
     [](Function &f) {
       Op *exit = all(f, Opcode::If).at(0);
       std::swap(exit->regions[0], exit->regions[1]);
     },
     "a loop without an exit"},
    {"tests/corpus/girih/whiles/search.good.mlir", "it goes on otherwise",
     [](Function &f) {
       all(f, Opcode::If).at(0)->operands[0] =
           all(f, Opcode::CmpI).at(0)->results;
     },
     "the condition is"},
    {"tests/corpus/girih/whiles/search.good.mlir", "it gives the other end",
     [](Function &f) {
       std::vector<Value> &given = all(f, Opcode::Break).at(0)->operands[0];
       std::swap(given[0], given[1]);
     },
     "a value that is passed on is"},
    {"tests/corpus/girih/whiles/search.good.mlir", "it starts the other way",
     [](Function &f) {
       std::vector<Value> &start = all(f, Opcode::Loop).at(0)->operands[0];
       std::swap(start[0], start[1]);
     },
     "a start is"},
    {"tests/corpus/girih/whiles/search.good.mlir", "it carries the old range",
     [](Function &f) {
       Op *loop = all(f, Opcode::Loop).at(0);
       all(f, Opcode::Continue).at(0)->operands[0] = loop->regions[0].arguments;
     },
     "a carried value is"},
    {"tests/corpus/girih/whiles/search.good.mlir", "two exits",
     [](Function &f) {
       std::vector<Op> &ops = all(f, Opcode::Loop).at(0)->regions[0].ops;
       Op again = *all(f, Opcode::If).at(0);
       ops.insert(ops.end() - 1, again);
     },
     "break cannot be followed"},
    {"tests/corpus/girih/whiles/queue.good.mlir", "it gives an old token",
     [](Function &f) {
       Op *loop = all(f, Opcode::Loop).at(0);
       all(f, Opcode::Break).at(0)->operands[0].back() =
           loop->operands[0].back();
     },
     "a loop gives other tokens than it carries"},
    {"tests/corpus/girih/whiles/queue.good.mlir", "trips do not wait",
     [](Function &f) {
       Op *loop = all(f, Opcode::Loop).at(0);
       all(f, Opcode::Continue).at(0)->operands[0].back() =
           loop->operands[0].back();
     },
     "have no order"},
    {"tests/tileir/kernels/atomics.mlir", "another combination",
     [](Function &f) {
       all(f, Opcode::AtomicRedView).at(0)->attributes[2] =
           int64_t(AtomicMode::Xor);
     },
     "another combination"},
    {"tests/tileir/kernels/atomic_lanes.mlir", "lanes of another combination",
     [](Function &f) {
       all(f, Opcode::AtomicRMW).at(0)->attributes[2] =
           int64_t(AtomicMode::Xor);
     },
     "another combination"},
    {"tests/tileir/kernels/atomic_lanes.mlir", "combined without a mask",
     [](Function &f) { all(f, Opcode::AtomicRMW).at(0)->operands[2].clear(); },
     "the mask is nothing"},
    {"tests/tileir/kernels/atomic_lanes.mlir", "combined weakly",
     [](Function &f) {
       all(f, Opcode::AtomicRMW).at(0)->attributes[0] =
           int64_t(Semantics::Weak);
     },
     "another order or scope"},
    {"tests/tileir/kernels/atomic_lanes.mlir", "combined in another tensor",
     [](Function &f) {
       auto [sum, maximum] = lanesOfTheBody(f);
       maximum->operands[0] = sum->operands[0];
     },
     "it goes to another tensor"},
    {"tests/tileir/kernels/atomic_lanes.mlir", "what was there is combined",
     [](Function &f) {
       auto [sum, maximum] = lanesOfTheBody(f);
       maximum->operands[1] = {sum->results[0]};
     },
     "the value is"},
    // Of the bytes only floats are made: the elements are compared all the
    // same.
    {"tests/corpus/girih/kernels/gemv_w4a16.mlir", "halves of bytes swapped",
     [](Function &f) {
       Op *select = all(f, Opcode::Select).at(0);
       std::swap(select->operands[1], select->operands[2]);
     },
     "the bytes of pairs of elements are used otherwise"},
    {"tests/corpus/girih/kernels/gemv_w4a16.mlir", "a half without its sign",
     [](Function &f) {
       all(f, Opcode::ShRI).at(1)->attributes[0] =
           int64_t(Signedness::Unsigned);
     },
     "the bytes of pairs of elements are used otherwise"},
    {"tests/corpus/girih/kernels/gemv_w4a16.mlir", "one half for both",
     [](Function &f) {
       Op *select = all(f, Opcode::Select).at(0);
       select->operands[2] = select->operands[1];
     },
     "the bytes of pairs of elements are used otherwise"},
    {"tests/corpus/girih/kernels/gemv_w4a16.mlir", "bytes for elements",
     [](Function &f) {
       Op *select = all(f, Opcode::Select).at(0);
       Op *bytes = all(f, Opcode::Broadcast).at(0);
       for (Op *op : all(f, Opcode::Broadcast)) {
         if (f.types[op->results[0]] == f.types[select->results[0]]) {
           bytes = op;
         }
       }
       for (Op *op : all(f, Opcode::Reshape)) {
         if (op->operands[0] == select->results) {
           op->operands[0] = bytes->results;
         }
       }
     },
     "the bytes of pairs of elements are used otherwise"},
    {"tests/tileir/kernels/nibbles.mlir", "stored halves swapped",
     [](Function &f) {
       Op *reduce = all(f, Opcode::Reduce).at(0);
       for (Op *op : all(f, Opcode::Select)) {
         if (op->results == reduce->operands[0]) {
           std::swap(op->operands[1], op->operands[2]);
         }
       }
     },
     "the value is"},
    {"tests/tileir/kernels/nibbles.mlir", "what halves share",
     [](Function &f) {
       all(f, Opcode::Reduce).at(0)->regions[0].ops[0].opcode = Opcode::AndI;
     },
     "the value is"},
    {"tests/tileir/kernels/nibbles_strides.mlir", "one half padded",
     [](Function &f) {
       Value padding = all(f, Opcode::LoadPtr).at(0)->operands[2].at(0);
       for (Op *op : all(f, Opcode::Constant)) {
         if (op->results[0] == padding) {
           op->attributes[0] = Constant{{0x0A}};
         }
       }
     },
     "the padding is 10, the kernel has -86", true},
};

TEST(Readback, NamesEveryChange) {
  std::map<std::string, std::unique_ptr<Compiled>> kernels;
  for (const Change &change : changes) {
    auto &compiled = kernels[change.kernel];
    if (!compiled) {
      compiled = std::make_unique<Compiled>(change.kernel);
      for (unsigned minor : {oldestMinor, newestMinor}) {
        EXPECT_EQ(
            compiled->gate(writeBytecode(compiled->lowered.module, minor)), "")
            << change.kernel;
      }
    }
    Module module = compiled->lowered.module;
    change.edit(change.last ? module.functions.back() : module.functions[0]);
    std::string said = compiled->gate(writeBytecode(module));
    EXPECT_NE(said.find(change.message), std::string::npos)
        << change.name << ": '" << said << "'";
  }
}

/// The words in backquotes.
std::set<std::string> quoted(const std::string &cell) {
  std::set<std::string> words;
  for (size_t at = 0; (at = cell.find('`', at)) != std::string::npos;) {
    size_t end = cell.find('`', at + 1);
    words.insert(cell.substr(at + 1, end - at - 1));
    at = end + 1;
  }
  return words;
}

/// The table in lower/readback/README.md has a row for each op that the emitter
/// may write, and for each operand and attribute; and for nothing else.
TEST(ReadbackTable, NamesEveryOperand) {
  std::map<std::string, std::set<std::string>> rows;
  std::ifstream file("lower/readback/README.md");
  ASSERT_TRUE(file);
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("| `")) {
      continue;
    }
    size_t second = line.find('|', 1), third = line.find('|', second + 1);
    std::set<std::string> parts = quoted(line.substr(second, third - second));
    for (const std::string &op : quoted(line.substr(0, second))) {
      rows[op].insert(parts.begin(), parts.end());
    }
  }
  for (const OpForm &form : opForms()) {
    auto row = rows.find(form.mnemonic);
    ASSERT_TRUE(row != rows.end()) << form.mnemonic << " has no row";
    for (const OperandForm &o : form.operands) {
      EXPECT_TRUE(row->second.erase(o.name)) << form.mnemonic << " " << o.name;
    }
    for (const AttrForm &a : form.attributes) {
      EXPECT_TRUE(row->second.erase(a.name)) << form.mnemonic << " " << a.name;
    }
    row->second.erase("type");
    EXPECT_TRUE(row->second.empty())
        << form.mnemonic << " has no " << *row->second.begin();
    rows.erase(row);
  }
  EXPECT_TRUE(rows.empty()) << rows.begin()->first << " is no op";
}

/// What an entry asks for is checked at the launch or stands in the contract:
/// one that says the contract has it does not get by.
TEST(Readback, TakesNothingForRequiredThatIsNot) {
  Compiled gemm("proofs/kernels/gemm/gemm.mlir");
  Bytes bytes = writeBytecode(gemm.lowered.module);
  EXPECT_EQ(gemm.gate(bytes), "");
  EntryPlan &aligned = gemm.lowered.plans.front();
  ASSERT_FALSE(aligned.when.empty());
  aligned.required = std::exchange(aligned.when, {});
  EXPECT_NE(gemm.gate(bytes).find("assume"), std::string::npos)
      << gemm.gate(bytes);
}

/// The ops that say themselves how many results they have.
void collectCounted(std::vector<Op> &ops, std::vector<Op *> &out) {
  for (Op &op : ops) {
    if (formOf(op.opcode).countedResults && !op.results.empty()) {
      out.push_back(&op);
    }
    for (Region &r : op.regions) {
      collectCounted(r.ops, out);
    }
  }
}

/// An op may say that it has fewer results than its kind gives.
TEST(Readback, RefusesOpsThatLackResults) {
  size_t dropped = 0;
  for (const char *path :
       {"proofs/kernels/gemm/gemm.mlir", "tests/tileir/kernels/order.mlir",
        "tests/tileir/kernels/print.mlir", "tests/tileir/kernels/whiles.mlir",
        "tests/tileir/kernels/nibbles.mlir"}) {
    Compiled compiled(path);
    Module module = compiled.lowered.module;
    for (Function &f : module.functions) {
      std::vector<Op *> counted;
      collectCounted(f.body.ops, counted);
      for (Op *op : counted) {
        std::vector<Value> results = op->results;
        for (size_t left = 0; left < results.size(); ++left, ++dropped) {
          op->results.resize(left);
          EXPECT_NE(compiled.gate(writeBytecode(module)), "")
              << path << ": " << left << " results of " << results.size();
        }
        op->results = results;
      }
    }
  }
  EXPECT_GT(dropped, 100u);
}

TEST(Readback, SurvivesAnyBytes) {
  Compiled gemm("proofs/kernels/gemm/gemm.mlir");
  Bytes bytes = writeBytecode(gemm.lowered.module);
  auto gate = lower::Gate::open(gemm.verified());
  ASSERT_TRUE(std::holds_alternative<lower::Gate>(gate));
  std::mt19937 random(1);
  for (int i = 0; i < 3000; ++i) {
    Bytes changed = bytes;
    for (int k = 0; k < 1 + i % 3; ++k) {
      changed[random() % changed.size()] = uint8_t(random());
    }
    if (i % 4 == 0) {
      changed.resize(random() % changed.size());
    }
    std::get<lower::Gate>(gate).differs(gemm.lowered, changed);
  }
}

} // namespace
