// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "checker/report/Explain.h"
#include "checker/report/Diagnose.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

#include <vector>

using llvm::StringRef;

namespace girih::checker {

namespace {
/// A folder of tests/corpus/girih/rules, which has the name of its rule.
struct RuleKernels {
  StringRef folder, bad, good;
};
} // namespace

static constexpr RuleKernels kernels[] = {
#include "checker/report/RuleKernels.inc"
};

void listRules(llvm::raw_ostream &os) {
  for (Rule rule : allRules()) {
    os << ruleName(rule) << ": " << ruleText(rule) << '\n';
  }
}

static llvm::SmallVector<StringRef> linesOf(StringRef text) {
  llvm::SmallVector<StringRef> lines;
  text.trim('\n').split(lines, '\n');
  return lines;
}

/// The lines that two texts do not share, in order: `-` of the first, `+` of
/// the second.
static void printDifference(StringRef before, StringRef after,
                            llvm::raw_ostream &os) {
  llvm::SmallVector<StringRef> a = linesOf(before), b = linesOf(after);
  // Lengths of the longest common subsequences of the rests.
  std::vector<std::vector<size_t>> common(a.size() + 1,
                                          std::vector<size_t>(b.size() + 1));
  for (size_t i = a.size(); i-- > 0;) {
    for (size_t j = b.size(); j-- > 0;) {
      common[i][j] = a[i] == b[j]
                         ? common[i + 1][j + 1] + 1
                         : std::max(common[i + 1][j], common[i][j + 1]);
    }
  }
  for (size_t i = 0, j = 0; i < a.size() || j < b.size();) {
    if (i < a.size() && j < b.size() && a[i] == b[j]) {
      ++i, ++j;
    } else if (j == b.size() ||
               (i < a.size() && common[i + 1][j] >= common[i][j + 1])) {
      os << "  - " << a[i++] << '\n';
    } else {
      os << "  + " << b[j++] << '\n';
    }
  }
}

bool explainRule(StringRef name, llvm::raw_ostream &os) {
  std::optional<Rule> rule = ruleNamed(name);
  const RuleKernels *shown = llvm::find_if(
      kernels, [&](const RuleKernels &k) { return k.folder == name; });
  if (!rule || shown == std::end(kernels)) {
    return false;
  }
  std::string folder = ("tests/corpus/girih/rules/" + name).str();
  os << name << ": " << ruleText(*rule) << "\nhelp: " << ruleHelp(*rule)
     << "\nrefused: " << folder << "/bad.mlir\n";
  for (StringRef line : linesOf(shown->bad)) {
    os << "    " << line << '\n';
  }
  os << "verified: " << folder << "/good.mlir\n";
  printDifference(shown->bad, shown->good, os);
  return true;
}

std::string similarRules(StringRef name) {
  llvm::SmallVector<std::pair<unsigned, StringRef>> near;
  for (Rule rule : allRules()) {
    StringRef known = ruleName(rule);
    unsigned distance = known.edit_distance(name);
    auto [group, part] = known.split('.');
    // A half that is right leads further than letters that are alike.
    auto [askedGroup, askedPart] = name.split('.');
    bool isHalf = askedGroup == group || askedGroup == part ||
                  askedPart == part || askedPart == group;
    if (isHalf || distance <= 3) {
      near.push_back({distance, known});
    }
  }
  llvm::stable_sort(near, llvm::less_first());
  near.resize(std::min<size_t>(near.size(), 3));
  std::string out;
  for (auto [i, rule] : llvm::enumerate(near)) {
    out += i == 0 ? "" : i + 1 == near.size() ? " or " : ", ";
    out += rule.second;
  }
  return out;
}

} // namespace girih::checker
