// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/execution/Creation.h"

#include "runtime/execution/Kernel.h"
#include "runtime/host/TensorState.h"

#include <filesystem>
#include <fmt/format.h>
#include <mutex>

namespace girih {
namespace {

struct Creation {
  std::mutex mutex;
  std::string folder;
  std::map<std::string, Kernel, std::less<>> kernels;
};

/// Not destroyed: statics of the program may still make tensors.
Creation &creation() {
  static auto *made = new Creation;
  return *made;
}

Kernel find(const std::string &name, const std::string &folder,
            const Device &device) {
  if (!folder.empty()) {
    return Kernel::load(folder + "/" + name);
  }
  for (const detail::CreationKernel &kernel : detail::creationKernels()) {
    if (kernel.name == name) {
      return Kernel::embedded(kernel.files);
    }
  }
  std::string beside = detail::besideProgram(name);
  std::error_code error;
  if (std::filesystem::exists(beside, error)) {
    return Kernel::load(beside);
  }
  throw RuntimeError(
      1, fmt::format("there is no code of the kernel {0}, which makes such "
                     "tensors: this library was built without tileiras, and "
                     "{1} does not exist; write it with tile-compile "
                     "proofs/kernels/{0}/{0}.mlir --arch={2} -o {1}",
                     name, beside, device.architecture()));
}

/// Read once; kernels are not unloaded.
const Kernel &kernelNamed(const std::string &name, const Device &device) {
  Creation &all = creation();
  std::lock_guard lock(all.mutex);
  auto found = all.kernels.find(name);
  if (found == all.kernels.end()) {
    found = all.kernels.emplace(name, find(name, all.folder, device)).first;
  }
  return found->second;
}

} // namespace

void useCreationKernels(const std::string &folder) {
  Creation &all = creation();
  std::lock_guard lock(all.mutex);
  all.folder = folder;
}

namespace detail {

TensorState makeByKernel(std::string_view name, Element element,
                         const Extents &extents, const Stream &stream,
                         std::span<const double> scalars,
                         std::span<const int64_t> symbols) {
  std::string full(name);
  if (element != Element::F32) {
    full += fmt::format("_{}", nameOf(element));
  }
  const Kernel &kernel = kernelNamed(full, stream.device());
  TensorState state = makeEmpty(element, extents, stream);
  // Row by row without gaps: one axis.
  const int64_t count = state.count(), stride = 1;
  LaunchArgument argument{
      {state.address, element, {&count, 1}, {&stride, 1}}, {}, nullptr, 0};
  Access access(*state.record, AccessMode::Write);
  queueLaunch(stateOf(kernel), {{&argument, 1}, {&access, 1}, scalars, symbols},
              &stream);
  return state;
}

} // namespace detail
} // namespace girih
