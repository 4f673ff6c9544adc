// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lower/hopper/Expected.h"
#include "lower/hopper/schedule/Gemv.h"
#include "lower/hopper/verify/Budget.h"
#include "lower/tileir/Lower.h"

using namespace mlir;
using girih::proofs::Fact;
using girih::proofs::Int;
using girih::proofs::Origin;
using girih::proofs::Poly;

namespace girih::hopper {
namespace {

/// The bounds that spec/tile.md gives to every launch.
constexpr Int maxExtent = Int(1) << 40, maxBlocks = (Int(1) << 31) - 1;
/// K is a multiple of it, by the contract.
constexpr int64_t depthStep = 8;

/// The contract of a product, K as 8 times a number: it requires that much.
class Writer {
public:
  Writer(const Scheduled &scheduled, tile::KernelOp kernel, const Gemv &gemv)
      : scheduled(scheduled), kernel(kernel), gemv(gemv) {}

  ptx::Expected write() {
    out.entry = kernel.getSymName().str();
    out.variables = {
        gemv.n.str(), gemv.k.str() + "_8", gemv.p.str(), "bx", "by", "bz",
        "trip"};
    out.symbols = 3;
    n = Poly::variable(0), k8 = Poly::variable(1), p = Poly::variable(2);
    k = Poly(depthStep) * k8;
    out.any = {6};
    contract();
    launch();
    tensors();
    arguments();
    rings();
    return std::move(out);
  }

private:
  void given(Poly p) {
    out.given.push_back({Fact::atLeastZero(std::move(p)), {}});
    out.given.back().origin.kind = Origin::Kind::Contract;
  }

  void contract() {
    given(n);
    given(Poly(maxExtent) - n);
    given(k8);
    given(Poly(gemv.maxK / depthStep) - k8);
    given(p - Poly(1));
    given(Poly(maxBlocks) - p);
  }

  void launch() {
    out.threads[0] = uint64_t(scheduled.recipe.threads);
    out.grid[0] = p;
    out.dynamicBytes = uint64_t(scheduled.recipe.sharedBytes);
  }

  size_t tensor(unsigned argument, std::vector<Poly> extents) {
    auto type =
        cast<tile::TileTensorType>(kernel.getArguments()[argument].getType());
    ptx::Tensor t;
    t.name = kernel.getArgName(argument).str();
    t.bytes = type.getElementType().getIntOrFloatBitWidth() / 8;
    t.align = uint64_t(type.getAlign());
    t.strides.assign(extents.size(), Poly(1));
    for (size_t i = extents.size(); i-- > 1;) {
      t.strides[i - 1] = t.strides[i] * extents[i];
    }
    t.extents = std::move(extents);
    out.tensors.push_back(std::move(t));
    return out.tensors.size() - 1;
  }

  /// Block b has the rows of tiles b, b + P, b + 2P, ...: those that it claims
  /// and stores, and those that it loads. It needs all of x.
  void tensors() {
    w = tensor(gemv.w, {n, k});
    x = tensor(gemv.x, {k});
    y = tensor(gemv.y, {n});
    Poly first = Poly(gemv.rows) * (Poly::variable(out.block(0)) +
                                    p * Poly::variable(out.any[0]));
    ptx::Range rows{first, {first + Poly(gemv.rows), n}};
    out.regions = {{w, ptx::Mode::Read, {rows, {Poly(0), {k}}}, false},
                   {x, ptx::Mode::Read, {{Poly(0), {k}}}, true},
                   {y, ptx::Mode::Write, {rows}, false}};
    out.early.emplace();
    for (const std::string &name : scheduled.recipe.early) {
      for (size_t i = 0; i < out.tensors.size(); ++i) {
        if (out.tensors[i].name == name) {
          out.early->push_back(i);
        }
      }
    }
  }

  void arguments() {
    for (const tileir::Parameter &parameter : tileir::parametersOf(kernel)) {
      ptx::Argument a;
      if (parameter.kind == tileir::Parameter::Kind::Pointer) {
        a.tensor = parameter.argument == gemv.w   ? w
                   : parameter.argument == gemv.x ? x
                                                  : y;
      } else {
        StringAttr name = parameter.value.getSymbol();
        a.value = name == gemv.n ? n : name == gemv.k ? k : p;
      }
      out.arguments.push_back(std::move(a));
    }
  }

  /// Where they stand is a hint to the gate, which proves it.
  void rings() {
    SharedPlan plan = planShared(scheduled.kernel());
    for (auto ring : scheduled.kernel().getBody().front().getOps<RingOp>()) {
      RingType type = ring.getRing().getType();
      out.rings.push_back({uint64_t(type.getSlots()), uint64_t(type.getBytes()),
                           uint64_t(plan.memory.at(ring)),
                           uint64_t(plan.barriers.at(ring)),
                           uint64_t(scheduled.kernel().getWarps())});
    }
  }

  const Scheduled &scheduled;
  tile::KernelOp kernel;
  const Gemv &gemv;
  ptx::Expected out;
  Poly n, k, k8, p;
  size_t w = 0, x = 0, y = 0;
};

} // namespace

ptx::Expected expectedOf(const Scheduled &scheduled) {
  tile::KernelOp kernel = scheduled.source.kernel();
  auto matched = matchGemv(kernel);
  return Writer(scheduled, kernel, std::get<Gemv>(matched)).write();
}

} // namespace girih::hopper
