// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What turns a family of kernels into the texts of the library: each program
// here, given a folder, writes of all its kernels NAME.mlir, the same with places
// as placed/NAME.mlir, if there is such a folder, and NAME.lines, the line of C++
// for each line.

#ifndef GIRIH_PROOFS_KERNELS_LIBRARY_H
#define GIRIH_PROOFS_KERNELS_LIBRARY_H

#include "girih/kernel.h"
#include <cstdio>
#include <sys/stat.h>

namespace girih::kernel::library {

struct Entry {
  const char *name;
  recorder::File (*record)(Place, const char *name);
};

inline bool write(const std::string &path, const std::string &text) {
  std::FILE *file = std::fopen(path.c_str(), "w");
  bool isWritten =
      file && std::fwrite(text.data(), 1, text.size(), file) == text.size();
  return file && std::fclose(file) == 0 && isWritten;
}

inline int writeAll(int argc, char **argv, std::initializer_list<Entry> all) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: %s FOLDER\n", argv[0]);
    return 3;
  }
  for (const Entry &entry : all) {
    try {
      recorder::File file = entry.record(Place::current(), entry.name);
      std::string path = std::string(argv[1]) + "/" + entry.name, lines;
      for (const recorder::File::Origin &place : file.places) {
        lines += std::to_string(place.line) + "\n";
      }
      std::string placed = std::string(argv[1]) + "/placed/";
      struct stat about; // <filesystem> takes longer to compile than a kernel
      if (!write(path + ".mlir", file.text) || !write(path + ".lines", lines) ||
          (::stat(placed.c_str(), &about) == 0 &&
           !write(placed + entry.name + ".mlir", file.placed))) {
        std::fprintf(stderr, "error: %s.mlir is not written\n", path.c_str());
        return 1;
      }
    } catch (const Error &error) {
      std::fprintf(stderr, "%s\n", error.what());
      return 1;
    }
  }
  return 0;
}

} // namespace girih::kernel::library

#endif // GIRIH_PROOFS_KERNELS_LIBRARY_H
