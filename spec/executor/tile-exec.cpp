// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tile-exec: runs one launch of a kernel on the reference executor.

#include "girih/Arrays.h"
#include "ir/tool/Files.h"
#include "ir/tool/Tool.h"
#include "spec/executor/tool/CommandLine.h"
#include "spec/executor/tool/Npy.h"

#include "llvm/ADT/STLExtras.h"

#include "ir/types/Diagnose.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>

using namespace girih;
using exec::CommandLine, exec::shapeText, exec::tupleText;

namespace {

constexpr int exitClean = 0, exitFault = 1, exitUsage = 3;

int usage(const std::string &why) {
  llvm::errs() << "tile-exec: error: " << why << '\n';
  return exitUsage;
}

/// Says why there is no result; the tool's name is only before what no place
/// in the kernel explains.
int fail(const Error &error) {
  if (error.text.empty()) {
    return usage(error.message);
  }
  llvm::errs() << error.text;
  return exitUsage;
}

/// One `name=path` with what the kernel knows of the name.
struct NamedFile {
  const Argument *argument;
  std::string name, path;
};

exec::Kind kindOf(const NamedFile &file) {
  return *api::kindNamed(file.argument->element);
}

std::optional<std::vector<NamedFile>>
resolve(const Signature &signature,
        const std::vector<std::pair<std::string, std::string>> &pairs,
        bool onlyTensors, std::string &error) {
  std::vector<NamedFile> files;
  for (const auto &[name, path] : pairs) {
    auto argument = llvm::find_if(
        signature.arguments, [&](const Argument &a) { return a.name == name; });
    if (argument == signature.arguments.end()) {
      error = "the kernel has no argument %" + name;
      return std::nullopt;
    }
    if (onlyTensors && !argument->isTensor) {
      error = "argument %" + name + " is not a tensor";
      return std::nullopt;
    }
    files.push_back({&*argument, name, path});
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
std::optional<Array> boundsOf(const Execution &done, const std::string &name) {
  auto tensor = done.tensors.find(name);
  if (tensor == done.tensors.end() || !done.boundsHold) {
    return std::nullopt;
  }
  const Array &values = tensor->second.values;
  std::vector<double> zeros(
      std::max(values.floats.size(), values.integers.size()));
  return tensor->second.bounds
             ? tensor->second.bounds
             : Array{"f64", values.shape, std::move(zeros), {}};
}

/// Compares one tensor with an expected array; says where they differ first.
bool compare(const TensorResult &result, const NamedFile &file,
             const Array &expected) {
  const Array &got = result.values;
  const std::optional<Array> &bounds = result.bounds;
  if (got.shape != expected.shape) {
    llvm::errs() << file.path << ": error: %" << file.name << " has shape "
                 << shapeText(got.shape) << ", expected "
                 << shapeText(expected.shape) << '\n';
    return false;
  }
  const auto count =
      static_cast<int64_t>(std::max(got.floats.size(), got.integers.size()));
  bool real = exec::isFloat(kindOf(file));
  for (int64_t i = 0; i < count; ++i) {
    double bound = bounds ? bounds->floats[i] : 0;
    bool same = real ? agrees(got.floats[i], bound, expected.floats[i])
                     : got.integers[i] == expected.integers[i];
    if (same) {
      continue;
    }
    std::vector<int64_t> at(got.shape.size());
    int64_t rest = i;
    for (size_t k = at.size(); k-- > 0;) {
      at[k] = rest % got.shape[k];
      rest /= got.shape[k];
    }
    llvm::errs() << file.path << ": error: %" << file.name << shapeText(at)
                 << " is ";
    if (real) {
      llvm::errs() << llvm::format("%.17g, expected %.17g within %.3g",
                                   got.floats[i], expected.floats[i], bound);
    } else {
      llvm::errs() << got.integers[i] << ", expected " << expected.integers[i];
    }
    llvm::errs() << '\n';
    return false;
  }
  return true;
}

/// What --set gives to a float scalar is no symbol, even if it is whole.
void separateScalars(const Signature &signature, Launch &launch) {
  for (const Argument &argument : signature.arguments) {
    auto it = launch.symbols.find(argument.name);
    if (!argument.isTensor && it != launch.symbols.end()) {
      launch.scalars[argument.name] = static_cast<double>(it->second);
      launch.symbols.erase(it);
    }
  }
}

/// Reads the files; an error names the path.
std::vector<Array> readAll(const std::vector<NamedFile> &files,
                           std::string &error) {
  std::vector<Array> arrays;
  for (const NamedFile &f : files) {
    std::optional<exec::Array> array = exec::readNpy(f.path, kindOf(f), error);
    if (!array) {
      return {};
    }
    arrays.push_back(api::plain(std::move(*array)));
  }
  return arrays;
}

/// The bytes of a `.npy` file with the array.
std::string printNpy(const Array &array) {
  return exec::printNpy(api::internal(array, *api::kindNamed(array.element)));
}

int execute(const CommandLine &line) {
  Expected<Executor> executor = Executor::open(Source::file(line.file));
  if (!executor) {
    return fail(executor.error());
  }
  const Signature &signature = executor->signature();
  std::string error;
  auto inputs = resolve(signature, line.inputs, false, error);
  auto outputs = resolve(signature, line.outputs, true, error);
  auto expected = resolve(signature, line.expected, true, error);
  auto bounds = resolve(signature, line.bounds, true, error);
  if (!error.empty()) {
    return usage(error);
  }
  if (!line.launch.values &&
      !(outputs->empty() && expected->empty() && bounds->empty())) {
    return usage("--no-values computes nothing to write or to compare");
  }
  std::vector<Array> given = readAll(*inputs, error);
  std::vector<Array> wanted = error.empty() ? readAll(*expected, error) : given;
  if (!error.empty()) {
    return usage(error);
  }
  Launch launch = line.launch;
  for (size_t k = 0; k < given.size(); ++k) {
    launch.inputs[(*inputs)[k].name] = std::move(given[k]);
  }
  separateScalars(signature, launch);
  launch.print = [](const std::string &line) { llvm::outs() << line << '\n'; };
  Expected<Execution> done = executor->run(launch);
  if (!done) {
    return fail(done.error());
  }
  for (const Fault &fault : done->faults) {
    llvm::errs() << fault.text;
  }
  if (!done->faults.empty()) {
    return exitFault;
  }
  std::vector<tile::NamedBytes> written;
  for (const NamedFile &f : *outputs) {
    auto tensor = done->tensors.find(f.name);
    if (tensor == done->tensors.end()) {
      return usage("%" + f.name + " is too large to write");
    }
    written.push_back({f.path, printNpy(tensor->second.values)});
  }
  for (const NamedFile &f : *bounds) {
    std::optional<Array> bound = boundsOf(*done, f.name);
    if (!bound) {
      return usage("%" + f.name + " is too large, or has no bounds that hold");
    }
    written.push_back({f.path, printNpy(*bound)});
  }
  if (auto failure = tile::writeFiles(written)) {
    return usage(*failure);
  }
  for (size_t k = 0; k < wanted.size(); ++k) {
    auto tensor = done->tensors.find((*expected)[k].name);
    if (tensor == done->tensors.end()) {
      return usage("%" + (*expected)[k].name + " is too large to compare");
    }
    if (!compare(tensor->second, (*expected)[k], wanted[k])) {
      return exitFault;
    }
  }
  bool listed = !signature.variants.empty();
  llvm::outs() << "ran " << tile::counted(done->blocks, "block", "blocks")
               << " of grid " << tupleText(done->grid)
               << (listed ? " of @" + done->kernel : "") << ": no fault\n";
  return exitClean;
}

} // namespace

int main(int argc, char **argv) {
  tile::guardStandardOutput("tile-exec");
  std::string error;
  std::optional<CommandLine> line =
      exec::parseCommandLine({argv + 1, argv + argc}, error);
  if (!line) {
    return usage(error);
  }
  if (line->help) {
    llvm::outs() << exec::helpText();
    return exitClean;
  }
  if (line->version) {
    llvm::outs() << tile::versionText("tile-exec");
    return exitClean;
  }
  return execute(*line);
}
