// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Text form and invariants of what a kernel's header gives about contents.

#include "ir/types/Attrs.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace girih::tile;

SmallVector<ExprAttr, 2> GivenAttr::getExprs() {
  SmallVector<ExprAttr, 2> out;
  if (getLow()) {
    out.push_back(getLow());
  }
  if (getHigh()) {
    out.push_back(getHigh());
  }
  return out;
}

LogicalResult GivenAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                GivenKind kind, unsigned, ExprAttr low,
                                ExprAttr high, bool) {
  bool ranged = kind == GivenKind::Within;
  if (bool(low) != ranged ||
      bool(high) != (ranged || kind == GivenKind::Splits)) {
    return emitError() << "malformed given: " << stringifyGivenKind(kind);
  }
  return success();
}

std::string GivenAttr::str(StringRef tensor) {
  std::string text = (stringifyGivenKind(getKind()) + "(" + tensor).str();
  for (ExprAttr e : getExprs()) {
    text += ", " + e.str();
  }
  return text + (getAssumed() ? ") assumed" : ")");
}

static std::optional<GivenKind> kindOf(StringRef word) {
  return llvm::StringSwitch<std::optional<GivenKind>>(word)
      .Case("within", GivenKind::Within)
      .Case("sorted", GivenKind::Sorted)
      .Case("splits", GivenKind::Splits)
      .Case("distinct", GivenKind::Distinct)
      .Default(std::nullopt);
}

FailureOr<GivenAttr>
girih::tile::parseGiven(AsmParser &parser,
                        function_ref<FailureOr<unsigned>()> parseTensor) {
  StringRef word;
  SMLoc loc = parser.getCurrentLocation();
  std::optional<GivenKind> kind;
  if (succeeded(parser.parseOptionalKeyword(&word))) {
    kind = kindOf(word);
  }
  if (!kind) {
    return parser.emitError(loc, "expected within, sorted, splits or distinct");
  }
  FailureOr<unsigned> tensor = failure();
  if (parser.parseLParen() || failed(tensor = parseTensor())) {
    return failure();
  }
  SmallVector<ExprAttr, 2> exprs;
  size_t count = *kind == GivenKind::Within   ? 2
                 : *kind == GivenKind::Splits ? 1
                                              : 0;
  while (exprs.size() < count) {
    if (parser.parseComma()) {
      return failure();
    }
    FailureOr<ExprAttr> expr = parseExpr(parser);
    if (failed(expr)) {
      return failure();
    }
    exprs.push_back(*expr);
  }
  if (parser.parseRParen()) {
    return failure();
  }
  bool assumed = succeeded(parser.parseOptionalKeyword("assumed"));
  return GivenAttr::get(parser.getContext(), *kind, *tensor,
                        count == 2 ? exprs[0] : ExprAttr(),
                        count > 0 ? exprs.back() : ExprAttr(), assumed);
}

Attribute GivenAttr::parse(AsmParser &parser, Type) {
  if (parser.parseLess()) {
    return {};
  }
  FailureOr<GivenAttr> given = parseGiven(parser, [&]() -> FailureOr<unsigned> {
    unsigned number;
    if (parser.parseInteger(number)) {
      return failure();
    }
    return number;
  });
  if (failed(given) || parser.parseGreater()) {
    return {};
  }
  return *given;
}

void GivenAttr::print(AsmPrinter &printer) const {
  printer << '<' << GivenAttr(*this).str(std::to_string(getTensor())) << '>';
}
