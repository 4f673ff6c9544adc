// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "checker/report/Report.h"
#include "checker/report/Html.h"
#include "checker/report/Picture.h"
#include "checker/report/Syntax.h"
#include "checker/report/Trust.h"
#include "ir/types/Diagnose.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"

namespace girih::checker {

static const char *const style = R"css(
:root { color-scheme: light dark; --page: #ffffff; --ink: #1b1f24;
  --dim: #5c6570; --line: #d5dae0; --box: #f5f7f9; --tensor: #e8ecf1;
  --a: #1f6feb; --b: #c2570c; --fault: #c21f64; --ok: #1a7f37;
  --bad: #c62026; --open: #8a6100; --comment: #5c6570; --string: #0a5c36;
  --op: #6639ba; --keyword: #a3155f; --type: #0b5a9d; --symbol: #8a4600;
  --literal: #8a4600; }
@media (prefers-color-scheme: dark) { :root { --page: #12161c;
  --ink: #e4e8ed; --dim: #9aa4b0; --line: #343c47; --box: #1b2129;
  --tensor: #2a323d; --a: #6aa9ff; --b: #f0984d; --fault: #ff6fa5;
  --ok: #4cc26a; --bad: #ff7b72; --open: #d9a93c; --comment: #9aa4b0;
  --string: #7fd4a3; --op: #c8a6ff; --keyword: #ff9ac2; --type: #7dbcff;
  --symbol: #f2b279; --literal: #f2b279; } }
body { background: var(--page); color: var(--ink); margin: 2em auto;
  max-width: 72em; padding: 0 1.2em; font: 15px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.5em; margin: 0; }
h2 { font-size: 1.15em; margin: 2.4em 0 .3em; }
p { margin: .4em 0; }
h2, p { overflow-wrap: anywhere; }
a { color: inherit; }
code, .source, .replay { font: 13px/1.5 ui-monospace, monospace; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; margin: 1em 0; }
th, td { padding: .3em .7em; border-bottom: 1px solid var(--line);
  text-align: right; white-space: nowrap; }
th { font-weight: 600; vertical-align: bottom; color: var(--dim); }
th.rule { writing-mode: vertical-rl; transform: rotate(180deg);
  text-align: left; vertical-align: top; padding: .5em .2em; font-weight: 400; }
th:first-child, td:first-child, td.left, th.left { text-align: left; }
td:first-child { position: sticky; left: 0; background: var(--page); }
@media (max-width: 40em) { td:first-child { max-width: 40vw;
  white-space: normal; overflow-wrap: anywhere; } }
td.none { color: var(--line); }
.badge { font-weight: 700; font-size: .85em; letter-spacing: .03em; }
.VERIFIED { color: var(--ok); } .REFUTED { color: var(--bad); }
.UNKNOWN { color: var(--open); }
.UNSATISFIABLE, .MALFORMED { color: var(--bad); }
.dim { color: var(--dim); }
.source { border: 1px solid var(--line); border-radius: 6px;
  padding: .4em 0; overflow-x: auto; background: var(--page); }
.row { display: flex; white-space: pre; min-width: max-content; }
.number { flex: none; width: 3.4em; padding-right: 1em; text-align: right;
  color: var(--dim); user-select: none; }
.comment { color: var(--comment); font-style: italic; }
.string { color: var(--string); } .op { color: var(--op); }
.keyword { color: var(--keyword); } .type { color: var(--type); }
.symbol { color: var(--symbol); } .literal { color: var(--literal); }
mark span { color: inherit; }
.hot { background: var(--box); }
mark { background: none; color: inherit; font-weight: 700;
  text-decoration: underline wavy 1.5px; text-underline-offset: 3px; }
mark.at { color: var(--a); } mark.other { color: var(--b); }
mark.at.other { color: var(--fault); }
.diagnostic { margin: .3em .8em .6em 3.4em; padding: .5em .9em;
  border-left: 4px solid var(--bad); background: var(--box);
  border-radius: 0 6px 6px 0; font: 14px/1.5 system-ui, sans-serif;
  max-width: 60em; }
.diagnostic.warning { border-color: var(--open); }
.diagnostic.second { border-color: var(--b); }
.origin { margin: .2em 0; overflow-x: auto; }
.diagnostic > p:first-child { font-weight: 600; }
dl { margin: .3em 0; display: grid; grid-template-columns: max-content 1fr;
  gap: .1em .9em; }
dt { color: var(--dim); } dd { margin: 0; overflow-wrap: anywhere; }
.replay { background: var(--page); border: 1px solid var(--line);
  border-radius: 4px; padding: 0 .4em; user-select: all; }
summary { cursor: pointer; color: var(--dim); }
footer { margin-top: 3em; border-top: 1px solid var(--line); padding-top: .6em;
  color: var(--dim); font-size: .9em; }
)css";

static const char *verdictOf(const Checked &c) {
  return c.file ? verdictName(c.verdict.kind) : "MALFORMED";
}

/// The certified obligations, of one rule where one is named.
static unsigned proved(const Verdict &v, std::optional<Rule> rule = {}) {
  unsigned n = 0;
  for (size_t i = 0; i < v.findings.size(); ++i) {
    n += v.findings[i].status == Status::Proved &&
         (!rule || v.vcs[i].rule == *rule);
  }
  return n;
}

static std::string badge(const Checked &c) {
  std::string name = verdictOf(c);
  return "<span class=\"badge " + name + "\">" + name + "</span>";
}

/// The rules of the obligations of some kernel, in the order of spec/Rules.def.
static std::vector<Rule> rulesOf(llvm::ArrayRef<Checked> checked) {
  std::set<Rule> out;
  for (const Checked &c : checked) {
    for (const Vc &o : c.verdict.vcs) {
      out.insert(o.rule);
    }
  }
  return {out.begin(), out.end()};
}

static void tableRow(llvm::raw_ostream &os, const Checked &c, size_t number,
                     llvm::ArrayRef<Rule> rules) {
  os << "<tr><td><a href=\"#k" << number << "\">" << escapeHtml(title(c))
     << "</a></td><td class=\"left\">" << badge(c) << "</td><td>"
     << proved(c.verdict) << " of " << c.verdict.vcs.size() << "</td><td>"
     << llvm::format("%.0f ms", c.seconds * 1000) << "</td>";
  auto counts = census(c.verdict);
  for (Rule rule : rules) {
    auto it = llvm::find_if(counts, [&](auto &p) { return p.first == rule; });
    if (it == counts.end()) {
      os << "<td class=\"none\">&middot;</td>";
      continue;
    }
    unsigned n = proved(c.verdict, rule);
    os << "<td>";
    if (n < it->second) {
      os << n << " of ";
    }
    os << it->second << "</td>";
  }
  os << "</tr>\n";
}

static void verdictTable(llvm::raw_ostream &os,
                         llvm::ArrayRef<Checked> checked) {
  std::vector<Rule> rules = rulesOf(checked);
  os << "<div class=\"scroll\" role=\"region\" aria-label=\"verdicts\" "
        "tabindex=\"0\"><table>\n<tr><th>kernel</th>"
        "<th class=\"left\">verdict</th><th>certified</th><th>time</th>";
  for (Rule rule : rules) {
    os << "<th class=\"rule\" title=\"" << escapeHtml(ruleText(rule)) << "\">"
       << escapeHtml(ruleName(rule)) << "</th>";
  }
  os << "</tr>\n";
  for (auto [i, c] : llvm::enumerate(checked)) {
    tableRow(os, c, i, rules);
  }
  os << "</table></div>\n";
}

namespace {
/// A stretch of one line that is underlined.
struct Mark {
  size_t from = 0, to = 0;
  const char *style = "at";
};
} // namespace

/// A stretch of a line, its tokens in colour.
static void coloured(llvm::raw_ostream &os, llvm::StringRef line, size_t from,
                     size_t to, llvm::ArrayRef<Token> tokens) {
  for (const Token &t : tokens) {
    size_t low = std::max(from, t.from), high = std::min(to, t.to);
    if (low >= high) {
      continue;
    }
    os << escapeHtml(line.slice(from, low)) << "<span class=\""
       << syntaxName(t.kind) << "\">" << escapeHtml(line.slice(low, high))
       << "</span>";
    from = high;
  }
  os << escapeHtml(line.slice(from, to));
}

static void sourceLine(llvm::raw_ostream &os, llvm::StringRef line,
                       unsigned number, llvm::ArrayRef<Mark> marks) {
  os << "<div class=\"row" << (marks.empty() ? "" : " hot")
     << "\"><span class=\"number\">" << number << "</span><span>";
  std::vector<Token> tokens = tokensOf(line);
  std::set<size_t> cuts = {0, line.size()};
  for (const Mark &m : marks) {
    cuts.insert({std::min(m.from, line.size()), std::min(m.to, line.size())});
  }
  for (auto it = cuts.begin(); std::next(it) != cuts.end(); ++it) {
    size_t from = *it, to = *std::next(it);
    std::set<llvm::StringRef> styles;
    for (const Mark &m : marks) {
      if (m.from <= from && to <= m.to) {
        styles.insert(m.style);
      }
    }
    if (!styles.empty()) {
      os << "<mark class=\"" << llvm::join(styles, " ") << "\">";
    }
    coloured(os, line, from, to, tokens);
    os << (styles.empty() ? "" : "</mark>");
  }
  os << "</span></div>\n";
}

static const Counterexample *counterexampleOf(const Verdict &v,
                                              const Diagnostic &d) {
  for (const Counterexample &c : v.counterexamples) {
    if (c.obligation == d.obligation && c.fault.rule == d.rule) {
      return &c;
    }
  }
  return nullptr;
}

/// A place in what the text was made from, with its line.
static void origin(llvm::raw_ostream &os,
                   const std::optional<tile::ShownPlace> &place,
                   const char *what) {
  if (!place) {
    return;
  }
  os << "<p>" << what << "<code>" << escapeHtml(tile::headOf(*place))
     << "</code></p>\n";
  if (place->text) {
    llvm::StringRef line = *place->text;
    auto [column, columns] = tile::underlined(*place);
    size_t from = column - 1, to = from + columns;
    os << "<pre class=\"origin\">" << escapeHtml(line.take_front(from).ltrim())
       << "<mark class=\"at\">" << escapeHtml(line.slice(from, to)) << "</mark>"
       << escapeHtml(line.drop_front(std::min(to, line.size()))) << "</pre>\n";
  } else if (!place->why.empty()) {
    os << "<p class=\"dim\">" << escapeHtml(place->why) << "</p>\n";
  }
}

static void diagnostic(llvm::raw_ostream &os, const Checked &c,
                       const Diagnostic &d, Width width) {
  bool error = d.severity == Diagnostic::Severity::Error;
  os << "<div class=\"diagnostic" << (error ? "" : " warning") << "\"><p>"
     << escapeHtml(d.message) << " <span class=\"dim\">["
     << escapeHtml(ruleName(d.rule)) << "]</span></p>\n";
  origin(os, d.origin, "");
  origin(os, d.otherOrigin, "the other claim: ");
  os << "<dl>\n";
  for (auto &[kind, text] : d.notes) {
    os << "<dt>" << escapeHtml(kind) << "</dt><dd>";
    if (kind == "replay") {
      os << "<span class=\"replay\">" << escapeHtml(text) << "</span>";
    } else {
      os << escapeHtml(text);
    }
    os << "</dd>\n";
  }
  os << "</dl>\n";
  if (const Counterexample *x = counterexampleOf(c.verdict, d)) {
    if (auto picture = pictureOf(*c.file, *x, width)) {
      os << drawPicture(*picture);
    }
  }
  os << "</div>\n";
}

/// The source with every diagnostic under the line that it speaks of.
static void source(llvm::raw_ostream &os, const Checked &c, Width width) {
  const llvm::SourceMgr &sources = c.file->text->sources;
  llvm::StringRef text =
      sources.getMemoryBuffer(sources.getMainFileID())->getBuffer();
  llvm::SmallVector<llvm::StringRef> lines;
  text.rtrim().split(lines, '\n');
  os << "<div class=\"source\">\n";
  for (auto [i, line] : llvm::enumerate(lines)) {
    std::vector<Mark> marks;
    auto mark = [&](const SourceRange &r, const char *name) {
      if (r.line == i + 1 && r.column > 0) {
        size_t from = r.column - 1;
        marks.push_back({from, from + std::max(r.columns, 1u), name});
      }
    };
    for (const Diagnostic &d : c.diagnostics) {
      mark(d.at, "at");
      if (d.other) {
        mark(*d.other, "other");
      }
    }
    sourceLine(os, line.rtrim("\r"), i + 1, marks);
    for (const Diagnostic &d : c.diagnostics) {
      if (d.other && d.other->line == i + 1) {
        os << "<div class=\"diagnostic second\"><p>the other claim ["
           << escapeHtml(ruleName(d.rule)) << "]</p></div>\n";
      }
      if (d.at.line == i + 1) {
        diagnostic(os, c, d, width);
      }
    }
  }
  os << "</div>\n";
}

static std::string
listOf(llvm::ArrayRef<std::pair<std::string, int64_t>> symbols) {
  std::string out;
  for (auto &[name, value] : symbols) {
    out += (out.empty() ? "" : ", ") + name + " = " + std::to_string(value);
  }
  return out;
}

/// Whether every element of an output is written, as far as it is known.
static std::string coverageOf(const Checked &c, unsigned tensor) {
  for (const Counterexample &x : c.verdict.counterexamples) {
    if (x.fault.rule == Rule::OutCovered && x.fault.tensor == int(tensor)) {
      return "is not covered: " + x.fault.headline;
    }
  }
  for (size_t i = 0; i < c.verdict.findings.size(); ++i) {
    const Vc &o = c.verdict.vcs[i];
    if (o.rule == Rule::OutCovered &&
        (o.tensor == int(tensor) || o.tensor < 0) &&
        c.verdict.findings[i].status != Status::Proved) {
      return o.lacksStore ? "is not covered: the kernel has no store to it"
                          : "may not be covered: neither proved nor refuted";
    }
  }
  return "is covered: every element is written";
}

static void coverage(llvm::raw_ostream &os, const Checked &c) {
  if (c.verdict.kind == VerdictKind::Verified) {
    for (const std::string &w : c.verdict.witnesses) {
      os << "<p class=\"dim\">every element is written: <code>" << escapeHtml(w)
         << "</code></p>\n";
    }
    return;
  }
  tile::KernelOp kernel = c.file->kernel;
  for (mlir::BlockArgument arg : kernel.getArguments()) {
    auto type = mlir::dyn_cast<tile::TileTensorType>(arg.getType());
    if (type && type.getMode() == tile::Mode::Out && !type.getPartial() &&
        !c.verdict.findings.empty()) {
      unsigned tensor = arg.getArgNumber();
      os << "<p class=\"dim\"><code>%" << escapeHtml(kernel.getArgName(tensor))
         << "</code> " << escapeHtml(coverageOf(c, tensor)) << "</p>\n";
    }
  }
}

static void summary(llvm::raw_ostream &os, const Checked &c) {
  const Verdict &v = c.verdict;
  tile::KernelOp kernel = c.file->kernel;
  os << "<p>" << proved(v) << " of "
     << tile::counted(v.vcs.size(), "obligation", "obligations")
     << " certified";
  llvm::ListSeparator comma(", ");
  if (v.kind == VerdictKind::Verified && !kernel.getLaunchSymbols().empty()) {
    os << ", for all ";
    for (const tile::LaunchSymbol &s : kernel.getLaunchSymbols()) {
      os << comma << escapeHtml(s.name.getValue());
    }
  }
  os << ".";
  if (v.model && !v.model->empty()) {
    os << " A launch that the contract admits: " << escapeHtml(listOf(*v.model))
       << ".";
  }
  os << "</p>\n";
  coverage(os, c);
  if (v.verified) {
    for (const OptOut &o : v.optOuts) {
      os << "<p>rests on " << escapeHtml(optOutText(o)) << "</p>\n";
    }
    os << "<p class=\"dim\">digest: <code>" << v.verified->digest()
       << "</code></p>\n";
  }
}

static void section(llvm::raw_ostream &os, const Checked &c, size_t number,
                    Width width) {
  os << "<section id=\"k" << number << "\">\n<h2>";
  if (!c.file) {
    os << escapeHtml(c.path) << " " << badge(c)
       << "</h2>\n<p>This file is not a kernel; nothing was checked.</p>\n"
          "</section>\n";
    return;
  }
  tile::KernelOp kernel = c.file->kernel;
  os << "@" << escapeHtml(kernel.getSymName()) << " <span class=\"dim\">"
     << escapeHtml(c.path) << "</span> " << badge(c) << "</h2>\n";
  summary(os, c);
  if (c.diagnostics.empty()) {
    os << "<details><summary>source</summary>\n";
  }
  // A place that is not known has no line to stand under.
  for (const Diagnostic &d : c.diagnostics) {
    if (d.at.line == 0) {
      diagnostic(os, c, d, width);
    }
  }
  if (std::string more = leftOutText(c); !more.empty()) {
    os << "<p>" << more << "</p>\n";
  }
  source(os, c, width);
  if (c.diagnostics.empty()) {
    os << "</details>\n";
  }
  os << "</section>\n";
}

static std::string tally(llvm::ArrayRef<Checked> checked) {
  std::map<std::string, unsigned> counts;
  for (const Checked &c : checked) {
    counts[verdictOf(c)]++;
  }
  std::string out = tile::counted(checked.size(), "kernel", "kernels");
  for (auto &[name, n] : counts) {
    out += ", " + std::to_string(n) + " " + name;
  }
  return out;
}

std::string reportPage(llvm::ArrayRef<Checked> checked, Width width) {
  std::string page;
  llvm::raw_string_ostream os(page);
  os << "<!doctype html>\n<html lang=\"en\">\n<head>\n"
        "<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
        "content=\"width=device-width, initial-scale=1\">\n"
        "<title>Girih: "
     << tally(checked) << "</title>\n<style>" << style << pictureStyle
     << "</style>\n</head>\n<body>\n"
     << pictureDefinitions << "<h1>Girih report</h1>\n<p class=\"dim\">"
     << tally(checked) << ", index of " << width.bits << " bits</p>\n";
  verdictTable(os, checked);
  for (auto [i, c] : llvm::enumerate(checked)) {
    section(os, c, i, width);
  }
  os << "<footer>VERIFIED means that the judge accepted a certificate for "
        "every obligation, for every launch that the contract admits. It asks "
        "you to believe the judge, the generator of obligations and the reader "
        "of kernels; no solver. REFUTED means that the reference executor ran "
        "into the fault; the replay command shows it again.</footer>\n"
        "</body>\n</html>\n";
  return page;
}

} // namespace girih::checker
