// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "fuzz/generators/families/LanesOfViews.h"

#include "fuzz/generators/Draw.h"
#include "fuzz/generators/families/AnyView.h"

namespace girih::fuzz {

namespace {
class LanesOfViews {
public:
  explicit LanesOfViews(uint64_t seed) : d(seed), w("lanes") {}

  Sample run(uint64_t seed) {
    w.symbol("N", {0, 1, 2, 3, 5});
    narrow = d.pick({"i8", "i16", "i32"});
    lanes = d.pick({2, 4, 4, 8});
    isAtomic = d.chance(20);
    std::vector<Axis> axes;
    for (int64_t n = d.between(1, 3); n > 0; --n) {
      axes.push_back(axis());
    }
    Tensor &read = w.tensor(axes, "shared", narrow);
    Tensor &written = w.tensor(
        axes,
        isAtomic ? "atomic<add>" : d.pick({"own", "own", "out", "out partial"}),
        narrow);
    block = w.blockId(w.grid(d.pick({"N", "N", "N", "N", "2"})));
    blocks = w.gridAt(0);
    std::string s = d.chance(65) ? line() : "2x" + line();
    std::string x = gather(view(read), s);
    for (int64_t n = d.chance(75) ? 1 : 2; n > 0; --n) {
      scatter(view(written), s, x);
    }
    return w.openSample(seed);
  }

private:
  Draw d;
  Writer w;
  std::string narrow, block, blocks;
  int64_t lanes = 4;
  bool isAtomic = false;

  Axis axis() {
    Axis a;
    a.extent = "N";
    a.unit = true;
    if (d.chance(50)) {
      a.constant = d.pick<int64_t>({2, 4, 6, lanes});
      a.extent = std::to_string(a.constant);
    }
    return a;
  }

  std::string line() const { return std::to_string(lanes); }
  static std::string type(const std::string &shape, const std::string &lane) {
    return "vector<" + shape + "x" + lane + ">";
  }

  AnyView view(const Tensor &t) {
    AnyView v(w, d, t, block, blocks);
    for (int64_t n = d.between(1, 3); n > 0; --n) {
      v.step();
    }
    return v;
  }

  /// The places of all lanes and their types; `mask` is true of those inside,
  /// where nothing was forgotten.
  std::pair<std::string, std::string> places(AnyView &v, const std::string &s,
                                             std::string &mask) {
    std::string names, types, t = type(s, "index");
    bool isPlane = s.find('x') != std::string::npos;
    auto wide = [&](const std::string &scalar) {
      return w.op("vector.broadcast " + scalar + " : index to " + t);
    };
    size_t counted =
        static_cast<size_t>(d.below(static_cast<int64_t>(v.rank())));
    for (size_t k = 0; k < v.rank(); ++k) {
      std::string at = d.chance(85) ? wide(block) : wide(w.constant(0));
      if (k == counted || d.chance(15)) {
        std::string number = d.pick<std::string>({"0", isPlane ? "1" : "0"});
        std::string lane = w.op("tile.iota " + number + " : " + t);
        at = d.chance(50) ? lane : w.binary("addi", at, lane, t);
      }
      names += (k ? ", " : "") + at;
      types += ", " + t;
      if (d.chance(97)) {
        std::string in = w.compare("slt", at, wide(v.extent(k)), t);
        mask = mask.empty() ? in : w.binary("andi", mask, in, type(s, "i1"));
      }
    }
    return {names, types};
  }

  std::string gather(AnyView v, const std::string &s) {
    std::string mask;
    auto [names, types] = places(v, s, mask);
    return w.op("tile.gather " + v.name() + "[" + names + "]" +
                (mask.empty() ? "" : ", " + mask + " pad(zero)") + " : " +
                v.type() + types + (mask.empty() ? "" : ", " + type(s, "i1")));
  }

  void scatter(AnyView v, const std::string &s, const std::string &x) {
    std::string mask;
    auto [names, types] = places(v, s, mask);
    w.line((isAtomic ? "tile.atomic_scatter add " : "tile.scatter ") + x +
           ", " + v.name() + "[" + names + "]" +
           (mask.empty() ? "" : ", " + mask) + " : " + type(s, narrow) + ", " +
           v.type() + types + (mask.empty() ? "" : ", " + type(s, "i1")));
  }
};
} // namespace

Sample lanesOfViews(uint64_t seed) { return LanesOfViews(seed).run(seed); }

} // namespace girih::fuzz
