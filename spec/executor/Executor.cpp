// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One launch from its contract to its results.

#include "spec/executor/Executor.h"

#include "ir/types/Diagnose.h"
#include "spec/executor/launch/Preconditions.h"
#include "spec/executor/machine/Schedule.h"

namespace girih::exec {

/// More lanes than this in the values of one block are not run.
static constexpr int64_t maxLanes = int64_t(1) << 26;

/// Facts are looked up in tensors in memory of at most so many elements.
static constexpr int64_t maxFactElements = int64_t(1) << 28;

/// What is wrong with the arrays given for a launch, or nothing.
static std::string inputError(tile::KernelOp kernel,
                              const AdmittedLaunch &launch,
                              const std::map<std::string, Array> &inputs) {
  std::map<std::string, unsigned> arguments;
  for (mlir::BlockArgument arg : kernel.getArguments()) {
    unsigned number = arg.getArgNumber();
    arguments[kernel.getArgName(number).str()] = number;
  }
  for (const auto &[name, array] : inputs) {
    auto it = arguments.find(name);
    if (it == arguments.end()) {
      return "the kernel has no argument %" + name;
    }
    const std::optional<Layout> &layout = launch.tensors[it->second];
    std::vector<int64_t> shape;
    Kind kind = kindOf(kernel.getArguments()[it->second].getType());
    if (layout) {
      shape.assign(layout->extents.begin(), layout->extents.end());
      kind = layout->kind;
    }
    if (layout && layout->undefined) {
      return "%" + name + " is an out tensor: it has no contents to give";
    }
    if (array.kind != kind) {
      return "input %" + name + " holds " + kindName(array.kind) +
             ", the kernel takes " + kindName(kind);
    }
    auto size = static_cast<size_t>(array.size());
    std::optional<Array> model = makeArray(kind, shape, array.size());
    if (array.shape != shape || !model ||
        static_cast<size_t>(model->size()) != size) {
      return "input %" + name + " has shape " + shapeText(array.shape) +
             ", the launch gives it " + shapeText(shape);
    }
    std::string unfit = elementError(array);
    if (!unfit.empty()) {
      return "input %" + name + " " + unfit;
    }
  }
  return "";
}

/// Inputs for what is given as a list; an error when one does not fit.
static std::string listInputs(tile::KernelOp kernel,
                              const AdmittedLaunch &launch,
                              const Options &options,
                              std::map<std::string, Array> &into) {
  for (const auto &[name, list] : options.contents) {
    const Layout *layout = nullptr;
    for (mlir::BlockArgument arg : kernel.getArguments()) {
      unsigned number = arg.getArgNumber();
      if (kernel.getArgName(number) == name && launch.tensors[number]) {
        layout = &*launch.tensors[number];
      }
    }
    if (!layout || isFloat(layout->kind)) {
      return "the kernel has no tensor %" + name + " of integers";
    }
    std::vector<int64_t> shape(layout->extents.begin(), layout->extents.end());
    std::optional<Array> array =
        makeArray(layout->kind, shape, std::ssize(list));
    if (!array || array->size() != std::ssize(list)) {
      return "input %" + name + " has " +
             tile::counted(list.size(), "element", "elements") +
             ", the launch gives it shape " + shapeText(shape);
    }
    array->ints = list;
    std::string unfit = elementError(*array);
    unfit = unfit.empty() ? placeError(*layout, *array) : unfit;
    if (!unfit.empty()) {
      return "input %" + name + " " + unfit;
    }
    if (!into.emplace(name, std::move(*array)).second) {
      return "input %" + name + " is given twice";
    }
  }
  return "";
}

/// What is wrong with the tensors that lie in memory, or nothing. Those that
/// something is given about are looked up in arrays, which are made of them.
static std::string memoryInputs(tile::KernelOp kernel,
                                const AdmittedLaunch &launch,
                                const Options &options,
                                std::map<std::string, Array> &into) {
  for (const auto &[name, bytes] : options.memory) {
    std::optional<unsigned> number;
    for (mlir::BlockArgument arg : kernel.getArguments()) {
      if (kernel.getArgName(arg.getArgNumber()) == name &&
          launch.tensors[arg.getArgNumber()]) {
        number = arg.getArgNumber();
      }
    }
    if (!number) {
      return "the kernel has no tensor %" + name;
    }
    if (into.count(name) || options.inputs.count(name)) {
      return "%" + name + " lies in memory and has an input as well";
    }
    if (llvm::none_of(launch.givens, [&](const Precondition &given) {
          return given.tensor == *number;
        })) {
      continue;
    }
    Memory memory(*launch.tensors[*number], nullptr, 0, true);
    memory.bind(bytes);
    auto dense = memory.dense(maxFactElements);
    if (!dense) {
      return "%" + name + " is too large to look through";
    }
    into.emplace(name, std::move(dense->values));
  }
  return "";
}

/// The numbers of the blocks of a slice; an error when one is not in the grid.
static std::optional<std::vector<int64_t>>
sliceNumbers(const AdmittedLaunch &launch,
             const std::vector<std::vector<int64_t>> &blocks,
             std::string &error) {
  std::vector<int64_t> numbers;
  for (const std::vector<int64_t> &ids : blocks) {
    bool inside = ids.size() == launch.grid.size();
    int64_t number = 0;
    for (size_t axis = 0; inside && axis < ids.size(); ++axis) {
      inside = ids[axis] >= 0 && ids[axis] < launch.grid[axis];
      number = number * launch.grid[axis] + ids[axis];
    }
    if (!inside) {
      error = "block " + tupleText(ids) + " is not in the grid " +
              tupleText(launch.grid);
      return std::nullopt;
    }
    numbers.push_back(number);
  }
  return numbers;
}

static Value scalarArgument(Kind kind, const Array *given, uint64_t seed) {
  Value value;
  value.push(Real{given ? given->floats[0]
                        : roundTo(formatOf(kind), seededFloat(kind, seed, 0)),
                  0});
  return value;
}

/// The tensors that are written through views.
static llvm::DenseSet<mlir::Value> viewedTensors(tile::KernelOp kernel) {
  llvm::DenseSet<mlir::Value> viewed;
  kernel->walk([&](tile::ClaimOp claim) {
    mlir::Value tensor = tile::partitionOf(claim).getTensor();
    if (tensor.getDefiningOp()) {
      viewed.insert(tile::rootOf(tensor));
    }
  });
  return viewed;
}

static void fillWorld(World &world, const std::map<std::string, Array> &inputs,
                      const std::map<std::string, ClosedForm> &forms,
                      const llvm::DenseSet<mlir::Value> &viewed) {
  tile::KernelOp kernel = world.program.kernel;
  const Options &options = world.options;
  for (mlir::BlockArgument arg : kernel.getArguments()) {
    unsigned number = arg.getArgNumber();
    std::string name = kernel.getArgName(number).str();
    auto it = inputs.find(name);
    const Array *given = it == inputs.end() ? nullptr : &it->second;
    auto form = forms.find(name);
    uint64_t seed = seedFor(options.seed, name);
    const std::optional<Layout> &layout = world.launch.tensors[number];
    world.scalars.emplace_back();
    world.memories.emplace_back();
    world.owners.emplace_back();
    if (!layout) {
      world.scalars.back() = scalarArgument(kindOf(arg.getType()), given, seed);
      continue;
    }
    world.memories.back() =
        std::make_unique<Memory>(*layout, given, seed, world.program.values,
                                 form == forms.end() ? nullptr : &form->second);
    auto place = options.memory.find(name);
    if (place != options.memory.end()) {
      world.memories.back()->bind(place->second);
    }
    world.owners.back().emplace(
        isSubByte(layout->kind)
            ? Ownership::ofPairs(layout->extents, layout->strides)
            : Ownership(layout->extents, viewed.contains(arg)));
  }
}

/// out.covered: every element of an `out` tensor that is not partial.
static void judgeCoverage(World &world) {
  tile::KernelOp kernel = world.program.kernel;
  for (mlir::BlockArgument arg : kernel.getArguments()) {
    auto type = mlir::dyn_cast<tile::TileTensorType>(arg.getType());
    if (!type || type.getMode() != tile::Mode::Out || type.getPartial() ||
        world.stopped()) {
      continue;
    }
    unsigned number = arg.getArgNumber();
    std::optional<Coord> missing = world.memories[number]->firstMissing();
    if (!missing) {
      continue;
    }
    Fault fault;
    fault.rule = Rule::OutCovered;
    fault.op = kernel;
    fault.tensor = static_cast<int>(number);
    fault.element.assign(missing->begin(), missing->end());
    std::string what = "element " + shapeText(fault.element) + " of %" +
                       kernel.getArgName(number).str();
    fault.headline = what + " is never written";
    fault.message = "no block writes " + what;
    world.result.faults.push_back(std::move(fault));
  }
}

static void collectResults(World &world) {
  Result &result = world.result;
  for (const std::unique_ptr<Memory> &memory : world.memories) {
    result.tensors.emplace_back();
    result.bounds.emplace_back();
    result.defined.emplace_back();
    bool computed =
        memory && (world.program.values || !isFloat(memory->layout().kind));
    if (!computed) {
      continue;
    }
    std::optional<Memory::Dense> dense =
        memory->dense(world.options.maxResultElements);
    if (!dense) {
      continue;
    }
    result.tensors.back() = std::move(dense->values);
    result.bounds.back() = std::move(dense->bounds);
    if (llvm::is_contained(dense->defined.ints, 0)) {
      result.defined.back() = std::move(dense->defined);
    }
  }
}

struct Runner::Shared {
  /// What depends on whether float lanes are computed.
  struct Decoded {
    int64_t lanes = 0; ///< of one block
    std::optional<Program> program;
  };

  explicit Shared(tile::KernelOp kernel)
      : kernel(kernel), needsFloats(eventsNeedFloats(kernel)),
        viewed(viewedTensors(kernel)),
        decoded{{lanesOfBlock(kernel, false), {}},
                {lanesOfBlock(kernel, true), {}}} {}

  tile::KernelOp kernel;
  bool needsFloats;
  llvm::DenseSet<mlir::Value> viewed;
  Decoded decoded[2]; ///< without floats, with them
};

Runner::Runner(tile::KernelOp kernel)
    : shared(std::make_unique<Shared>(kernel)) {}
Runner::~Runner() = default;

tile::KernelOp Runner::kernel() const { return shared->kernel; }

Result run(tile::KernelOp kernel, const Options &options, Observer *observer) {
  return Runner(kernel).run(options, observer);
}

Result Runner::run(const Options &options, Observer *observer) {
  tile::KernelOp kernel = shared->kernel;
  Result result;
  if (options.indexWidth < 8 || options.indexWidth > 64) {
    result.contractError = "index width " + std::to_string(options.indexWidth) +
                           " is outside 8..64";
    return result;
  }
  LaunchCheck check = checkLaunch(kernel, options.symbols, options.indexWidth);
  result.contractError = std::move(check.error);
  if (check.fault) {
    result.faults.push_back(std::move(*check.fault));
  }
  if (!check.launch) {
    return result;
  }
  // Arrays may be large: they are copied only where some are added.
  Contents contents;
  const std::map<std::string, Array> *inputs = &options.inputs;
  if (!options.contents.empty() || !check.launch->givens.empty()) {
    contents.arrays = options.inputs;
    inputs = &contents.arrays;
  }
  result.contractError =
      listInputs(kernel, *check.launch, options, contents.arrays);
  if (result.contractError.empty()) {
    result.contractError =
        memoryInputs(kernel, *check.launch, options, contents.arrays);
  }
  if (result.contractError.empty()) {
    result.contractError = inputError(kernel, *check.launch, *inputs);
  }
  if (result.contractError.empty()) {
    result.contractError =
        makeUpContents(kernel, *check.launch, options.seed, contents);
  }
  if (result.contractError.empty()) {
    result.contractError = givenError(kernel, *check.launch, contents);
  }
  std::optional<std::vector<int64_t>> slice;
  if (options.blocks && result.contractError.empty()) {
    slice = sliceNumbers(*check.launch, *options.blocks, result.contractError);
  }
  if (!result.contractError.empty()) {
    return result;
  }
  result.grid = check.launch->grid;
  result.ranValues = options.values || shared->needsFloats;
  Shared::Decoded &decoded = shared->decoded[result.ranValues];
  if (decoded.lanes > maxLanes) {
    result.exhausted = true;
    return result;
  }
  if (!decoded.program) {
    decoded.program = decode(kernel, result.ranValues);
  }
  const Program &program = *decoded.program;
  if (!program.unknownOp.empty()) {
    result.contractError = "the executor does not know " + program.unknownOp;
    return result;
  }
  World world{program, *check.launch, options, observer, result, {}, {}, {}, {},
              0};
  fillWorld(world, *inputs, contents.forms, shared->viewed);
  int64_t count = slice ? std::ssize(*slice) : world.launch.blocks;
  runBlocks(world, count, [&](int64_t k) { return slice ? (*slice)[k] : k; });
  if (!slice && result.faults.empty() && !result.exhausted) {
    judgeCoverage(world);
  }
  for (const std::unique_ptr<Memory> &memory : world.memories) {
    if (memory && result.clean()) {
      memory->storeWritten();
    }
  }
  collectResults(world);
  return result;
}

} // namespace girih::exec
