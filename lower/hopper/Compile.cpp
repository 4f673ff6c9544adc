// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lower/hopper/Compile.h"
#include "lower/hopper/expected/Expected.h"
#include "lower/hopper/nvvm/Assemble.h"
#include "lower/hopper/nvvm/Ptx.h"
#include "lower/hopper/nvvm/ToLLVM.h"
#include "lower/hopper/verify/Budget.h"

#include "ir/types/Diagnose.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

#include <future>

using namespace mlir;

namespace girih::hopper {

/// The first parameters of an entry point are the arguments. Whoever reads
/// `early` takes it that the kernel waits for the grids before it.
static tileir::LaunchRecipe recipeOf(KernelOp kernel, tile::KernelOp source) {
  tileir::LaunchRecipe out;
  out.threads = kernel.getWarps() * lanes;
  out.sharedBytes = planShared(kernel).bytes;
  if (kernel.getBody().getOps<BeforeDependencyOp>().empty()) {
    return out;
  }
  out.waits = true;
  for (BlockArgument a : kernel.getBody().getArguments()) {
    auto type = dyn_cast<GlobalType>(a.getType());
    if (type && type.getAccess() == Access::Early) {
      out.early.push_back(source.getArgName(a.getArgNumber()).str());
    }
  }
  return out;
}

/// The first schedule that the kernel fits; else the misfit that says most.
static std::variant<Plan, Misfit> match(tile::KernelOp kernel) {
  auto hints = kernel.getHints().getAs<DictionaryAttr>("sm_90");
  auto hint = hints ? hints.getAs<IntegerAttr>("schedule") : nullptr;
  if (hint) {
    int64_t number = hint.getInt();
    return Misfit{kernel.getLoc(), number == 0
                                       ? "its hints say schedule = 0"
                                       : "the hint schedule takes 0, not " +
                                             std::to_string(number)};
  }
  std::optional<Misfit> misfit;
  std::optional<Plan> plan;
  auto attempt = [&](auto matched) {
    if (auto *why = std::get_if<Misfit>(&matched)) {
      if (!misfit || (why->isNear && !misfit->isNear)) {
        misfit.emplace(std::move(*why));
      }
      return false;
    }
    plan = std::get<0>(std::move(matched));
    return true;
  };
  if (attempt(matchGemv(kernel)) || attempt(matchRows(kernel)) ||
      attempt(matchAttentionStep(kernel)) ||
      attempt(matchAttentionSplit(kernel)) ||
      attempt(matchAttentionMerge(kernel)) || attempt(matchSkinny(kernel))) {
    return *plan;
  }
  return *misfit;
}

static void build(OpBuilder &builder, tile::KernelOp kernel, const Plan &plan) {
  if (auto *gemv = std::get_if<Gemv>(&plan)) {
    buildGemv(builder, kernel, *gemv);
  } else if (auto *rows = std::get_if<Rows>(&plan)) {
    buildRows(builder, kernel, *rows);
  } else if (auto *step = std::get_if<AttentionStep>(&plan)) {
    buildAttentionStep(builder, kernel, *step);
  } else if (auto *split = std::get_if<AttentionSplit>(&plan)) {
    buildAttentionSplit(builder, kernel, *split);
  } else if (auto *merge = std::get_if<AttentionMerge>(&plan)) {
    buildAttentionMerge(builder, kernel, *merge);
  } else {
    buildSkinny(builder, kernel, std::get<Skinny>(plan));
  }
}

std::variant<Scheduled, Unscheduled, std::string>
schedule(const checker::VerifiedKernel &verified) {
  auto opened = verified.open();
  if (auto *why = std::get_if<std::string>(&opened)) {
    return *why;
  }
  Scheduled out;
  out.source = std::get<checker::OpenedKernel>(std::move(opened));
  tile::KernelOp kernel = out.source.kernel();
  MLIRContext *context = kernel.getContext();
  auto matched = match(kernel);
  if (auto *misfit = std::get_if<Misfit>(&matched)) {
    return Unscheduled{tile::locationText(misfit->at), misfit->why};
  }
  context->loadDialect<HopperDialect>();
  out.module = ModuleOp::create(kernel.getLoc());
  auto builder = OpBuilder::atBlockBegin(out.module->getBody());
  std::string said;
  ScopedDiagnosticHandler listen(context, [&](Diagnostic &d) {
    llvm::raw_string_ostream(said) << (said.empty() ? "" : "\n") << d;
    return success();
  });
  out.plan = std::get<Plan>(std::move(matched));
  build(builder, kernel, out.plan);
  // One constant each, so that the text can be read.
  PassManager passes(context);
  passes.addPass(createCSEPass());
  if (failed(passes.run(*out.module)) || failed(verify(*out.module))) {
    return said;
  }
  out.recipe = recipeOf(out.kernel(), kernel);
  return out;
}

std::optional<std::string> ptxOf(const Scheduled &scheduled,
                                 std::string &error) {
  OwningOpRef<ModuleOp> module = scheduled.module.get().clone();
  ScopedDiagnosticHandler listen(module->getContext(), [&](Diagnostic &d) {
    llvm::raw_string_ostream(error) << (error.empty() ? "" : "\n") << d;
    return success();
  });
  if (failed(lowerToLLVM(*module))) {
    return std::nullopt;
  }
  auto emitted = emitPtx(*module);
  if (auto *why = std::get_if<std::string>(&emitted)) {
    error = *why;
    return std::nullopt;
  }
  return std::move(std::get<Ptx>(emitted).text);
}

std::variant<ptx::Proof, std::string> prove(const Scheduled &scheduled,
                                            std::string_view ptx,
                                            const ptx::FindCertificate &find) {
  auto result = ptx::validate(ptx, expectedOf(scheduled), find);
  if (auto *refusal = std::get_if<ptx::Refusal>(&result)) {
    return "the PTX of the schedule is refused: line " +
           std::to_string(refusal->line) + ": " + refusal->message + " [" +
           refusal->rule + "]";
  }
  return std::get<ptx::Proof>(std::move(result));
}

std::variant<Compiled, Unscheduled, std::string>
compile(const checker::VerifiedKernel &verified,
        const ptx::FindCertificate &find, const std::string &ptxas,
        unsigned seconds) {
  auto made = schedule(verified);
  if (auto *misfit = std::get_if<Unscheduled>(&made)) {
    return std::move(*misfit);
  }
  if (auto *why = std::get_if<std::string>(&made)) {
    return std::move(*why);
  }
  const auto &scheduled = std::get<Scheduled>(made);
  std::string error;
  auto ptx = ptxOf(scheduled, error);
  if (!ptx) {
    return error;
  }
  // Beside the assembler, which is another process.
  auto proved = std::async(std::launch::async,
                           [&] { return prove(scheduled, *ptx, find); });
  auto cubin = assemble(ptxas, *ptx, seconds, error);
  auto proof = proved.get();
  if (auto *why = std::get_if<std::string>(&proof)) {
    return *why;
  }
  if (!cubin) {
    return error;
  }
  return Compiled{std::move(cubin->bytes), scheduled.recipe, cubin->registers};
}

} // namespace girih::hopper
