// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Source.h"
#include "Recording.h"
#include <fstream>
#include <iterator>
#include <optional>
#include <regex>

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
/// A statement's text, on one line, and its lines.
struct Text {
  std::string text;
  unsigned first, last;
};
/// Walks a text once; braces open a block of statements, or a list.
class Reader {
public:
  explicit Reader(const std::string &text) : text(text) {}

  std::vector<Text> run() {
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
      found.push_back({std::move(top().text), top().first, line});
    }
    top() = {};
  }
  const std::string &text;
  size_t at = 0;
  unsigned line = 1;
  std::vector<Block> blocks{1};
  std::vector<Text> found;
};

/// std::regex recurses once a character: no name is worth a stack.
constexpr size_t longest = 2000;

/// One value, of calls that are the language's.
bool isPlain(const std::string &expression) {
  static const std::regex call(R"(([\w.]*\w)(<[^()]*?>)?\()");
  if (expression.size() > longest ||
      expression.find('[') != std::string::npos) { // a lambda
    return false;
  }
  int depth = 0;
  for (size_t k = 0; k < expression.size(); ++k) {
    depth += (expression[k] == '(') - (expression[k] == ')');
    if (depth == 0 && expression[k] == '=') {
      char before = k ? expression[k - 1] : ' ';
      char after = k + 1 < expression.size() ? expression[k + 1] : ' ';
      if (after != '=' &&
          std::string("=<>!").find(before) == std::string::npos) {
        return false; // a second declaration
      }
    }
  }
  for (std::sregex_iterator it(expression.begin(), expression.end(), call), end;
       it != end; ++it) {
    std::string name = (*it)[1];
    name = name.substr(name.rfind(':') + 1);
    if (!functionsOfTheLanguage().count(name)) {
      return false;
    }
  }
  return true;
}
/// What a statement names, if anything.
std::optional<Statement> read(const Text &statement) {
  // Attributes in front of declarations are left out.
  static const std::regex loop(
      R"(^for \((?:\[\[\w+\]\] )?[\w:<> ]*?(\w+) : range(Of.*)?\()");
  static const std::regex bound(
      R"(^(?:\[\[\w+\]\] )?(?:const )?auto \[([\w, ]+)\] =)");
  static const std::regex value(
      R"(^(?:\[\[\w+\]\] )?(?:(?:const )?[\w:]+(?:<[^=;]*>)?(?: | ?& ?))?)"
      R"((?:\w+\.)*(\w+) [-+*/%&|^]?=(?!=))");
  std::smatch match;
  Statement s{statement.first, statement.last, {}, false, false};
  std::string head = statement.text.substr(0, longest);
  if (std::regex_search(head, match, loop)) {
    s.names = {match[1]};
    s.isLoop = true;
  } else if (std::regex_search(head, match, bound)) {
    std::string word;
    for (char c : match[1].str() + ",") {
      if (c == ',') {
        s.names.push_back(word);
        word.clear();
      } else if (c != ' ') {
        word += c;
      }
    }
  } else if (std::regex_search(head, match, value)) {
    s.names = {match[1]};
  } else {
    return std::nullopt;
  }
  s.isPlain = isPlain(statement.text.substr(match.position() + match.length()));
  return s;
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
      for (Text &statement : Reader(text).run()) {
        it->second.push_back({std::move(statement), false, std::nullopt});
      }
    }
    for (Entry &e : it->second) {
      if (e.text.first <= place.line() && place.line() <= e.text.last) {
        if (!e.isRead) {
          e.isRead = true;
          e.statement = read(e.text);
        }
        if (e.statement) {
          return &*e.statement;
        }
      }
    }
    return nullptr;
  }

private:
  /// Of a file with many kernels the statements of one are read.
  struct Entry {
    Text text;
    bool isRead;
    std::optional<Statement> statement;
  };
  std::map<std::string, std::vector<Entry>> files;
};
} // namespace

std::vector<Statement> statementsOf(const std::string &text) {
  std::vector<Statement> found;
  for (const Text &statement : Reader(text).run()) {
    if (std::optional<Statement> s = read(statement)) {
      found.push_back(std::move(*s));
    }
  }
  return found;
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

/// A run of ops that have the place of their use: where it ends, whether one
/// has several operands, and whether `last` is among those. It is then no
/// name's value, for which of several operands was recorded last is the
/// compiler's choice.
struct Run {
  size_t end;
  bool isJoined, usesLast;
};
static Run placedByUse(const Body &body, size_t at, Value last) {
  Run run{at, false, false};
  for (; run.end < body.ops.size() && body.ops[run.end].isPlacedByUse;
       ++run.end) {
    const std::vector<Value> &operands = body.ops[run.end].operands;
    run.isJoined |= operands.size() > 1;
    run.usesLast |=
        std::find(operands.begin(), operands.end(), last) != operands.end();
  }
  return run;
}

void nameFromSource(Recording &r) {
  Files files;
  for (Body &body : r.bodies) {
    const Statement *current = nullptr;
    Value last = -1;
    auto finish = [&] {
      if (current && last >= 0 && current->isPlain && !current->isLoop &&
          current->names.size() == 1) {
        r.values[last].name = current->names[0];
        r.values[last].isNamed = true;
      }
      last = -1;
    };
    for (size_t k = 0; k < body.ops.size(); ++k) {
      Op &op = body.ops[k];
      const Statement *s = files.at(op.at);
      if (s != current && op.isPlacedByUse) {
        auto [end, isJoined, usesLast] = placedByUse(body, k, last);
        last = isJoined && usesLast ? -1 : last;
        bool isOfUse = end < body.ops.size() && files.at(body.ops[end].at) == s;
        if (isJoined && !isOfUse) {
          k = end - 1;
          continue;
        }
      }
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
