// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "checker/report/Trust.h"
#include "checker/report/Instance.h"
#include "ir/types/Diagnose.h"

#include "llvm/Support/Format.h"

namespace json = llvm::json;

namespace girih::checker {

using When = Trusted::When;

std::vector<Trusted> trusted(const Verdict &v) {
  if (v.kind != VerdictKind::Verified) {
    return {};
  }
  return {
#define TRUSTED(name, when, text) {name, text, When::when},
#include "spec/Trust.def"
  };
}

static bool isBelieved(const Trusted &t, When when) {
  return t.when == when || t.when == When::Always || t.when == When::Launch;
}

static void print(const Verdict &v, When when, llvm::raw_ostream &os) {
  for (const Trusted &t : trusted(v)) {
    if (isBelieved(t, when)) {
      os << llvm::format("  %-10s ", t.name) << t.text << "\n";
    }
  }
  for (const OptOut &o : v.optOuts) {
    os << "  opt-out    " << optOutText(o) << "\n";
  }
  if (v.optOuts.empty()) {
    os << "  opt-outs   none\n";
  }
}

/// Why no theorem of the kernel stands behind the verdict; or empty.
static std::string withoutTheorem(const Verdict &v) {
  if (!v.verified) {
    return "";
  }
  auto opened = v.verified->open();
  auto *kernel = std::get_if<OpenedKernel>(&opened);
  return kernel ? withoutInstance(kernel->kernel())
                : std::get<std::string>(opened);
}

void printTrust(const Verdict &v, llvm::raw_ostream &os) {
  if (trusted(v).empty()) {
    os << "trust: nothing, for nothing is claimed of every launch";
    os << (v.counterexamples.empty()
               ? "\n"
               : "; a counterexample was run and can be run again\n");
    return;
  }
  os << "trust: at the desk this verdict rests on\n";
  print(v, When::Desk, os);
  if (std::string missing = withoutTheorem(v); !missing.empty()) {
    os << "trust: there is no theorem in Coq: " << missing << "\n";
  } else {
    os << "trust: with its theorem in Coq, as --coq prints it, on\n";
    print(v, When::Coq, os);
  }
  os << "trust: on Z3 and the search for certificates, never\n";
}

json::Object trustToJson(const Verdict &v) {
  json::Array desk, coq, optOuts;
  bool mechanised = withoutTheorem(v).empty();
  for (const Trusted &t : trusted(v)) {
    if (isBelieved(t, When::Desk)) {
      desk.push_back(t.name);
    }
    if (mechanised && isBelieved(t, When::Coq)) {
      coq.push_back(t.name);
    }
  }
  for (const OptOut &o :
       trusted(v).empty() ? std::vector<OptOut>() : v.optOuts) {
    optOuts.push_back(json::Object{
        {"form", o.form},
        {"text", o.text},
        {"location", json::fixUTF8(tile::locationText(o.op->getLoc()))}});
  }
  return json::Object{{"desk", std::move(desk)},
                      {"coq", std::move(coq)},
                      {"optOuts", std::move(optOuts)}};
}

} // namespace girih::checker
