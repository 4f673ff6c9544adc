// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tests/simulated/Reference.h"

#include "girih/Arrays.h"
#include "spec/executor/numerics/Float.h"

#include <cstring>
#include <stdexcept>

namespace girih::tests {

/// Kernels that were read, by path: tests call them again and again.
static const Executor &executorOf(const std::string &path) {
  static std::map<std::string, Executor> known;
  auto found = known.find(path);
  if (found == known.end()) {
    Expected<Executor> opened = Executor::open(Source::file(path));
    if (!opened) {
      throw std::runtime_error(opened.error().message);
    }
    found = known.emplace(path, *opened).first;
  }
  return found->second;
}

static int64_t numberOf(const KernelCall &call, const std::string &dim) {
  auto symbol = call.symbols.find(dim);
  return symbol == call.symbols.end() ? std::stoll(dim) : symbol->second;
}

std::vector<KernelTensor> tensorsOf(const KernelCall &call) {
  std::vector<KernelTensor> out;
  for (const Argument &a : executorOf(call.path).signature().arguments) {
    if (!a.isTensor) {
      continue;
    }
    KernelTensor &tensor = out.emplace_back();
    tensor.name = a.name;
    tensor.element = a.element;
    tensor.mode = a.mode;
    tensor.bytes = exec::elementBytes(*api::kindNamed(a.element));
    for (const std::string &dim : a.dims) {
      tensor.extents.push_back(numberOf(call, dim));
    }
  }
  return out;
}

static Array arrayOf(const KernelTensor &tensor, const std::string &bytes) {
  exec::Kind kind = *api::kindNamed(tensor.element);
  Array out{tensor.element, tensor.extents, {}, {}};
  for (size_t at = 0; at < bytes.size(); at += tensor.bytes) {
    uint64_t bits = 0;
    std::memcpy(&bits, &bytes[at], tensor.bytes);
    if (exec::isFloat(kind)) {
      out.floats.push_back(exec::fromBits(exec::formatOf(kind), bits));
    } else {
      auto unused = static_cast<unsigned>(64 - 8 * tensor.bytes);
      out.integers.push_back(static_cast<int64_t>(bits << unused) >> unused);
    }
  }
  return out;
}

static std::string bytesOf(const KernelTensor &tensor, const Array &array) {
  exec::Kind kind = *api::kindNamed(tensor.element);
  std::string out;
  auto add = [&](uint64_t bits) {
    out.append(reinterpret_cast<const char *>(&bits), tensor.bytes);
  };
  for (double x : array.floats) {
    add(exec::toBits(exec::formatOf(kind), x));
  }
  for (int64_t x : array.integers) {
    add(static_cast<uint64_t>(x));
  }
  return out;
}

std::map<std::string, std::string>
executeDirectly(const KernelCall &call,
                const std::map<std::string, std::string> &contents) {
  std::vector<KernelTensor> tensors = tensorsOf(call);
  Launch launch;
  launch.symbols = call.symbols;
  launch.scalars = call.scalars;
  for (const KernelTensor &tensor : tensors) {
    if (tensor.mode != "out") {
      launch.inputs[tensor.name] = arrayOf(tensor, contents.at(tensor.name));
    }
  }
  Expected<Execution> done = executorOf(call.path).run(launch);
  if (!done || !done->faults.empty()) {
    throw std::runtime_error(done ? done->faults.front().text
                                  : done.error().message);
  }
  std::map<std::string, std::string> out;
  for (const KernelTensor &tensor : tensors) {
    out[tensor.name] = bytesOf(tensor, done->tensors.at(tensor.name).values);
  }
  return out;
}

} // namespace girih::tests
