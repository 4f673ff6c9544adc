// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "fuzz/generators/Contracts.h"
#include "fuzz/generators/Draw.h"
#include "fuzz/generators/Writer.h"

namespace girih::fuzz {

using Wide = __int128;
using Symbols = std::map<std::string, int64_t>;

namespace {
/// Writes the contract, then loads of an element that is there and of one that
/// is not.
struct Contracts {
  Writer w{"contract"};
  Draw d;
  bool wide;
  std::vector<int64_t> ends; ///< numbers to bound contents with

  Contracts(uint64_t seed, unsigned width) : d(seed), wide(width == 64) {}

  /// An extent that is at least so large, or exactly.
  std::string extent(const std::string &name) {
    int64_t least =
        wide && d.chance(50)
            ? d.pick<int64_t>({10'000, 70'000, 5'000'000, 100'000'000})
            : d.between(1, 9);
    w.symbol(name, {least, least + 1}); // an end of splits takes two
    w.require(name + d.pick({" >= ", " == ", " >= "}) + std::to_string(least));
    ends.push_back(least);
    return name;
  }

  /// Where contents end, or begin: mostly with room in between.
  std::string high() {
    if (w.hasSymbol("V") && d.chance(40)) {
      return d.pick<std::string>({"V", "V + 1", "V + 127", "100 * V"});
    }
    return std::to_string(
        d.chance(40)
            ? d.pick(ends) + d.between(-1, 1)
            : d.pick<int64_t>({0, 1, 2, 5, 9, 16, 127, 128, 255, 256, 32768,
                               70000, int64_t(1) << 31, int64_t(1) << 40}));
  }
  std::string low() {
    return d.chance(20) ? high()
                        : std::to_string(d.pick<int64_t>(
                              {-130, -128, -9, -8, -1, 0, 0, 0, 1, 5}));
  }

  Sample run(uint64_t seed) {
    std::vector<Axis> axes;
    for (const char *name : {"N", "M"}) {
      if (axes.empty() || d.chance(30)) {
        Axis a;
        a.extent = extent(name);
        a.unit = true;
        axes.push_back(a);
      }
    }
    if (d.chance(40)) {
      w.symbol("V", {0, 1, 2, 3, 4, 5, 6});
      w.require("V <= 6");
    }
    Tensor &t =
        w.tensor(axes, "shared", d.pick({"i8", "i8", "i16", "i32", "i64"}));
    bool isLine = axes.size() == 1;
    for (int64_t n = d.between(1, 3); n > 0; --n) {
      int64_t kind = d.below(isLine ? 6 : 4);
      w.given(kind < 2 ? "within(" + t.name + ", " + low() + ", " + high() + ")"
              : kind < 4  ? "distinct(" + t.name + ")"
              : kind == 4 ? "sorted(" + t.name + ")"
                          : "splits(" + t.name + ", " + high() + ")");
    }
    w.grid(d.pick<std::string>({"1", "1", "2"}));
    std::string at;
    for (size_t k = 0; k < axes.size(); ++k) {
      at += (k ? ", " : "") + w.constant(0);
    }
    w.op("tile.load " + t.partition() + "[" + at + "] : " + t.partitionType());
    if (d.chance(40)) { // nothing but an impossible contract excuses this
      Axis one;
      one.extent = "1";
      one.constant = 1;
      one.unit = true;
      Tensor &e = w.tensor({one}, "shared");
      w.op("tile.load " + e.partition() + "[" + w.constant(9) +
           "] : " + e.partitionType());
    }
    Sample s = w.openSample(seed);
    s.decides = true;
    return s;
  }
};
} // namespace

Sample contractKernel(uint64_t seed, unsigned width) {
  return Contracts(seed, width).run(seed);
}

/// An expression without wrapping; nothing where it divides by less than 1 or a
/// number below 0, which the kernels here do not.
static std::optional<Wide> valueOf(tile::ExprAttr e, const Symbols &symbols) {
  using K = tile::ExprKind;
  if (e.getKind() == K::Constant) {
    return e.getValue();
  }
  if (e.getKind() == K::Symbol) {
    return symbols.at(e.getSymbol().getValue().str());
  }
  std::optional<Wide> a = valueOf(e.getLhs(), symbols),
                      b = valueOf(e.getRhs(), symbols);
  if (!a || !b) {
    return std::nullopt;
  }
  bool divides = *a >= 0 && *b >= 1;
  switch (e.getKind()) {
  case K::Add:
    return *a + *b;
  case K::Sub:
    return *a - *b;
  case K::Mul:
    return *a * *b;
  case K::Min:
    return *a < *b ? *a : *b;
  case K::Max:
    return *a < *b ? *b : *a;
  case K::Div:
    return divides ? std::optional(*a / *b) : std::nullopt;
  case K::Mod:
    return divides ? std::optional(*a % *b) : std::nullopt;
  default:
    return divides ? std::optional((*a + *b - 1) / *b) : std::nullopt;
  }
}

static bool compares(tile::ComparisonAttr c, const Symbols &symbols) {
  using K = tile::ComparisonKind;
  std::optional<Wide> a = valueOf(c.getLhs(), symbols),
                      b = valueOf(c.getRhs(), symbols);
  if (!a || !b) {
    return false;
  }
  switch (c.getKind()) {
  case K::Eq:
    return *a == *b;
  case K::Lt:
    return *a < *b;
  case K::Le:
    return *a <= *b;
  case K::Gt:
    return *a > *b;
  default:
    return *a >= *b;
  }
}

/// Whether one tensor has contents: the least sequence in ascending order, one
/// element at a time. What is given speaks of no order but this one, so that
/// other contents can be sorted and keep it.
static bool hasContents(tile::KernelOp kernel, unsigned tensor, unsigned bits,
                        Wide count, const Symbols &symbols) {
  using K = tile::GivenKind;
  std::vector<std::pair<Wide, Wide>> ranges;
  std::vector<Wide> lasts;
  bool distinct = false;
  for (tile::GivenAttr g : kernel.getGivenFacts()) {
    if (g.getTensor() != tensor) {
      continue;
    }
    distinct |= g.getKind() == K::Distinct;
    if (g.getKind() == K::Within) {
      ranges.emplace_back(*valueOf(g.getLow(), symbols),
                          *valueOf(g.getHigh(), symbols));
    } else if (g.getKind() == K::Splits) {
      lasts.push_back(*valueOf(g.getHigh(), symbols));
    }
  }
  auto isAllowed = [&](Wide x) {
    bool allowed = -(Wide(1) << (bits - 1)) <= x && x < Wide(1) << (bits - 1);
    for (auto [low, high] : ranges) {
      allowed &= low <= x && x < high;
    }
    return allowed;
  };
  if (count == 0) {
    return lasts.empty();
  }
  Wide next = -(Wide(1) << (bits - 1));
  for (auto [low, high] : ranges) {
    next = std::max(next, low);
  }
  if (!distinct) { // what three elements keep any more can
    count = std::min(count, Wide(3));
  }
  for (Wide i = 0; i < count; ++i) {
    bool isEnd = !lasts.empty() && (i == 0 || i == count - 1);
    if (i == 0 && isEnd) {
      if (next > 0) {
        return false;
      }
      next = 0;
    }
    if (i == count - 1) {
      for (Wide last : lasts) {
        if (last < next || (i == 0 && last != 0)) {
          return false;
        }
        next = last;
      }
      for (Wide last : lasts) {
        if (last != next) {
          return false;
        }
      }
    }
    if (!isAllowed(next)) {
      return false;
    }
    next += distinct;
    if (i == 0 && count > 4) { // what is allowed has no gaps
      next += distinct ? count - 4 : 0;
      i = count - 4;
    }
  }
  return true;
}

bool admits(tile::KernelOp kernel, const Symbols &symbols, unsigned width) {
  auto power = [&](unsigned n) { return Wide(1) << ((n * width + 63) / 64); };
  for (auto &[name, value] : symbols) {
    if (value < 0 || value > power(40)) {
      return false;
    }
  }
  std::map<unsigned, Wide> counts;
  for (mlir::BlockArgument arg : kernel.getArguments()) {
    auto type = mlir::dyn_cast<tile::TileTensorType>(arg.getType());
    if (!type) {
      continue;
    }
    unsigned bits = type.getElementType().getIntOrFloatBitWidth();
    Wide count = 1, bytes = (bits + 7) / 8;
    auto dims = type.getDims();
    for (size_t k = dims.size(); k-- > 0;) {
      auto name = mlir::dyn_cast<mlir::StringAttr>(dims[k]);
      Wide extent = name ? Wide(symbols.at(name.getValue().str()))
                         : mlir::cast<mlir::IntegerAttr>(dims[k])
                               .getValue()
                               .getSExtValue();
      count *= extent;
      if (extent > power(40) || count * bytes > power(47)) {
        return false;
      }
    }
    counts[arg.getArgNumber()] = count;
  }
  for (tile::ComparisonAttr c : kernel.getRequirements()) {
    if (!compares(c, symbols)) {
      return false;
    }
  }
  for (tile::GivenAttr g : kernel.getGivenFacts()) {
    auto type = mlir::cast<tile::TileTensorType>(
        kernel.getArguments()[g.getTensor()].getType());
    if (!hasContents(kernel, g.getTensor(),
                     type.getElementType().getIntOrFloatBitWidth(),
                     counts[g.getTensor()], symbols)) {
      return false;
    }
  }
  return true;
}

bool isSatisfiable(tile::KernelOp kernel, const Box &box, unsigned width) {
  std::vector<Symbols> launches(1);
  for (auto &[name, values] : box.symbols) {
    std::vector<Symbols> longer;
    for (const Symbols &s : launches) {
      for (int64_t v : values) {
        bool isExtent = name != "V";
        if (v > 0 || !isExtent) {
          longer.push_back(s);
          longer.back()[name] = v;
        }
      }
    }
    launches = std::move(longer);
  }
  return llvm::any_of(
      launches, [&](const Symbols &s) { return admits(kernel, s, width); });
}

} // namespace girih::fuzz
