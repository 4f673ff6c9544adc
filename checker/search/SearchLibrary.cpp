// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "checker/search/SearchLibrary.h"
#include "ir/Installed.h"

#include <dlfcn.h>

namespace girih::checker {

namespace {
struct Library {
  const search::Api *api = nullptr;
  std::string error;
};
} // namespace

static Library open() {
  Library library;
  std::error_code failed;
  const std::filesystem::path folders[] = {installedRoot() / "lib",
                                           ownFolder()};
  for (const std::filesystem::path &folder : folders) {
    std::filesystem::path file = folder / "libgirih_search.so";
    if (!std::filesystem::exists(file, failed)) {
      continue;
    }
    // Never closed: Z3 keeps state for the life of the process.
    void *handle = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
      library.error = dlerror();
      return library;
    }
    auto get =
        reinterpret_cast<search::ApiFunction>(dlsym(handle, search::apiSymbol));
    if (!get) {
      library.error = file.string() + " is not a search library";
      return library;
    }
    library.api = get();
    return library;
  }
  library.error = "libgirih_search.so is neither in " + folders[0].string() +
                  " nor in " + folders[1].string();
  return library;
}

const search::Api *openSearch(std::string *error) {
  static const Library library = open();
  if (error && !library.api) {
    *error = library.error;
  }
  return library.api;
}

} // namespace girih::checker
