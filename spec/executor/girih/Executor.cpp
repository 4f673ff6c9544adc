// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// girih/executor.h over the reference executor.

#include "girih/Arrays.h"
#include "girih/Read.h"
#include "ir/text/Print.h"
#include "ir/types/Diagnose.h"
#include "spec/executor/launch/Launch.h"
#include "spec/executor/numerics/Float.h"
#include "spec/executor/tool/Infer.h"
#include "spec/executor/tool/Report.h"

#include "llvm/Support/Format.h"

#include <cmath>
#include <mutex>

namespace girih {

namespace api {

std::optional<exec::Kind> kindNamed(const std::string &element) {
  for (auto kind = exec::Kind::I1; kind <= exec::Kind::F64;
       kind = exec::Kind(unsigned(kind) + 1)) {
    if (kind != exec::Kind::Index && exec::kindName(kind) == element) {
      return kind;
    }
  }
  return std::nullopt;
}

Array plain(exec::Array array) {
  return {exec::kindName(array.kind), std::move(array.shape),
          std::move(array.floats), std::move(array.ints)};
}

exec::Array internal(Array array, exec::Kind kind) {
  return {kind, std::move(array.shape), std::move(array.floats),
          std::move(array.integers)};
}

} // namespace api

struct Executor::Impl {
  std::mutex mutex;
  std::unique_ptr<mlir::MLIRContext> context;
  tile::KernelFiles files;
  std::vector<std::unique_ptr<exec::Runner>> runners; ///< parallel to them
  Signature signature;
};

static Argument argumentOf(tile::KernelOp kernel, mlir::BlockArgument arg) {
  Argument out;
  out.name = kernel.getArgName(arg.getArgNumber()).str();
  auto type = mlir::dyn_cast<tile::TileTensorType>(arg.getType());
  out.isTensor = bool(type);
  out.element = exec::kindName(
      exec::kindOf(type ? type.getElementType() : arg.getType()));
  if (!type) {
    return out;
  }
  out.mode = stringifyMode(type.getMode()).str();
  for (mlir::Attribute dim : type.getDims()) {
    auto symbol = mlir::dyn_cast<mlir::StringAttr>(dim);
    out.dims.push_back(
        symbol ? symbol.str()
               : std::to_string(mlir::cast<mlir::IntegerAttr>(dim).getInt()));
  }
  return out;
}

/// The printed kernel up to its body, which begins on a line of its own.
static std::string headerOf(tile::KernelOp kernel) {
  std::string text = tile::printText(kernel);
  return text.substr(0, text.find(" {\n"));
}

static Signature signatureOf(const tile::KernelFiles &files) {
  Signature out;
  out.variants = files.front()->list;
  for (const std::unique_ptr<tile::KernelFile> &file : files) {
    out.kernels.push_back(file->kernel.getSymName().str());
    out.contracts.push_back(headerOf(file->kernel));
  }
  tile::KernelOp first = files.front()->kernel;
  for (mlir::BlockArgument arg : first.getArguments()) {
    out.arguments.push_back(argumentOf(first, arg));
  }
  for (const tile::LaunchSymbol &symbol : first.getLaunchSymbols()) {
    std::string type;
    llvm::raw_string_ostream(type) << symbol.type;
    out.symbols.push_back({symbol.name.str(), type});
  }
  return out;
}

Executor::Executor(std::shared_ptr<Impl> impl) : impl(std::move(impl)) {}

Expected<Executor> Executor::open(const Source &source) {
  auto impl = std::make_shared<Impl>();
  impl->context = api::makeContext();
  Expected<tile::KernelFiles> files = api::read(*impl->context, source);
  if (!files) {
    return files.error();
  }
  impl->files = std::move(*files);
  for (const std::unique_ptr<tile::KernelFile> &file : impl->files) {
    impl->runners.push_back(std::make_unique<exec::Runner>(file->kernel));
  }
  impl->signature = signatureOf(impl->files);
  return Executor(std::move(impl));
}

const Signature &Executor::signature() const { return impl->signature; }

//===-- From a launch to the executor's options ---------------------------===//

static const Argument *argumentNamed(const Signature &signature,
                                     const std::string &name) {
  auto it = llvm::find_if(signature.arguments,
                          [&](const Argument &a) { return a.name == name; });
  return it == signature.arguments.end() ? nullptr : &*it;
}

static Error usage(std::string message) {
  return {Error::Kind::Usage, std::move(message)};
}

/// An input for an argument, its floats rounded to its format where that is
/// allowed.
static Expected<exec::Array> inputFor(const Argument &argument,
                                      const Array &array, bool round) {
  exec::Kind kind = *api::kindNamed(argument.element);
  if (!array.element.empty() && array.element != argument.element) {
    return usage("input %" + argument.name + " holds " + array.element +
                 ", the kernel takes " + argument.element);
  }
  if (!(exec::isFloat(kind) ? array.integers.empty() : array.floats.empty())) {
    return usage("input %" + argument.name + " gives " +
                 (exec::isFloat(kind) ? "integers" : "floats") +
                 ", the kernel takes " + argument.element);
  }
  exec::Array out = api::internal(array, kind);
  for (double &x : out.floats) {
    double nearest = exec::roundTo(exec::formatOf(kind), x);
    bool same = nearest == x || (std::isnan(nearest) && std::isnan(x));
    if (!round && !same) {
      std::string number;
      llvm::raw_string_ostream(number) << llvm::format("%.17g", x);
      return usage("input %" + argument.name + " holds " + number +
                   ", which is no " + argument.element);
    }
    x = nearest;
  }
  return out;
}

/// Adds the scalars to the inputs; says what is none.
static std::optional<Error> addScalars(const Signature &signature,
                                       const Launch &launch,
                                       exec::Options &options) {
  for (const auto &[name, number] : launch.scalars) {
    if (llvm::any_of(signature.symbols,
                     [&](const Symbol &s) { return s.name == name; })) {
      return usage("symbol " + name + " is an integer");
    }
    const Argument *argument = argumentNamed(signature, name);
    if (!argument || argument->isTensor) {
      return usage("the kernel has no float scalar %" + name);
    }
    auto input = inputFor(*argument, Array::of({}, {number}), true);
    if (!options.inputs.emplace(name, std::move(*input)).second) {
      return usage("%" + name + " has an input as well");
    }
  }
  return std::nullopt;
}

static Expected<exec::Options> optionsOf(const Signature &signature,
                                         const Launch &launch) {
  exec::Options out;
  out.symbols = launch.symbols;
  out.blocks = launch.blocks;
  out.order = exec::Order(launch.order);
  out.seed = launch.seed;
  out.indexWidth = launch.indexWidth;
  out.values = launch.values;
  out.maxSteps = launch.maxSteps;
  out.maxBytes = launch.maxBytes;
  out.maxFaults = std::max<size_t>(launch.maxFaults, 1);
  out.contents = launch.contents;
  out.maxResultElements = launch.maxResultElements;
  out.print = launch.print;
  for (const auto &[name, array] : launch.inputs) {
    const Argument *argument = argumentNamed(signature, name);
    if (!argument) {
      return usage("the kernel has no argument %" + name);
    }
    auto input = inputFor(*argument, array, launch.round);
    if (!input) {
      return input.error();
    }
    out.inputs.emplace(name, std::move(*input));
  }
  if (auto error = addScalars(signature, launch, out)) {
    return *error;
  }
  return out;
}

static_assert(int(Order::Sequential) == int(exec::Order::Sequential) &&
              int(Order::Reverse) == int(exec::Order::Reverse) &&
              int(Order::Random) == int(exec::Order::Random) &&
              int(Order::Interleaved) == int(exec::Order::Interleaved));

//===-- From the executor's result to plain data --------------------------===//

static std::vector<int64_t>
tripsOf(llvm::ArrayRef<std::pair<mlir::Operation *, int64_t>> iterations) {
  std::vector<int64_t> out;
  for (auto &[op, trip] : iterations) {
    out.push_back(trip);
  }
  return out;
}

static Fault plain(const tile::KernelFile &file, const exec::Fault &f) {
  tile::KernelOp kernel = file.kernel;
  Fault out;
  out.rule = ruleName(f.rule);
  out.headline = f.headline;
  out.message = f.message;
  out.at = api::rangeOf(file, exec::faultRange(file, f));
  out.block = f.block;
  out.trips = tripsOf(f.iterations);
  out.tensor = f.tensor < 0 ? "" : kernel.getArgName(f.tensor).str();
  out.element = f.element;
  out.otherBlock = f.otherBlock;
  out.otherTrips = tripsOf(f.otherIterations);
  if (f.otherOp) {
    out.otherAt = api::rangeOf(file, tile::operandRange(file, f.otherOp, 0));
  }
  out.otherMessage = f.otherMessage;
  llvm::raw_string_ostream text(out.text);
  exec::reportFault(file, f, text);
  return out;
}

/// The array at a place of a list that may be shorter.
static std::optional<Array> take(std::vector<std::optional<exec::Array>> &list,
                                 size_t number) {
  if (number >= list.size() || !list[number]) {
    return std::nullopt;
  }
  return api::plain(std::move(*list[number]));
}

static Execution plain(const tile::KernelFile &file, exec::Result result) {
  tile::KernelOp kernel = file.kernel;
  Execution out;
  out.kernel = kernel.getSymName().str();
  out.grid = result.grid;
  out.blocks = result.blocks;
  out.steps = result.steps;
  for (const exec::Fault &fault : result.faults) {
    out.faults.push_back(plain(file, fault));
  }
  out.boundsHold = result.boundsHold;
  for (mlir::BlockArgument arg : kernel.getArguments()) {
    unsigned number = arg.getArgNumber();
    std::optional<Array> values = take(result.tensors, number);
    if (!values) {
      continue;
    }
    TensorResult tensor{std::move(*values), std::nullopt,
                        take(result.defined, number)};
    if (result.boundsHold) {
      tensor.bounds = take(result.bounds, number);
    }
    out.tensors.emplace(kernel.getArgName(number).str(), std::move(tensor));
  }
  return out;
}

static Error refusal(const tile::KernelFile &file, const std::string &why) {
  Error out{Error::Kind::Refused, "the launch is refused: " + why};
  llvm::raw_string_ostream text(out.text);
  exec::reportRefusal(file, why, text);
  return out;
}

Expected<Execution> Executor::run(const Launch &launch) const {
  std::lock_guard lock(impl->mutex);
  Expected<exec::Options> options = optionsOf(impl->signature, launch);
  if (!options) {
    return options.error();
  }
  std::string error = exec::inferSymbols(impl->files.front()->kernel, *options);
  if (!error.empty()) {
    return usage(error);
  }
  exec::Choice choice =
      exec::chooseVariant(impl->files, options->symbols, launch.variant);
  if (!choice.number) {
    return usage(choice.error);
  }
  const tile::KernelFile &file = *impl->files[*choice.number];
  exec::Result result = impl->runners[*choice.number]->run(*options);
  if (!result.contractError.empty()) {
    return refusal(file, result.contractError);
  }
  if (result.faults.empty() && result.exhausted) {
    return Error{Error::Kind::Limit,
                 "the launch needs more steps or memory than allowed (" +
                     tile::counted(result.steps, "step", "steps") + ")"};
  }
  return plain(file, std::move(result));
}

} // namespace girih
