// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tile-exec: runs one launch of a kernel on the reference executor.

#include "ir/Files.h"
#include "ir/Tool.h"
#include "spec/executor/CommandLine.h"
#include "spec/executor/Float.h"
#include "spec/executor/Infer.h"
#include "spec/executor/Launch.h"
#include "spec/executor/Npy.h"
#include "spec/executor/Report.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>

using namespace girih;
using namespace girih::exec;

namespace {

constexpr int exitClean = 0, exitFault = 1, exitUsage = 3;

int usage(const std::string &why) {
  llvm::errs() << "tile-exec: error: " << why << '\n';
  return exitUsage;
}

/// The kind of an argument's elements, or of a float scalar, by name.
std::optional<unsigned> argumentNumber(tile::KernelOp kernel,
                                       const std::string &name) {
  for (mlir::BlockArgument arg : kernel.getArguments()) {
    if (kernel.getArgName(arg.getArgNumber()) == name) {
      return arg.getArgNumber();
    }
  }
  return std::nullopt;
}

Kind argumentKind(tile::KernelOp kernel, unsigned number) {
  mlir::Type type = kernel.getArguments()[number].getType();
  auto tensor = mlir::dyn_cast<tile::TileTensorType>(type);
  return kindOf(tensor ? tensor.getElementType() : type);
}

/// One `name=path` with what the kernel knows of the name.
struct NamedFile {
  unsigned argument;
  std::string name, path;
};

std::optional<std::vector<NamedFile>>
resolve(tile::KernelOp kernel,
        const std::vector<std::pair<std::string, std::string>> &pairs,
        bool onlyTensors, std::string &error) {
  std::vector<NamedFile> files;
  for (const auto &[name, path] : pairs) {
    std::optional<unsigned> number = argumentNumber(kernel, name);
    if (!number) {
      error = "the kernel has no argument %" + name;
      return std::nullopt;
    }
    mlir::Type type = kernel.getArguments()[*number].getType();
    if (onlyTensors && !mlir::isa<tile::TileTensorType>(type)) {
      error = "argument %" + name + " is not a tensor";
      return std::nullopt;
    }
    files.push_back({*number, name, path});
  }
  return files;
}

/// Whether an expected element agrees with what was computed.
bool agrees(double value, double bound, double expected) {
  if (std::isinf(bound)) {
    return true;
  }
  return value == expected || (std::isnan(value) && std::isnan(expected)) ||
         std::fabs(value - expected) <= bound;
}

/// The error bounds of a tensor, zeros where the run was exact; nothing when
/// there are none that hold.
std::optional<Array> boundsOf(const Result &result, unsigned argument) {
  const std::optional<Array> &tensor = result.tensors[argument];
  if (!tensor || !result.boundsHold) {
    return std::nullopt;
  }
  return result.bounds[argument]
             ? result.bounds[argument]
             : makeArray(Kind::F64, tensor->shape, tensor->size());
}

/// Compares one tensor with an expected array; says where they differ first.
bool compare(const Result &result, const NamedFile &file,
             const Array &expected) {
  const std::optional<Array> &got = result.tensors[file.argument];
  const std::optional<Array> &bounds = result.bounds[file.argument];
  if (got->shape != expected.shape) {
    llvm::errs() << file.path << ": error: %" << file.name << " has shape "
                 << shapeText(got->shape) << ", expected "
                 << shapeText(expected.shape) << '\n';
    return false;
  }
  bool real = isFloat(got->kind);
  for (int64_t i = 0; i < got->size(); ++i) {
    double bound = bounds && result.boundsHold ? bounds->floats[i] : 0;
    bool same = real ? agrees(got->floats[i], bound, expected.floats[i])
                     : got->ints[i] == expected.ints[i];
    if (same) {
      continue;
    }
    std::vector<int64_t> at(got->shape.size());
    int64_t rest = i;
    for (size_t k = at.size(); k-- > 0;) {
      at[k] = rest % got->shape[k];
      rest /= got->shape[k];
    }
    llvm::errs() << file.path << ": error: %" << file.name << shapeText(at)
                 << " is ";
    if (real) {
      llvm::errs() << llvm::format("%.17g, expected %.17g within %.3g",
                                   got->floats[i], expected.floats[i], bound);
    } else {
      llvm::errs() << got->ints[i] << ", expected " << expected.ints[i];
    }
    llvm::errs() << '\n';
    return false;
  }
  return true;
}

/// Makes inputs of the float scalars that are set, rounded to their format;
/// says what is none.
std::string setScalars(tile::KernelOp kernel, const CommandLine &line,
                       Options &options) {
  std::map<std::string, double> numbers = line.scalars;
  for (const auto &[name, number] : line.options.symbols) {
    numbers[name] = static_cast<double>(number);
  }
  for (const tile::LaunchSymbol &symbol : kernel.getLaunchSymbols()) {
    std::string name = symbol.name.str();
    if (line.scalars.count(name)) {
      return "--set: symbol " + name + " is an integer";
    }
    numbers.erase(name);
  }
  for (const auto &[name, number] : numbers) {
    std::optional<unsigned> argument = argumentNumber(kernel, name);
    if (!argument || !kernel.getArguments()[*argument].getType().isFloat()) {
      if (line.scalars.count(name)) {
        return "--set: the kernel has no float scalar %" + name;
      }
      continue; // reported with the symbols that there are
    }
    Kind kind = argumentKind(kernel, *argument);
    Array array{kind, {}, {roundTo(formatOf(kind), number)}, {}};
    if (!options.inputs.emplace(name, std::move(array)).second) {
      return "--set: %" + name + " has an input as well";
    }
    options.symbols.erase(name);
  }
  return "";
}

int execute(const CommandLine &line) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  tile::KernelFiles files =
      tile::readKernelFiles(context, line.file, llvm::errs());
  if (files.empty()) {
    return exitUsage;
  }
  // Kernels of one list have one signature.
  tile::KernelOp signature = files.front()->kernel;
  std::string error;
  auto inputs = resolve(signature, line.inputs, false, error);
  auto outputs = resolve(signature, line.outputs, true, error);
  auto expected = resolve(signature, line.expected, true, error);
  auto bounds = resolve(signature, line.bounds, true, error);
  if (!error.empty()) {
    return usage(error);
  }
  if (!line.options.values &&
      !(outputs->empty() && expected->empty() && bounds->empty())) {
    return usage("--no-values computes nothing to write or to compare");
  }
  Options options = line.options;
  std::vector<Array> wanted;
  for (auto *files : {&*inputs, &*expected}) {
    for (const NamedFile &f : *files) {
      std::optional<Array> array =
          readNpy(f.path, argumentKind(signature, f.argument), error);
      if (!array) {
        return usage(error);
      }
      if (files == &*inputs) {
        options.inputs[f.name] = std::move(*array);
      } else {
        wanted.push_back(std::move(*array));
      }
    }
  }
  error = setScalars(signature, line, options);
  if (error.empty()) {
    error = inferSymbols(signature, options);
  }
  if (!error.empty()) {
    return usage(error);
  }
  Choice choice = chooseVariant(files, options.symbols, line.variant);
  if (!choice.number) {
    return usage(choice.error);
  }
  const std::unique_ptr<tile::KernelFile> &file = files[*choice.number];
  Result result = run(file->kernel, options);
  if (!result.contractError.empty()) {
    reportRefusal(*file, result.contractError, llvm::errs());
    return exitUsage;
  }
  for (const Fault &fault : result.faults) {
    reportFault(*file, fault, llvm::errs());
  }
  if (!result.faults.empty()) {
    return exitFault;
  }
  if (result.exhausted) {
    return usage("the launch needs more steps or memory than allowed (" +
                 std::to_string(result.steps) + " steps)");
  }
  std::vector<tile::NamedBytes> written;
  for (const NamedFile &f : *outputs) {
    if (!result.tensors[f.argument]) {
      return usage("%" + f.name + " is too large to write");
    }
    written.push_back({f.path, printNpy(*result.tensors[f.argument])});
  }
  for (const NamedFile &f : *bounds) {
    std::optional<Array> bound = boundsOf(result, f.argument);
    if (!bound) {
      return usage("%" + f.name + " is too large, or has no bounds that hold");
    }
    written.push_back({f.path, printNpy(*bound)});
  }
  if (auto failure = tile::writeFiles(written)) {
    return usage(*failure);
  }
  for (size_t k = 0; k < wanted.size(); ++k) {
    if (!result.tensors[(*expected)[k].argument]) {
      return usage("%" + (*expected)[k].name + " is too large to compare");
    }
    if (!compare(result, (*expected)[k], wanted[k])) {
      return exitFault;
    }
  }
  llvm::outs() << "ran " << result.blocks
               << (result.blocks == 1 ? " block" : " blocks") << " of grid "
               << tupleText(result.grid)
               << (file->list.empty()
                       ? ""
                       : " of @" + file->kernel.getSymName().str())
               << ": no fault\n";
  return exitClean;
}

} // namespace

int main(int argc, char **argv) {
  tile::guardStandardOutput("tile-exec");
  std::string error;
  std::optional<CommandLine> line =
      parseCommandLine({argv + 1, argv + argc}, error);
  if (!line) {
    return usage(error);
  }
  if (line->help) {
    llvm::outs() << helpText();
    return exitClean;
  }
  if (line->version) {
    llvm::outs() << tile::versionText("tile-exec");
    return exitClean;
  }
  return execute(*line);
}
