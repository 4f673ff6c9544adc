// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The steps of a compilation in one process, in microseconds, the least of
// several: bench/compile_times.py runs it.
//
//   compile_times KERNEL.mlir FOLDER
//
// FOLDER is where a cache may be made.

#include "checker/CheckFile.h"
#include "lower/Compile.h"
#include "lower/Readback.h"
#include "lower/tileir/Manifest.h"
#include "lower/tileir/Writer.h"

#include "llvm/Support/raw_ostream.h"

#include <chrono>

using namespace girih;

static constexpr int rounds = 9;
static constexpr size_t cubinSize = 200'000; ///< of a large one

namespace {

struct Times {
  std::map<std::string, double> least;

  template <typename F> auto step(const char *name, F work) {
    auto begin = std::chrono::steady_clock::now();
    auto result = work();
    std::chrono::duration<double, std::micro> took =
        std::chrono::steady_clock::now() - begin;
    auto [it, isNew] = least.try_emplace(name, took.count());
    it->second = std::min(it->second, took.count());
    return result;
  }
};

} // namespace

int main(int argc, char **argv) {
  if (argc != 3) {
    llvm::errs() << "usage: compile_times KERNEL.mlir FOLDER\n";
    return 3;
  }
  Times times;
  runtime::Cache cache(argv[2]);
  for (int i = 0; i < rounds; ++i) {
    mlir::DialectRegistry registry;
    tile::registerDialects(registry);
    mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
    std::string error;
    std::vector<checker::Checked> all = times.step("verify", [&] {
      return checker::checkFile(context, argv[1], {}, llvm::errs(), error);
    });
    const checker::Checked &checked = all.front();
    if (!checked.verdict.verified) {
      llvm::errs() << argv[1] << ": not VERIFIED " << error << "\n";
      return 1;
    }
    auto lowered = times.step(
        "lower", [&] { return tileir::lower(*checked.verdict.verified); });
    auto *done = std::get_if<tileir::Lowered>(&lowered);
    if (!done) {
      return 1;
    }
    tileir::Bytes bytecode = times.step(
        "write", [&] { return tileir::writeBytecode(done->module); });
    auto wrong = times.step("read back", [&] {
      return lower::readBack(*checked.verdict.verified, *done, bytecode);
    });
    if (wrong) {
      llvm::errs() << *wrong << "\n";
      return 1;
    }
    llvm::StringRef bytes(reinterpret_cast<const char *>(bytecode.data()),
                          bytecode.size());
    // Any file is as good as an assembler.
    if (i == 0) {
      cache.store(runtime::Cache::Kind::Cubin,
                  lower::cubinKey(bytes, "sm_90", argv[0], "tileiras"),
                  std::string(cubinSize, '\1'));
    }
    bool found = times.step("cached", [&] {
      return cache
          .find(runtime::Cache::Kind::Cubin,
                lower::cubinKey(bytes, "sm_90", argv[0], "tileiras"))
          .has_value();
    });
    if (!found) {
      llvm::errs() << "the cache has forgotten\n";
      return 1;
    }
  }
  const char *separator = "{";
  for (const auto &[name, microseconds] : times.least) {
    llvm::outs() << separator << '"' << name
                 << "\": " << llvm::format("%.1f", microseconds);
    separator = ", ";
  }
  llvm::outs() << "}\n";
  return 0;
}
