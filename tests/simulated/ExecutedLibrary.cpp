// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Opens simulated_executor when the driver is given the first kernel for it.

#include "tests/simulated/Executed.h"

#include <dlfcn.h>
#include <filesystem>

namespace girih::simulated {

/// Where this code was loaded from.
static std::filesystem::path ownFolder() {
  Dl_info info{};
  dladdr(reinterpret_cast<void *>(&ownFolder), &info);
  return std::filesystem::path(info.dli_fname ? info.dli_fname : "")
      .parent_path();
}

static OpenExecuted *openLibrary(std::string &why) {
  std::string path = ownFolder() / "libsimulated_executor.so";
  void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  void *open = library ? dlsym(library, "openExecuted") : nullptr;
  if (!open) {
    const char *said = dlerror();
    why = said ? said : path + " cannot be opened";
  }
  return reinterpret_cast<OpenExecuted *>(open);
}

std::shared_ptr<ExecutedKernel> openKernel(const ExecutedText &kernel,
                                           std::string &why) {
  static OpenExecuted *open = nullptr; // behind the lock of the state
  if (!open) {
    open = openLibrary(why);
  }
  return std::shared_ptr<ExecutedKernel>(open ? open(kernel, why) : nullptr);
}

} // namespace girih::simulated
