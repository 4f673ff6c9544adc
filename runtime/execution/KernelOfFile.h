// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that are compiled when they are used first, one for each file and
// options of the process.

#ifndef GIRIH_RUNTIME_EXECUTION_KERNELOFFILE_H
#define GIRIH_RUNTIME_EXECUTION_KERNELOFFILE_H

#include "runtime/execution/JitOptions.h"
#include "runtime/execution/KernelState.h"
#include "runtime/jit/CompileFile.h"

#include <atomic>

namespace girih {

class KernelOfFile {
public:
  KernelOfFile(runtime::FileToCompile file) : file(std::move(file)) {}

  /// Compiles it, unless that was done; all threads that ask wait for one. What
  /// it throws is thrown to all, now and later.
  const std::shared_ptr<KernelState> &get() {
    return ready.load(std::memory_order_acquire) ? state : compile();
  }
  bool hasFailed() const { return failed.load(std::memory_order_acquire); }

private:
  const std::shared_ptr<KernelState> &compile();

  std::mutex mutex; ///< of what follows
  runtime::FileToCompile file;
  std::exception_ptr error;
  std::shared_ptr<KernelState> state;
  std::atomic<bool> ready = false, failed = false;
};

/// The one of this process; throws if the file cannot be read. A file that
/// changed is another one.
std::shared_ptr<KernelOfFile> kernelOfFile(const std::string &path,
                                           const JitOptions &options);

/// A new one, of a text in memory.
std::shared_ptr<KernelOfFile> kernelOfText(runtime::FileToCompile text,
                                           const JitOptions &options);

} // namespace girih

#endif // GIRIH_RUNTIME_EXECUTION_KERNELOFFILE_H
