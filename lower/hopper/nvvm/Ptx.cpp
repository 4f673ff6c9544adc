// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lower/hopper/nvvm/Ptx.h"

#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"

namespace girih::hopper {

static std::unique_ptr<llvm::TargetMachine> makeMachine(std::string &error) {
  LLVMInitializeNVPTXTargetInfo();
  LLVMInitializeNVPTXTarget();
  LLVMInitializeNVPTXTargetMC();
  LLVMInitializeNVPTXAsmPrinter();
  llvm::Triple triple("nvptx64-nvidia-cuda");
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target) {
    return nullptr;
  }
  // Bulk copies into a block's own shared memory came with PTX 8.6.
  return std::unique_ptr<llvm::TargetMachine>(target->createTargetMachine(
      triple, "sm_90", "+ptx86", {}, std::nullopt, std::nullopt,
      llvm::CodeGenOptLevel::Aggressive));
}

/// Leaves addresses as their base and a sum of products: strength reduction
/// would make of them pointers that grow from trip to trip, which are no faster
/// here and harder to compare with what was proved.
static void keepAddresses() {
  auto found = llvm::cl::getRegisteredOptions().find("disable-lsr");
  if (found != llvm::cl::getRegisteredOptions().end()) {
    static_cast<llvm::cl::opt<bool> *>(found->second)->setValue(true);
  }
}

static void optimise(llvm::Module &module, llvm::TargetMachine &machine) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager graph;
  llvm::ModuleAnalysisManager modules;
  // Loops that go over slots stay loops: a block begins with less code, and
  // what is proved of one trip is proved of all.
  llvm::PipelineTuningOptions tuning;
  tuning.LoopUnrolling = false;
  llvm::PassBuilder passes(&machine, tuning);
  passes.registerModuleAnalyses(modules);
  passes.registerCGSCCAnalyses(graph);
  passes.registerFunctionAnalyses(functions);
  passes.registerLoopAnalyses(loops);
  passes.crossRegisterProxies(loops, functions, graph, modules);
  passes.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O3)
      .run(module, modules);
}

std::variant<Ptx, std::string> emitPtx(mlir::ModuleOp module) {
  mlir::registerBuiltinDialectTranslation(*module.getContext());
  mlir::registerLLVMDialectTranslation(*module.getContext());
  mlir::registerNVVMDialectTranslation(*module.getContext());
  std::string error;
  auto machine = makeMachine(error);
  if (!machine) {
    return "LLVM has no NVPTX: " + error;
  }
  llvm::LLVMContext context;
  auto translated = mlir::translateModuleToLLVMIR(module, context, "girih");
  if (!translated) {
    return std::string("the module cannot be translated to LLVM IR");
  }
  translated->setTargetTriple(machine->getTargetTriple());
  translated->setDataLayout(machine->createDataLayout());
  keepAddresses();
  optimise(*translated, *machine);
  llvm::SmallString<0> text;
  llvm::raw_svector_ostream stream(text);
  llvm::legacy::PassManager passes;
  if (machine->addPassesToEmitFile(passes, stream, nullptr,
                                   llvm::CodeGenFileType::AssemblyFile)) {
    return std::string("LLVM cannot emit PTX");
  }
  passes.run(*translated);
  return Ptx{text.str().str()};
}

} // namespace girih::hopper
