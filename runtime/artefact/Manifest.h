// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// manifest.json of an artefact as plain data. The format is
// spec/schemas/manifest.schema.json; what the schema refuses is refused here,
// since a manifest is input like any other.

#ifndef GIRIH_RUNTIME_ARTEFACT_MANIFEST_H
#define GIRIH_RUNTIME_ARTEFACT_MANIFEST_H

#include "runtime/artefact/Element.h"
#include "runtime/artefact/Expected.h"

#include <string>
#include <string_view>
#include <vector>

namespace girih::runtime {

/// An integer expression over launch symbols.
struct Expression {
  enum class Op : uint8_t {
    Constant,
    Symbol,
    Add,
    Sub,
    Mul,
    Div,
    Mod,
    CeilDiv,
    Min,
    Max
  };
  Op op = Op::Constant;
  int64_t value = 0;            ///< the constant, or the symbol's number
  std::vector<Expression> args; ///< two, or none for the leaves
};

struct Condition {
  enum class Op : uint8_t { Eq, Lt, Le, Gt, Ge };
  Op op = Op::Eq;
  Expression left, right;
  std::string text; ///< as in the kernel's header
};

/// A file of the artefact with its digest.
struct File {
  std::string name, sha256;
};

/// What the contract says about the contents of a shared tensor of integers.
struct Precondition {
  enum class Kind : uint8_t { Within, Sorted, Splits, Distinct };
  Kind kind = Kind::Within;
  size_t tensor = 0; ///< an argument
  Expression low;    ///< of `within`
  Expression high;   ///< of `within`; the last number of `splits`
  bool assumed = false;
  std::string text; ///< as in the kernel's header
  /// The artefact, a folder within this one, whose kernel looks for a breach in
  /// device memory; and the digest of its manifest.
  std::optional<File> validator;
};

/// The type of a launch symbol: `index`, or an integer of some bits.
struct Symbol {
  /// What says its value.
  enum class Source : uint8_t { Caller, Extent, Stride };

  std::string name;
  unsigned bits = 0; ///< 0 for index
  Source source = Source::Caller;
};

enum class Mode : uint8_t { Shared, Own, Out };

/// A tensor, or a float scalar, for which all but name and element is unused.
struct Argument {
  std::string name;
  Element element = Element::F32;
  bool isTensor = false;
  Mode mode = Mode::Shared;
  bool partial = false;
  std::vector<Expression> dims, strides; ///< constants or symbols
  int64_t align = 1;                     ///< of the address, in bytes
};

/// One parameter of the kernel's entry.
struct Parameter {
  enum class Kind : uint8_t { Pointer, Scalar, Integer };
  Kind kind = Kind::Pointer;
  unsigned bytes = 8;
  size_t argument = 0; ///< of a pointer or scalar
  Expression value;    ///< of an integer
};

/// How a block is launched.
struct BlockShape {
  unsigned threads = 1; ///< 1 also where the cubin has its own number
  unsigned sharedBytes = 0;
  /// Arguments that it reads before it waits for the grids before it.
  std::vector<size_t> early;
  /// Each block waits for them before it touches anything else.
  bool waits = false;
};

struct Cubin {
  std::string architecture; ///< `sm_90`
  File file;
  BlockShape shape;
};

/// A tensor of which a launcher may pass a copy, and when.
struct Repack {
  size_t argument = 0;
  std::vector<Condition> when;
};

struct Variant {
  std::string name, digest, entry;
  std::vector<Condition> when, requirements;
  std::vector<Repack> repack;
  std::vector<Precondition> givens;
  std::vector<Expression> grid;
  std::vector<Parameter> parameters;
  std::vector<Cubin> cubins;
  File proof;
  std::vector<std::string> trusted;
};

struct Manifest {
  std::string name, producer;
  std::vector<Argument> arguments;
  std::vector<Symbol> symbols;
  std::vector<Variant> variants;
};

/// Reads the text of a manifest and checks its seal: the SHA-256 of all that
/// follows the first line.
Expected<Manifest> parseManifest(std::string_view text);

/// The number of the argument with that name, or nothing.
std::optional<size_t> argumentNamed(const Manifest &manifest,
                                    std::string_view name);
/// The number of the launch symbol with that name, or nothing.
std::optional<size_t> symbolNamed(const Manifest &manifest,
                                  std::string_view name);

} // namespace girih::runtime

#endif // GIRIH_RUNTIME_ARTEFACT_MANIFEST_H
