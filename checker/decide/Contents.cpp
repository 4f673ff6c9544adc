// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Contents for a counterexample: a model speaks of the few elements that its
// two blocks load, the launch needs them all.

#include "checker/decide/Replay.h"
#include "spec/executor/launch/Launch.h"

#include <set>

using namespace girih::proofs;
using girih::tile::GivenKind;

namespace girih::checker {

/// A tensor of more elements keeps its seed: nobody reads so long a list.
static constexpr int64_t maxElements = 4096;

namespace {
/// Some elements of a tensor, and what all of them have to keep.
struct Partial {
  std::map<int64_t, Int> fixed; ///< by place in memory
  int64_t size = 0;
  Int low = 0, high = 0; ///< low <= value <= high
  bool sorted = false, distinct = false;
};
} // namespace

std::vector<int64_t> placesOf(const exec::Layout &layout, int64_t limit) {
  std::vector<int64_t> extents(layout.extents.begin(), layout.extents.end());
  auto room = exec::makeArray(layout.kind, extents, limit);
  if (!room) {
    return {};
  }
  std::vector<int64_t> addresses, at(extents.size());
  for (int64_t n = 0; n < room->size(); ++n) {
    int64_t address = 0;
    for (size_t k = 0; k < at.size(); ++k) {
      address += at[k] * layout.strides[k];
    }
    addresses.push_back(address);
    for (size_t k = at.size(); k-- > 0 && ++at[k] == extents[k];) {
      at[k] = 0;
    }
  }
  std::vector<int64_t> sorted = addresses;
  llvm::sort(sorted);
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  for (int64_t &a : addresses) {
    a = llvm::lower_bound(sorted, a) - sorted.begin();
  }
  return addresses;
}

/// The elements that the model speaks of, by tensor.
static std::map<int, std::map<std::vector<int64_t>, Int>>
elementsOf(const Vc &vc, const search::Model &model) {
  std::map<int, std::map<std::vector<int64_t>, Int>> out;
  auto valueOf = [&](Var v) { return model.values[v]; };
  auto holds = [&](const std::vector<Atom> &way) {
    return llvm::all_of(way, [&](const Atom &a) {
      std::optional<Int> x = a.poly.evaluate(valueOf);
      return x && (a.equality ? *x == 0 : *x >= 0);
    });
  };
  for (const Lookup &l : vc.lookups) {
    if (l.stored || llvm::any_of(l.padded, holds)) {
      continue; // not what the launch finds
    }
    std::vector<int64_t> at;
    for (const Poly &p : l.at) {
      std::optional<Int> x = p.evaluate(valueOf);
      if (!x || *x < 0 || *x >= Int(1) << 62) {
        break; // it faults before it gets there
      }
      at.push_back(static_cast<int64_t>(*x));
    }
    if (at.size() == l.at.size()) {
      out[l.tensor][at] = valueOf(l.value);
    }
  }
  return out;
}

static void hold(Partial &p, const exec::Precondition &given) {
  switch (given.kind) {
  case GivenKind::Within:
    p.low = std::max(p.low, Int(given.low));
    p.high = std::min(p.high, Int(given.high) - 1);
    break;
  case GivenKind::Splits:
    p.sorted = true;
    if (p.size > 0) {
      p.fixed.try_emplace(0, 0);
      p.fixed.try_emplace(p.size - 1, given.high);
    }
    break;
  case GivenKind::Sorted:
    p.sorted = true;
    break;
  case GivenKind::Distinct:
    p.distinct = true;
    break;
  }
}

/// Numbers for the rest. What can't be kept is not: the executor looks.
static std::vector<int64_t> filled(const Partial &p) {
  std::vector<int64_t> out;
  std::set<Int> taken;
  for (auto &[at, value] : p.fixed) {
    taken.insert(value);
  }
  Int least = p.low <= 0 && p.high >= 0 && !p.distinct && !p.sorted ? 0 : p.low;
  Int next = least;
  for (int64_t i = 0; i < p.size; ++i) {
    auto it = p.fixed.find(i);
    if (p.sorted && it == p.fixed.end() && i == 0 && !p.fixed.empty()) {
      // As far below the first that is fixed as there is need to be.
      auto [at, value] = *p.fixed.begin();
      next = std::max(p.low, p.distinct ? value - at : value);
    }
    while (it == p.fixed.end() && p.distinct && !p.sorted &&
           taken.count(next)) {
      ++next;
    }
    Int value = it == p.fixed.end() ? next : it->second;
    out.push_back(static_cast<int64_t>(value));
    if (p.sorted) {
      next = value + p.distinct;
    } else if (p.distinct && it == p.fixed.end()) {
      ++next;
    }
  }
  return out;
}

Contents contentsOf(tile::KernelOp kernel, const Vc &vc,
                    const search::Model &model, const CandidateLaunch &launch,
                    Width width) {
  Contents out;
  auto elements = elementsOf(vc, model);
  exec::LaunchCheck check = exec::checkLaunch(
      kernel, {launch.symbols.begin(), launch.symbols.end()}, width.bits);
  if (elements.empty() || !check.launch) {
    return out;
  }
  for (auto &[tensor, known] : elements) {
    const exec::Layout &layout = *check.launch->tensors[tensor];
    llvm::ArrayRef<int64_t> extents = layout.extents;
    std::vector<int64_t> places = placesOf(layout, maxElements);
    if (places.empty()) {
      continue;
    }
    Partial p;
    p.size = 1 + *llvm::max_element(places);
    p.high = (Int(1) << (exec::integerBits(layout.kind) - 1)) - 1;
    p.low = -p.high - 1;
    bool isOne = true; // number for each place in memory
    for (auto &[at, value] : known) {
      int64_t number = 0;
      bool inside = true;
      for (size_t k = 0; k < at.size(); ++k) {
        inside &= at[k] < extents[k];
        number = inside ? number * extents[k] + at[k] : 0;
      }
      if (inside) {
        isOne &=
            p.fixed.try_emplace(places[number], value).first->second == value;
      }
    }
    if (!isOne) {
      continue;
    }
    for (const exec::Precondition &given : check.launch->givens) {
      if (given.tensor == static_cast<unsigned>(tensor)) {
        hold(p, given);
      }
    }
    std::vector<int64_t> numbers = filled(p);
    std::vector<int64_t> &list = out[kernel.getArgName(tensor).str()];
    for (int64_t place : places) {
      list.push_back(numbers[place]);
    }
  }
  return out;
}

std::string contentsText(const std::string &name,
                         llvm::ArrayRef<int64_t> numbers) {
  constexpr size_t most = 16;
  std::string out = name + " = [";
  for (auto [i, x] : llvm::enumerate(numbers.take_front(most))) {
    out += (i ? ", " : "") + std::to_string(x);
  }
  return out + (numbers.size() > most ? ", ...]" : "]");
}

} // namespace girih::checker
