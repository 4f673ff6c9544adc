// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of the driver by name, for the tables.

#ifndef GIRIH_RUNTIME_DRIVER_SYMBOLS_H
#define GIRIH_RUNTIME_DRIVER_SYMBOLS_H

#include <dlfcn.h>

namespace girih::runtime {

/// Takes functions out of the library; remembers the first that is missing.
struct Symbols {
  void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  const char *missing = nullptr;

  template <typename F> void take(F &out, const char *name) {
    out = reinterpret_cast<F>(dlsym(library, name));
    if (!out && !missing) {
      missing = name;
    }
  }
};

} // namespace girih::runtime

#endif // GIRIH_RUNTIME_DRIVER_SYMBOLS_H
