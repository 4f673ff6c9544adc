// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Kernels of artefacts, and what generated headers are made of.

#ifndef GIRIH_RUNTIME_EXECUTION_KERNEL_H
#define GIRIH_RUNTIME_EXECUTION_KERNEL_H

#include "runtime/execution/Creation.h"
#include "runtime/execution/JitOptions.h"
#include "runtime/execution/LaunchOp.h"
#include "runtime/execution/Signature.h"

#include <atomic>
#include <map>
#include <string>
#include <variant>

namespace girih {

class Kernel;
/// \cond
namespace detail {
KernelState &stateOf(const Kernel &kernel);
/// Where an artefact of this name is beside the program that runs.
std::string besideProgram(std::string_view name);
} // namespace detail
/// \endcond

class KernelOfFile;

/// The values of a call by name: launch symbols, and scalars.
using NamedValues = std::map<std::string, std::variant<int64_t, double>>;

/// An artefact, ready to be launched. Copies are the same kernel; every member
/// may be called in any thread. Code is loaded on the device of a launch when
/// the first one needs it, and unloaded with the last copy and launch.
class Kernel {
public:
  /// The same kernel; moved is copied.
  Kernel(const Kernel &) = default;
  Kernel &operator=(const Kernel &) = default;

  /// Reads the folder that tile-compile wrote.
  static Kernel load(const std::string &folder);
  /// The same of files in memory.
  static Kernel embedded(std::span<const EmbeddedFile> files);
  /// Reads a kernel now, and has tile-compile verify and compile it when any
  /// member of the result is used first: once for a file and options, however
  /// many threads and processes ask (runtime/README.md, Just in time). Throws
  /// what that throws; the next call of this function tries again.
  static Kernel fromFile(const std::string &path,
                         const JitOptions &options = {});
  /// The same of a text in memory; errors and progress call it NAME.mlir. Each
  /// call is a kernel of its own.
  static Kernel fromText(const std::string &name, std::string text,
                         const JitOptions &options = {});

  std::string_view name() const;
  /// The launch symbols that a call gives, in order: those that are neither
  /// extents nor strides. Valid as long as a copy of this.
  std::vector<SymbolSignature> symbols() const;
  /// What the kernel takes for granted and nobody checks.
  std::vector<std::string> trusted() const;
  /// Throws if the artefact has another signature than a header.
  void compare(const KernelSignature &signature) const;
  /// Loads the code for a device now, not with the first launch.
  void prepare(const Device &device) const;

  /// A launch on tensors in the kernel's order; types and modes are checked
  /// when it starts.
  template <typename... Arguments>
    requires(detail::ArgumentTraits<Arguments>::isArgument && ...)
  LaunchOp<Arguments...> launch(const NamedValues &values,
                                Arguments... arguments) const {
    std::array<bool, sizeof...(Arguments)> writable{
        detail::ArgumentTraits<Arguments>::isWritable...};
    auto [scalars, symbols] = place(values, writable);
    return LaunchOp<Arguments...>(state(), scalars, symbols,
                                  std::move(arguments)...);
  }
  /// The same with scalars and symbols in the kernel's order.
  template <typename... Arguments>
    requires(detail::ArgumentTraits<Arguments>::isArgument && ...)
  LaunchOp<Arguments...> launch(std::span<const double> scalars,
                                std::span<const int64_t> symbols,
                                Arguments... arguments) const {
    return LaunchOp<Arguments...>(state(), scalars, symbols,
                                  std::move(arguments)...);
  }

private:
  template <typename Derived> friend class Launcher;
  friend KernelState &detail::stateOf(const Kernel &kernel);

  explicit Kernel(std::shared_ptr<KernelState> loaded)
      : loaded(std::move(loaded)) {}
  explicit Kernel(std::shared_ptr<KernelOfFile> file) : file(std::move(file)) {}
  /// Compiles it if it has to be.
  const std::shared_ptr<KernelState> &state() const;
  std::pair<std::vector<double>, std::vector<int64_t>>
  place(const NamedValues &values, std::span<const bool> writable) const;

  std::shared_ptr<KernelState> loaded; ///< null for a kernel of a file
  std::shared_ptr<KernelOfFile> file;
};

namespace detail {

/// The kernel of a generated header: given, or found beside the program when it
/// is used first.
class KernelSlot {
public:
  /// Throws std::logic_error once it is in use.
  void set(Kernel kernel);
  const Kernel &get(const KernelSignature &signature) {
    const Kernel *kernel = ready.load(std::memory_order_acquire);
    return kernel ? *kernel : find(signature);
  }

private:
  const Kernel &find(const KernelSignature &signature);

  std::atomic<const Kernel *> ready = nullptr;
};

} // namespace detail

/// The base of a generated launcher.
template <typename Derived> class Launcher {
public:
  /// Loads the kernel from a folder. Without it the folder of the kernel's
  /// name beside the program is loaded with the first launch. Refused once a
  /// kernel is there.
  static void load(const std::string &folder) { use(Kernel::load(folder)); }
  static void use(Kernel kernel) {
    kernel.compare(Derived::signature);
    slot.set(std::move(kernel));
  }
  static const Kernel &kernel() { return slot.get(Derived::signature); }

protected:
  template <size_t scalars, size_t symbols, typename... Arguments>
  static LaunchOp<Arguments...>
  bind(const std::array<double, scalars> &scalarValues,
       const std::array<int64_t, symbols> &symbolValues,
       Arguments &&...arguments) {
    return LaunchOp<Arguments...>(kernel().state(), scalarValues, symbolValues,
                                  std::move(arguments)...);
  }

private:
  inline static detail::KernelSlot slot;
};

} // namespace girih

#endif // GIRIH_RUNTIME_EXECUTION_KERNEL_H
