// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The main function of a program that is made of a file with listed kernels:
// girih_add_kernel and Python build such programs. Exits with 3 where there is
// nothing to write, or a kernel is refused.
//
//   PROGRAM FOLDER             writes FOLDER/NAME.mlir of each kernel, and
//                              FOLDER/kernels.txt with the names
//   PROGRAM --embed FOLDER OUT.cpp
//                              a source file with the artefacts FOLDER/NAME

#include "girih/kernel.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>

namespace fs = std::filesystem;

using namespace girih::kernel;

namespace {

struct Failure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

std::string read(const fs::path &path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// Leaves a file alone that is the same: what is made of it stays as new.
void write(const fs::path &path, const std::string &text) {
  if (fs::exists(path) && read(path) == text) {
    return;
  }
  std::ofstream out(path, std::ios::binary);
  out << text;
  out.close();
  if (out.fail()) {
    throw Failure(path.string() + " cannot be written");
  }
}

void writeTexts(const fs::path &folder) {
  fs::create_directories(folder);
  std::map<std::string, std::string> texts;
  std::string names;
  for (const recorder::ListedKernel &kernel : recorder::listedKernels()) {
    recorder::File file = kernel.record();
    auto [known, isNew] = texts.try_emplace(file.name, file.text);
    if (!isNew && known->second != file.text) {
      throw Failure("two kernels that are listed are called " + file.name);
    }
    if (isNew) {
      write(folder / (file.name + ".mlir"), file.text);
      names += file.name + "\n";
    }
  }
  if (names.empty()) {
    throw Failure("no kernel is listed: template struct "
                  "girih::kernel::Listed<gemm<128, 256>>; in a file of this "
                  "program does it");
  }
  write(folder / "kernels.txt", names);
}

/// Bytes as C++ has them; octal digits end after three.
std::string literal(const std::string &bytes) {
  std::string out = "std::string_view(";
  for (size_t k = 0; k < bytes.size() || k == 0; k += 60) {
    out += "\n    \"";
    for (size_t i = k; i < std::min(k + 60, bytes.size()); ++i) {
      char digits[5];
      std::snprintf(digits, sizeof digits, "\\%03o",
                    static_cast<unsigned char>(bytes[i]));
      out += digits;
    }
    out += '"';
  }
  return out + ",\n    " + std::to_string(bytes.size()) + ")";
}

void writeEmbedded(const fs::path &folder, const fs::path &output) {
  std::string text = "#include <girih/launch.h>\n\n"
                     "namespace girih::kernel::detail {\n",
              table;
  int number = 0;
  for (const recorder::ListedKernel &kernel : recorder::listedKernels()) {
    fs::path artefact = folder / recorder::nameOfType(kernel.type);
    std::vector<fs::path> files;
    for (const auto &entry : fs::recursive_directory_iterator(artefact)) {
      if (entry.is_regular_file()) {
        files.push_back(entry.path());
      }
    }
    std::sort(files.begin(), files.end());
    std::string name = "files" + std::to_string(number++);
    text += "static const girih::EmbeddedFile " + name + "[] = {\n";
    for (const fs::path &file : files) {
      text += "  {" + literal(fs::relative(file, artefact).string()) +
              ",\n   " + literal(read(file)) + "},\n";
    }
    text += "};\n";
    table += "  {" + literal(kernel.type) + ",\n   " + name + "},\n";
  }
  text += "static const EmbeddedKernel kernels[] = {\n" + table + "};\n" +
          "[[maybe_unused]] static const bool isEmbedded = embed(kernels);\n"
          "} // namespace girih::kernel::detail\n";
  write(output, text);
}

} // namespace

int main(int count, char **arguments) {
  try {
    if (count == 4 && arguments[1] == std::string("--embed")) {
      writeEmbedded(arguments[2], arguments[3]);
    } else if (count == 2 && arguments[1][0] != '-') {
      writeTexts(arguments[1]);
    } else {
      throw Failure(std::string("usage: ") + arguments[0] + " FOLDER");
    }
    return 0;
  } catch (const std::exception &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 3;
  }
}
