// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// simulated_executor: kernels of the simulated driver on the reference
// executor. A kernel is read and decoded once, whatever is launched. It reads
// tensors in the driver's memory as it needs them, and what it wrote is stored
// at the end.

#include "tests/simulated/Executed.h"
#include "tests/simulated/Kernels.h"
#include "tests/simulated/Ranges.h"

#include "ir/text/Reader.h"
#include "spec/executor/Executor.h"
#include "spec/executor/launch/Launch.h"
#include "spec/executor/numerics/Float.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Parser/Parser.h"

#include <limits>
#include <map>
#include <mutex>

namespace girih::simulated {

namespace {

namespace scf = mlir::scf;

/// What a kernel does with a tensor.
struct Use {
  bool reads = false, writes = false;
};

/// By argument number.
std::vector<Use> usesOf(tile::KernelOp kernel) {
  std::vector<Use> uses(kernel.getArguments().size());
  auto use = [&](mlir::Value tensor) -> Use & {
    return uses[tile::rootOf(tensor).getArgNumber()];
  };
  auto tiled = [&](mlir::Value of) -> Use & {
    return use(tile::partitionOf(of).getTensor());
  };
  kernel->walk([&](mlir::Operation *op) {
    llvm::TypeSwitch<mlir::Operation *>(op)
        .Case([&](tile::LoadOp o) { tiled(o.getSource()).reads = true; })
        .Case([&](tile::StoreOp o) { tiled(o.getPiece()).writes = true; })
        .Case([&](tile::AtomicOp o) { tiled(o.getPartition()).writes = true; })
        .Case([&](tile::GatherOp o) { use(o.getTensor()).reads = true; })
        .Case([&](tile::ScatterOp o) { use(o.getTensor()).writes = true; })
        .Case(
            [&](tile::AtomicScatterOp o) { use(o.getTensor()).writes = true; });
  });
  return uses;
}

/// The operands of an op that say where a tensor is touched, and whether.
mlir::OperandRange steering(mlir::Operation *op) {
  return llvm::TypeSwitch<mlir::Operation *, mlir::OperandRange>(op)
      .Case<tile::ClaimOp, tile::LoadOp, tile::GatherOp, tile::ViewOp>(
          [](auto o) { return o->getOperands(); })
      // What is stored comes first.
      .Case<tile::AtomicOp, tile::ScatterOp, tile::AtomicScatterOp>(
          [](auto o) { return o->getOperands().drop_front(); })
      .Case<scf::ForOp>([](auto o) { return o->getOperands().take_front(3); })
      .Case<scf::IfOp, scf::ConditionOp>(
          [](auto o) { return o->getOperands().take_front(); })
      .Default([](auto o) { return o->getOperands().take_front(0); });
}

using Values = llvm::DenseSet<mlir::Value>;

void markEach(Values &known, mlir::ValueRange from, mlir::ValueRange to) {
  for (auto [a, b] : llvm::zip(from, to)) {
    if (known.contains(a)) {
      known.insert(b);
    }
  }
}

/// What a loop or branch hands on through an op.
void markCarried(Values &known, mlir::Operation *op) {
  if (auto loop = mlir::dyn_cast<scf::ForOp>(op)) {
    markEach(known, loop.getInitArgs(), loop.getRegionIterArgs());
    markEach(known, loop.getInitArgs(), loop.getResults());
  } else if (auto loop = mlir::dyn_cast<scf::WhileOp>(op)) {
    markEach(known, loop.getInits(), loop.getBeforeArguments());
  } else if (auto condition = mlir::dyn_cast<scf::ConditionOp>(op)) {
    auto loop = mlir::cast<scf::WhileOp>(op->getParentOp());
    markEach(known, condition.getArgs(), loop.getAfterArguments());
    markEach(known, condition.getArgs(), loop.getResults());
  } else if (mlir::isa<scf::YieldOp>(op)) {
    mlir::Operation *parent = op->getParentOp();
    if (auto loop = mlir::dyn_cast<scf::WhileOp>(parent)) {
      markEach(known, op->getOperands(), loop.getBeforeArguments());
      return;
    }
    markEach(known, op->getOperands(), parent->getResults());
    if (auto loop = mlir::dyn_cast<scf::ForOp>(parent)) {
      markEach(known, op->getOperands(), loop.getRegionIterArgs());
    }
  } else if (mlir::isa<tile::LoadOp, tile::GatherOp>(op) ||
             llvm::any_of(op->getOperands(),
                          [&](mlir::Value v) { return known.contains(v); })) {
    known.insert(op->result_begin(), op->result_end());
    for (mlir::Region &region : op->getRegions()) {
      known.insert(region.args_begin(), region.args_end());
    }
  }
}

/// Marks what depends on the contents of tensors; false when there is no more.
bool markContents(tile::KernelOp kernel, Values &known) {
  size_t before = known.size();
  kernel->walk([&](mlir::Operation *op) { markCarried(known, op); });
  return known.size() != before;
}

/// Whether it depends on the contents of tensors what a launch touches.
bool contentsSteer(tile::KernelOp kernel) {
  Values known;
  while (markContents(kernel, known)) {
  }
  return kernel
      ->walk([&](mlir::Operation *op) {
        return llvm::any_of(steering(op),
                            [&](mlir::Value v) { return known.contains(v); })
                   ? mlir::WalkResult::interrupt()
                   : mlir::WalkResult::advance();
      })
      .wasInterrupted();
}

/// The bytes of `count` elements in a row of memory.
void addElements(Ranges &ranges, exec::Kind kind, int64_t first,
                 int64_t count) {
  auto begin = static_cast<uint64_t>(first),
       end = static_cast<uint64_t>(first + count);
  if (exec::isSubByte(kind)) {
    ranges.add(begin / 2, (end + 1) / 2);
  } else {
    unsigned bytes = exec::elementBytes(kind);
    ranges.add(begin * bytes, end * bytes);
  }
}

/// A run along the last axis.
void addRun(Ranges &ranges, const exec::Layout &layout,
            llvm::ArrayRef<int64_t> start, int64_t count) {
  int64_t first = 0, step = layout.strides.empty() ? 1 : layout.strides.back();
  for (size_t k = 0; k < start.size(); ++k) {
    first += start[k] * layout.strides[k];
  }
  if (step == 1) {
    addElements(ranges, layout.kind, first, count);
    return;
  }
  for (int64_t i = 0; i < count; ++i) {
    addElements(ranges, layout.kind, first + i * step, 1);
  }
}

/// All elements of a tensor: runs that follow each other are one.
void addAll(Ranges &ranges, const exec::Layout &layout) {
  std::vector<std::pair<int64_t, int64_t>> axes; // stride, extent
  for (size_t k = 0; k < layout.extents.size(); ++k) {
    if (layout.extents[k] == 0) {
      return;
    }
    if (layout.extents[k] > 1 && layout.strides[k] > 0) {
      axes.push_back({layout.strides[k], layout.extents[k]});
    }
  }
  llvm::sort(axes);
  int64_t run = 1;
  size_t first = 0;
  while (first < axes.size() && axes[first].first == run) {
    run *= axes[first++].second;
  }
  std::vector<int64_t> at(axes.size(), 0);
  int64_t begin = 0;
  while (true) {
    addElements(ranges, layout.kind, begin, run);
    size_t k = first;
    for (; k < axes.size(); ++k) {
      auto [stride, extent] = axes[k];
      begin += stride;
      if (++at[k] < extent) {
        break;
      }
      begin -= stride * extent;
      at[k] = 0;
    }
    if (k == axes.size()) {
      return;
    }
  }
}

/// What several launches combine in must not be lost: they run one by one.
std::mutex &atomicsMutex() {
  static std::mutex mutex;
  return mutex;
}

class TextKernel : public ExecutedKernel {
public:
  /// `why` says what is wrong, if anything is.
  TextKernel(const ExecutedText &source, std::string &why);

  std::optional<std::string> touch(const KernelArguments &arguments,
                                   std::vector<Touch> &touches) override;
  std::optional<std::string> run(const KernelArguments &arguments) override;

private:
  /// Of one tensor; ranges by whether they are written.
  using Touched = std::vector<std::array<Ranges, 2>>;

  std::string bindParameters();
  /// Symbols and scalars of a launch.
  exec::Options optionsOf(const KernelArguments &arguments);
  /// What a launch without values touches, by argument number; none where it
  /// depends on contents, or takes too long.
  std::optional<Touched> traced(exec::Options options,
                                const exec::AdmittedLaunch &launch);
  Touched whole(const exec::AdmittedLaunch &launch) const;

  std::mutex mutex; ///< of what runs
  std::unique_ptr<mlir::MLIRContext> context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  tile::KernelOp kernel;
  std::unique_ptr<exec::Runner> runner;
  std::vector<Parameter> parameters;
  /// By parameter: the number of the kernel's argument; of pointers and
  /// scalars.
  std::vector<unsigned> numbers;
  std::vector<Use> uses;
  bool steered = false, isAtomic = false;
  /// What launches touch, by the bytes of their parameters that are no pointer.
  std::map<std::string, std::vector<Touch>> known;
  std::mutex knownMutex; ///< of `known`: launches are queued while others run
};

TextKernel::TextKernel(const ExecutedText &source, std::string &why)
    : parameters(source.parameters) {
  mlir::DialectRegistry registry;
  tile::registerDialects(registry);
  context = std::make_unique<mlir::MLIRContext>(
      registry, mlir::MLIRContext::Threading::DISABLED);
  context->loadAllAvailableDialects();
  std::string said;
  mlir::ScopedDiagnosticHandler handler(context.get(),
                                        [&](mlir::Diagnostic &d) {
                                          said += ": " + d.str();
                                          return mlir::success();
                                        });
  module = mlir::parseSourceString<mlir::ModuleOp>(source.text, context.get());
  if (!module || !llvm::hasSingleElement(*module->getBody()) ||
      !mlir::isa<tile::KernelOp>(module->getBody()->front())) {
    why = "the text is no kernel" + said;
    return;
  }
  kernel = mlir::cast<tile::KernelOp>(module->getBody()->front());
  why = bindParameters();
  if (!why.empty()) {
    return;
  }
  runner = std::make_unique<exec::Runner>(kernel);
  uses = usesOf(kernel);
  steered = contentsSteer(kernel);
  kernel->walk([&](mlir::Operation *op) {
    isAtomic |= mlir::isa<tile::AtomicOp, tile::AtomicScatterOp>(op);
  });
}

/// What keeps the parameters from being those of the kernel, or nothing.
std::string TextKernel::bindParameters() {
  std::set<std::string> bound;
  for (const Parameter &p : parameters) {
    numbers.push_back(0);
    bool isInteger =
        p.kind == Parameter::Kind::Integer || p.kind == Parameter::Kind::Grid;
    if (isInteger ? p.bytes != 4 && p.bytes != 8 : p.bytes < 1 || p.bytes > 8) {
      return "parameter " + p.name + " has " + std::to_string(p.bytes) +
             " bytes";
    }
    bound.insert(p.name);
    for (mlir::BlockArgument arg : kernel.getArguments()) {
      bool isTensor = mlir::isa<tile::TileTensorType>(arg.getType());
      if (!isInteger && kernel.getArgName(arg.getArgNumber()) == p.name &&
          isTensor == (p.kind == Parameter::Kind::Pointer)) {
        numbers.back() = arg.getArgNumber();
      }
    }
    if (!isInteger && kernel.getArgName(numbers.back()) != p.name) {
      return "the kernel has no argument " + p.name;
    }
  }
  for (mlir::BlockArgument arg : kernel.getArguments()) {
    std::string name = kernel.getArgName(arg.getArgNumber()).str();
    if (!bound.count(name)) {
      return "argument " + name + " has no parameter";
    }
  }
  for (const tile::LaunchSymbol &s : kernel.getLaunchSymbols()) {
    if (!bound.count(s.name.str())) {
      return "symbol " + s.name.str() + " has no parameter";
    }
  }
  return "";
}

exec::Options TextKernel::optionsOf(const KernelArguments &arguments) {
  exec::Options options;
  options.maxResultElements = -1;
  for (size_t k = 0; k < parameters.size(); ++k) {
    const Parameter &p = parameters[k];
    if (p.kind == Parameter::Kind::Integer) {
      options.symbols[p.name] = p.bytes == 4 ? arguments.value<int32_t>(k)
                                             : arguments.value<int64_t>(k);
    } else if (p.kind == Parameter::Kind::Scalar) {
      exec::Array &scalar = options.inputs[p.name];
      scalar.kind = exec::kindOf(kernel.getArguments()[numbers[k]].getType());
      scalar.floats = {exec::fromBits(exec::formatOf(scalar.kind),
                                      arguments.value<uint64_t>(k))};
    }
  }
  return options;
}

std::optional<TextKernel::Touched>
TextKernel::traced(exec::Options options, const exec::AdmittedLaunch &launch) {
  if (steered) {
    return std::nullopt;
  }
  Touched touched(launch.tensors.size());
  options.values = false;
  options.touch = [&](unsigned tensor, llvm::ArrayRef<int64_t> start,
                      int64_t count, bool isWrite) {
    addRun(touched[tensor][isWrite], *launch.tensors[tensor], start, count);
  };
  exec::Result result = runner->run(options);
  return result.clean() ? std::optional(std::move(touched)) : std::nullopt;
}

TextKernel::Touched
TextKernel::whole(const exec::AdmittedLaunch &launch) const {
  Touched touched(launch.tensors.size());
  for (size_t k = 0; k < touched.size(); ++k) {
    if (launch.tensors[k] && uses[k].reads) {
      addAll(touched[k][0], *launch.tensors[k]);
    }
    if (launch.tensors[k] && uses[k].writes) {
      addAll(touched[k][1], *launch.tensors[k]);
    }
  }
  return touched;
}

std::optional<std::string> TextKernel::touch(const KernelArguments &arguments,
                                             std::vector<Touch> &touches) {
  std::string key = std::to_string(arguments.blocks);
  for (size_t k = 0; k < parameters.size(); ++k) {
    if (parameters[k].kind != Parameter::Kind::Pointer) {
      key += arguments.bytes[k];
    }
  }
  {
    std::lock_guard lock(knownMutex);
    if (auto found = known.find(key); found != known.end()) {
      touches = found->second;
      return std::nullopt;
    }
  }
  std::lock_guard lock(mutex);
  exec::Options options = optionsOf(arguments);
  exec::LaunchCheck check =
      exec::checkLaunch(kernel, options.symbols, options.indexWidth);
  if (!check.launch) {
    return check.error;
  }
  if (uint64_t(check.launch->blocks) != arguments.blocks) {
    return std::to_string(arguments.blocks) + " blocks, and the contract has " +
           std::to_string(check.launch->blocks);
  }
  std::optional<Touched> exact = traced(options, *check.launch);
  Touched touched = exact ? std::move(*exact) : whole(*check.launch);
  for (size_t k = 0; k < parameters.size(); ++k) {
    if (parameters[k].kind != Parameter::Kind::Pointer) {
      continue;
    }
    auto type = mlir::cast<tile::TileTensorType>(
        kernel.getArguments()[numbers[k]].getType());
    Mode write = tile::atomicOf(type.getMode()) ? Mode::Atomic : Mode::Write;
    for (Mode mode : {Mode::Read, write}) {
      for (auto [begin, end] : touched[numbers[k]][mode != Mode::Read].all()) {
        touches.push_back({k, begin, end - begin, mode});
      }
    }
  }
  std::lock_guard knownLock(knownMutex);
  constexpr size_t maxKnown = 256;
  if (known.size() >= maxKnown) {
    known.clear();
  }
  known.emplace(std::move(key), touches);
  return std::nullopt;
}

std::optional<std::string> TextKernel::run(const KernelArguments &arguments) {
  std::unique_lock<std::mutex> alone(atomicsMutex(), std::defer_lock);
  if (isAtomic) {
    alone.lock();
  }
  std::lock_guard lock(mutex);
  exec::Options options = optionsOf(arguments);
  options.maxSteps = std::numeric_limits<uint64_t>::max();
  options.maxBytes = std::numeric_limits<int64_t>::max();
  options.print = [](const std::string &line) {
    llvm::outs() << line << '\n';
    llvm::outs().flush();
  };
  for (size_t k = 0; k < parameters.size(); ++k) {
    if (parameters[k].kind == Parameter::Kind::Pointer) {
      options.memory[parameters[k].name] = arguments.at[k];
    }
  }
  exec::Result result = runner->run(options);
  if (!result.contractError.empty()) {
    return result.contractError;
  }
  if (!result.faults.empty()) {
    const exec::Fault &fault = result.faults.front();
    return fault.headline + " [" + ruleName(fault.rule) + "]";
  }
  return result.exhausted
             ? std::optional<std::string>("the values of a block are too large")
             : std::nullopt;
}

} // namespace

} // namespace girih::simulated

extern "C" girih::simulated::ExecutedKernel *
openExecuted(const girih::simulated::ExecutedText &text, std::string &why) {
  auto made = std::make_unique<girih::simulated::TextKernel>(text, why);
  return why.empty() ? made.release() : nullptr;
}
