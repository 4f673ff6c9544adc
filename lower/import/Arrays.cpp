// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tensors from what is done with addresses: views that are made of them, and
// sums that are added to them.

#include "ir/types/Counted.h"
#include "lower/import/Signature.h"

#include <algorithm>

using namespace girih::readback;

namespace girih::importer {

namespace {

/// A product in a sum that is added to an address: which factor is the stride
/// is seen when the strides are known.
struct Term {
  std::vector<std::pair<Size, unsigned>> readings; ///< stride and coordinate
  std::vector<const Op *> around;
};

struct Arrays {
  const Sources &sources;
  Signature &out;
  std::map<unsigned, std::vector<std::pair<const Op *, std::vector<Term>>>>
      pending;

  Size sizeOf(const Op &op, unsigned value) {
    if (std::optional<int64_t> n = sources.constant(value)) {
      return {*n, 0};
    }
    std::optional<unsigned> p = sources.parameter(value);
    if (!p) {
      refuse(op, "an extent or stride that is neither a parameter nor a "
                 "constant");
    }
    return {fromLaunch, *p};
  }

  std::vector<Size> sizesOf(const Op &op, const Shape &known,
                            const char *name) {
    std::vector<Size> list;
    const std::vector<unsigned> &values = op.operands.at(name);
    size_t at = 0;
    for (int64_t n : known) {
      if (n != fromLaunch) {
        list.push_back({n, 0});
        continue;
      }
      if (at == values.size()) {
        refuse(op, "a view lacks a size");
      }
      list.push_back(sizeOf(op, values[at++]));
    }
    return list;
  }

  Tensor &add(unsigned parameter, const Op &op, std::vector<Size> extents,
              std::vector<Size> strides) {
    const Type &t = sources.f.types[parameter];
    auto [found, isNew] = out.tensorOf.emplace(parameter, out.tensors.size());
    if (isNew) {
      Tensor tensor;
      tensor.parameter = parameter;
      tensor.element = t.element;
      tensor.align = bytesOf(t);
      tensor.extents = std::move(extents);
      tensor.strides = std::move(strides);
      out.tensors.push_back(std::move(tensor));
    } else if (out.tensors[found->second].extents != extents ||
               out.tensors[found->second].strides != strides) {
      refuse(op, "an argument with two layouts");
    }
    return out.tensors[found->second];
  }

  void tensorViews() {
    for (const Op *op : sources.ops()) {
      if (!is(*op, "make_tensor_view")) {
        continue;
      }
      const Type &t = sources.f.types[op->results.at(0)];
      unsigned base = sources.plain(operand(*op, "base"));
      if (t.form != Type::Form::View || base >= sources.f.parameters ||
          !sources.f.types[base].pointer) {
        refuse(*op, "a view of memory that is no argument");
      }
      add(base, *op, sizesOf(*op, t.shape, "shape"),
          sizesOf(*op, t.strides, "strides"));
    }
  }

  /// The products in a sum, each with the shapes around it.
  void terms(const Op &access, unsigned value, std::vector<const Op *> around,
             std::vector<Term> &into) {
    constexpr size_t most = 16;
    if (into.size() > most || around.size() > most) {
      refuse(access, "an address with too many terms");
    }
    value = sources.plain(value);
    const Op *op = sources.definition(value);
    if (sources.f.types[value].bits != 64) {
      refuse(access, "an address that is computed in fewer than 64 bits");
    }
    if (op && is(*op, "addi")) {
      terms(access, operand(*op, "x"), around, into);
      terms(access, operand(*op, "y"), around, into);
      return;
    }
    if (op && (is(*op, "reshape") || is(*op, "broadcast"))) {
      around.push_back(op);
      terms(access, operand(*op, "x"), around, into);
      return;
    }
    Term term;
    term.around = around;
    if (op && is(*op, "muli")) {
      for (bool swapped : {false, true}) {
        unsigned stride = operand(*op, swapped ? "x" : "y");
        unsigned coordinate = operand(*op, swapped ? "y" : "x");
        if (std::optional<int64_t> n = sources.constant(stride)) {
          term.readings.push_back({{*n, 0}, coordinate});
        } else if (std::optional<unsigned> p = sources.parameter(stride)) {
          term.readings.push_back({{fromLaunch, *p}, coordinate});
        }
      }
    }
    term.readings.push_back({{1, 0}, value});
    into.push_back(std::move(term));
  }

  void pointerTerms() {
    for (const Op *op : sources.ops()) {
      if (!isAccess(*op) || !byAddress(*op)) {
        continue;
      }
      std::vector<Term> list;
      std::vector<const Op *> around;
      for (unsigned at = operand(*op, "pointers");
           const Op *from = sources.definition(at);) {
        if (is(*from, "offset")) {
          terms(*op, operand(*from, "offset"), around, list);
          at = operand(*from, "pointers");
        } else {
          if (!is(*from, "assume")) {
            around.push_back(from);
          }
          if (!from->operands.count("x") || around.size() > 16) {
            refuse(*op, "an address that is no parameter plus an offset");
          }
          at = operand(*from, "x");
        }
      }
      pending[baseOf(sources, *op)].emplace_back(op, std::move(list));
    }
  }

  /// An address alone is followed by n extents and n strides.
  void layoutOf(unsigned p, size_t axes, const Op &access) {
    size_t run = 0;
    while (p + 1 + run < sources.f.parameters &&
           !sources.f.types[p + 1 + run].pointer &&
           sources.f.types[p + 1 + run].bits >= 32) {
      ++run;
    }
    if (axes == 0 || run < 2 * axes) {
      refuse(access, "an address of " + tile::counted(axes, "axis", "axes") +
                         " with " + tile::counted(run, "integer", "integers") +
                         " behind it");
    }
    std::vector<Size> extents, strides;
    for (size_t k = 0; k < axes; ++k) {
      unsigned extent = unsigned(p + 1 + k), stride = unsigned(extent + axes);
      extents.push_back({fromLaunch, extent});
      strides.push_back({fromLaunch, stride});
    }
    // The stride that no access multiplies by is 1 for all of them.
    for (const auto &[op, list] : pending[p]) {
      for (size_t k = 0; k < list.size() && k < axes; ++k) {
        bool named = false;
        for (const auto &[stride, coordinate] : list[k].readings) {
          named |= stride == strides[k];
        }
        if (!named) {
          strides[k] = list[k].readings.front().first;
        }
      }
    }
    add(p, access, std::move(extents), std::move(strides));
  }

  void addresses() {
    for (const auto &[p, list] : pending) {
      if (!out.tensorOf.count(p)) {
        layoutOf(p, list.front().second.size(), *list.front().first);
      }
      const Tensor &tensor = out.tensors[out.tensorOf[p]];
      for (const auto &[op, terms] : list) {
        Address address{p, {}};
        if (terms.size() != tensor.extents.size()) {
          refuse(*op, "an address of " +
                          tile::counted(terms.size(), "term", "terms") +
                          " in a tensor of " +
                          tile::counted(tensor.extents.size(), "axis", "axes"));
        }
        for (size_t k = 0; k < terms.size(); ++k) {
          auto reading = std::find_if(
              terms[k].readings.begin(), terms[k].readings.end(),
              [&](const auto &r) { return r.first == tensor.strides[k]; });
          if (reading == terms[k].readings.end()) {
            refuse(*op, "an address that is no sum of an index times a stride "
                        "for each axis");
          }
          address.coordinates.push_back({reading->second, terms[k].around});
        }
        out.addresses.emplace(op, std::move(address));
      }
    }
  }

  void modes() {
    for (const Op *op : sources.ops()) {
      if (!isAccess(*op)) {
        continue;
      }
      Tensor &t = out.tensor(sources, *op);
      if (is(*op, "atomic_rmw_tko") || is(*op, "atomic_red_view_tko")) {
        std::optional<std::string> word = atomicWord(*op);
        if (!word || (t.atomic && t.atomic != word)) {
          refuse(*op, "an atomic op that has no form in the dialect");
        }
        t.atomic = word;
      } else if (is(*op, "load_view_tko") || is(*op, "load_ptr_tko")) {
        t.loaded = true;
      } else {
        t.stored = true;
      }
      if (t.atomic && (t.loaded || t.stored)) {
        refuse(*op, "a tensor that is touched atomically and otherwise");
      }
    }
  }
};

} // namespace

void readArrays(const Sources &sources, Signature &signature) {
  Arrays arrays{sources, signature, {}};
  arrays.tensorViews();
  arrays.pointerTerms();
  arrays.addresses();
  arrays.modes();
}

} // namespace girih::importer
