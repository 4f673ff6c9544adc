// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Work that nobody has verified, in the same pipelines as launches: calls of
/// libraries, and kernels of others. Each has a name, which errors, profiler
/// ranges and graphs show, and says which of its tensors it writes; the ledger
/// orders it by that, and that is believed.

#ifndef GIRIH_RUNTIME_EXECUTION_OPTOUT_H
#define GIRIH_RUNTIME_EXECUTION_OPTOUT_H

#include "runtime/execution/Transfers.h"

#include <functional>
#include <string>

namespace girih {

/// Whether opt-outs are let through.
enum class OptOuts : unsigned char {
  Allowed, ///< as they come
  Refused, ///< each is an error where it is made, queued or recorded
};
/// Sets that for the process, in all threads; `Allowed` unless it was set.
void setOptOuts(OptOuts to) noexcept;

/// An opt-out of this process.
struct OptOutUse {
  std::string name;       ///< as it was given
  std::uint64_t uses = 0; ///< queued, or recorded into a graph
};
/// All that were used, in the order of names.
std::vector<OptOutUse> usedOptOuts();

/// What a library call gets. The views hold until it returns.
struct RawCall {
  const Stream &on;       ///< where to queue
  void *stream = nullptr; ///< the same as a CUstream; it may be being captured
  std::span<const ArgumentView> tensors; ///< in the order of the arguments
};

namespace detail {

struct OptOut {
  std::string name;
  std::string text; ///< `opt-out softmax(grid (4, 1, 1))`
  std::vector<AccessMode> modes;
  std::function<void(const RawCall &)> call;
};

/// Throw RuntimeError for names that no report can show, modes that do not fit
/// the arguments, and where opt-outs are refused.
void checkOptOutName(std::string_view name);
void checkOptOut(const OptOut &work, std::span<const bool> writable);
void refuseIfAsked(const std::string &name);
/// Counts one more use; throws where opt-outs are refused.
void bookOptOut(const std::string &name);
Stream queueOptOut(const OptOut &work, std::span<const ArgumentView> tensors,
                   std::span<Access> accesses, const Stream *stream);
/// What the work puts on a stream, as a graph of the driver's that goes with
/// the last owner. Nothing runs.
std::shared_ptr<void> captureOptOut(const OptOut &work,
                                    std::span<const ArgumentView> tensors,
                                    const Device &device);

template <typename... Arguments> struct OptOutPart {
  using Results = std::tuple<Arguments...>;
  static constexpr bool isRecordable = true;
  Results tensors;
  std::shared_ptr<const OptOut> work;

  const std::string &name() const { return work->text; }
  void check() const {
    std::array<bool, sizeof...(Arguments)> writable{
        ArgumentTraits<Arguments>::isWritable...};
    checkOptOut(*work, writable);
  }
  Stream queue(const Stream *stream) const {
    return withTensors([&](const auto &...each) {
      std::array<ArgumentView, sizeof...(Arguments)> views{viewOf(each)...};
      size_t number = 0;
      std::array<Access, sizeof...(Arguments)> accesses{
          accessOf(each, work->modes[number++])...};
      return queueOptOut(*work, views, accesses, stream);
    });
  }
  template <typename Recorder> void recordOn(Recorder &recorder) const {
    withTensors([&](const auto &...each) {
      std::array<ArgumentView, sizeof...(Arguments)> views{viewOf(each)...};
      std::array<std::shared_ptr<Record>, sizeof...(Arguments)> holds{
          holdOf(each)...};
      recorder.optOut(work, views, holds);
    });
  }

private:
  template <typename Use> auto withTensors(Use use) const {
    return std::apply(use, tensors);
  }
};

/// Handles of tensors, and nothing said about their contents.
template <typename Argument>
concept PlainArgument =
    ArgumentTraits<Argument>::isArgument && !ArgumentTraits<Argument>::isKnown;

} // namespace detail

/// A call of a library: `LibraryCall gemm("cublasSgemm", modes, function)`.
/// The function gets the raw stream and addresses, queues its work there and
/// nowhere else, waits for nothing and keeps no address; it says with an
/// exception what went wrong. It may be called in any thread, and once more for
/// each change of a graph. Copies are the same call.
class LibraryCall {
public:
  /// A name of letters, digits and `_ . : -`; what is done with each tensor.
  LibraryCall(std::string_view name, std::vector<AccessMode> modes,
              std::function<void(const RawCall &)> function);

  /// The call on these tensors, which has not started: a sender like a launch.
  /// Gives all of them back.
  template <detail::PlainArgument... Arguments>
  [[nodiscard]] auto operator()(Arguments... arguments) const {
    return TransferOp(
        detail::OptOutPart<Arguments...>{{std::move(arguments)...}, work});
  }

private:
  std::shared_ptr<const detail::OptOut> work;
};

/// Blocks, threads and shared memory of a foreign kernel.
struct ForeignShape {
  std::array<unsigned, 3> grid{1, 1, 1};  ///< blocks an axis
  std::array<unsigned, 3> block{1, 1, 1}; ///< threads an axis
  unsigned sharedBytes = 0;               ///< dynamic, a block
};

/// \cond
namespace detail {

struct ForeignKernelState;

/// A parameter of a foreign kernel: a tensor's address, or bytes.
struct ForeignParameter {
  std::size_t tensor = SIZE_MAX;
  std::vector<std::byte> bytes;
};
std::shared_ptr<const OptOut>
foreignLaunch(const std::shared_ptr<ForeignKernelState> &kernel,
              const ForeignShape &shape,
              std::vector<ForeignParameter> parameters);

template <typename Argument> auto tensorsOf(Argument &&argument) {
  using Plain = std::remove_cvref_t<Argument>;
  if constexpr (PlainArgument<Plain>) {
    return std::tuple<Plain>(std::move(argument));
  } else {
    return std::tuple<>();
  }
}
template <typename Argument>
void addParameter(std::vector<ForeignParameter> &parameters,
                  std::size_t &tensors, const Argument &argument) {
  if constexpr (PlainArgument<Argument>) {
    parameters.push_back({tensors++, {}});
  } else {
    auto bytes = std::as_bytes(std::span(&argument, 1));
    parameters.push_back({SIZE_MAX, {bytes.begin(), bytes.end()}});
  }
}

} // namespace detail
/// \endcond

/// A kernel in a cubin, or in PTX, that Girih has not made: an opt-out by its
/// name. Copies are the same kernel; code is loaded on a device when it is used
/// there first, and unloaded when no launch and no copy is left, unless a graph
/// has recorded it.
class ForeignKernel {
public:
  /// A name as of LibraryCall; the code; the function in it; what it does with
  /// each tensor among its parameters.
  static ForeignKernel load(std::string_view name, std::string code,
                            std::string function,
                            std::vector<AccessMode> modes);

  /// A launch that has not started. Parameters are tensors, whose addresses
  /// the kernel gets, and numbers by value, as many bytes as the kernel's have;
  /// gives the tensors back.
  template <typename... Arguments>
    requires((detail::PlainArgument<Arguments> ||
              std::is_trivially_copyable_v<Arguments>) &&
             ...)
  [[nodiscard]] auto launch(const ForeignShape &shape,
                            Arguments... arguments) const {
    std::vector<detail::ForeignParameter> parameters;
    std::size_t tensors = 0;
    (detail::addParameter(parameters, tensors, arguments), ...);
    return part(std::tuple_cat(detail::tensorsOf(std::move(arguments))...),
                detail::foreignLaunch(kernel, shape, std::move(parameters)));
  }

private:
  explicit ForeignKernel(std::shared_ptr<detail::ForeignKernelState> kernel)
      : kernel(std::move(kernel)) {}
  template <typename... Tensors>
  static auto part(std::tuple<Tensors...> &&tensors,
                   std::shared_ptr<const detail::OptOut> work) {
    return TransferOp(
        detail::OptOutPart<Tensors...>{std::move(tensors), std::move(work)});
  }

  std::shared_ptr<detail::ForeignKernelState> kernel;
};

} // namespace girih

#endif // GIRIH_RUNTIME_EXECUTION_OPTOUT_H
