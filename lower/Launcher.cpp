// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lower/Launcher.h"

#include "checker/decide/OptOuts.h"
#include "ir/tool/Tool.h"
#include "ir/types/Diagnose.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace girih::tile;

namespace girih::lower {

//===-- Names -------------------------------------------------------------===//

/// Keywords of C++ up to 26, and macros that common headers define.
static bool isTaken(llvm::StringRef name) {
  static constexpr llvm::StringLiteral words =
      " alignas alignof and and_eq asm auto bitand bitor bool break case catch "
      "char char16_t char32_t char8_t class co_await co_return co_yield compl "
      "concept const const_cast consteval constexpr constinit continue "
      "contract_assert decltype default delete do double dynamic_cast else "
      "enum "
      "explicit export extern false float for friend goto if inline int long "
      "mutable namespace new noexcept not not_eq nullptr operator or or_eq "
      "private protected public register reinterpret_cast requires return "
      "short signed sizeof static static_assert static_cast struct switch "
      "template this thread_local throw true try typedef typeid typename "
      "typeof union unsigned using virtual void volatile wchar_t while xor "
      "xor_eq "
      // Macros.
      "assert errno linux major makedev minor offsetof stderr stdin stdout "
      "unix va_arg va_copy va_end va_start BUFSIZ EOF FILENAME_MAX HUGE_VAL I "
      "INFINITY NAN NDEBUG NULL RAND_MAX ";
  return words.contains((" " + name + " ").str());
}

std::string cppName(llvm::StringRef name, std::set<std::string> &taken) {
  std::string legal;
  for (char c : name) {
    char next = llvm::isAlnum(c) ? c : '_';
    // Two underscores in a row are the implementation's.
    if (next != '_' || legal.empty() || legal.back() != '_') {
      legal += next;
    }
  }
  if (legal.empty() || !llvm::isAlpha(legal.front())) {
    legal = "n" + legal;
  }
  if (isTaken(legal)) {
    legal += '_';
  }
  std::string unique = legal;
  for (unsigned n = 2; !taken.insert(unique).second; ++n) {
    unique = legal + (legal.back() == '_' ? "" : "_") + std::to_string(n);
  }
  return unique;
}

/// As a literal of C++.
static std::string quoted(llvm::StringRef text) {
  std::string out = "\"";
  for (char c : text) {
    out += c == '"' || c == '\\' ? "\\" : "";
    out += llvm::isPrint(c) ? c : '?';
  }
  return out + "\"";
}

//===-- Types -------------------------------------------------------------===//

/// The type of C++ that holds an element.
static llvm::StringRef cppType(mlir::Type element) {
  std::string name;
  llvm::raw_string_ostream(name) << element;
  return llvm::StringSwitch<llvm::StringRef>(name)
      .Case("i1", "bool")
      .Case("i4", "::girih::i4")
      .Case("i8", "::std::int8_t")
      .Case("i16", "::std::int16_t")
      .Case("i32", "::std::int32_t")
      .Case("i64", "::std::int64_t")
      .Case("f16", "::girih::f16")
      .Case("bf16", "::girih::bf16")
      .Case("f32", "float")
      .Case("f64", "double")
      .Case("f8E4M3FN", "::girih::f8e4m3")
      .Case("f8E5M2", "::girih::f8e5m2")
      .Case("f8E8M0FNU", "::girih::f8e8m0")
      .Case("f4E2M1FN", "::girih::f4e2m1")
      .Default("");
}

/// The concept of runtime/execution that an argument has to satisfy, and the
/// enumerator of the same name.
static llvm::StringRef conceptOf(Mode mode) {
  switch (mode) {
  case Mode::Shared:
    return "Shared";
  case Mode::Own:
    return "Own";
  case Mode::Out:
    return "Out";
  case Mode::Raw:
    return "Raw";
  default:
    return "Atomic";
  }
}

//===-- The header --------------------------------------------------------===//

namespace {

/// A comment of one line that does not run on into the next one.
std::string comment(llvm::StringRef text) {
  std::string line = printable(text);
  llvm::replace(line, '\n', ' ');
  return line.empty() || line.back() != '\\' ? line : line + ".";
}

/// What one kernel's header is made of, under the names that it has in C++.
struct LauncherWriter {
  const std::string &artefact;
  llvm::ArrayRef<Work> kernels;
  KernelOp first;
  std::set<std::string> taken = {"Values",  "values", "signature", "arguments",
                                 "symbols", "bind",   "kernel"};
  std::vector<std::string> names; ///< of the arguments
  /// Number of a scalar argument, or nothing for a symbol, with its name.
  struct Value {
    std::optional<unsigned> argument;
    LaunchSymbol symbol;
    std::string name;
  };
  std::vector<Value> scalars, symbols;
  std::string text;
  llvm::raw_string_ostream os{text};

  LauncherWriter(const std::string &artefact, llvm::ArrayRef<Work> kernels)
      : artefact(artefact), kernels(kernels),
        first(kernels.front().lowered.source.kernel()) {
    for (mlir::BlockArgument a : first.getArguments()) {
      names.push_back(cppName(first.getArgName(a.getArgNumber()), taken));
      if (!tensor(a.getArgNumber())) {
        scalars.push_back({a.getArgNumber(), {}, names.back()});
      }
    }
    for (const LaunchSymbol &s : first.getLaunchSymbols()) {
      bool isOfTensor = llvm::any_of(first.getArguments(), [&](auto a) {
        auto type = mlir::dyn_cast<TileTensorType>(a.getType());
        return type && (llvm::is_contained(type.getDims(), s.name) ||
                        llvm::is_contained(type.getStrides(), s.name));
      });
      if (!isOfTensor) {
        symbols.push_back({std::nullopt, s, cppName(s.name.getValue(), taken)});
      }
    }
  }

  TileTensorType tensor(unsigned argument) {
    return mlir::dyn_cast<TileTensorType>(
        first.getArguments()[argument].getType());
  }

  /// Whether some variant takes something of the contents for granted that has
  /// to be known.
  bool isGiven(unsigned argument) {
    return llvm::any_of(kernels, [&](const Work &work) {
      KernelOp kernel = work.lowered.source.kernel();
      return llvm::any_of(kernel.getGivenFacts(), [&](GivenAttr given) {
        return given.getTensor() == argument && !given.getAssumed();
      });
    });
  }

  /// `[M, K] x bf16, shared`.
  std::string typeText(unsigned argument) {
    std::string whole;
    llvm::raw_string_ostream(whole) << first.getArguments()[argument].getType();
    llvm::StringRef inside(whole);
    inside.consume_front("!tile.tensor<");
    if (tensor(argument)) {
      inside.consume_back(">");
    }
    return inside.str();
  }

  /// One line of a list in a comment, if the list has anything.
  template <typename Range, typename Text>
  void list(llvm::StringRef what, Range &&items, Text textOf) {
    std::string line;
    for (auto &&item : items) {
      line +=
          (line.empty() ? "" : ", ") + std::string("`") + textOf(item) + "`";
    }
    if (!line.empty()) {
      os << "  /// " << comment((what + " " + line + ".").str()) << "\n";
    }
  }

  void contract(const Work &work) {
    KernelOp kernel = work.lowered.source.kernel();
    if (kernels.size() > 1) {
      os << "  ///\n";
      std::string name = ("Variant `" + kernel.getSymName() + "`").str();
      if (work.when.empty()) {
        os << "  /// " << comment(name + ", else.") << "\n";
      }
      list(name + ", when",
           std::vector<ComparisonAttr>(work.when.begin(), work.when.end()),
           [](ComparisonAttr c) { return c.str(); });
    }
    list("Requires", kernel.getRequirements(),
         [](ComparisonAttr c) { return c.str(); });
    list("Given", kernel.getGivenFacts(),
         [&](GivenAttr g) { return g.str(kernel.getArgText(g.getTensor())); });
    list("Trusts", checker::optOutsOf(kernel),
         [](const checker::OptOut &o) { return checker::optOutText(o); });
    std::string grid;
    for (ExprAttr e : kernel.getGridExprs()) {
      grid += (grid.empty() ? "" : ", ") + e.str();
    }
    os << "  /// " << comment("Grid `[" + grid + "]`.") << "\n";
  }

  void writeDocumentation() {
    os << "  /// A launch of `@" << comment(artefact)
       << "`, not yet started. It owns its arguments until it\n"
          "  /// has completed, and gives the tensors back in this order.\n"
          "  ///\n";
    for (unsigned k = 0; k < names.size(); ++k) {
      if (tensor(k)) {
        os << "  /// "
           << comment("\\param " + names[k] + " `" + typeText(k) + "`") << "\n";
      }
    }
    if (hasValues()) {
      os << "  /// \\param values scalars and symbols by name\n";
    }
    for (const Work &work : kernels) {
      contract(work);
    }
  }

  bool hasValues() { return !scalars.empty() || !symbols.empty(); }

  void writeValues() {
    os << "  /// Scalars, then launch symbols that no tensor has; each is to be"
          " given.\n"
          "  struct Values {\n";
    for (const Value &v : scalars) {
      os << "    ::girih::ScalarValue " << v.name << "; ///< "
         << typeText(*v.argument) << "\n";
    }
    for (const Value &v : symbols) {
      os << "    ::girih::SymbolValue " << v.name << "; ///< " << v.symbol.type
         << "\n";
    }
    os << "  };\n\n";
  }

  void writeSignature() {
    os << "  static constexpr ::std::array<::girih::ArgumentSignature, "
       << names.size() << "> arguments{{";
    for (unsigned k = 0; k < names.size(); ++k) {
      std::string name = quoted(first.getArgName(k));
      os << (k ? ",\n      " : "\n      ");
      if (TileTensorType type = tensor(k)) {
        os << "::girih::tensorSignature<" << cppType(type.getElementType())
           << ">(" << name
           << ", ::girih::ArgumentMode::" << conceptOf(type.getMode()) << ", "
           << type.getRank() << ")";
      } else {
        os << "::girih::scalarSignature(" << name << ", " << quoted(typeText(k))
           << ")";
      }
    }
    os << "}};\n  static constexpr ::std::array<::girih::SymbolSignature, "
       << symbols.size() << "> symbols{";
    for (size_t k = 0; k < symbols.size(); ++k) {
      mlir::Type type = symbols[k].symbol.type;
      os << (k ? ", " : "{") << "{" << quoted(symbols[k].symbol.name) << ", "
         << (type.isIndex() ? 0 : type.getIntOrFloatBitWidth()) << "}";
    }
    os << (symbols.empty() ? "" : "}")
       << "};\n  static constexpr ::girih::KernelSignature signature{"
       << quoted(artefact) << ", arguments,\n      symbols};\n\n";
  }

  void writeCall() {
    os << "  [[nodiscard]] auto operator()(";
    std::string separator;
    for (unsigned k = 0; k < names.size(); ++k) {
      if (TileTensorType type = tensor(k)) {
        os << separator << "::girih::argument::"
           << (isGiven(k) ? "Known" : conceptOf(type.getMode())) << "<"
           << cppType(type.getElementType()) << ", " << type.getRank()
           << "> auto " << names[k];
        separator = ",\n                                ";
      }
    }
    if (hasValues()) {
      os << separator << "Values values";
    }
    os << ") const {\n    return bind(::std::array<double, " << scalars.size()
       << ">{";
    separator = "";
    for (const Value &v : scalars) {
      os << separator << "values." << v.name;
      separator = ", ";
    }
    os << "},\n                ::std::array<::std::int64_t, " << symbols.size()
       << ">{";
    separator = "";
    for (const Value &v : symbols) {
      os << separator << "values." << v.name;
      separator = ", ";
    }
    os << "}";
    for (unsigned k = 0; k < names.size(); ++k) {
      if (tensor(k)) {
        os << ",\n                ::std::move(" << names[k] << ")";
      }
    }
    os << ");\n  }\n";
  }

  std::string write() {
    // The namespace of the types, and what no member of a class may share with
    // its class.
    std::set<std::string> others = {"launchers", "Values", "arguments",
                                    "symbols", "signature"};
    std::string name = cppName(artefact, others);
    std::string guard =
        "GIRIH_KERNELS_" + llvm::StringRef(name).rtrim('_').upper() + "_H";
    os << "// Written by tile-compile " << girihVersion() << " from @"
       << comment(artefact) << ".\n#ifndef " << guard << "\n#define " << guard
       << "\n\n#include <girih/runtime.h>\n\nnamespace kernels {\n"
          "namespace launchers {\n\n/// The type of `kernels::"
       << name << "`.\nstruct " << name << " : ::girih::Launcher<" << name
       << "> {\n";
    if (hasValues()) {
      writeValues();
    }
    writeSignature();
    writeDocumentation();
    writeCall();
    os << "};\n\n} // namespace launchers\n\ninline constexpr launchers::"
       << name << " " << name << "{};\n\n} // namespace kernels\n\n#endif // "
       << guard << "\n";
    return std::move(text);
  }
};

} // namespace

std::string launcherText(const std::string &name,
                         llvm::ArrayRef<Work> kernels) {
  return LauncherWriter(name, kernels).write();
}

} // namespace girih::lower
