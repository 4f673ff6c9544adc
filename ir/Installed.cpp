// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ir/Installed.h"

#include <dlfcn.h>
#include <link.h>

namespace fs = std::filesystem;

namespace girih {

static fs::path find() {
  Dl_info info;
  link_map *object = nullptr;
  if (!dladdr1(reinterpret_cast<void *>(&find), &info,
               reinterpret_cast<void **>(&object), RTLD_DL_LINKMAP) ||
      !object) {
    return {};
  }
  // The loader has no name for the program itself.
  fs::path file = *object->l_name ? object->l_name : "/proc/self/exe";
  std::error_code failed;
  fs::path whole = fs::canonical(file, failed);
  return failed ? fs::path() : whole.parent_path();
}

fs::path ownFolder() {
  static const fs::path folder = find();
  return folder;
}

fs::path installedRoot() { return ownFolder().parent_path(); }

} // namespace girih
