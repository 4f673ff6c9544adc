// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lower/readback/Expr.h"

#include <algorithm>

namespace girih::readback {

bool isConstant(Expr e) {
  return e->kind == Kind::Sum &&
         (e->terms.empty() ||
          (e->terms.size() == 1 && e->terms.begin()->first.empty()));
}

int64_t constantOf(Expr e) {
  return e->terms.empty() ? 0 : static_cast<int64_t>(e->terms.begin()->second);
}

static unsigned bitsOf(int64_t n) {
  unsigned bits = 1;
  while (bits < 64 && (n >> (bits - 1)) != (n < 0 ? -1 : 0)) {
    ++bits;
  }
  return bits;
}

Expr Pool::intern(Node n) {
  std::vector<int64_t> key = {int64_t(n.kind), int64_t(n.numbers.size())};
  key.insert(key.end(), n.numbers.begin(), n.numbers.end());
  for (Expr e : n.arguments) {
    key.push_back(e->id);
    n.opaque |= e->opaque;
  }
  for (const auto &[monomial, factor] : n.terms) {
    key.push_back(int64_t(monomial.size()));
    for (Expr e : monomial) {
      key.push_back(e->id);
      n.opaque |= e->opaque;
    }
    key.push_back(static_cast<int64_t>(factor));
  }
  n.opaque |= n.kind == Kind::Opaque;
  auto [it, isNew] = known.try_emplace(std::move(key), nullptr);
  if (isNew) {
    n.id = static_cast<unsigned>(nodes.size());
    it->second = &nodes.emplace_back(std::move(n));
  }
  return it->second;
}

bool ById::operator()(const Monomial &a, const Monomial &b) const {
  return std::ranges::lexicographical_compare(a, b, {}, &Node::id, &Node::id);
}

Terms termsOf(Expr e) {
  return e->kind == Kind::Sum ? e->terms : Terms{{{e}, 1}};
}

Expr Pool::sum(Terms terms) {
  std::erase_if(terms, [](const auto &term) { return term.second == 0; });
  if (terms.size() == 1 && terms.begin()->second == 1 &&
      terms.begin()->first.size() == 1) {
    return terms.begin()->first[0];
  }
  Node n;
  n.terms = std::move(terms);
  if (n.terms.empty()) {
    n.bits = 1;
  } else if (n.terms.size() == 1 && n.terms.begin()->first.empty()) {
    n.bits = bitsOf(static_cast<int64_t>(n.terms.begin()->second));
  }
  return intern(std::move(n));
}

Expr Pool::constant(int64_t n) { return sum({{{}, static_cast<uint64_t>(n)}}); }

Expr Pool::add(Expr a, Expr b) {
  auto terms = termsOf(a);
  for (const auto &[monomial, factor] : termsOf(b)) {
    terms[monomial] += factor;
  }
  return sum(std::move(terms));
}

Expr Pool::subtract(Expr a, Expr b) {
  return add(a, multiply(b, constant(-1)));
}

Expr Pool::multiply(Expr a, Expr b) {
  Terms out;
  for (const auto &[p, m] : termsOf(a)) {
    for (const auto &[q, n] : termsOf(b)) {
      Monomial product = p;
      product.insert(product.end(), q.begin(), q.end());
      std::ranges::sort(product, {}, &Node::id);
      out[product] += m * n;
    }
  }
  return sum(std::move(out));
}

Expr Pool::wrap(unsigned bits, Expr e) {
  if (e->bits <= bits) {
    return e;
  }
  if (isConstant(e)) {
    unsigned off = 64 - bits;
    auto shifted =
        static_cast<int64_t>(static_cast<uint64_t>(constantOf(e)) << off);
    return constant(shifted >> off);
  }
  if (e->kind == Kind::Wrapped && e->numbers[0] >= int64_t(bits)) {
    return wrap(bits, e->arguments[0]);
  }
  return node(Kind::Wrapped, {bits}, {e}, bits);
}

/// A constant number of places, or -1.
static int64_t shiftOf(Expr e) { return isConstant(e) ? constantOf(e) : -1; }

Expr Pool::node(Kind kind, std::vector<int64_t> numbers,
                std::vector<Expr> arguments, unsigned bits) {
  auto isNumber = [&](size_t i, int64_t n) {
    return isConstant(arguments[i]) && constantOf(arguments[i]) == n;
  };
  bool constants =
      !arguments.empty() && std::ranges::all_of(arguments, isConstant);
  int64_t a = constants ? constantOf(arguments[0]) : 0;
  int64_t b = constants && arguments.size() > 1 ? constantOf(arguments[1]) : 0;
  switch (kind) {
  case Kind::Quotient:
  case Kind::QuotientUp:
    if (isNumber(1, 1)) {
      return arguments[0];
    }
    if (constants && a >= 0 && b > 0) {
      return constant(a / b + (kind == Kind::QuotientUp && a % b != 0));
    }
    bits = arguments[0]->bits;
    break;
  case Kind::Rem:
    if (constants && a >= 0 && b > 0) {
      return constant(a % b);
    }
    bits = arguments[0]->bits;
    break;
  case Kind::ShiftLeft:
    if (isNumber(1, 0)) {
      return arguments[0];
    }
    break;
  case Kind::ShiftRight:
    if (int64_t width = numbers[0], by = shiftOf(arguments[1]);
        by >= 0 && by < width) {
      // Up and down again by as much: what is left of the low bits.
      const Node &from = *arguments[0];
      if (from.kind == Kind::Wrapped && from.numbers[0] == width &&
          from.arguments[0]->kind == Kind::ShiftLeft &&
          shiftOf(from.arguments[0]->arguments[1]) == by) {
        return wrap(static_cast<unsigned>(width - by),
                    from.arguments[0]->arguments[0]);
      }
      bits = static_cast<unsigned>(width - by);
    }
    break;
  case Kind::SMin:
  case Kind::SMax:
    if (constants) {
      return constant(kind == Kind::SMin ? std::min(a, b) : std::max(a, b));
    }
    std::ranges::sort(arguments, {}, &Node::id);
    bits = std::max(arguments[0]->bits, arguments[1]->bits);
    break;
  case Kind::And:
  case Kind::Or:
  case Kind::Xor:
    bits = std::max(arguments[0]->bits, arguments[1]->bits);
    break;
  case Kind::Select:
    if (isConstant(arguments[0])) {
      return arguments[constantOf(arguments[0]) ? 1 : 2];
    }
    bits = std::max(arguments[1]->bits, arguments[2]->bits);
    break;
  case Kind::Compare:
    if (constexpr int64_t equal = 0; constants && numbers[0] == equal) {
      return constant(a == b ? -1 : 0);
    }
    bits = 1;
    break;
  case Kind::Wrapped:
    if (arguments[0]->bits <= numbers[0] || isConstant(arguments[0])) {
      return wrap(static_cast<unsigned>(numbers[0]), arguments[0]);
    }
    break;
  default:
    break;
  }
  Node n;
  n.kind = kind;
  n.numbers = std::move(numbers);
  n.arguments = std::move(arguments);
  n.bits = bits;
  return intern(std::move(n));
}

Expr Pool::symbol(const std::string &name, unsigned bits) {
  int64_t number = names.try_emplace(name, names.size()).first->second;
  return node(Kind::Symbol, {number}, {}, bits);
}

Expr Pool::lane(int64_t axis, int64_t extent) {
  return extent == 1 ? constant(0)
                     : node(Kind::Lane, {axis, extent}, {}, bitsOf(extent - 1));
}

Expr Pool::lessThan(Expr a, Expr b) {
  constexpr int64_t less = 2, isSigned = 1;
  return node(Kind::Compare, {less, isSigned}, {a, b});
}

Expr Pool::both(Expr a, Expr b) {
  std::vector<Expr> parts;
  for (Expr e : {a, b}) {
    if (e->kind == Kind::And && e->bits == 1) {
      parts.insert(parts.end(), e->arguments.begin(), e->arguments.end());
    } else if (!isConstant(e) || constantOf(e) != -1) {
      parts.push_back(e);
    }
  }
  std::ranges::sort(parts, {}, &Node::id);
  parts.erase(std::ranges::unique(parts).begin(), parts.end());
  if (parts.empty()) {
    return constant(-1);
  }
  if (parts.size() == 1) {
    return parts[0];
  }
  Node n;
  n.kind = Kind::And;
  n.arguments = std::move(parts);
  n.bits = 1;
  return intern(std::move(n));
}

Expr Pool::rewrite(Expr e, const std::function<Expr(Expr)> &replace,
                   bool everywhere, size_t most) {
  std::map<Expr, Expr> done;
  auto go = [&](auto &self, Expr x) -> Expr {
    if (done.size() > most) {
      return x;
    }
    auto [it, isNew] = done.try_emplace(x, x);
    if (!isNew) {
      return it->second;
    }
    Expr out = x;
    if (Expr other = replace(x)) {
      out = other;
    } else if (x->kind == Kind::Sum) {
      out = constant(0);
      for (const auto &[monomial, factor] : x->terms) {
        Expr product = constant(static_cast<int64_t>(factor));
        for (Expr atom : monomial) {
          product = multiply(product, self(self, atom));
        }
        out = add(out, product);
      }
    } else if (!x->arguments.empty()) {
      std::vector<Expr> arguments;
      bool stays = x->kind == Kind::At && !everywhere;
      for (Expr a : x->arguments) {
        arguments.push_back(stays ? a : self(self, a));
        stays = false;
      }
      out = x->kind == Kind::And && x->bits == 1
                ? [&] {
                    Expr all = constant(-1);
                    for (Expr a : arguments) {
                      all = both(all, a);
                    }
                    return all;
                  }()
                : node(x->kind, x->numbers, std::move(arguments), x->bits);
    }
    return done[x] = out;
  };
  Expr out = go(go, e);
  return done.size() > most ? nullptr : out;
}

Expr Pool::substitute(Expr e, const std::vector<Expr> &lanes) {
  constexpr size_t most = 1 << 14;
  // Of a program that is well typed every lane has its axis here.
  bool isThere = true;
  auto replace = [&](Expr x) -> Expr {
    if (x->kind != Kind::Lane) {
      return nullptr;
    }
    auto axis = static_cast<size_t>(x->numbers[0]);
    isThere = isThere && axis < lanes.size();
    return isThere ? lanes[axis] : x;
  };
  if (Expr out = rewrite(e, replace, false, most); out && isThere) {
    return out;
  }
  std::vector<Expr> parts = {e};
  parts.insert(parts.end(), lanes.begin(), lanes.end());
  return node(Kind::At, {}, std::move(parts), e->bits);
}

Expr Pool::fresh(Kind kind, const std::vector<int64_t> &shape, unsigned bits,
                 Scope at) {
  return node(kind, {nextUnknown++, at.accesses, at.regions}, lanes(shape),
              bits);
}

Expr Pool::reshape(Expr e, const std::vector<int64_t> &from,
                   const std::vector<int64_t> &to) {
  auto large = [](const std::vector<int64_t> &shape) {
    std::vector<int64_t> axes;
    for (size_t k = 0; k < shape.size(); ++k) {
      if (shape[k] != 1) {
        axes.push_back(static_cast<int64_t>(k));
      }
    }
    return axes;
  };
  std::vector<int64_t> source = large(from), target = large(to);
  auto same = [&] {
    if (source.size() != target.size()) {
      return false;
    }
    for (size_t k = 0; k < source.size(); ++k) {
      if (from[source[k]] != to[target[k]]) {
        return false;
      }
    }
    return true;
  };
  std::vector<Expr> lanes(from.size(), constant(0));
  if (same()) {
    for (size_t k = 0; k < source.size(); ++k) {
      lanes[source[k]] = lane(target[k], to[target[k]]);
    }
    return substitute(e, lanes);
  }
  // The number of a lane in row-major order is the same under both shapes.
  Expr number = constant(0);
  for (size_t k = 0; k < to.size(); ++k) {
    number = add(multiply(number, constant(to[k])),
                 lane(static_cast<int64_t>(k), to[k]));
  }
  for (size_t k = from.size(); k-- > 0;) {
    lanes[k] = node(Kind::Rem, {}, {number, constant(from[k])});
    number = node(Kind::Quotient, {}, {number, constant(from[k])});
  }
  return substitute(e, lanes);
}

Expr Pool::broadcast(Expr e, const std::vector<int64_t> &from,
                     const std::vector<int64_t> &to) {
  std::vector<Expr> lanes;
  size_t lead = to.size() - from.size();
  for (size_t k = 0; k < from.size(); ++k) {
    lanes.push_back(lane(static_cast<int64_t>(lead + k), from[k]));
  }
  return substitute(e, lanes);
}

Expr Pool::permute(Expr e, const std::vector<int64_t> &from,
                   const std::vector<int64_t> &permutation) {
  std::vector<Expr> lanes(from.size());
  for (size_t k = 0; k < from.size(); ++k) {
    int64_t axis = permutation[k];
    lanes[axis] = lane(static_cast<int64_t>(k), from[axis]);
  }
  return substitute(e, lanes);
}

Expr Pool::drop(Expr e, const std::vector<int64_t> &from, int64_t axis,
                int64_t place) {
  std::vector<Expr> lanes;
  for (size_t k = 0; k < from.size(); ++k) {
    auto at = static_cast<int64_t>(k);
    lanes.push_back(at == axis ? constant(place)
                               : lane(at - (at > axis), from[k]));
  }
  return substitute(e, lanes);
}

Expr Pool::extract(Expr e, const std::vector<int64_t> &part,
                   const std::vector<int64_t> &number) {
  std::vector<Expr> lanes;
  for (size_t k = 0; k < part.size(); ++k) {
    lanes.push_back(add(constant(number[k] * part[k]),
                        lane(static_cast<int64_t>(k), part[k])));
  }
  return substitute(e, lanes);
}

/// What an expression is at lanes that its tile has not is never chosen.
Expr Pool::cat(Expr first, Expr second, const std::vector<int64_t> &shape,
               size_t axis) {
  std::vector<Expr> lanes;
  for (size_t k = 0; k < shape.size(); ++k) {
    lanes.push_back(
        lane(static_cast<int64_t>(k), k == axis ? 2 * shape[k] : shape[k]));
  }
  Expr at = lanes[axis], length = constant(shape[axis]);
  Expr isFirst = lessThan(at, length);
  first = substitute(first, lanes);
  lanes[axis] = subtract(at, length);
  return node(Kind::Select, {}, {isFirst, first, substitute(second, lanes)});
}

std::vector<Expr> Pool::lanes(const std::vector<int64_t> &shape) {
  std::vector<Expr> out;
  for (size_t k = 0; k < shape.size(); ++k) {
    if (shape[k] != 1) {
      out.push_back(lane(static_cast<int64_t>(k), shape[k]));
    }
  }
  return out;
}

std::string Pool::text(Expr e) const {
  static constexpr const char *words[] = {
      "sum",    "symbol",  "block",  "counter", "carried",  "result",
      "loaded", "lane",    "table",  "bits",    "unknown",  "opaque",
      "div",    "ceildiv", "mod",    "min",     "max",      "minu",
      "maxu",   "compare", "and",    "or",      "xor",      "shl",
      "shr",    "shru",    "select", "wrap",    "unsigned", "at"};
  if (e->kind == Kind::Sum) {
    std::string out;
    for (const auto &[monomial, factor] : e->terms) {
      out += out.empty() ? "" : " + ";
      bool one = factor == 1 && !monomial.empty();
      out += one ? "" : std::to_string(static_cast<int64_t>(factor));
      for (size_t k = 0; k < monomial.size(); ++k) {
        out += (k == 0 && one ? "" : " * ") + text(monomial[k]);
      }
    }
    return out.empty() ? "0" : e->terms.size() > 1 ? "(" + out + ")" : out;
  }
  if (e->kind == Kind::Symbol) {
    for (const auto &[name, number] : names) {
      if (number == e->numbers[0]) {
        return name;
      }
    }
  }
  std::string out = words[static_cast<size_t>(e->kind)];
  const char *separator = "(";
  for (int64_t n : e->numbers) {
    out += separator + std::to_string(n);
    separator = ", ";
  }
  for (Expr a : e->arguments) {
    bool isLarge = e->kind == Kind::At && a == e->arguments[0];
    out += separator + (isLarge ? "..." : text(a));
    separator = ", ";
  }
  return *separator == '(' ? out : out + ")";
}

} // namespace girih::readback
