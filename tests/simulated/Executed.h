// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels of the language on the simulated driver. Their cubins hold the text
// of a kernel; simulated_executor, a library of its own that the driver opens
// when it meets the first one, runs it on the reference executor. So the driver
// knows nothing of MLIR, and programs without such kernels do not load it.

#ifndef GIRIH_TESTS_SIMULATED_EXECUTED_H
#define GIRIH_TESTS_SIMULATED_EXECUTED_H

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace girih::simulated {

struct KernelArguments;
struct Touch;

/// What the bytes of a parameter are to the kernel.
struct Parameter {
  enum class Kind {
    Pointer, ///< where the tensor `name` lies
    Scalar,  ///< the float `name`
    Integer, ///< the launch symbol `name`
    Grid,    ///< an extent of the grid, which follows from symbols
  };
  Kind kind = Kind::Pointer;
  size_t bytes = 8;
  std::string name;
};

/// What a cubin says of a kernel.
struct ExecutedText {
  std::vector<std::string> entries;
  std::vector<Parameter> parameters; ///< of each entry
  std::string text;                  ///< of a module with the kernel alone
};

/// As it stands in a cubin, with length and digest on its first line.
std::string printExecuted(const ExecutedText &kernel);

/// Reads what stands there, up to a null: another text, one that was cut off or
/// changed is none.
std::optional<ExecutedText> parseExecuted(const char *text);

/// A kernel that was read. Members may be called in any thread.
class ExecutedKernel {
public:
  virtual ~ExecutedKernel() = default;
  /// Adds what a launch touches: exactly where its symbols say that, else all
  /// of each tensor that the kernel reads or writes. Or why the contract does
  /// not admit it.
  virtual std::optional<std::string> touch(const KernelArguments &arguments,
                                           std::vector<Touch> &touches) = 0;
  /// Runs every block and stores what was written; or says what went wrong, and
  /// stores nothing.
  virtual std::optional<std::string> run(const KernelArguments &arguments) = 0;
};

/// What simulated_executor shows, under the name openExecuted: reads a kernel;
/// or null, with the reason.
using OpenExecuted = ExecutedKernel *(const ExecutedText &kernel,
                                      std::string &why);

/// The same through the library, which lies beside the driver.
std::shared_ptr<ExecutedKernel> openKernel(const ExecutedText &kernel,
                                           std::string &why);

} // namespace girih::simulated

#endif // GIRIH_TESTS_SIMULATED_EXECUTED_H
