// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "checker/decide/Verified.h"
#include "checker/decide/Verify.h"

#include "ir/text/Print.h"
#include "ir/types/Diagnose.h"
#include "runtime/artefact/Sha256.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"

namespace girih::checker {

std::string sha256(llvm::StringRef bytes) { return runtime::sha256(bytes); }

/// Visits ops, each before what is in it, and the arguments of their regions.
template <typename OnOp, typename OnArgument>
static void walk(mlir::Operation *top, OnOp onOp, OnArgument onArgument) {
  top->walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
    onOp(op);
    for (mlir::Region &region : op->getRegions()) {
      llvm::for_each(region.getArguments(), onArgument);
    }
  });
}

SealedText::SealedText(tile::KernelOp kernel) {
  mlir::OwningOpRef<mlir::ModuleOp> module =
      mlir::ModuleOp::create(kernel.getLoc());
  module->push_back(kernel->clone());
  text = tile::printText(*module);
  digest = sha256(text);
  walk(
      *module, [&](mlir::Operation *op) { places.push_back(op->getLoc()); },
      [&](mlir::BlockArgument a) { places.push_back(a.getLoc()); });
}

static std::string notTheText(const std::string &digest) {
  return "this is not the kernel that was judged, whose digest is " + digest;
}

std::variant<OpenedKernel, std::string> VerifiedKernel::open() const {
  if (sha256(sealed.text) != sealed.digest) {
    return notTheText(sealed.digest);
  }
  mlir::MLIRContext *context = sealed.places.front().getContext();
  std::string said;
  mlir::ScopedDiagnosticHandler handler(context, [&](mlir::Diagnostic &d) {
    said += said.empty() ? ": " + d.str() : "";
    return mlir::success();
  });
  OpenedKernel opened{
      mlir::parseSourceString<mlir::ModuleOp>(sealed.text, context)};
  if (!opened.module || !llvm::hasSingleElement(*opened.module->getBody()) ||
      !mlir::isa<tile::KernelOp>(opened.module->getBody()->front())) {
    return "the text that was judged does not read back" + said;
  }
  if (tile::printText(*opened.module) != sealed.text) {
    return notTheText(sealed.digest);
  }
  // The text has no locations, so these are all that it differs in.
  size_t next = 0;
  auto place = [&](auto at) {
    if (next < sealed.places.size()) {
      at(sealed.places[next]);
    }
    ++next;
  };
  walk(
      *opened.module,
      [&](mlir::Operation *op) {
        place([&](mlir::Location l) { op->setLoc(l); });
      },
      [&](mlir::BlockArgument a) {
        place([&](mlir::Location l) { a.setLoc(l); });
      });
  if (next != sealed.places.size()) {
    return notTheText(sealed.digest);
  }
  return opened;
}

std::optional<std::string>
VerifiedKernel::rejudge(tile::KernelOp kernel) const {
  Generated generated = generate(kernel, Width());
  if (generated.vcs.size() != obligations.size()) {
    return "the kernel has " +
           tile::counted(generated.vcs.size(), "obligation", "obligations") +
           ", " + tile::counted(obligations.size(), "was", "were") + " judged";
  }
  std::vector<proofs::Obligation> vc;
  std::vector<const proofs::Certificate *> certificates;
  for (auto [o, judged] : llvm::zip(generated.vcs, obligations)) {
    if (obligationHash(o.obligation) != judged.hash) {
      return o.obligation.location + ": " + o.obligation.label + " [" +
             o.obligation.rule + "] is not what was judged";
    }
    vc.push_back(std::move(o.obligation));
    certificates.push_back(&judged.certificate);
  }
  std::vector<proofs::CheckResult> rulings = proofs::judge(vc, certificates);
  for (auto [o, ruling] : llvm::zip(vc, rulings)) {
    if (!ruling.accepted) {
      return o.location + ": " + o.label + " [" + o.rule +
             "] has no certificate: " + ruling.reason;
    }
  }
  return std::nullopt;
}

} // namespace girih::checker
