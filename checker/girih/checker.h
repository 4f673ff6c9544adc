// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Verifies kernels for every launch that their contracts admit. What
/// `tile-verify` does, with results as plain data.

#ifndef GIRIH_CHECKER_H
#define GIRIH_CHECKER_H

#include "girih/expected.h"

#include <memory>

namespace girih {

/// How much is done to decide a kernel. The defaults are those of
/// `tile-verify`; no budget is in seconds, so that a verdict does not depend on
/// the machine.
struct VerifyOptions {
  /// Bits of `index`: 8 to 64.
  unsigned indexWidth = 64;
  /// The text of a certificate file. Without one, a file NAME.mlir is verified
  /// with NAME.cert beside it, if there is one. Nobody trusts certificates:
  /// each is judged, and one that proves nothing is searched for again.
  std::optional<std::string> certificates;
  /// False: certificates beside the file are not read.
  bool stored = true;
  /// False: only certificates are judged; what they leave open is UNKNOWN. No
  /// solver is needed. True: libgirih_search.so is opened where certificates
  /// are missing; `Error::Kind::Missing` if it is not installed.
  bool search = true;
  /// What a search may cost, in steps of some microseconds.
  std::uint64_t steps = 150'000;
  /// Puts every obligation to Z3 as well, see `KernelVerdict::disagreements`.
  bool crossCheck = false;
  /// Looks for the launch condition under which a kernel that is not VERIFIED
  /// would be; told as a note `help`.
  bool suggest = true;
  /// How many threads search for certificates.
  unsigned threads = 1;
};

/// What is known of a kernel.
enum class Verdict {
  /// The judge accepted a certificate for every obligation.
  Verified,
  /// A launch that the contract admits breaks a rule; the reference executor
  /// has run it.
  Refuted,
  /// Neither.
  Unknown,
  /// No launch with extents and grid of at least 1 meets the contract.
  Unsatisfiable,
};

/// `VERIFIED`, `REFUTED`, `UNKNOWN` or `UNSATISFIABLE`.
GIRIH_EXPORT const char *verdictName(Verdict verdict);

/// What is known of one obligation.
enum class ObligationStatus {
  Proved,  ///< the judge accepted its certificate
  Refuted, ///< a counterexample breaks it
  Unknown, ///< neither
  Blocked, ///< it rests on an obligation that is not proved
};

/// Something that the kernel must keep at every launch.
struct Obligation {
  std::string rule;     ///< by its name in spec/Rules.def: `claim.bounds`
  std::string label;    ///< which instance of it: `axis 0, upper`
  std::string location; ///< `file:line:column`
  /// The formula: variables, definitions, hypotheses and goal, in the text form
  /// of proofs/README.md.
  std::string text;
  /// SHA-256 of rule and formula, by which certificate files know it; 64
  /// hexadecimal digits.
  std::string hash;
  ObligationStatus status = ObligationStatus::Unknown; ///< what is known of it
  std::string certificate; ///< in its text form; empty unless proved
  std::string reason;      ///< why it is not proved; or empty
};

/// A launch that breaks a rule.
struct Counterexample {
  std::size_t obligation = 0; ///< its number in `KernelVerdict::obligations`
  std::string rule;           ///< the rule that is broken
  /// A value for each launch symbol, in the order of the contract.
  std::vector<std::pair<std::string, std::int64_t>> symbols;
  std::vector<std::int64_t> grid; ///< blocks along each axis
  /// What integer tensors hold, by name and in row-major order, as far as it
  /// matters; others may hold anything.
  std::map<std::string, std::vector<std::int64_t>> contents;
  std::vector<std::int64_t> block; ///< the block that breaks the rule
  std::vector<std::int64_t> trips; ///< of its loops, outermost first, from 0
  std::vector<std::int64_t>
      otherBlock; ///< of a clash: the other block; or empty
  std::vector<std::int64_t> otherTrips; ///< of the other block's loops
  std::string tensor;                   ///< the tensor concerned; or empty
  std::vector<std::int64_t> element;    ///< its first element concerned
  std::string message; ///< what the block does: `claims rows 128..255 of 1`
  std::string replay;  ///< the command that shows it: `tile-exec ...`
};

/// Something that a kernel asks to be believed.
struct OptOut {
  /// `raw` for such a tensor, `trust` for `tile.trust`, `given` for an assumed
  /// fact about contents.
  std::string form;
  std::string text;     ///< what is believed
  std::string location; ///< `file:line:column`
};

/// One kernel of a file.
struct KernelVerdict {
  std::string name;                    ///< without `@`
  std::string variants;                ///< the list that names it; or empty
  Verdict verdict = Verdict::Unknown;  ///< what is known of it
  std::vector<Obligation> obligations; ///< in program order
  std::vector<Counterexample> counterexamples; ///< of a REFUTED kernel
  std::vector<Diagnostic> diagnostics;         ///< why it is not VERIFIED
  std::size_t diagnosticsLeftOut = 0; ///< beyond the first 1000 of the file
  /// A launch that meets the contract, every extent and the grid at least 1.
  std::optional<std::vector<std::pair<std::string, std::int64_t>>> model;
  /// What a VERIFIED kernel rests on; `tile-verify` exits with 2 for these.
  std::vector<OptOut> optOuts;
  /// How each `out` tensor is covered, for a reader.
  std::vector<std::string> witnesses;
  /// Obligations on which judge and Z3 disagree, with `crossCheck`: an error in
  /// Girih.
  std::vector<std::size_t> disagreements;
  /// SHA-256 of the kernel's text, of a VERIFIED kernel: the same as in the
  /// manifest of its artefact.
  std::string digest;
  /// What `tile-verify` prints: diagnostics with source lines, and the verdict.
  std::string text;
};

/// The kernels of a file, all of them VERIFIED: what `girih/compiler.h` takes.
/// Only `verify` makes one. It may be used by several threads.
class VerifiedKernels {
public:
  /// What the library keeps of them.
  struct Impl;
  /// For the library alone: nobody else has an Impl.
  explicit VerifiedKernels(std::shared_ptr<Impl> impl);
  /// For the library alone.
  Impl &get() const { return *impl; }

private:
  std::shared_ptr<Impl> impl;
};

/// What became of a file.
struct Verification {
  std::vector<KernelVerdict> kernels; ///< in the order of the file's list
  /// The certificates of all proved obligations, and the models, as a
  /// certificate file: what `tile-verify --save` writes to NAME.cert.
  std::string certificates;
  /// Set when every kernel is VERIFIED, with an `index` of 64 bits.
  std::optional<VerifiedKernels> verified;
};

/// Reads and verifies the kernels of a file. An error if the source cannot be
/// read or is malformed, certificates do not parse, an option is out of range,
/// or the search is needed and not installed. A kernel that breaks its rules is
/// no error but REFUTED. May be called from several threads.
GIRIH_EXPORT Expected<Verification> verify(const Source &source,
                                           const VerifyOptions &options = {});

} // namespace girih

#endif // GIRIH_CHECKER_H
