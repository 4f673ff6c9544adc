// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A file that the runtime takes for a cubin: ELF, with a text behind its header
// for a driver that is none.

#ifndef GIRIH_TESTS_UNIT_RUNTIME_CUBINFILE_H
#define GIRIH_TESTS_UNIT_RUNTIME_CUBINFILE_H

#include <cstring>
#include <elf.h>
#include <string>
#include <vector>

namespace girih::tests {

/// Entries take so many parameters each.
inline std::string cubinFile(const std::string &text, size_t parameters,
                             const std::vector<std::string> &entries) {
  std::string info;
  for (size_t k = 0; k < parameters; ++k) {
    // Format, attribute and length of a parameter's record, as they stand in
    // cubins of sm_90.
    info += std::string("\x04\x17\x0c\x00", 4) + std::string(12, 0);
  }
  std::string file(sizeof(Elf64_Ehdr), 0), names(1, 0);
  file += text + '\0';
  std::vector<Elf64_Shdr> sections(1);
  auto place = [&](const std::string &name, size_t offset, size_t size) {
    Elf64_Shdr &section = sections.emplace_back();
    section.sh_name = static_cast<uint32_t>(names.size());
    section.sh_offset = offset;
    section.sh_size = size;
    names += name + '\0';
  };
  for (const std::string &entry : entries) {
    place(".nv.info." + entry, file.size(), info.size());
  }
  file += info;
  place(".shstrtab", file.size(), 0);
  sections.back().sh_size = names.size();
  file += names;
  Elf64_Ehdr header = {};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_shoff = file.size();
  header.e_shentsize = sizeof(Elf64_Shdr);
  header.e_shnum = static_cast<uint16_t>(sections.size());
  header.e_shstrndx = static_cast<uint16_t>(sections.size() - 1);
  std::memcpy(file.data(), &header, sizeof header);
  file.append(reinterpret_cast<const char *>(sections.data()),
              sections.size() * sizeof(Elf64_Shdr));
  return file;
}

} // namespace girih::tests

#endif // GIRIH_TESTS_UNIT_RUNTIME_CUBINFILE_H
