// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "checker/report/Output.h"
#include "checker/decide/Replay.h"
#include "checker/report/Trust.h"
#include "ir/types/Diagnose.h"

namespace json = llvm::json;

namespace girih::checker {

std::string title(const Checked &c) {
  bool listed = c.file && !c.file->list.empty();
  return c.path +
         (listed ? " @" + tile::KernelOp(c.file->kernel).getSymName().str()
                 : "");
}

std::string leftOutText(const Checked &c) {
  return c.leftOut == 0 ? ""
                        : tile::counted(c.leftOut, "more diagnostic is",
                                        "more diagnostics are") +
                              " left out";
}

int exitCode(const Verdict &v, bool allowTrust) {
  if (!v.disagreements.empty()) {
    return 1;
  }
  switch (v.kind) {
  case VerdictKind::Verified:
    return v.optOuts.empty() || allowTrust ? 0 : 2;
  case VerdictKind::Refuted:
    return 1;
  case VerdictKind::Unknown:
    return 2;
  case VerdictKind::Unsatisfiable:
    return 3;
  }
  return 3;
}

std::vector<std::pair<Rule, unsigned>> census(const Verdict &v) {
  std::map<Rule, unsigned> counts;
  for (const Vc &o : v.vcs) {
    ++counts[o.rule];
  }
  return {counts.begin(), counts.end()};
}

static unsigned count(const Verdict &v, Status s) {
  return llvm::count_if(v.findings,
                        [&](const Finding &f) { return f.status == s; });
}

void printText(const Checked &c, llvm::raw_ostream &os) {
  for (const Diagnostic &d : c.diagnostics) {
    print(*c.file, c.path, d, os);
  }
  if (std::string more = leftOutText(c); !more.empty()) {
    os << title(c) << ": note: " << more << "\n";
  }
  const Verdict &v = c.verdict;
  os << verdictName(v.kind) << " " << title(c) << ": "
     << count(v, Status::Proved) << " of "
     << tile::counted(v.vcs.size(), "obligation", "obligations")
     << " certified";
  tile::KernelOp kernel = c.file->kernel;
  llvm::ListSeparator comma(", ");
  if (v.kind == VerdictKind::Verified) {
    auto symbols = kernel.getLaunchSymbols();
    os << (symbols.empty() ? "" : ", for all ");
    for (const tile::LaunchSymbol &s : symbols) {
      os << comma << s.name.getValue();
    }
  }
  os << "\n";
  for (const OptOut &o :
       v.kind == VerdictKind::Verified ? v.optOuts : std::vector<OptOut>()) {
    os << "  resting on " << optOutText(o) << "\n";
  }
}

/// A path, or what holds one, may be any bytes; JSON is UTF-8.
static std::string utf8(llvm::StringRef text) { return json::fixUTF8(text); }

static json::Array numbers(llvm::ArrayRef<int64_t> values) {
  return json::Array(values);
}

static json::Object
bindings(llvm::ArrayRef<std::pair<std::string, int64_t>> symbols) {
  json::Object out;
  for (auto &[name, value] : symbols) {
    out[name] = value;
  }
  return out;
}

static json::Object toJson(const Checked &c, const Counterexample &x,
                           Width width) {
  json::Object out{{"obligation", static_cast<int64_t>(x.obligation)},
                   {"rule", ruleName(x.fault.rule)},
                   {"symbols", bindings(x.symbols)},
                   {"grid", numbers(x.grid)},
                   {"block", numbers(x.fault.block)},
                   {"element", numbers(x.fault.element)},
                   {"message", x.fault.message},
                   {"replay", utf8(replayCommand(x, *c.file, c.path, width))}};
  if (!x.fault.otherBlock.empty()) {
    out["otherBlock"] = numbers(x.fault.otherBlock);
  }
  if (x.fault.tensor >= 0) {
    tile::KernelOp kernel = c.file->kernel;
    out["tensor"] = kernel.getArgName(x.fault.tensor);
  }
  if (!x.contents.empty()) {
    json::Object contents;
    for (auto &[name, list] : x.contents) {
      contents[name] = numbers(list);
    }
    out["contents"] = std::move(contents);
  }
  auto tripsOf = [](auto &iterations) {
    json::Array trips;
    for (auto &[op, trip] : iterations) {
      trips.push_back(trip);
    }
    return trips;
  };
  out["trips"] = tripsOf(x.fault.iterations);
  if (!x.fault.otherBlock.empty()) {
    out["otherTrips"] = tripsOf(x.fault.otherIterations);
  }
  return out;
}

static json::Object toJson(const SourceRange &r) {
  return json::Object{
      {"line", r.line}, {"column", r.column}, {"columns", r.columns}};
}

static json::Object toJson(const tile::ShownPlace &p) {
  json::Object out{
      {"file", utf8(p.file)}, {"line", p.line}, {"column", p.column}};
  if (p.text) {
    out["text"] = utf8(*p.text);
  }
  return out;
}

static json::Object toJson(const Diagnostic &d) {
  json::Array notes;
  for (auto &[kind, text] : d.notes) {
    notes.push_back(json::Object{{"kind", kind}, {"text", utf8(text)}});
  }
  bool isError = d.severity == Diagnostic::Severity::Error;
  json::Object out{{"severity", isError ? "error" : "warning"},
                   {"rule", ruleName(d.rule)},
                   {"message", d.message},
                   {"at", toJson(d.at)},
                   {"notes", std::move(notes)}};
  if (d.other) {
    out["other"] = toJson(*d.other);
  }
  if (d.origin) {
    out["origin"] = toJson(*d.origin);
  }
  if (d.otherOrigin) {
    out["otherOrigin"] = toJson(*d.otherOrigin);
  }
  return out;
}

json::Object toJson(const Checked &c, Width width) {
  const Verdict &v = c.verdict;
  tile::KernelOp kernel = c.file->kernel;
  json::Object rules;
  for (auto &[rule, n] : census(v)) {
    rules[ruleName(rule)] = n;
  }
  json::Object out{{"file", utf8(c.path)},
                   {"kernel", kernel.getSymName()},
                   {"verdict", verdictName(v.kind)},
                   {"indexWidth", width.bits},
                   {"obligations",
                    json::Object{{"total", static_cast<int64_t>(v.vcs.size())},
                                 {"proved", count(v, Status::Proved)},
                                 {"refuted", count(v, Status::Refuted)},
                                 {"unknown", count(v, Status::Unknown)},
                                 {"blocked", count(v, Status::Blocked)}}},
                   {"rules", std::move(rules)},
                   {"seconds", c.seconds}};
  if (!c.file->list.empty()) {
    out["variants"] = c.file->list;
  }
  if (v.model) {
    out["model"] = bindings(*v.model);
  }
  if (v.verified) {
    out["digest"] = v.verified->digest();
  }
  out["trust"] = trustToJson(v);
  out["witnesses"] = json::Array(v.witnesses);
  json::Array diagnostics, counterexamples;
  for (const Diagnostic &d : c.diagnostics) {
    diagnostics.push_back(toJson(d));
  }
  for (const Counterexample &x : v.counterexamples) {
    counterexamples.push_back(toJson(c, x, width));
  }
  out["diagnostics"] = std::move(diagnostics);
  if (c.leftOut != 0) {
    out["diagnosticsLeftOut"] = static_cast<int64_t>(c.leftOut);
  }
  out["counterexamples"] = std::move(counterexamples);
  return out;
}

void dumpObligations(const Checked &c, llvm::raw_ostream &os) {
  for (size_t i = 0; i < c.verdict.vcs.size(); ++i) {
    const Finding *f =
        i < c.verdict.findings.size() ? &c.verdict.findings[i] : nullptr;
    os << "# " << i << " " << (f ? statusName(f->status) : "not tried") << " "
       << obligationHash(c.verdict.vcs[i].obligation) << "\n"
       << proofs::print(c.verdict.vcs[i].obligation);
  }
}

} // namespace girih::checker
