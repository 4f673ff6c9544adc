// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The text of arguments, views, partitions and of all that touches memory.

#include "Recording.h"
#include <cmath>

namespace girih::kernel::recorder {

static const char *textOf(Mode mode) {
  static constexpr const char *texts[] = {
      "shared",      "own",         "out",         "out partial",
      "raw",         "atomic<add>", "atomic<min>", "atomic<max>",
      "atomic<and>", "atomic<or>",  "atomic<xor>"};
  return texts[int(mode)];
}
static const char *atomicWord(Mode mode) {
  static constexpr const char *words[] = {"add", "min", "max",
                                          "and", "or",  "xor"};
  return words[int(mode) - int(Mode::Add)];
}

/// `[M, N] x bf16, shared, strides [ld, 1]`: the same of a tensor and its
/// partitions.
static std::string bodyOf(const TensorType &t) {
  auto list = [&](const Sym *numbers) {
    std::string text = "[";
    for (int k = 0; k < t.rank; ++k) {
      text += (k ? ", " : "") + textOf(numbers[k]);
    }
    return text + "]";
  };
  return list(t.extents) + " x " + textOf(t.element) + ", " + textOf(t.mode) +
         (t.strides ? ", strides " + list(t.strides) : "") +
         (t.align ? ", align = " + std::to_string(t.align) : "");
}
static std::string byText(const By &by) {
  std::string text = "[";
  for (int k = 0; k < by.rank; ++k) {
    text += (k ? ", " : "") +
            (by.extents[k] ? std::to_string(by.extents[k]) : std::string("_"));
  }
  return text + "]";
}
static std::string capital(std::string name) {
  name[0] = char(std::toupper((unsigned char)name[0]));
  return name;
}
static TypeId tensorType(Recording &r, const TensorType &t,
                         const std::string &alias) {
  return r.typeId("!tile.tensor<" + bodyOf(t) + ">", alias);
}

//===-- Arguments ---------------------------------------------------------===//

static Value argument(Recording &r, const char *name, TypeId type) {
  KernelData &k = r.kernel({});
  if (!isPlainName(name)) {
    throw Error(k.at, std::string("the name of an argument is a letter, then "
                                  "letters, digits and underscores, not ") +
                          name);
  }
  Value v = r.fresh(type, {}, name);
  r.values[v].argumentOf = &r.bodies[r.body()].top;
  k.arguments.push_back({name, type, v});
  return v;
}
Value scalarArgument(const char *name, Element element) {
  Recording &r = Recording::here();
  return argument(r, name, r.typeId(Type{element, 0, {}}));
}
Value tensorArgument(const char *name, const TensorType &type) {
  Recording &r = Recording::here();
  Value v = argument(r, name, tensorType(r, type, capital(name)));
  KernelData &k = r.kernel({});
  for (int i = 0; i < type.rank; ++i) {
    if (type.extents[i].number < 0) {
      check(r, symbol(type.extents[i]), k.at);
      k.bound.push_back(type.extents[i].name);
    }
    if (type.strides && type.strides[i].number < 0) {
      check(r, symbol(type.strides[i]), k.at);
      k.strides.push_back(type.strides[i]);
    }
  }
  return v;
}

//===-- Views and partitions ----------------------------------------------===//

static void addNumber(Form &form, const ViewNumber &n) {
  if (n.value >= 0) {
    form.value(n.value);
  } else {
    form.text(textOf(n.symbol));
  }
}

Value view(View kind, const TensorType &from, const TensorType &to, Value x,
           const int *axes, ViewNumbers first, ViewNumbers second,
           ViewNumbers third, Place at) {
  Recording &r = Recording::here(at);
  std::string root = r.values[x].name;
  for (ViewNumbers list : {first, second, third}) {
    for (const ViewNumber &n : list) {
      if (n.value >= 0) {
        place(n.value, at);
      } else if (n.symbol.number < 0) {
        check(r, symbol(n.symbol), at);
      }
    }
  }
  Form form("tile.view ");
  form.value(x);
  switch (kind) {
  case View::Slice: {
    bool narrows = axes; // one axis
    int wanted = 0;
    for (int k = 0; k < to.rank; ++k) {
      wanted += to.extents[k].isDynamic();
    }
    auto expect = [&](size_t got, size_t want, const char *what) {
      if (got != want) {
        throw Error(at, "slice: " + std::to_string(want) + " " + what +
                            ", one for each, got " + std::to_string(got));
      }
    };
    if (!narrows) {
      expect(first.size(), from.rank, "offsets of axes");
      expect(second.size(), wanted, "sizes of dynamic extents");
      if (third.size()) {
        expect(third.size(), from.rank, "steps of axes");
      }
    }
    form.text(" slice [");
    for (int k = 0; k < from.rank; ++k) {
      form.text(k ? ", " : "");
      if (!narrows) {
        addNumber(form, first.begin()[k]);
      } else if (k == *axes) {
        addNumber(form, *first.begin());
      } else {
        form.text("0");
      }
    }
    form.text("] size [");
    const ViewNumber *size = second.begin();
    for (int k = 0; k < to.rank; ++k) {
      form.text(k ? ", " : "");
      if (narrows ? k == *axes : to.extents[k].isDynamic()) {
        addNumber(form, *size++);
      } else {
        form.text(textOf(to.extents[k]));
      }
    }
    form.text("]");
    if (third.size()) {
      form.text(" step [");
      for (const ViewNumber &n : third) {
        form.text(&n == third.begin() ? "" : ", ");
        addNumber(form, n);
      }
      form.text("]");
    }
    break;
  }
  case View::Permute: {
    std::string text;
    for (int k = 0; k < from.rank; ++k) {
      text += (k ? ", " : "") + std::to_string(axes[k]);
    }
    form.text(" permute [" + text + "]");
    break;
  }
  case View::Unfold:
    form.text(" unfold " + std::to_string(*axes) + " by [");
    for (const ViewNumber &n : first) {
      form.text(&n == first.begin() ? "" : ", ");
      addNumber(form, n);
    }
    form.text("]");
    break;
  case View::Fix:
    form.text(" fix " + std::to_string(*axes) + " at ");
    addNumber(form, *first.begin());
    break;
  case View::Flatten:
    form.text(" flatten " + std::to_string(*axes));
    break;
  }
  form.text(" : ").type(r.values[x].type);
  Value v = r.emit(std::move(form), tensorType(r, to, capital(root) + "View"),
                   Role::Pure, at);
  r.values[v].name = root + "_view";
  return v;
}

Value partition(const TensorType &tensor, const By &by, Value x, Place at) {
  Recording &r = Recording::here(at);
  std::string name = r.values[x].name;
  std::string alias = r.types[r.values[x].type].alias;
  TypeId type =
      r.typeId("!tile.partition<" + byText(by) + ", " + bodyOf(tensor) + ">",
               alias + "Tiles");
  Form form("tile.partition ");
  form.value(x).text(" by " + byText(by) + " : ").type(r.values[x].type);
  // Of an argument it holds for all of the body.
  bool ofArgument = r.values[x].argumentOf == &r.bodies[r.body()].top;
  Value v = ofArgument
                ? r.hoisted(Hoist::Partition, x, std::move(form), type, at)
                : r.implied(std::move(form), type, at);
  if (r.values[v].name.empty()) {
    r.values[v].name = name + "_tiles";
    Mode mode = tensor.mode == Mode::OutPartial ? Mode::Out : tensor.mode;
    PartitionData p{{},
                    {},
                    by.rank,
                    r.body(),
                    v,
                    ofArgument,
                    "!tile.piece<" + byText(by) + " x " +
                        textOf(tensor.element) + ", " + textOf(mode) + ">"};
    for (int k = 0; k < by.rank; ++k) {
      p.by[k] = by.extents[k] ? by.extents[k] : 1;
      p.extents[k] = textOf(tensor.extents[k]);
    }
    r.partitions.push_back(std::move(p));
  }
  return v;
}

static const PartitionData &dataOf(const Recording &r, Value partition) {
  return *std::find_if(
      r.partitions.begin(), r.partitions.end(),
      [&](const PartitionData &p) { return p.value == partition; });
}
Value numTiles(Value partition, int axis, Place at) {
  Recording &r = Recording::here(at);
  Form form("tile.num_tiles ");
  form.value(partition).text(", " + std::to_string(axis) + " : ");
  form.type(r.values[partition].type);
  TypeId type = r.typeId(Type{Element::Idx, 0, {}});
  Value v = dataOf(r, partition).ofArgument
                ? r.hoisted(Hoist::TileCount, partition * 8 + axis,
                            std::move(form), type, at)
                : r.implied(std::move(form), type, at);
  if (r.values[v].name.empty()) {
    r.values[v].name = "n";
  }
  return v;
}

//===-- Memory ------------------------------------------------------------===//

static Form indexed(Recording &r, std::string op, Value partition,
                    const Value *indices) {
  Form form(std::move(op));
  form.value(partition).text("[");
  return form.values(indices, dataOf(r, partition).rank).text("]");
}

/// ` pad(zero)`, held to the element.
static std::string padText(pad p, Element e, Place at) {
  static constexpr const char *words[] = {"",        "zero",    "neg_zero",
                                          "neg_inf", "pos_inf", "nan"};
  if (p.word == pad::none) {
    return "";
  }
  auto refuse = [&](const std::string &what) {
    throw Error(at, "pad: " + what + " is no " + textOf(e));
  };
  if (p.word < pad::integer) {
    bool onlyZero = !isFloat(e) || e == Element::F8E8M0;
    if (onlyZero && p.word != pad::zero) {
      refuse(words[p.word]);
    }
    return std::string(" pad(") + words[p.word] + ")";
  }
  if (!isFloat(e)) {
    int bits = bitsOf(e);
    i64 most = bits == 64 ? INT64_MAX : (i64(1) << (bits - 1)) - 1;
    if (p.word == pad::real || p.whole > most || p.whole < -most - 1) {
      refuse(p.word == pad::real ? literal(Element::F64, p.number, at)
                                 : std::to_string(p.whole));
    }
    return " pad(" + std::to_string(p.whole) + ")";
  }
  std::string text = literal(Element::F64, p.number, at);
  if (!std::isfinite(p.number)) {
    return padText(std::isnan(p.number) ? pad(pad::nan)
                   : p.number < 0       ? pad(pad::neg_inf)
                                        : pad(pad::pos_inf),
                   e, at);
  }
  int digits = e == Element::F64    ? 53
               : e == Element::F32  ? 24
               : e == Element::F16  ? 11
               : e == Element::BF16 ? 8
                                    : 53;
  int exponent;
  double fraction = std::ldexp(std::frexp(p.number, &exponent), digits);
  if (fraction != std::floor(fraction)) {
    refuse(text);
  }
  return " pad(" + text + ")";
}

Value inside(const Type &type, Value partition, const Value *indices,
             Place at) {
  Recording &r = Recording::here(at);
  Form form = indexed(r, "tile.inside ", partition, indices);
  form.text(" : ").type(r.values[partition].type);
  return r.emit(std::move(form), r.typeId(type), Role::Pure, at);
}
Value load(const Type &type, Value partition, const Value *indices, pad padding,
           Place at) {
  Recording &r = Recording::here(at);
  Form form = indexed(r, "tile.load ", partition, indices);
  form.text(padText(padding, type.element, at) + " : ");
  form.type(r.values[partition].type);
  return r.emit(std::move(form), r.typeId(type), Role::Floating, at);
}
Value claim(Value partition, const Value *indices, Place at) {
  Recording &r = Recording::here(at);
  Form form = indexed(r, "tile.claim ", partition, indices);
  form.text(" : ").type(r.values[partition].type);
  std::string alias = r.types[r.values[partition].type].alias;
  alias = alias.substr(0, alias.size() - 5) + "Piece"; // in place of Tiles
  TypeId type = r.typeId(dataOf(r, partition).piece, alias);
  Value v = r.emit(std::move(form), type, Role::Floating, at);
  std::string name = r.values[partition].name;
  r.values[v].name = name.substr(0, name.size() - 6) + "_piece";
  return v;
}
Value loadPiece(const Type &type, Value piece, pad padding, Place at) {
  Recording &r = Recording::here(at);
  Form form("tile.load ");
  form.value(piece).text(padText(padding, type.element, at) + " : ");
  form.type(r.values[piece].type);
  return r.emit(std::move(form), r.typeId(type), Role::Floating, at);
}
void store(Value piece, Value value, Place at) {
  Recording &r = Recording::here(at);
  Form form("tile.store ");
  form.value(value).text(", ").value(piece).text(" : ");
  // The claim before what is stored: as one writes it.
  r.statement(std::move(form.type(r.values[piece].type).before(piece)), at);
}
void atomic(Value partition, const Value *indices, Value value, Mode mode,
            Place at) {
  Recording &r = Recording::here(at);
  Form form(std::string("tile.atomic ") + atomicWord(mode) + " ");
  form.value(value).text(", ").value(partition).text("[");
  form.values(indices, dataOf(r, partition).rank).text("] : ");
  r.statement(std::move(form.type(r.values[partition].type)), at);
}

/// `%t[%i, %j], %mask`.
static void addLanes(Form &form, Value tensor, const Value *indices, int rank,
                     Value mask) {
  form.value(tensor).text("[").values(indices, rank).text("]");
  if (mask >= 0) {
    form.text(", ").value(mask);
  }
}
static void addLaneTypes(Recording &r, Form &form, const Type &type,
                         Value tensor, int rank, Value mask) {
  Type lanes = type;
  form.type(r.values[tensor].type);
  lanes.element = Element::Idx;
  for (int k = 0; k < rank; ++k) {
    form.text(", " + textOf(lanes));
  }
  lanes.element = Element::I1;
  if (mask >= 0) {
    form.text(", " + textOf(lanes));
  }
}
Value gather(const Type &type, Value tensor, const Value *indices, int rank,
             Value mask, pad padding, Place at) {
  Recording &r = Recording::here(at);
  Form form("tile.gather ");
  addLanes(form, tensor, indices, rank, mask);
  form.text(padText(padding, type.element, at) + " : ");
  addLaneTypes(r, form, type, tensor, rank, mask);
  return r.emit(std::move(form), r.typeId(type), Role::Floating, at);
}
void scatter(const Type &type, Value tensor, const Value *indices, int rank,
             Value mask, Value value, Mode mode, Place at) {
  Recording &r = Recording::here(at);
  Form form(isAtomic(mode)
                ? std::string("tile.atomic_scatter ") + atomicWord(mode) + " "
                : "tile.scatter ");
  form.value(value).text(", ");
  addLanes(form, tensor, indices, rank, mask);
  form.text(" : " + textOf(type) + ", ");
  addLaneTypes(r, form, type, tensor, rank, mask);
  r.statement(std::move(form), at);
}

} // namespace girih::kernel::recorder
