// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Source.h"
#include "Recording.h"
#include <fstream>
#include <iterator>
#include <string_view>

namespace girih::kernel::recorder {

/// The functions of the language: of what others return, which op is the last
/// one does not show.
static const std::set<std::string> &functionsOfTheLanguage() {
  static const std::set<std::string> names = {
      "Index",      "Sym",     "abs",       "apply",   "argmax",    "argmin",
      "atan2",      "bitcast", "broadcast", "cat",     "ceil",      "ceildiv",
      "claim",      "compare", "cos",       "cosh",    "dot",       "erf",
      "exp",        "exp2",    "expm1",     "extract", "fill",      "fix",
      "flatten",    "floor",   "fma",       "gather",  "grid",      "gridDim",
      "inside",     "iota",    "lanes",     "load",    "log",       "log1p",
      "log2",       "max",     "maxnum",    "min",     "minnum",    "mma",
      "mmaScaled",  "mulhi",   "narrow",    "pad",     "partition", "permute",
      "pow",        "prod",    "range",     "rangeOf", "reshape",   "round",
      "roundeven",  "rsqrt",   "scanMax",   "scanMin", "scanProd",  "scanSum",
      "shiftRight", "sin",     "sinh",      "slice",   "sqrt",      "sum",
      "tan",        "tanh",    "tiles",     "to",      "transpose", "trunc",
      "umax",       "umin",    "unfold",    "where",   "zeros"};
  return names;
}

namespace {
/// Walks a text once; braces open a block of statements, or a list.
class Reader {
public:
  explicit Reader(const std::string &text) : text(text) {}

  std::vector<Statement> run() {
    for (; at < text.size(); ++at) {
      char c = text[at];
      if (skip()) {
        continue;
      }
      if (c == '\n') {
        ++line;
        add(' ');
      } else if (c == ';' && top().depth == 0) {
        end();
      } else if (c == '{') {
        if (top().text.starts_with("for (")) {
          end();
        }
        blocks.push_back({});
      } else if (c == '}') {
        if (blocks.size() > 1) {
          blocks.pop_back();
        }
        add('@'); // a block or list was here
      } else {
        top().depth += (c == '(') - (c == ')');
        add(c);
      }
    }
    return std::move(found);
  }

private:
  struct Block {
    std::string text;
    unsigned first = 0;
    int depth = 0;
  };
  Block &top() { return blocks.back(); }
  void add(char c) {
    Block &b = top();
    if (b.text.empty() && (c == ' ' || c == '@')) {
      return; // nothing has begun
    }
    if (b.text.empty()) {
      b.first = line;
    }
    b.text += c;
  }
  /// Comments, literals and lines of the preprocessor.
  bool skip() {
    if (text.compare(at, 2, "//") == 0 ||
        (text[at] == '#' && top().text.empty())) {
      while (at + 1 < text.size() && text[at + 1] != '\n') {
        ++at;
      }
      return true;
    }
    if (text.compare(at, 2, "/*") == 0) {
      for (; at < text.size() && text.compare(at, 2, "*/") != 0; ++at) {
        line += text[at] == '\n';
      }
      ++at;
      return true;
    }
    if (text[at] == '"') {
      for (++at; at < text.size() && text[at] != '"'; ++at) {
        at += text[at] == '\\';
      }
      add('"');
      return true;
    }
    return false;
  }
  void end() {
    if (!top().text.empty()) {
      found.push_back({top().first, line, std::move(top().text)});
    }
    top() = {};
  }

  const std::string &text;
  size_t at = 0;
  unsigned line = 1;
  std::vector<Block> blocks{1};
  std::vector<Statement> found;
};

/// Takes the word at the end of a text, or nothing.
std::string_view takeWord(std::string_view &text) {
  size_t from = text.size();
  while (from > 0 && isWord(text[from - 1])) {
    --from;
  }
  std::string_view word = text.substr(from);
  text.remove_suffix(word.size());
  return word;
}
bool take(std::string_view &text, std::string_view end) {
  bool isThere = text.ends_with(end);
  text.remove_suffix(isThere ? end.size() : 0);
  return isThere;
}

/// The name of the function that is called at a parenthesis, with what it is a
/// member of; empty where none is.
std::string_view calledAt(std::string_view text, size_t parenthesis) {
  std::string_view before = text.substr(0, parenthesis);
  if (before.ends_with('>')) {
    // Of the template arguments: they have no parentheses.
    size_t from = before.find_last_of("()") + 1;
    size_t open = before.find('<', from);
    while (open != before.npos && (open == from || !isWord(before[open - 1]))) {
      open = before.find('<', open + 1);
    }
    before = before.substr(0, open == before.npos ? 0 : open);
  }
  size_t from = before.size();
  while (from > 0 && (isWord(before[from - 1]) || before[from - 1] == '.')) {
    --from;
  }
  return before.ends_with('.') ? "" : before.substr(from);
}

/// One value, of calls that are the language's.
bool isPlain(std::string_view expression) {
  if (expression.find('[') != expression.npos) {
    return false; // a lambda
  }
  int depth = 0;
  for (size_t k = 0; k < expression.size(); ++k) {
    depth += (expression[k] == '(') - (expression[k] == ')');
    if (depth == 0 && expression[k] == '=') {
      char before = k ? expression[k - 1] : ' ';
      char after = k + 1 < expression.size() ? expression[k + 1] : ' ';
      if (after != '=' &&
          std::string_view("=<>!").find(before) == std::string_view::npos) {
        return false; // a second declaration
      }
    }
    if (expression[k] == '(') {
      std::string_view name = calledAt(expression, k);
      if (!name.empty() && !functionsOfTheLanguage().count(std::string(name))) {
        return false;
      }
    }
  }
  return true;
}

/// One call, of a function that never gives its argument back.
bool isCall(std::string_view expression) {
  static const std::set<std::string_view> others = {"Index", "Sym", "broadcast",
                                                    "partition", "to"};
  while (expression.starts_with(' ')) {
    expression.remove_prefix(1);
  }
  size_t open = expression.find('(');
  std::string_view name =
      calledAt(expression, std::min(open, expression.size()));
  if (open == expression.npos || name.empty() ||
      name.data() != expression.data() || others.count(name)) {
    return false;
  }
  int depth = 0;
  for (size_t k = open; k < expression.size(); ++k) {
    depth += (expression[k] == '(') - (expression[k] == ')');
    if (depth == 0) {
      return k + 1 == expression.size();
    }
  }
  return false;
}

/// `const std::vector<int> &`, of which the end is what separates it from a
/// name.
bool isType(std::string_view text) {
  if (!take(text, " & ") && !take(text, "& ") && !take(text, " &") &&
      !take(text, "&") && !take(text, " ")) {
    return false;
  }
  text.remove_prefix(text.starts_with("const ") ? 6 : 0);
  size_t name = 0;
  while (name < text.size() && (isWord(text[name]) || text[name] == ':')) {
    ++name;
  }
  std::string_view arguments = text.substr(name);
  return name > 0 && (arguments.empty() ||
                      (arguments.starts_with('<') && arguments.ends_with('>') &&
                       arguments.find(';') == arguments.npos));
}

/// `[[maybe_unused]] ` in front of a declaration.
void takeAttribute(std::string_view &text) {
  size_t end = text.find("]] ");
  if (text.starts_with("[[") && end != text.npos) {
    text.remove_prefix(end + 3);
  }
}

/// `for (Index k : range(`; gives the name, and leaves what follows.
std::string_view takeLoop(std::string_view &text) {
  size_t colon = text.find(" : range");
  if (!text.starts_with("for (") || colon == text.npos) {
    return "";
  }
  std::string_view head = text.substr(5, colon - 5), rest = text.substr(colon);
  takeAttribute(head);
  for (char c : head) {
    if (!isWord(c) && c != ':' && c != '<' && c != '>' && c != ' ') {
      return "";
    }
  }
  size_t open = rest.find('(');
  if (open == rest.npos || (open != 8 && !rest.substr(8).starts_with("Of"))) {
    return "";
  }
  text = rest.substr(open + 1);
  return takeWord(head);
}

/// `auto [i, j] =`; gives the names, and leaves what follows.
std::string_view takeBinding(std::string_view &text) {
  std::string_view head = text;
  head.remove_prefix(head.starts_with("const ") ? 6 : 0);
  size_t end = head.find("] =");
  if (!head.starts_with("auto [") || end == head.npos) {
    return "";
  }
  std::string_view names = head.substr(6, end - 6);
  for (char c : names) {
    if (!isWord(c) && c != ',' && c != ' ') {
      return "";
    }
  }
  text = head.substr(end + 3);
  return names;
}

/// `const auto x =`, `state.x +=`; gives the name, and leaves what follows.
std::string_view takeAssignment(std::string_view &text) {
  size_t sign = text.find('=');
  if (sign == text.npos || text.substr(sign).starts_with("==")) {
    return "";
  }
  std::string_view head = text.substr(0, sign);
  if (!head.empty() &&
      std::string_view("-+*/%&|^").find(head.back()) != head.npos) {
    head.remove_suffix(1);
  }
  if (!take(head, " ")) {
    return "";
  }
  std::string_view name = takeWord(head);
  while (head.ends_with('.')) {
    head.remove_suffix(1);
    if (takeWord(head).empty()) {
      return "";
    }
  }
  if (!head.empty() && !isType(head)) {
    return "";
  }
  text.remove_prefix(sign + 1);
  return name;
}

/// The innermost statement at a line of a file, of files that can be read.
class Files {
public:
  const Statement *at(const Place &place) {
    if (!place.line()) {
      return nullptr;
    }
    auto [it, isNew] = files.try_emplace(place.file_name());
    if (isNew) {
      std::ifstream in(place.file_name());
      std::string text(std::istreambuf_iterator<char>(in), {});
      it->second = statementsOf(text);
    }
    for (Statement &s : it->second) {
      if (s.first <= place.line() && place.line() <= s.last) {
        read(s);
        if (!s.names.empty()) {
          return &s;
        }
      }
    }
    return nullptr;
  }

private:
  std::map<std::string, std::vector<Statement>> files;
};
} // namespace

std::vector<Statement> statementsOf(const std::string &text) {
  return Reader(text).run();
}

// By hand: std::regex took most of the time that recording takes.
void read(Statement &s) {
  if (s.isRead) {
    return;
  }
  s.isRead = true;
  std::string_view rest = s.text;
  takeAttribute(rest);
  if (std::string_view name = takeLoop(rest); !name.empty()) {
    s.names.emplace_back(name);
    s.isLoop = true;
  } else if (std::string_view names = takeBinding(rest); !names.empty()) {
    std::string word;
    for (char c : std::string(names) + ",") {
      if (c == ',') {
        s.names.push_back(word);
        word.clear();
      } else if (c != ' ') {
        word += c;
      }
    }
  } else if (std::string_view name = takeAssignment(rest); !name.empty()) {
    s.names.emplace_back(name);
  }
  s.isPlain = isPlain(rest);
  s.isCall = s.isPlain && isCall(rest);
}

/// Names what a loop carries or a branch merges as what its region yields.
static void nameResults(Recording &r, Op &op) {
  for (size_t k = 0; k < op.results.size(); ++k) {
    std::string name;
    for (const Region &region : op.regions) {
      if (k < region.yields.size() && name.empty()) {
        Value yielded = r.real(region.yields[k]);
        name = r.values[yielded].isNamed ? r.values[yielded].name : "";
      }
    }
    if (name.empty()) {
      continue;
    }
    r.values[op.results[k]].name = name;
    r.values[op.results[k]].isNamed = true;
    size_t first = op.kind == Kind::For ? 1 : 0;
    for (Region &region : op.regions) {
      if (k + first < region.arguments.size()) {
        r.values[region.arguments[k + first]].name = name;
      }
    }
  }
}

/// Of an operator without a place, whose first use may stand in a region.
static bool isUnplaced(const Op &op) {
  return op.isPlacedByUse || !op.at.line();
}

/// Values that take part in an operator of several without a place of its own.
/// It may be of the statement that such a value ends, and then compilers differ
/// in which of its operands they record last: none is what the statement names.
static std::set<Value> joined(const Recording &r, const Body &body) {
  auto isConstant = [&](Value v) {
    const Op *op = r.values[r.real(v)].definition;
    return op &&
           (op->hoist == Hoist::Constant || op->hoist == Hoist::IndexConstant);
  };
  std::set<Value> found;
  for (auto op = body.ops.rbegin(); op != body.ops.rend(); ++op) {
    // Which of those who need it placed a widening is the compiler's choice.
    if (!isUnplaced(*op) && !op->isWidening) {
      continue;
    }
    // -x is 0 - x.
    auto constants =
        std::count_if(op->operands.begin(), op->operands.end(), isConstant);
    bool isJoined = op->operands.size() - constants > 1;
    for (Value v : op->results) {
      isJoined |= found.count(r.real(v)) > 0;
    }
    if (isJoined) {
      for (Value v : op->operands) {
        found.insert(r.real(v));
      }
    }
  }
  return found;
}

void nameFromSource(Recording &r) {
  Files files;
  for (Body &body : r.bodies) {
    const Statement *current = nullptr;
    Value last = -1;
    const std::set<Value> unnamed = joined(r, body);
    auto finish = [&] {
      if (current && last >= 0 && current->isPlain && !current->isLoop &&
          current->names.size() == 1 &&
          (current->isCall || !unnamed.count(r.real(last)))) {
        r.values[last].name = current->names[0];
        r.values[last].isNamed = true;
      }
      last = -1;
    };
    for (Op &op : body.ops) {
      // Between which others it stands is the compiler's choice.
      if (isUnplaced(op)) {
        continue;
      }
      const Statement *s = files.at(op.at);
      if (s != current) {
        finish();
        current = s;
      }
      if (!s) {
        continue;
      }
      bool isMany =
          s->names.size() == op.results.size() && op.results.size() > 1;
      if (op.hoist == Hoist::BlockId) {
        if (size_t(op.rank) < s->names.size()) {
          r.values[op.results[0]].name = s->names[op.rank];
        }
      } else if (op.kind == Kind::For && s->isLoop) {
        r.values[op.regions[0].arguments[0]].name = s->names[0];
      } else if (op.kind == Kind::Plain && isMany) {
        for (size_t k = 0; k < op.results.size(); ++k) {
          r.values[op.results[k]].name = s->names[k];
        }
      } else if (op.kind == Kind::Plain && op.results.size() == 1 &&
                 (op.hoist == Hoist::No || op.hoist == Hoist::TileCount) &&
                 !op.tokens[0].text.starts_with("tile.partition")) {
        last = op.results[0];
      }
    }
    finish();
    // Inner loops end before outer ones; what they carry names what these
    // carry.
    for (auto op = r.regions.rbegin(); op != r.regions.rend(); ++op) {
      nameResults(r, **op);
    }
  }
}

} // namespace girih::kernel::recorder
