// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// girih/checker.h over CheckFile: from internal to plain data.

#include "checker/decide/Replay.h"
#include "checker/generate/Facts.h"
#include "checker/search/SearchLibrary.h"
#include "girih/Kernels.h"
#include "girih/Read.h"
#include "ir/types/Diagnose.h"

namespace girih {

VerifiedKernels::VerifiedKernels(std::shared_ptr<Impl> impl)
    : impl(std::move(impl)) {}

static Verdict plain(checker::VerdictKind kind) {
  switch (kind) {
  case checker::VerdictKind::Verified:
    return Verdict::Verified;
  case checker::VerdictKind::Refuted:
    return Verdict::Refuted;
  case checker::VerdictKind::Unknown:
    return Verdict::Unknown;
  case checker::VerdictKind::Unsatisfiable:
    return Verdict::Unsatisfiable;
  }
  return Verdict::Unknown;
}

static ObligationStatus plain(checker::Status status) {
  switch (status) {
  case checker::Status::Proved:
    return ObligationStatus::Proved;
  case checker::Status::Refuted:
    return ObligationStatus::Refuted;
  case checker::Status::Unknown:
    return ObligationStatus::Unknown;
  case checker::Status::Blocked:
    return ObligationStatus::Blocked;
  }
  return ObligationStatus::Unknown;
}

static SourceRange plain(const checker::SourceRange &r) {
  return {r.line, r.column, r.columns};
}

static std::optional<Origin>
plain(const std::optional<tile::ShownPlace> &place) {
  return place ? std::optional(Origin{place->file, place->line, place->column,
                                      place->text})
               : std::nullopt;
}

static Diagnostic plain(const checker::Diagnostic &d) {
  bool isError = d.severity == checker::Diagnostic::Severity::Error;
  Diagnostic out;
  out.severity =
      isError ? Diagnostic::Severity::Error : Diagnostic::Severity::Warning;
  out.rule = ruleName(d.rule);
  out.message = d.message;
  out.at = plain(d.at);
  if (d.other) {
    out.other = plain(*d.other);
  }
  out.origin = plain(d.origin);
  out.otherOrigin = plain(d.otherOrigin);
  for (auto &[kind, text] : d.notes) {
    out.notes.push_back({kind, text});
  }
  return out;
}

static Obligation plain(const checker::Vc &vc,
                        const checker::Finding *finding) {
  const proofs::Obligation &o = vc.obligation;
  Obligation out;
  out.rule = o.rule;
  out.label = o.label;
  out.location = o.location;
  out.text = proofs::print(o);
  if (!finding) {
    out.hash = checker::obligationHash(o);
    return out;
  }
  out.hash = finding->hash;
  out.status = plain(finding->status);
  out.reason = finding->reason;
  if (finding->status == checker::Status::Proved && finding->certificate) {
    out.certificate = proofs::print(*finding->certificate);
  }
  return out;
}

static std::vector<int64_t>
tripsOf(llvm::ArrayRef<std::pair<mlir::Operation *, int64_t>> iterations) {
  std::vector<int64_t> out;
  for (auto &[op, trip] : iterations) {
    out.push_back(trip);
  }
  return out;
}

static Counterexample plain(const checker::Checked &c,
                            const checker::Counterexample &x,
                            checker::Width width) {
  tile::KernelOp kernel = c.file->kernel;
  const exec::Fault &f = x.fault;
  Counterexample out;
  out.obligation = x.obligation;
  out.rule = ruleName(f.rule);
  out.symbols = x.symbols;
  out.grid = x.grid;
  out.contents = x.contents;
  out.block = f.block;
  out.trips = tripsOf(f.iterations);
  out.otherBlock = f.otherBlock;
  out.otherTrips = tripsOf(f.otherIterations);
  out.tensor = f.tensor < 0 ? "" : kernel.getArgName(f.tensor).str();
  out.element = f.element;
  out.message = f.message;
  out.replay = replayCommand(x, *c.file, c.path, width);
  return out;
}

static KernelVerdict plain(const checker::Checked &c, checker::Width width) {
  const checker::Verdict &v = c.verdict;
  tile::KernelOp kernel = c.file->kernel;
  KernelVerdict out;
  out.name = kernel.getSymName().str();
  out.variants = c.file->list;
  out.verdict = plain(v.kind);
  for (size_t i = 0; i < v.vcs.size(); ++i) {
    out.obligations.push_back(
        plain(v.vcs[i], i < v.findings.size() ? &v.findings[i] : nullptr));
  }
  for (const checker::Counterexample &x : v.counterexamples) {
    out.counterexamples.push_back(plain(c, x, width));
  }
  for (const checker::Diagnostic &d : c.diagnostics) {
    out.diagnostics.push_back(plain(d));
  }
  out.diagnosticsLeftOut = c.leftOut;
  out.model = v.model;
  for (const checker::OptOut &o : v.optOuts) {
    out.optOuts.push_back({o.form, o.text, tile::locationText(o.op->getLoc())});
  }
  out.witnesses = v.witnesses;
  out.disagreements = v.disagreements;
  out.digest = v.verified ? v.verified->digest() : "";
  llvm::raw_string_ostream text(out.text);
  printText(c, text);
  return out;
}

const char *verdictName(Verdict verdict) {
  switch (verdict) {
  case Verdict::Verified:
    return checker::verdictName(checker::VerdictKind::Verified);
  case Verdict::Refuted:
    return checker::verdictName(checker::VerdictKind::Refuted);
  case Verdict::Unknown:
    return checker::verdictName(checker::VerdictKind::Unknown);
  case Verdict::Unsatisfiable:
    return checker::verdictName(checker::VerdictKind::Unsatisfiable);
  }
  return "";
}

/// The certificates that the options give, or that lie beside the file.
static Expected<std::optional<proofs::CertificateFile>>
storedFor(const Source &source, const VerifyOptions &options) {
  std::optional<proofs::CertificateFile> out;
  if (options.certificates) {
    auto parsed = proofs::parseCertificateFile(*options.certificates);
    if (auto *e = std::get_if<proofs::ParseError>(&parsed)) {
      return Error{Error::Kind::Malformed,
                   "certificates:" + std::to_string(e->line) + ": " +
                       e->message};
    }
    out = std::get<proofs::CertificateFile>(std::move(parsed));
  } else if (options.stored && !source.text) {
    std::string failure = checker::readCertificates(source.name, out);
    if (!failure.empty()) {
      return Error{Error::Kind::Malformed, failure};
    }
  }
  return out;
}

static checker::CheckOptions internal(const VerifyOptions &options) {
  checker::CheckOptions out;
  out.verify.width.bits = options.indexWidth;
  out.verify.crossCheck = options.crossCheck;
  out.verify.steps = options.steps;
  out.verify.threads = std::max(1u, options.threads);
  out.suggest = options.suggest;
  out.openSearch = options.search ? checker::openSearch : nullptr;
  return out;
}

Expected<Verification> verify(const Source &source,
                              const VerifyOptions &options) {
  if (options.indexWidth < 8 || options.indexWidth > 64) {
    return Error{Error::Kind::Usage, "an index has 8 to 64 bits, not " +
                                         std::to_string(options.indexWidth)};
  }
  if (options.crossCheck && !options.search) {
    return Error{Error::Kind::Usage, "a cross-check needs the search library"};
  }
  auto impl = std::make_shared<VerifiedKernels::Impl>();
  impl->context = api::makeContext();
  Expected<tile::KernelFiles> files = api::read(*impl->context, source);
  if (!files) {
    return files.error();
  }
  auto stored = storedFor(source, options);
  if (!stored) {
    return stored.error();
  }
  std::string failure;
  impl->kernels =
      checker::checkKernels(std::move(*files), source.name, internal(options),
                            stored->has_value() ? &**stored : nullptr, failure);
  if (!failure.empty()) {
    return Error{Error::Kind::Missing, failure};
  }
  Verification out;
  for (const checker::Checked &c : impl->kernels) {
    out.kernels.push_back(plain(c, checker::Width{options.indexWidth}));
  }
  out.certificates = proofs::print(certificateFile(impl->kernels));
  bool verified = llvm::all_of(impl->kernels, [](const checker::Checked &c) {
    return c.verdict.verified != nullptr;
  });
  if (verified && options.indexWidth == 64) {
    out.verified = VerifiedKernels(std::move(impl));
  }
  return out;
}

} // namespace girih
