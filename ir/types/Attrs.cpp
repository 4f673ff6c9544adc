// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Text form and invariants of contract expressions.

#include "ir/types/Attrs.h"
#include "ir/types/Dialect.h"
#include "ir/types/Names.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace girih::tile;

#include "ir/types/Enums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "ir/types/Attrs.cpp.inc"

void TileDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "ir/types/Attrs.cpp.inc"
      >();
}

//===-- Expressions -------------------------------------------------------===//

ExprAttr ExprAttr::constant(MLIRContext *context, int64_t value) {
  return get(context, ExprKind::Constant, value, {}, {}, {});
}

ExprAttr ExprAttr::symbol(StringAttr name) {
  return get(name.getContext(), ExprKind::Symbol, 0, name, {}, {});
}

ExprAttr ExprAttr::binary(ExprKind kind, ExprAttr lhs, ExprAttr rhs) {
  return get(lhs.getContext(), kind, 0, {}, lhs, rhs);
}

LogicalResult ExprAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                               ExprKind kind, int64_t value, StringAttr symbol,
                               ExprAttr lhs, ExprAttr rhs) {
  bool leaf = kind == ExprKind::Constant || kind == ExprKind::Symbol;
  if (leaf == bool(lhs) || leaf == bool(rhs) ||
      (kind == ExprKind::Symbol) != bool(symbol) ||
      (value != 0 && kind != ExprKind::Constant)) {
    return emitError() << "malformed contract expression";
  }
  if (symbol && !isSymbolName(symbol)) {
    return emitError() << "'" << symbol.getValue()
                       << "' cannot name a launch symbol";
  }
  return success();
}

/// Binding strength: sums 1, products 2, everything else 3.
static unsigned precedence(ExprKind kind) {
  switch (kind) {
  case ExprKind::Add:
  case ExprKind::Sub:
    return 1;
  case ExprKind::Mul:
    return 2;
  default:
    return 3;
  }
}

static void printExpr(raw_ostream &os, ExprAttr expr, unsigned atLeast) {
  ExprKind kind = expr.getKind();
  if (kind == ExprKind::Constant) {
    os << expr.getValue();
    return;
  }
  if (kind == ExprKind::Symbol) {
    os << expr.getSymbol().getValue();
    return;
  }
  unsigned own = precedence(kind);
  if (own == 3) {
    os << stringifyExprKind(kind) << '(';
    printExpr(os, expr.getLhs(), 0);
    os << ", ";
    printExpr(os, expr.getRhs(), 0);
    os << ')';
    return;
  }
  // A right operand of equal strength keeps its parentheses: the tree is read
  // back as it was.
  bool parens = own < atLeast;
  os << (parens ? "(" : "");
  printExpr(os, expr.getLhs(), own);
  os << ' ' << stringifyExprKind(kind) << ' ';
  printExpr(os, expr.getRhs(), own + 1);
  os << (parens ? ")" : "");
}

std::string ExprAttr::str() {
  std::string text;
  llvm::raw_string_ostream os(text);
  printExpr(os, *this, 0);
  return text;
}

namespace {
/// Recursive descent; brackets are nested only as deep as the text is, which
/// the reader limits, and the number of nodes is limited here.
class ExprParser {
public:
  explicit ExprParser(AsmParser &parser) : parser(parser) {}

  FailureOr<ExprAttr> sum() {
    FailureOr<ExprAttr> lhs = product();
    while (succeeded(lhs)) {
      if (succeeded(parser.parseOptionalPlus())) {
        lhs = combine(ExprKind::Add, *lhs, product());
      } else if (succeeded(parser.parseOptionalMinus())) {
        lhs = combine(ExprKind::Sub, *lhs, product());
      } else {
        break;
      }
    }
    return lhs;
  }

private:
  FailureOr<ExprAttr> product() {
    FailureOr<ExprAttr> lhs = leaf();
    while (succeeded(lhs) && succeeded(parser.parseOptionalStar())) {
      lhs = combine(ExprKind::Mul, *lhs, leaf());
    }
    return lhs;
  }

  FailureOr<ExprAttr> combine(ExprKind kind, ExprAttr lhs,
                              FailureOr<ExprAttr> rhs) {
    if (failed(rhs) || failed(count())) {
      return failure();
    }
    return ExprAttr::binary(kind, lhs, *rhs);
  }

  FailureOr<ExprAttr> leaf() {
    if (failed(count())) {
      return failure();
    }
    int64_t value;
    OptionalParseResult number = parser.parseOptionalInteger(value);
    if (number.has_value()) {
      if (failed(*number)) {
        return failure();
      }
      return ExprAttr::constant(parser.getContext(), value);
    }
    if (succeeded(parser.parseOptionalLParen())) {
      FailureOr<ExprAttr> inner = sum();
      if (failed(inner) || parser.parseRParen()) {
        return failure();
      }
      return inner;
    }
    SMLoc loc = parser.getCurrentLocation();
    StringRef word;
    if (failed(parser.parseOptionalKeyword(&word))) {
      return parser.emitError(
          loc, "expected a constant, a symbol, div, mod, ceildiv, min, max or "
               "a parenthesis in a contract expression");
    }
    if (std::optional<ExprKind> kind = function(word)) {
      return call(*kind);
    }
    if (!isSymbolName(word)) {
      return parser.emitError(loc)
             << "'" << word << "' cannot name a launch symbol";
    }
    if (succeeded(parser.parseOptionalLParen())) {
      return parser.emitError(loc)
             << word << " is no function of the contract, which has div, mod, "
             << "ceildiv, min and max";
    }
    return ExprAttr::symbol(parser.getBuilder().getStringAttr(word));
  }

  static std::optional<ExprKind> function(StringRef word) {
    return llvm::StringSwitch<std::optional<ExprKind>>(word)
        .Case("div", ExprKind::Div)
        .Case("mod", ExprKind::Mod)
        .Case("ceildiv", ExprKind::CeilDiv)
        .Case("min", ExprKind::Min)
        .Case("max", ExprKind::Max)
        .Default(std::nullopt);
  }

  FailureOr<ExprAttr> call(ExprKind kind) {
    if (parser.parseLParen()) {
      return failure();
    }
    FailureOr<ExprAttr> lhs = sum();
    if (failed(lhs) || parser.parseComma()) {
      return failure();
    }
    FailureOr<ExprAttr> rhs = sum();
    if (failed(rhs) || parser.parseRParen()) {
      return failure();
    }
    return ExprAttr::binary(kind, *lhs, *rhs);
  }

  LogicalResult count() {
    if (++nodes <= maxExprNodes) {
      return success();
    }
    return parser.emitError(parser.getCurrentLocation())
           << "contract expression of more than " << maxExprNodes << " terms";
  }

  AsmParser &parser;
  unsigned nodes = 0;
};
} // namespace

FailureOr<ExprAttr> girih::tile::parseExpr(AsmParser &parser) {
  FailureOr<ExprAttr> expr = ExprParser(parser).sum();
  SMLoc loc = parser.getCurrentLocation();
  for (StringRef word : {"div", "mod", "ceildiv", "min", "max"}) {
    if (succeeded(expr) && succeeded(parser.parseOptionalKeyword(word))) {
      return parser.emitError(loc)
             << word << " is a function: write " << word << "(a, b)";
    }
  }
  return expr;
}

void girih::tile::forEachSymbol(ExprAttr expr,
                                function_ref<void(StringAttr)> visit) {
  if (expr.getKind() == ExprKind::Symbol) {
    visit(expr.getSymbol());
  } else if (expr.getKind() != ExprKind::Constant) {
    forEachSymbol(expr.getLhs(), visit);
    forEachSymbol(expr.getRhs(), visit);
  }
}

static void visitConstants(ExprAttr expr, function_ref<void(int64_t)> visit) {
  if (expr.getKind() == ExprKind::Constant) {
    visit(expr.getValue());
  } else if (expr.getKind() != ExprKind::Symbol) {
    visitConstants(expr.getLhs(), visit);
    visitConstants(expr.getRhs(), visit);
  }
}

void girih::tile::forEachConstant(ComparisonAttr comparison,
                                  function_ref<void(int64_t)> visit) {
  visitConstants(comparison.getLhs(), visit);
  visitConstants(comparison.getRhs(), visit);
}

Attribute ExprAttr::parse(AsmParser &parser, Type) {
  if (parser.parseLess()) {
    return {};
  }
  FailureOr<ExprAttr> expr = parseExpr(parser);
  if (failed(expr) || parser.parseGreater()) {
    return {};
  }
  return *expr;
}

void ExprAttr::print(AsmPrinter &printer) const {
  printer << '<' << ExprAttr(*this).str() << '>';
}

//===-- Comparisons -------------------------------------------------------===//

LogicalResult
ComparisonAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                       ComparisonKind, ExprAttr lhs, ExprAttr rhs) {
  if (!lhs || !rhs) {
    return emitError() << "malformed contract comparison";
  }
  return success();
}

static FailureOr<ComparisonKind> parseRelation(AsmParser &parser) {
  if (succeeded(parser.parseOptionalLess())) {
    return succeeded(parser.parseOptionalEqual()) ? ComparisonKind::Le
                                                  : ComparisonKind::Lt;
  }
  if (succeeded(parser.parseOptionalGreater())) {
    return succeeded(parser.parseOptionalEqual()) ? ComparisonKind::Ge
                                                  : ComparisonKind::Gt;
  }
  SMLoc loc = parser.getCurrentLocation();
  if (succeeded(parser.parseOptionalEqual()) &&
      succeeded(parser.parseOptionalEqual())) {
    return ComparisonKind::Eq;
  }
  return parser.emitError(loc, "expected ==, <, <=, > or >=");
}

FailureOr<ComparisonAttr> girih::tile::parseComparison(AsmParser &parser) {
  FailureOr<ExprAttr> lhs = parseExpr(parser);
  if (failed(lhs)) {
    return failure();
  }
  FailureOr<ComparisonKind> kind = parseRelation(parser);
  if (failed(kind)) {
    return failure();
  }
  FailureOr<ExprAttr> rhs = parseExpr(parser);
  if (failed(rhs)) {
    return failure();
  }
  return ComparisonAttr::get(parser.getContext(), *kind, *lhs, *rhs);
}

ParseResult
girih::tile::parseComparisons(AsmParser &parser, AsmParser::Delimiter brackets,
                              SmallVectorImpl<Attribute> &comparisons) {
  return parser.parseCommaSeparatedList(brackets, [&]() -> ParseResult {
    FailureOr<ComparisonAttr> comparison = parseComparison(parser);
    comparisons.push_back(succeeded(comparison) ? *comparison
                                                : ComparisonAttr());
    return success(succeeded(comparison));
  });
}

ParseResult
girih::tile::parseConditions(AsmParser &parser,
                             SmallVectorImpl<Attribute> &conditions) {
  SMLoc loc = parser.getCurrentLocation();
  if (parseComparisons(parser, AsmParser::Delimiter::Paren, conditions)) {
    return failure();
  }
  if (conditions.empty()) {
    return parser.emitError(loc, "when () names no condition");
  }
  return success();
}

std::string ComparisonAttr::str() {
  return getLhs().str() + " " + stringifyComparisonKind(getKind()).str() + " " +
         getRhs().str();
}

// The attribute alone uses words: MLIR looks for the end of an attribute by
// balancing its angle brackets.
static constexpr StringRef relationWords[] = {"eq", "lt", "le", "gt", "ge"};

Attribute ComparisonAttr::parse(AsmParser &parser, Type) {
  StringRef word;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess() || parser.parseKeyword(&word) ||
      parser.parseLParen()) {
    return {};
  }
  const auto *found = llvm::find(relationWords, word);
  if (found == std::end(relationWords)) {
    parser.emitError(loc, "expected eq, lt, le, gt or ge");
    return {};
  }
  FailureOr<ExprAttr> lhs = parseExpr(parser);
  if (failed(lhs) || parser.parseComma()) {
    return {};
  }
  FailureOr<ExprAttr> rhs = parseExpr(parser);
  if (failed(rhs) || parser.parseRParen() || parser.parseGreater()) {
    return {};
  }
  auto kind = static_cast<ComparisonKind>(found - std::begin(relationWords));
  return get(parser.getContext(), kind, *lhs, *rhs);
}

void ComparisonAttr::print(AsmPrinter &printer) const {
  printer << '<' << relationWords[static_cast<unsigned>(getKind())] << '('
          << getLhs().str() << ", " << getRhs().str() << ")>";
}

//===-- Launch symbols ----------------------------------------------------===//

LogicalResult
LaunchSymbolAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                         StringAttr name, Type type) {
  if (!name || !isSymbolName(name)) {
    return emitError() << "'" << (name ? name.getValue() : "")
                       << "' cannot name a launch symbol";
  }
  auto integer = dyn_cast_if_present<IntegerType>(type);
  if (isa_and_present<IndexType>(type) ||
      (integer && integer.isSignless() &&
       llvm::is_contained({8u, 16u, 32u, 64u}, integer.getWidth()))) {
    return success();
  }
  return emitError() << "launch symbol " << name.getValue() << " has type "
                     << type << ", but symbols are index, i8, i16, i32 or i64";
}

Attribute LaunchSymbolAttr::parse(AsmParser &parser, Type) {
  StringRef name;
  Type type;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess() || parser.parseKeyword(&name) || parser.parseColon() ||
      parser.parseType(type) || parser.parseGreater()) {
    return {};
  }
  return getChecked([&] { return parser.emitError(loc); }, parser.getContext(),
                    parser.getBuilder().getStringAttr(name), type);
}

void LaunchSymbolAttr::print(AsmPrinter &printer) const {
  printer << '<' << getName().getValue() << " : " << getType() << '>';
}
