// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "checker/report/Sarif.h"

#include "llvm/ADT/StringExtras.h"

namespace json = llvm::json;

namespace girih::checker {

static json::Object text(llvm::StringRef words) {
  return json::Object{{"text", json::fixUTF8(words)}};
}

/// A path as a relative or absolute reference: what a URI may not hold is
/// written as bytes in hexadecimal.
static std::string uri(llvm::StringRef path) {
  std::string out;
  for (unsigned char c : path) {
    if (llvm::isAlnum(c) || llvm::StringRef("-._~/").contains(c)) {
      out += c;
    } else {
      out += "%" + llvm::utohexstr(c, false, 2);
    }
  }
  return out;
}

static json::Object location(llvm::StringRef path, json::Object region) {
  return json::Object{
      {"physicalLocation",
       json::Object{{"artifactLocation", json::Object{{"uri", uri(path)}}},
                    {"region", std::move(region)}}}};
}

static json::Object location(llvm::StringRef path, const SourceRange &at) {
  json::Object region{{"startLine", at.line}, {"startColumn", at.column}};
  if (at.columns != 0) {
    region["endColumn"] = at.column + at.columns;
  }
  return location(path, std::move(region));
}

static json::Object location(const tile::ShownPlace &at) {
  json::Object region{{"startLine", at.line}};
  if (at.column != 0) {
    region["startColumn"] = at.column;
    if (at.columns != 0) {
      region["endColumn"] = at.column + at.columns;
    }
  }
  return location(at.file, std::move(region));
}

static const char *level(const Diagnostic &d) {
  return d.severity == Diagnostic::Severity::Error ? "error" : "warning";
}

/// The message with its notes, a line each.
static std::string messageOf(const Diagnostic &d) {
  std::string out = d.message;
  for (const auto &[kind, words] : d.notes) {
    out += "\n" + kind + ": " + words;
  }
  return out;
}

static json::Object result(const Checked &c, const Diagnostic &d) {
  json::Object out{
      {"ruleId", ruleName(d.rule)},
      {"ruleIndex", static_cast<int64_t>(d.rule)},
      {"level", level(d)},
      {"message", text(messageOf(d))},
      {"locations",
       json::Array{d.origin ? location(*d.origin) : location(c.path, d.at)}}};
  json::Array related;
  auto relate = [&](json::Object where, const char *what) {
    where["message"] = text(what);
    related.push_back(std::move(where));
  };
  if (d.otherOrigin) {
    relate(location(*d.otherOrigin), "the other claim");
  }
  if (d.origin) {
    relate(location(c.path, d.at), "in the text of the kernel");
  }
  if (d.other) {
    relate(location(c.path, *d.other),
           d.otherOrigin ? "the other claim, in the text of the kernel"
                         : "the other claim");
  }
  if (!related.empty()) {
    out["relatedLocations"] = std::move(related);
  }
  return out;
}

json::Object toSarif(llvm::ArrayRef<Checked> all) {
  json::Array rules, results, notifications;
  bool read = true;
  // Where a result looks its rule up: by number.
  for (Rule rule : allRules()) {
    rules.push_back(json::Object{{"id", ruleName(rule)},
                                 {"shortDescription", text(ruleText(rule))},
                                 {"help", text(ruleHelp(rule))}});
  }
  for (const Checked &c : all) {
    if (!c.file) {
      read = false;
      notifications.push_back(json::Object{
          {"level", "error"}, {"message", text(c.path + " is no kernel")}});
    }
    for (const Diagnostic &d : c.diagnostics) {
      results.push_back(result(c, d));
    }
    if (std::string more = leftOutText(c); !more.empty()) {
      notifications.push_back(json::Object{
          {"level", "note"}, {"message", text(title(c) + ": " + more)}});
    }
  }
  json::Object driver{{"name", "tile-verify"}, {"rules", std::move(rules)}};
  json::Object invocation{
      {"executionSuccessful", read},
      {"toolExecutionNotifications", std::move(notifications)}};
  return json::Object{
      {"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
      {"version", "2.1.0"},
      {"runs", json::Array{json::Object{
                   {"tool", json::Object{{"driver", std::move(driver)}}},
                   {"invocations", json::Array{std::move(invocation)}},
                   {"results", std::move(results)}}}}};
}

/// Escapes what ends a workflow command, or a property of one.
static std::string escaped(llvm::StringRef words, bool property) {
  std::string out;
  for (char c : words) {
    bool special = c == '%' || c == '\r' || c == '\n' ||
                   (property && (c == ':' || c == ','));
    if (special) {
      out += "%" + llvm::utohexstr(static_cast<unsigned char>(c), false, 2);
    } else {
      out += c;
    }
  }
  return out;
}

void printGithub(const Checked &c, llvm::raw_ostream &os) {
  for (const Diagnostic &d : c.diagnostics) {
    std::string words = messageOf(d);
    os << "::" << level(d) << " file=";
    if (d.origin) {
      os << escaped(d.origin->file, true) << ",line=" << d.origin->line;
      if (d.origin->column != 0) {
        os << ",col=" << d.origin->column;
      }
      words += "\nin the text of the kernel: " + c.path + ":" +
               std::to_string(d.at.line) + ":" + std::to_string(d.at.column);
    } else {
      os << escaped(c.path, true) << ",line=" << d.at.line
         << ",col=" << d.at.column;
      if (d.at.columns != 0) {
        os << ",endColumn=" << d.at.column + d.at.columns;
      }
    }
    os << ",title=" << escaped(ruleName(d.rule), true)
       << "::" << escaped(words, false) << "\n";
  }
  if (std::string more = leftOutText(c); !more.empty()) {
    os << "::notice file=" << escaped(c.path, true)
       << "::" << escaped(title(c) + ": " + more, false) << "\n";
  }
}

} // namespace girih::checker
