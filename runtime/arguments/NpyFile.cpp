// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/arguments/NpyFile.h"

#include "runtime/artefact/Artefact.h"

#include <cstdio>
#include <fstream>

namespace girih::runtime {

static Error refuseFile(std::string reason) {
  return {ErrorKind::Usage, std::move(reason)};
}

Expected<Array> readNpy(const std::string &path, Element element) {
  std::optional<std::string> bytes = readFile(path);
  if (!bytes) {
    return refuseFile(path + ": cannot be read");
  }
  Expected<Array> array = parseNpy(*bytes, element);
  return array ? std::move(array)
               : refuseFile(path + ": " + array.error().reason);
}

std::optional<Error> writeFile(const std::string &path,
                               std::string_view bytes) {
  std::string beside = path + ".partial";
  std::ofstream file(beside, std::ios::binary);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  file.close();
  if (!file || std::rename(beside.c_str(), path.c_str()) != 0) {
    std::remove(beside.c_str());
    return refuseFile(path + ": cannot be written");
  }
  return std::nullopt;
}

} // namespace girih::runtime
