// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a green verdict rests on: all that could be wrong without a test of
// this kernel turning red.

#ifndef GIRIH_CHECKER_REPORT_TRUST_H
#define GIRIH_CHECKER_REPORT_TRUST_H

#include "checker/decide/Verify.h"

#include "llvm/Support/JSON.h"

namespace girih::checker {

struct Trusted {
  enum class When {
    Desk,   ///< not with the theorem of the kernel, see `--coq`
    Coq,    ///< with the theorem only
    Always, ///< with both
    Launch, ///< with both, and only where the kernel is compiled and launched
  };
  const char *name; ///< a word
  const char *text;
  When when;
};

/// Those of spec/Trust.def; empty when nothing is claimed of the kernel.
std::vector<Trusted> trusted(const Verdict &v);

/// The list, as text.
void printTrust(const Verdict &v, llvm::raw_ostream &os);

/// `{"desk": [names], "coq": [names], "optOuts": [{form, text, location}]}`;
/// under "coq" nothing where the theory has no theorem of the kernel.
llvm::json::Object trustToJson(const Verdict &v);

} // namespace girih::checker

#endif // GIRIH_CHECKER_REPORT_TRUST_H
