// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The gate before ptxas: the PTX that the back end made is read, and what it
// touches and how it synchronises is proved to be what the verified kernel may
// do. Certificates are found by whoever calls, and judged by proofs/.

#ifndef GIRIH_LOWER_PTX_VALIDATE_H
#define GIRIH_LOWER_PTX_VALIDATE_H

#include "lower/ptx/Expected.h"
#include "proofs/Certificate.h"

#include <functional>

namespace girih::ptx {

/// Finds a certificate, or nothing; nobody believes it.
using FindCertificate = std::function<std::optional<proofs::Certificate>(
    const proofs::Obligation &)>;

/// What was proved of an entry point, for whoever judges it again.
struct Proof {
  std::vector<proofs::Obligation> obligations;
  std::vector<proofs::Certificate> certificates; ///< one for each
  std::string accesses; ///< what is touched, an access a line: for a reader
};

/// Why there is no proof.
struct Refusal {
  size_t line = 0;  ///< of the PTX, or of none: 0
  std::string rule; ///< `ptx.bounds`: the rule of an obligation; or `ptx.form`
  std::string message;
  /// The obligation that has no certificate, in its text form; or empty.
  std::string obligation;
};

/// Proves the entry point, or says why not. Every entry point of the module has
/// to be validated: one that is not named here is an error.
std::variant<Proof, Refusal> validate(std::string_view ptx,
                                      const Expected &expected,
                                      const FindCertificate &find);

/// The obligations of the entry point, without asking for certificates.
std::variant<Proof, Refusal> obligationsOf(std::string_view ptx,
                                           const Expected &expected);

} // namespace girih::ptx

#endif // GIRIH_LOWER_PTX_VALIDATE_H
