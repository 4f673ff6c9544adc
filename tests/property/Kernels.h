// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the property tests run on: the kernels in the tree, and random ones.

#ifndef GIRIH_TESTS_PROPERTY_KERNELS_H
#define GIRIH_TESTS_PROPERTY_KERNELS_H

#include "fuzz/generators/Generator.h"
#include "ir/text/Reader.h"
#include "tests/unit/Long.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <sstream>

namespace girih::test {

/// Paths of the kernels in a folder of the tree, sorted; only those whose name
/// is `name`, if it is given.
inline std::vector<std::string> kernelsIn(const std::string &folder,
                                          const std::string &name = "") {
  std::vector<std::string> out;
  std::filesystem::path root = std::filesystem::path(GIRIH_SOURCE_DIR) / folder;
  if (!std::filesystem::exists(root)) {
    return out;
  }
  for (const auto &e : std::filesystem::recursive_directory_iterator(root)) {
    if (e.path().extension() == ".mlir" &&
        (name.empty() || e.path().filename() == name)) {
      out.push_back(
          std::filesystem::relative(e.path(), GIRIH_SOURCE_DIR).string());
    }
  }
  std::sort(out.begin(), out.end());
  return out;
}

/// Every kernel of ours, good and bad.
inline std::vector<std::string> allKernels() {
  std::vector<std::string> out;
  for (const char *folder : {"proofs/kernels", "tests/corpus/girih"}) {
    std::vector<std::string> some = kernelsIn(folder);
    out.insert(out.end(), some.begin(), some.end());
  }
  return out;
}

/// Of those the ones that a test of each kernel takes.
inline std::vector<std::string> takenKernels() {
  std::vector<std::string> out = allKernels();
  std::erase_if(out, [](const std::string &path) { return !isTaken(path); });
  return out;
}

/// Those of the suites of others: a table beside their folder lists them.
inline std::vector<std::string> suiteKernels() {
  std::vector<std::string> out;
  std::filesystem::path root(GIRIH_SOURCE_DIR);
  for (const auto &e :
       std::filesystem::recursive_directory_iterator(root / "tests/corpus")) {
    if (e.path().extension() == ".json") {
      std::filesystem::path folder = e.path();
      folder.replace_extension();
      std::vector<std::string> some =
          kernelsIn(std::filesystem::relative(folder, root));
      out.insert(out.end(), some.begin(), some.end());
    }
  }
  std::sort(out.begin(), out.end());
  return out;
}

/// The name of a test from the path of a kernel.
inline std::string testName(const ::testing::TestParamInfo<std::string> &info) {
  std::string name = std::filesystem::path(info.param).replace_extension();
  for (char &c : name) {
    c = isalnum(static_cast<unsigned char>(c)) ? c : '_';
  }
  return name;
}

inline std::string textOf(const std::string &path) {
  std::ifstream in(std::filesystem::path(GIRIH_SOURCE_DIR) / path);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

/// The kernels of a text, mostly one, with the context that owns their types.
struct Kernel {
  explicit Kernel(const std::string &text)
      : context(std::make_unique<mlir::MLIRContext>(
            mlir::MLIRContext::Threading::DISABLED)) {
    llvm::raw_string_ostream os(errors);
    files = tile::readKernelTexts(*context, text, "kernel.mlir", os);
  }
  explicit operator bool() const { return !files.empty(); }
  tile::KernelOp op() const { return files.front()->kernel; }
  const tile::KernelFile &file() const { return *files.front(); }

  std::unique_ptr<mlir::MLIRContext> context;
  tile::KernelFiles files;
  std::string errors;
};

/// Seeds do not shrink: a smaller one is another kernel.
inline rc::Gen<uint64_t> seeds() {
  return rc::gen::noShrink(rc::gen::arbitrary<uint64_t>());
}
inline rc::Gen<fuzz::Sample> safeKernels() {
  return rc::gen::map(seeds(), fuzz::safeKernel);
}
inline rc::Gen<fuzz::Sample> indexKernels() {
  return rc::gen::map(seeds(), fuzz::randomIndices);
}
inline rc::Gen<fuzz::Sample> nearMisses() {
  return rc::gen::map(seeds(), [](uint64_t seed) {
    size_t mistakes = fuzz::mutationsOf(seed).size();
    return mistakes ? fuzz::nearMiss(seed, seed / 7 % mistakes)
                    : fuzz::safeKernel(seed);
  });
}

} // namespace girih::test

namespace girih::fuzz {
/// What RapidCheck shows of a kernel that breaks a property.
inline void showValue(const Sample &s, std::ostream &os) {
  os << "seed " << s.seed << " " << s.mutation << "\n" << s.text;
}
} // namespace girih::fuzz

#endif // GIRIH_TESTS_PROPERTY_KERNELS_H
