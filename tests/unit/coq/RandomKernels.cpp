// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tests/unit/coq/RandomKernels.h"

#include "fuzz/generators/Draw.h"
#include "fuzz/generators/Forms.h"

#include <optional>

namespace girih::test {
namespace {

using Shape = std::vector<int64_t>;

struct Type {
  Shape shape;
  std::string element;

  friend bool operator==(const Type &, const Type &) = default;
  int64_t lanes() const {
    int64_t n = 1;
    for (int64_t extent : shape) {
      n *= extent;
    }
    return n;
  }
  bool isFloat() const { return element[0] == 'f' || element[0] == 'b'; }
  int bits() const {
    return std::stoi(element.substr(element[0] == 'b' ? 2 : 1));
  }
  /// Kept, moved, converted and multiplied, no more.
  bool isSmall() const { return element[1] == '8' && isFloat(); }
  std::string text() const {
    if (shape.empty()) {
      return element;
    }
    std::string out = "vector<";
    for (int64_t extent : shape) {
      out += std::to_string(extent) + "x";
    }
    return out + element + ">";
  }
};

struct Value {
  std::string name;
  Type type;
};

std::string listText(const Shape &numbers) {
  std::string out = "[";
  for (size_t k = 0; k < numbers.size(); ++k) {
    out += (k ? ", " : "") + std::to_string(numbers[k]);
  }
  return out + "]";
}

/// The ops of a shape on floats or on integers.
std::vector<std::string> ofShape(const std::string &shape, bool floats) {
  std::vector<std::string> names = fuzz::elementwiseNames(shape, "fN");
  if (!floats) {
    names = fuzz::elementwiseNames(shape, "index i1 iN");
    std::ranges::copy(fuzz::elementwiseNames(shape, "i1 iN"),
                      std::back_inserter(names));
  }
  return names;
}

class Values {
public:
  explicit Values(uint64_t seed) : d(seed) {}

  std::string write() {
    for (int64_t n = d.between(2, 4); n > 0; --n) {
      input();
    }
    for (int64_t n = d.between(6, 16); n > 0; --n) {
      op();
    }
    for (int64_t n = d.between(1, 3); n > 0; --n) {
      output();
    }
    return types + "tile.kernel @values(" + arguments + ") grid [1] {\n" +
           "  %c0 = arith.constant 0 : index\n" + body + "}\n";
  }

private:
  fuzz::Draw d;
  std::string types, arguments, body;
  std::vector<Value> pool;
  size_t tensors = 0, values = 0;

  Type anyType() {
    return {d.pick<Shape>({{},
                           {4},
                           {8},
                           {2, 4},
                           {4, 2},
                           {2, 2},
                           {1, 4},
                           {2, 1, 4},
                           {2, 2, 2}}),
            d.pick<std::string>(
                {"i8", "i16", "i32", "i64", "f16", "bf16", "f32", "f64"})};
  }

  /// A tensor of one tile of this type, perhaps a ragged one; its number.
  std::string tensor(const Type &type, const std::string &mode, bool whole) {
    std::string n = std::to_string(tensors++);
    Shape dims = type.shape;
    for (int64_t &dim : dims) {
      dim -= !whole && dim > 1 && d.chance(30) ? d.between(1, dim - 1) : 0;
    }
    std::string tile = type.shape.empty() ? "[_]" : listText(type.shape);
    dims = type.shape.empty() ? Shape{1} : dims;
    std::string rest = " x " + type.element + ", " + mode + ">\n";
    types += "!T" + n + " = !tile.tensor<" + listText(dims) + rest;
    types +=
        "!P" + n + " = !tile.partition<" + tile + ", " + listText(dims) + rest;
    if (mode != "shared") {
      types += "!Q" + n + " = !tile.piece<" + tile + rest;
    }
    arguments += (arguments.empty() ? "%t" : ", %t") + n + ": !T" + n;
    body += "  %p" + n + " = tile.partition %t" + n + " by " + tile + " : !T" +
            n + "\n";
    index = "[%c0";
    for (size_t k = 1; k < type.shape.size(); ++k) {
      index += ", %c0";
    }
    index += "]";
    return n;
  }
  std::string index;

  void define(const Type &type, const std::string &text) {
    std::string name = "%v" + std::to_string(values++);
    body += "  " + name + " = " + text + "\n";
    pool.push_back({name, type});
  }

  void input() {
    Type type = anyType();
    if (d.chance(10)) {
      type.element = d.pick<std::string>({"f8E4M3FN", "f8E5M2"});
    }
    bool padded = d.chance(80);
    std::string n = tensor(type, "shared", !padded);
    std::string pad =
        type.isSmall() ? d.pick<std::string>({"zero", "nan", "-0.5", "3.0"})
        : type.isFloat()
            ? d.pick<std::string>({"zero", "neg_zero", "neg_inf", "pos_inf",
                                   "nan", "1.0", "-0.75"})
            : d.pick<std::string>({"zero", "zero", "-1", "5", "-128", "127"});
    define(type, "tile.load %p" + n + index +
                     (padded ? " pad(" + pad + ")" : "") + " : !P" + n);
  }

  void output() {
    // What was computed last is the most of it. No tensor holds i1.
    std::vector<Value> last;
    for (auto it = pool.rbegin(); it != pool.rend() && last.size() < 4; ++it) {
      if (it->type.element != "i1") {
        last.push_back(*it);
      }
    }
    const Value value = d.pick(last);
    std::string n =
        tensor(value.type, d.pick<std::string>({"out", "own"}), false);
    body += "  %q" + n + " = tile.claim %p" + n + index + " : !P" + n +
            "\n  tile.store " + value.name + ", %q" + n + " : !Q" + n + "\n";
  }

  Value any() { return pool[static_cast<size_t>(d.below(std::ssize(pool)))]; }
  /// A value of this type, or a constant of it.
  std::string another(const Type &type) {
    std::vector<std::string> names;
    for (const Value &v : pool) {
      if (v.type == type) {
        names.push_back(v.name);
      }
    }
    if (!names.empty() && d.chance(80)) {
      return d.pick(names);
    }
    std::string number =
        type.isFloat()
            ? d.pick<std::string>({"0.0", "-0.0", "1.0", "-1.5", "0.015625"})
        : type.element == "i1" ? d.pick<std::string>({"true", "false"})
                               : std::to_string(d.between(-5, 5));
    bool isTruth = type.shape.empty() && type.element == "i1";
    std::string suffix = isTruth ? "" : " : " + type.text();
    define(type, "arith.constant " +
                     (type.shape.empty() ? number : "dense<" + number + ">") +
                     suffix);
    return pool.back().name;
  }

  void op() {
    const Value a = any();
    if (d.chance(5)) {
      iota();
    } else if (d.chance(25)) {
      lanes(a);
    } else if (d.chance(25)) {
      convert(a);
    } else if (a.type.isSmall()) {
      d.chance(30) ? select(a) : convert(a);
    } else if (d.chance(10)) {
      select(a);
    } else if (a.type.isFloat()) {
      real(a);
    } else {
      integer(a);
    }
  }

  void iota() {
    Type type = anyType();
    if (!type.isFloat() && !type.shape.empty()) {
      define(type, "tile.iota " +
                       std::to_string(d.below(std::ssize(type.shape))) + " : " +
                       type.text());
    }
  }

  /// No tensor holds an i1, so it is widened.
  void truth(const Shape &shape, const std::string &text) {
    Type narrow{shape, "i1"}, wide{shape, "i8"};
    define(narrow, text);
    if (d.chance(70)) {
      define(wide, "arith.extsi " + pool.back().name + " : " + narrow.text() +
                       " to " + wide.text());
    }
  }

  void integer(const Value &a) {
    std::string rest =
        " " + a.name + ", " + another(a.type) + " : " + a.type.text();
    if (d.chance(20)) {
      return truth(a.type.shape,
                   "arith.cmpi " +
                       d.pick<std::string>(
                           {"eq,", "ne,", "slt,", "sle,", "sgt,", "sge,"}) +
                       rest);
    }
    if (d.chance(20)) {
      return shift(a);
    }
    if (a.type.element != "i1" && d.chance(10)) {
      return define(a.type, d.pick(fuzz::elementwiseNames("Unary", "iN")) +
                                " " + a.name + " : " + a.type.text());
    }
    if (a.type.element != "i1" && d.chance(10)) {
      return define(a.type,
                    d.pick(fuzz::elementwiseNames("Binary", "iN")) + rest);
    }
    // Divisions may be stuck: others draw those.
    static const std::vector<std::string> names = [] {
      std::vector<std::string> all = ofShape("Binary", false);
      std::erase_if(all, [](const std::string &name) {
        return name.find("div") != name.npos || name.find("rem") != name.npos;
      });
      return all;
    }();
    define(a.type, d.pick(names) + rest);
  }

  void shift(const Value &a) {
    std::string amount = std::to_string(d.below(a.type.bits()));
    bool isTruth = a.type.shape.empty() && a.type.element == "i1";
    define(a.type, "arith.constant " +
                       (isTruth ? "false"
                        : a.type.shape.empty()
                            ? amount + " : " + a.type.text()
                            : "dense<" + amount + "> : " + a.type.text()));
    std::string by = pool.back().name;
    define(a.type, d.pick(ofShape("Shift", false)) + " " + a.name + ", " + by +
                       " : " + a.type.text());
  }

  void real(const Value &a) {
    std::string type = " : " + a.type.text();
    if (d.chance(30)) {
      return define(a.type,
                    d.pick(ofShape("Unary", true)) + " " + a.name + type);
    }
    std::string b = another(a.type);
    if (d.chance(15)) {
      return define(a.type, d.pick(ofShape("Ternary", true)) + " " + a.name +
                                ", " + b + ", " + another(a.type) + type);
    }
    std::string rest = " " + a.name + ", " + b + type;
    if (d.chance(20)) {
      return truth(a.type.shape,
                   "arith.cmpf " +
                       d.pick<std::string>({"false,", "oeq,", "ogt,", "oge,",
                                            "olt,", "ole,", "one,", "ord,",
                                            "ueq,", "ugt,", "uge,", "ult,",
                                            "ule,", "une,", "uno,", "true,"}) +
                       rest);
    }
    define(a.type, d.pick(ofShape("Binary", true)) + rest);
  }

  void convert(const Value &a) {
    Type to = a.type;
    to.element = d.chance(10) ? "i1" : anyType().element;
    if (a.type.isFloat() && a.type.bits() <= 32 && !a.type.isSmall() &&
        d.chance(15)) {
      to.element = d.pick<std::string>({"f8E4M3FN", "f8E5M2"});
      return define(to, "tile.convert " + a.name + " : " + a.type.text() +
                            " to " + to.text());
    }
    if (a.type.isSmall() && d.chance(60)) {
      to.element = d.pick<std::string>({"f16", "bf16", "f32", "f64"});
    } else if (a.type.element == "i8" && d.chance(15)) {
      to.element = d.pick<std::string>({"f8E4M3FN", "f8E5M2"});
    } else if (a.type.isSmall()) {
      to.element = "i8";
    }
    int wider = to.bits() - a.type.bits();
    if (wider == 0 && (a.type.isSmall() || to.isSmall())) {
      return define(to, "arith.bitcast " + a.name + " : " + a.type.text() +
                            " to " + to.text());
    }
    std::string word;
    if (a.type.isFloat() && to.isFloat()) {
      word = wider > 0 ? "arith.extf" : wider < 0 ? "arith.truncf" : "";
    } else if (!a.type.isFloat() && !to.isFloat()) {
      word = wider < 0   ? "arith.trunci"
             : wider > 0 ? d.pick<std::string>({"arith.extui", "arith.extsi"})
                         : "";
    } else if (to.isFloat()) {
      word = d.pick<std::string>({"arith.sitofp", "arith.uitofp"});
    } else if (to.element != "i1") {
      word = d.pick<std::string>({"arith.fptosi", "arith.fptoui"});
    }
    if (wider == 0 && to.element != "i1" && d.chance(70)) {
      word = "arith.bitcast";
    }
    if (!word.empty()) {
      define(to,
             word + " " + a.name + " : " + a.type.text() + " to " + to.text());
    }
  }

  void select(const Value &a) {
    bool scalar = a.type.shape.empty() || d.chance(30);
    Type truth{scalar ? Shape{} : a.type.shape, "i1"};
    std::string c = another(truth);
    define(a.type, "arith.select " + c + ", " + a.name + ", " +
                       another(a.type) + " : " +
                       (scalar ? "" : truth.text() + ", ") + a.type.text());
  }

  void lanes(const Value &a) {
    Type to = a.type;
    std::string cast = " : " + a.type.text() + " to ";
    size_t rank = a.type.shape.size();
    switch (d.below(7)) {
    case 0:
      for (int64_t &extent : to.shape) {
        extent = extent == 1 ? d.pick({1, 2, 4}) : extent;
      }
      if (rank < 3 && d.chance(60)) {
        to.shape.insert(to.shape.begin(), d.pick({1, 2, 4}));
      }
      if (!to.shape.empty() && to.lanes() <= 64) {
        define(to, "vector.broadcast " + a.name + cast + to.text());
      }
      return;
    case 1:
      if (rank == 2) {
        std::swap(to.shape[0], to.shape[1]);
        define(to,
               "vector.transpose " + a.name + ", [1, 0]" + cast + to.text());
      } else if (rank == 3) {
        to.shape = {a.type.shape[2], a.type.shape[0], a.type.shape[1]};
        define(to,
               "vector.transpose " + a.name + ", [2, 0, 1]" + cast + to.text());
      }
      return;
    case 2:
      if (rank > 0) {
        to.shape = rank > 1          ? Shape{to.lanes()}
                   : to.lanes() == 1 ? Shape{1, 1}
                                     : Shape{2, to.lanes() / 2};
        define(to, "vector.shape_cast " + a.name + cast + to.text());
      }
      return;
    case 3:
      return reduce(a);
    case 4:
      return scan(a);
    case 5:
      return argument(a);
    default:
      return product(a);
    }
  }

  /// What is left of a type when an axis is combined; an axis of it.
  std::pair<Type, int64_t> combined(const Type &type, bool keep) {
    Type to = type;
    int64_t axis = d.below(std::ssize(to.shape));
    if (keep) {
      to.shape[static_cast<size_t>(axis)] = 1;
    } else {
      to.shape.erase(to.shape.begin() + axis);
    }
    return {to, axis};
  }

  static bool canCombine(const Type &type) {
    return !type.shape.empty() && type.element != "i1" && !type.isSmall();
  }

  void reduce(const Value &a) {
    if (!canCombine(a.type)) {
      return;
    }
    bool keep = d.chance(40);
    auto [to, axis] = combined(a.type, keep);
    define(to, "tile.reduce " +
                   d.pick<std::string>({"add", "mul", "max", "min"}) + " " +
                   a.name + ", " + std::to_string(axis) +
                   (keep ? " keep" : "") + " : " + a.type.text());
  }

  void scan(const Value &a) {
    if (!canCombine(a.type)) {
      return;
    }
    auto axis = d.below(std::ssize(a.type.shape));
    define(a.type,
           "tile.scan " + d.pick<std::string>({"add", "mul", "max", "min"}) +
               " " + a.name + ", " + std::to_string(axis) +
               (d.chance(40) ? " reverse" : "") + " : " + a.type.text());
  }

  void argument(const Value &a) {
    if (!canCombine(a.type)) {
      return;
    }
    bool keep = d.chance(40);
    auto [to, axis] = combined(a.type, keep);
    to.element = "i32";
    define(to, d.pick<std::string>({"tile.argmax ", "tile.argmin "}) + a.name +
                   ", " + std::to_string(axis) + (keep ? " keep" : "") + " : " +
                   a.type.text());
  }

  void product(const Value &a) {
    Type b = a.type, c = a.type;
    if (a.type.shape.size() != 2) {
      return;
    }
    if (a.type.element == "i8") {
      c.element = "i32";
    } else if (a.type.element == "f64" || !a.type.isFloat()) {
      c.element = "f64";
    } else {
      c.element = "f32";
    }
    if (!a.type.isFloat() && a.type.element != "i8") {
      return;
    }
    int64_t columns = d.pick({1, 2, 4});
    b.shape = {a.type.shape[1], columns};
    c.shape = {a.type.shape[0], columns};
    std::string y = another(b), z = another(c);
    define(c, "tile.mma " + a.name + ", " + y + ", " + z + " : " +
                  a.type.text() + ", " + b.text() + ", " + c.text());
  }
};

class Contract {
public:
  explicit Contract(uint64_t seed) : d(seed) {}

  fuzz::Sample write() {
    fuzz::Sample s;
    std::string mode = d.pick<std::string>({"own", "own", "shared"});
    std::string element = d.pick<std::string>({"i8", "i16", "f32", "f64"});
    std::string strides =
        d.chance(60) ? ", strides [" + stride() + ", " + stride() + "]" : "";
    s.text = "!T = !tile.tensor<[M, N] x " + element + ", " + mode + strides +
             ">\n" + "tile.kernel @contract(%t: !T) symbols [ld : index, " +
             "p : i8, q : i64] grid [" + expr(2) +
             (d.chance(50) ? ", " + expr(1) : "") + "]";
    for (int64_t n = d.below(3); n > 0; --n) {
      s.text += (requirement++ ? ", " : " requires [") + expr(4) +
                d.pick<std::string>({" == ", " < ", " <= ", " > ", " >= "}) +
                expr(4);
    }
    s.text += requirement ? "] {\n}\n" : " {\n}\n";
    constexpr int64_t huge = int64_t(1) << 40, most = INT64_MAX;
    for (const char *name : {"M", "N", "ld"}) {
      s.box.symbols.push_back({name,
                               {0, 1, 2, 3, 5, 8, 16, 31, 32, 33, 64, huge,
                                huge + 1, huge - 1, int64_t(1) << 36}});
    }
    s.box.symbols.push_back({"p", {-129, -128, -1, 0, 1, 127, 128}});
    s.box.symbols.push_back({"q", {-most - 1, -1, 0, 1, 15, 16, most}});
    return s;
  }

private:
  fuzz::Draw d;
  size_t requirement = 0;

  std::string stride() {
    return d.pick<std::string>({"1", "1", "2", "3", "ld", "N", "M", "0"});
  }
  std::string expr(int depth) {
    if (depth == 0 || d.chance(30)) {
      return d.pick<std::string>({"M", "N", "ld", "p", "q", "0", "1", "2", "7",
                                  "16", "1099511627776",
                                  "9223372036854775807"});
    }
    std::string a = expr(depth - 1), b = expr(depth - 1);
    std::string word = d.pick<std::string>(
        {" + ", " - ", " * ", " * ", "div", "mod", "ceildiv", "min", "max"});
    return word[0] == ' ' ? "(" + a + word + b + ")"
                          : word + "(" + a + ", " + b + ")";
  }
};

} // namespace

fuzz::Sample indexKernel(uint64_t seed) {
  size_t mistakes = fuzz::mutationsOf(seed).size();
  return seed % 3 == 0               ? fuzz::randomIndices(seed)
         : seed % 3 == 1 && mistakes ? fuzz::nearMiss(seed, seed / 7 % mistakes)
                                     : fuzz::safeKernel(seed);
}

fuzz::Sample valueKernel(uint64_t seed) {
  fuzz::Sample s;
  s.seed = seed;
  s.text = Values(seed).write();
  return s;
}

fuzz::Sample contractKernel(uint64_t seed) {
  fuzz::Sample s = Contract(seed).write();
  s.seed = seed;
  return s;
}

} // namespace girih::test
