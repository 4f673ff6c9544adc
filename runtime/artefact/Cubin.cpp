// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/artefact/Cubin.h"

#include <cstdint>
#include <cstring>
#include <elf.h>
#include <string>

namespace girih::runtime {

namespace {

// Kinds of records in .nv.info: a byte of format, a byte of attribute, and two
// bytes that are the value or, for sized records, the length of what follows.
constexpr uint8_t sizedFormat = 4;
constexpr uint8_t parameterRecord = 0x17, parameterRecordV2 = 0x45;

template <typename T>
std::optional<T> readAt(std::string_view bytes, uint64_t at) {
  if (at > bytes.size() || bytes.size() - at < sizeof(T)) {
    return std::nullopt;
  }
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof(T));
  return value;
}

std::optional<std::string_view> contentsOf(std::string_view file,
                                           const Elf64_Shdr &section) {
  if (section.sh_offset > file.size() ||
      file.size() - section.sh_offset < section.sh_size) {
    return std::nullopt;
  }
  return file.substr(section.sh_offset, section.sh_size);
}

/// Whether a name, which ends with a null, lies there in a table of names.
bool isNamed(std::string_view names, uint64_t at, const std::string &name) {
  return at < names.size() && names.substr(at).starts_with(std::string_view(
                                  name.c_str(), name.size() + 1));
}

std::optional<size_t> countRecords(std::string_view info) {
  size_t count = 0;
  while (!info.empty()) {
    auto format = readAt<uint8_t>(info, 0);
    auto attribute = readAt<uint8_t>(info, 1);
    auto length = readAt<uint16_t>(info, 2);
    if (!length) {
      return std::nullopt;
    }
    size_t size = 4 + (*format == sizedFormat ? *length : 0);
    if (info.size() < size) {
      return std::nullopt;
    }
    count += *format == sizedFormat &&
             (*attribute == parameterRecord || *attribute == parameterRecordV2);
    info.remove_prefix(size);
  }
  return count;
}

} // namespace

std::optional<size_t> countParameters(std::string_view cubin,
                                      std::string_view entry) {
  auto header = readAt<Elf64_Ehdr>(cubin, 0);
  if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
      header->e_ident[EI_CLASS] != ELFCLASS64 ||
      header->e_shentsize != sizeof(Elf64_Shdr)) {
    return std::nullopt;
  }
  auto section = [&](uint64_t number) {
    uint64_t at = header->e_shoff + number * sizeof(Elf64_Shdr);
    return at < header->e_shoff ? std::nullopt : readAt<Elf64_Shdr>(cubin, at);
  };
  auto table = section(header->e_shstrndx);
  auto names = table ? contentsOf(cubin, *table) : std::nullopt;
  if (!names) {
    return std::nullopt;
  }
  std::string wanted = ".nv.info." + std::string(entry);
  for (uint64_t k = 0; k < header->e_shnum; ++k) {
    auto candidate = section(k);
    if (candidate && isNamed(*names, candidate->sh_name, wanted)) {
      auto info = contentsOf(cubin, *candidate);
      return info ? countRecords(*info) : std::nullopt;
    }
  }
  return std::nullopt;
}

} // namespace girih::runtime
