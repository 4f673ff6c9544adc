// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The reader keeps the first thing that is wrong and where it stands; after
// that every step yields defaults, so that the code below reads like the
// schema.

#include "runtime/artefact/Manifest.h"

#include "runtime/artefact/Json.h"
#include "runtime/artefact/Sha256.h"
#include "runtime/artefact/Text.h"

#include <algorithm>
#include <fmt/format.h>

namespace girih::runtime {
namespace {

/// Nodes of one expression, as in the language.
constexpr unsigned maxNodes = 256;
/// Axes of one tensor; sums of as many spans fit 64 bits.
constexpr unsigned maxRank = 32;
/// Bytes; more than what any allocator promises.
constexpr int64_t maxAlign = 1 << 20;

bool isWordCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         (c >= '0' && c <= '9') || c == '_';
}

bool isName(std::string_view text) {
  return !text.empty() && text[0] != '_' && (text[0] < '0' || text[0] > '9') &&
         std::all_of(text.begin(), text.end(), isWordCharacter);
}

/// A name inside the folder: no path, nothing hidden.
bool isFileName(std::string_view text) {
  return !text.empty() && isWordCharacter(text[0]) &&
         std::all_of(text.begin(), text.end(), [](char c) {
           return isWordCharacter(c) || c == '.' || c == '-';
         });
}

bool isDigest(std::string_view text) {
  return text.size() == 64 &&
         text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

bool isArchitecture(std::string_view text) {
  return text.size() > 3 && text.starts_with("sm_") &&
         text.find_first_not_of("0123456789", 3) == std::string_view::npos;
}

std::string checked(JsonCursor at, bool (*valid)(std::string_view),
                    const char *what) {
  std::string text = at.string();
  if (!valid(text)) {
    at.fail("is not " + std::string(what));
  }
  return text;
}

std::string nameAt(JsonCursor at) { return checked(at, isName, "a name"); }
std::string digestAt(JsonCursor at) {
  return checked(at, isDigest, "a SHA-256 digest");
}

template <typename T>
T choose(JsonCursor at,
         std::initializer_list<std::pair<const char *, T>> choices) {
  std::string text = at.string();
  for (const auto &[name, value] : choices) {
    if (text == name) {
      return value;
    }
  }
  at.fail("is '" + text + "', which is none of its values");
  return choices.begin()->second;
}

struct Reader {
  Manifest manifest;

  Expression expression(JsonCursor at, unsigned &nodes) {
    Expression e;
    if (++nodes > maxNodes) {
      at.fail(fmt::format("has more than {} nodes", maxNodes));
      return e;
    }
    if (at.isInteger()) {
      e.value = at.integer();
      return e;
    }
    if (at.has("symbol")) {
      at.keys({"symbol"});
      std::string name = nameAt(at["symbol"]);
      std::optional<size_t> number = symbolNamed(manifest, name);
      if (!number) {
        at.fail("names no launch symbol: " + name);
      }
      e.op = Expression::Op::Symbol;
      e.value = static_cast<int64_t>(number.value_or(0));
      return e;
    }
    at.keys({"op", "args"});
    using Op = Expression::Op;
    e.op = choose<Op>(at["op"], {{"+", Op::Add},
                                 {"-", Op::Sub},
                                 {"*", Op::Mul},
                                 {"div", Op::Div},
                                 {"mod", Op::Mod},
                                 {"ceildiv", Op::CeilDiv},
                                 {"min", Op::Min},
                                 {"max", Op::Max}});
    e.args.resize(2);
    at["args"].count(2);
    for (size_t k = 0; k < 2 && at.ok(); ++k) {
      e.args[k] = expression(at["args"].item(k), nodes);
    }
    return e;
  }

  Expression expression(JsonCursor at) {
    unsigned nodes = 0;
    return expression(at, nodes);
  }

  std::vector<Expression> expressions(JsonCursor at) {
    return at.list<Expression>([&](JsonCursor e) { return expression(e); });
  }

  /// Dims: integers that are not negative, and symbols.
  std::vector<Expression> extents(JsonCursor at) {
    return at.list<Expression>([&](JsonCursor item) {
      Expression e = expression(item);
      if (!e.args.empty() ||
          (e.op == Expression::Op::Constant && e.value < 0)) {
        item.fail("is neither a symbol nor an integer of at least 0");
      }
      return e;
    });
  }

  Condition condition(JsonCursor at) {
    using Op = Condition::Op;
    at.keys({"op", "args", "text"});
    at["args"].count(2);
    return {choose<Op>(at["op"], {{"==", Op::Eq},
                                  {"<", Op::Lt},
                                  {"<=", Op::Le},
                                  {">", Op::Gt},
                                  {">=", Op::Ge}}),
            expression(at["args"].item(0)), expression(at["args"].item(1)),
            at["text"].string()};
  }

  std::vector<Condition> conditions(JsonCursor at) {
    return at.list<Condition>([&](JsonCursor c) { return condition(c); });
  }

  Element element(JsonCursor at) {
    std::optional<Element> named = elementNamed(at.string());
    if (!named) {
      at.fail("is no element type");
    }
    return named.value_or(Element::F32);
  }

  Argument argument(JsonCursor at) {
    Argument a;
    a.isTensor =
        choose<bool>(at["kind"], {{"tensor", true}, {"scalar", false}});
    a.name = nameAt(at["name"]);
    a.element = element(at["dtype"]);
    if (!a.isTensor) {
      at.keys({"kind", "name", "dtype"});
      if (!isFloat(a.element)) {
        at.fail("is an integer scalar; those are launch symbols");
      }
      return a;
    }
    at.keys({"kind", "name", "dtype", "mode", "partial", "dims", "strides",
             "align"});
    // Contents go in and come out alike, whatever blocks do to them.
    a.mode = choose<Mode>(at["mode"], {{"shared", Mode::Shared},
                                       {"own", Mode::Own},
                                       {"out", Mode::Out},
                                       {"raw", Mode::Own},
                                       {"atomic<add>", Mode::Own},
                                       {"atomic<min>", Mode::Own},
                                       {"atomic<max>", Mode::Own},
                                       {"atomic<and>", Mode::Own},
                                       {"atomic<or>", Mode::Own},
                                       {"atomic<xor>", Mode::Own}});
    a.partial = at["partial"].boolean();
    a.dims = extents(at["dims"]);
    a.strides = expressions(at["strides"]);
    a.align = at["align"].integer();
    if (a.strides.size() != a.dims.size() || a.dims.size() > maxRank) {
      at.fail(fmt::format(
          "has {} and {}, of at most {}", counted(a.dims.size(), "dim", "dims"),
          counted(a.strides.size(), "stride", "strides"), maxRank));
    }
    if (a.align < 1 || a.align > maxAlign || (a.align & (a.align - 1)) != 0) {
      at["align"].fail(fmt::format("is no power of two up to {}", maxAlign));
    }
    return a;
  }

  Symbol symbol(JsonCursor at) {
    at.keys({"name", "type", "source"});
    return {
        nameAt(at["name"]),
        choose<unsigned>(
            at["type"],
            {{"index", 0}, {"i8", 8}, {"i16", 16}, {"i32", 32}, {"i64", 64}}),
        choose<Symbol::Source>(at["source"],
                               {{"caller", Symbol::Source::Caller},
                                {"extent", Symbol::Source::Extent},
                                {"stride", Symbol::Source::Stride}})};
  }

  Parameter parameter(JsonCursor at) {
    using Kind = Parameter::Kind;
    Parameter p;
    p.kind = choose<Kind>(at["kind"], {{"pointer", Kind::Pointer},
                                       {"scalar", Kind::Scalar},
                                       {"integer", Kind::Integer}});
    if (p.kind == Kind::Integer) {
      at.keys({"kind", "type", "value"});
      p.bytes = choose<unsigned>(at["type"], {{"i32", 4}, {"i64", 8}});
      p.value = expression(at["value"]);
      return p;
    }
    at.keys({"kind", "argument"});
    std::string name = nameAt(at["argument"]);
    std::optional<size_t> number = argumentNamed(manifest, name);
    bool tensor = p.kind == Kind::Pointer;
    if (!number || manifest.arguments[*number].isTensor != tensor) {
      at["argument"].fail(std::string("names no ") +
                          (tensor ? "tensor" : "scalar") + ": " + name);
      return p;
    }
    p.argument = *number;
    p.bytes = tensor ? 8 : bytesOf(manifest.arguments[*number].element);
    return p;
  }

  Precondition given(JsonCursor at) {
    using Kind = Precondition::Kind;
    at.keys({"fact", "tensor", "args", "assumed", "text", "validator"},
            {"validator"});
    Precondition g;
    g.kind = choose<Kind>(at["fact"], {{"within", Kind::Within},
                                       {"sorted", Kind::Sorted},
                                       {"splits", Kind::Splits},
                                       {"distinct", Kind::Distinct}});
    std::string name = nameAt(at["tensor"]);
    if (std::optional<size_t> number = argumentNamed(manifest, name)) {
      g.tensor = *number;
      const Argument &a = manifest.arguments[*number];
      bool ordered = g.kind == Kind::Sorted || g.kind == Kind::Splits;
      if (!a.isTensor || a.mode != Mode::Shared || isFloat(a.element) ||
          (ordered && a.dims.size() != 1)) {
        at["tensor"].fail(
            "names no shared tensor of integers that can be so: " + name);
      }
    } else {
      at["tensor"].fail("names no argument: " + name);
    }
    std::vector<Expression> args = expressions(at["args"]);
    size_t expected = g.kind == Kind::Within ? 2 : g.kind == Kind::Splits;
    if (args.size() != expected) {
      at["args"].fail(fmt::format(
          "has {}, the fact takes {}",
          counted(args.size(), "expression", "expressions"), expected));
      args.resize(expected);
    }
    if (expected > 0) {
      g.high = args.back();
    }
    if (expected > 1) {
      g.low = args.front();
    }
    g.assumed = at["assumed"].boolean();
    g.text = at["text"].string();
    if (at.has("validator")) {
      JsonCursor validator = at["validator"];
      validator.keys({"folder", "sha256"});
      g.validator = {nameAt(validator["folder"]),
                     digestAt(validator["sha256"])};
    }
    return g;
  }

  Repack repack(JsonCursor at) {
    at.keys({"tensor", "when"});
    Repack out;
    std::optional<size_t> number =
        argumentNamed(manifest, nameAt(at["tensor"]));
    if (number && manifest.arguments[*number].isTensor &&
        manifest.arguments[*number].mode == Mode::Shared) {
      out.argument = *number;
    } else {
      at["tensor"].fail("names no shared tensor");
    }
    out.when = conditions(at["when"]);
    return out;
  }

  File file(JsonCursor at) {
    return {checked(at["file"], isFileName, "the name of a file in the folder"),
            digestAt(at["sha256"])};
  }

  /// How a block of a cubin is launched.
  BlockShape shape(JsonCursor cubin) {
    BlockShape out;
    if (!cubin.has("launch")) {
      return out;
    }
    JsonCursor at = cubin["launch"];
    at.keys({"threads", "shared", "early", "waits"});
    constexpr int64_t maxThreads = 1024, maxShared = 232448;
    out.threads = bounded(at["threads"], 1, maxThreads);
    out.sharedBytes = bounded(at["shared"], 0, maxShared);
    out.early = at["early"].list<size_t>([&](JsonCursor name) {
      std::optional<size_t> k = argumentNamed(manifest, name.string());
      if (!k || !manifest.arguments[*k].isTensor ||
          manifest.arguments[*k].mode != Mode::Shared) {
        name.fail("is no shared tensor");
      }
      return k.value_or(0);
    });
    out.waits = at["waits"].boolean();
    if (!out.waits && !out.early.empty()) {
      at.fail("reads early, and does not wait");
    }
    return out;
  }

  static unsigned bounded(JsonCursor at, int64_t low, int64_t high) {
    int64_t n = at.integer();
    if (n < low || n > high) {
      at.fail("is not in " + std::to_string(low) + ".." + std::to_string(high));
    }
    return static_cast<unsigned>(n);
  }

  Variant variant(JsonCursor at) {
    at.keys({"name", "digest", "when", "requires", "given", "grid", "entry",
             "parameters", "cubins", "proof", "trusted", "repack"},
            {"repack"});
    Variant v;
    v.name = nameAt(at["name"]);
    v.digest = digestAt(at["digest"]);
    v.entry = at["entry"].string();
    v.when = conditions(at["when"]);
    v.requirements = conditions(at["requires"]);
    if (at.has("repack")) {
      v.repack =
          at["repack"].list<Repack>([&](JsonCursor r) { return repack(r); });
    }
    v.givens =
        at["given"].list<Precondition>([&](JsonCursor g) { return given(g); });
    v.grid = expressions(at["grid"]);
    v.parameters = at["parameters"].list<Parameter>(
        [&](JsonCursor p) { return parameter(p); });
    at["cubins"].members([&](const std::string &name, JsonCursor cubin) {
      cubin.keys({"file", "sha256", "hints", "launch"}, {"hints", "launch"});
      if (!isArchitecture(name)) {
        cubin.fail("is no architecture");
      }
      if (cubin.has("hints")) {
        cubin["hints"].members(
            [](const std::string &, JsonCursor hint) { hint.integer(); });
      }
      v.cubins.push_back({name, file(cubin), shape(cubin)});
    });
    if (v.cubins.empty()) {
      at["cubins"].fail("is empty");
    }
    at["proof"].keys({"file", "sha256"});
    v.proof = file(at["proof"]);
    v.trusted = at["trusted"].list<std::string>(
        [](JsonCursor text) { return text.string(); });
    return v;
  }

  template <typename T>
  static void uniqueNames(const std::vector<T> &things, JsonCursor at) {
    for (size_t i = 0; i < things.size(); ++i) {
      for (size_t j = 0; j < i; ++j) {
        if (things[i].name == things[j].name) {
          at.fail("names " + things[i].name + " twice");
        }
      }
    }
  }

  void read(JsonCursor at) {
    at.document("girih.artefact", 1);
    at.keys({"seal", "format", "version", "name", "producer", "arguments",
             "symbols", "variants"});
    manifest.name = nameAt(at["name"]);
    manifest.producer = at["producer"].string();
    manifest.symbols =
        at["symbols"].list<Symbol>([&](JsonCursor s) { return symbol(s); });
    manifest.arguments = at["arguments"].list<Argument>(
        [&](JsonCursor a) { return argument(a); });
    manifest.variants =
        at["variants"].list<Variant>([&](JsonCursor v) { return variant(v); });
    uniqueNames(manifest.symbols, at["symbols"]);
    uniqueNames(manifest.arguments, at["arguments"]);
    uniqueNames(manifest.variants, at["variants"]);
    if (manifest.variants.empty()) {
      at["variants"].fail("is empty");
    }
  }
};

} // namespace

static Error refuseManifest(std::string reason) {
  return {ErrorKind::Artefact, "manifest.json: " + std::move(reason)};
}

Expected<Manifest> parseManifest(std::string_view text) {
  constexpr std::string_view open = "{\"seal\": \"", close = "\",\n";
  size_t head = open.size() + 64 + close.size();
  if (text.size() < head || !text.starts_with(open) ||
      text.substr(open.size() + 64, close.size()) != close) {
    return refuseManifest("does not start with its seal");
  }
  if (text.substr(open.size(), 64) != sha256(text.substr(head))) {
    return refuseManifest("was changed after it was sealed");
  }
  Reader reader;
  std::string error;
  readJson(text, error, [&](JsonCursor root) { reader.read(root); });
  if (!error.empty()) {
    return refuseManifest(error);
  }
  return std::move(reader.manifest);
}

template <typename T>
static std::optional<size_t> find(const std::vector<T> &things,
                                  std::string_view name) {
  for (size_t i = 0; i < things.size(); ++i) {
    if (things[i].name == name) {
      return i;
    }
  }
  return std::nullopt;
}

std::optional<size_t> argumentNamed(const Manifest &manifest,
                                    std::string_view name) {
  return find(manifest.arguments, name);
}

std::optional<size_t> symbolNamed(const Manifest &manifest,
                                  std::string_view name) {
  return find(manifest.symbols, name);
}

} // namespace girih::runtime
