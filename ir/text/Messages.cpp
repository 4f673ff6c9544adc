// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ir/text/Messages.h"
#include "ir/types/Places.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace girih::tile {

//===-- Operators ---------------------------------------------------------===//

static bool isWord(char c) { return llvm::isAlnum(c) || c == '_'; }

/// The factor that `text` ends with: a number, a symbol, a call or a sum in
/// parentheses. Empty when there is none.
static StringRef lastFactor(StringRef text) {
  StringRef head = text;
  if (head.consume_back(")")) {
    for (int depth = 1; depth > 0; head = head.drop_back()) {
      if (head.empty()) {
        return "";
      }
      depth += head.back() == ')' ? 1 : head.back() == '(' ? -1 : 0;
    }
  }
  head = head.rtrim(head.size() == text.size() ? "" : " ");
  while (!head.empty() && isWord(head.back())) {
    head = head.drop_back();
  }
  bool isValue = !head.empty() && StringRef("%@#!").contains(head.back());
  return isValue ? "" : text.drop_front(head.size()).ltrim();
}

/// The product that `text` ends with, as far back as its stars reach.
static StringRef lastProduct(StringRef text) {
  text = text.rtrim();
  StringRef head = text;
  while (true) {
    StringRef factor = lastFactor(head);
    if (factor.empty()) {
      return "";
    }
    StringRef before = head.drop_back(factor.size()).rtrim();
    if (!before.consume_back("*")) {
      return text.drop_front(head.size() - factor.size());
    }
    head = before.rtrim();
  }
}

/// The factor that `text` starts with.
static StringRef firstFactor(StringRef text) {
  text = text.ltrim();
  size_t end = 0;
  while (end < text.size() && isWord(text[end])) {
    ++end;
  }
  if (end < text.size() && text[end] == '(') {
    int depth = 0;
    do {
      depth += text[end] == '(' ? 1 : text[end] == ')' ? -1 : 0;
    } while (++end < text.size() && depth > 0);
    return depth == 0 ? text.take_front(end) : "";
  }
  return text.take_front(end);
}

/// Parentheses that surround all of a factor say nothing between commas.
static std::string argument(StringRef factor) {
  bool whole = factor.starts_with("(") && firstFactor(factor) == factor;
  return (whole ? factor.drop_front().drop_back().trim() : factor).str();
}

/// Whether byte `at` is in a list of contract expressions: brackets that are
/// not those of a type or of indices.
static bool isInList(StringRef text, size_t at) {
  int depth = 0;
  while (at-- > 0) {
    depth += text[at] == ']' ? 1 : text[at] == '[' ? -1 : 0;
    if (depth < 0) {
      return !text.take_front(at).rtrim().ends_with("<");
    }
    if (StringRef("{}%").contains(text[at])) {
      return false;
    }
  }
  return false;
}

/// `(N, 64)` for an operator of `length` bytes between N and 64, if it is one.
static std::optional<std::string> operands(StringRef text, size_t at,
                                           size_t length) {
  if (!isInList(text, at)) {
    return std::nullopt;
  }
  StringRef lhs = lastProduct(text.take_front(at));
  StringRef rhs = firstFactor(text.drop_front(at + length));
  constexpr size_t maxShown = 100; // nobody reads a longer suggestion
  if (lhs.empty() || rhs.empty() || lhs.size() + rhs.size() > maxShown ||
      lhs.contains('\n') || rhs.contains('\n')) {
    return std::nullopt;
  }
  return "(" + argument(lhs) + ", " + argument(rhs) + ")";
}

static std::optional<BetterMessage> operatorMessage(StringRef text, size_t at) {
  char op = text[at];
  auto both = op == '%' || op == '/' ? operands(text, at, 1) : std::nullopt;
  if (!both) {
    return std::nullopt;
  }
  return BetterMessage{op == '%'
                           ? "a contract has no operator %: write mod" + *both
                           : "a contract has no operator /: write div" + *both +
                                 ", or ceildiv" + *both + " to round up"};
}

/// Whether a comment reads as the rest of an expression: `// 64 == 2]`.
static bool readsAsDivisor(StringRef comment) {
  StringRef rest = comment.drop_front(2).ltrim();
  rest = rest.drop_front(firstFactor(rest).size()).ltrim(' ');
  return !rest.empty() && StringRef(",])<>=+-*/").contains(rest.front());
}

/// Two slashes begin a comment, so that what is missed is missed at the
/// comment or on a later line.
static std::optional<BetterMessage> slashesMessage(StringRef text, size_t at) {
  if (!text.substr(at).starts_with("//")) {
    StringRef before = text.take_front(at).rtrim();
    at = before.find("//", before.rfind('\n') + 1);
  }
  if (at == StringRef::npos) {
    return std::nullopt;
  }
  StringRef comment =
      text.substr(at).take_until([](char c) { return c == '\n'; });
  auto both = readsAsDivisor(comment) ? operands(text, at, 2) : std::nullopt;
  if (!both) {
    return std::nullopt;
  }
  return BetterMessage{"// begins a comment, and a contract has no operator "
                       "for division: write div" +
                           *both + ", or ceildiv" + *both + " to round up",
                       at};
}

//===-- Stores ------------------------------------------------------------===//

/// The name of the value that `text` ends or starts with, with its percent.
static StringRef valueName(StringRef text) {
  return text.take_while(
      [](char c) { return isWord(c) || StringRef("%$.-#").contains(c); });
}

/// `tile.store %v, %p[%i]`, at the bracket.
static std::optional<BetterMessage> indexedStore(StringRef text, size_t at) {
  StringRef line = text.take_front(at);
  line = line.drop_front(line.rfind('\n') + 1).ltrim();
  StringRef indices = text.drop_front(at).take_until(
      [](char c) { return c == ']' || c == '\n'; });
  if (!line.consume_front("tile.store ") || text[at] != '[') {
    return std::nullopt;
  }
  StringRef target = line.rsplit(',').second.trim();
  if (!target.starts_with("%") || valueName(target) != target) {
    return std::nullopt;
  }
  return BetterMessage{
      ("a store goes to a claimed piece and has no index: claim first, "
       "%piece = tile.claim " +
       target + indices + "], and store to %piece")
          .str()};
}

/// `tile.store %v, %p : !P` of what is no piece, at the op.
static std::optional<BetterMessage> unclaimedStore(StringRef message,
                                                   StringRef text, size_t at) {
  StringRef op = text.drop_front(at).take_until(
      [](char c) { return c == '\n' || c == ':'; });
  StringRef target = valueName(op.split(',').second.ltrim());
  if (!op.starts_with("tile.store") || !target.starts_with("%")) {
    return std::nullopt;
  }
  if (message.starts_with("!tile.tensor<")) {
    return BetterMessage{
        ("a store goes to a claimed piece, not to a tensor: first %p = "
         "tile.partition " +
         target + " by [...], then %piece = tile.claim %p[...]")
            .str()};
  }
  bool isClaimed =
      llvm::any_of(ArrayRef{", own", ", out", ", raw"},
                   [&](StringRef m) { return message.contains(m); });
  if (!message.starts_with("!tile.partition<") || !isClaimed) {
    return std::nullopt;
  }
  return BetterMessage{
      ("a store goes to a claimed piece, not to a partition: claim first, "
       "%piece = tile.claim " +
       target + "[...], and store to %piece")
          .str()};
}

std::optional<BetterMessage> betterMessage(StringRef message, StringRef text,
                                           size_t at) {
  // What is missed is missed at the end of what came before.
  at = std::min(text.find_first_not_of(' ', at), text.size());
  if (message.starts_with("expected ")) {
    if (auto better = slashesMessage(text, at)) {
      return better;
    }
  }
  if (at == text.size()) {
    return std::nullopt;
  }
  if (message == "expected ':'") {
    return indexedStore(text, at);
  }
  if (message == "invalid SSA name" || message.starts_with("expected ")) {
    return operatorMessage(text, at);
  }
  if (message.consume_front("'piece' must be the capability to one tile of a "
                            "tensor, but got '")) {
    return unclaimedStore(message, text, at);
  }
  return std::nullopt;
}

//===-- Yields ------------------------------------------------------------===//

/// "one index", "index and f32", "nothing".
static std::string typesText(TypeRange types) {
  if (types.empty()) {
    return "nothing";
  }
  std::string out = types.size() == 1 ? "one " : "";
  llvm::raw_string_ostream os(out);
  for (auto [i, type] : llvm::enumerate(types)) {
    os << (i == 0 ? "" : i + 1 == types.size() ? " and " : ", ") << type;
  }
  return out;
}

/// The yield that a region ends with; null when it has none.
static scf::YieldOp yieldOf(Region &region) {
  return region.hasOneBlock() && !region.front().empty()
             ? dyn_cast<scf::YieldOp>(region.front().back())
             : nullptr;
}

std::optional<YieldMessage> yieldMessage(Operation *op, StringRef message) {
  if (!isa<scf::ForOp, scf::IfOp>(op) ||
      !(message.contains("along control flow edge") ||
        message.contains("yielded value") ||
        message.contains("must have an else block"))) {
    return std::nullopt;
  }
  std::string wanted = typesText(op->getResultTypes());
  for (Region &region : op->getRegions()) {
    if (region.empty() && isa<scf::IfOp>(op) && op->getNumResults() > 0) {
      return YieldMessage{"the scf.if must have an else branch that yields " +
                          wanted};
    }
    scf::YieldOp yield = yieldOf(region);
    if (!yield || yield->getOperandTypes() == op->getResultTypes()) {
      continue;
    }
    const char *part = isa<scf::ForOp>(op)             ? "body"
                       : region.getRegionNumber() == 0 ? "then branch"
                                                       : "else branch";
    return YieldMessage{
        (Twine("the ") + part + " must yield " + wanted + ", and yields " +
         typesText(yield->getOperandTypes()))
            .str(),
        // One that is not written has the place of the whole op.
        textLocation(yield->getLoc()) == textLocation(op->getLoc())
            ? nullptr
            : yield.getOperation()};
  }
  return std::nullopt;
}

} // namespace girih::tile
