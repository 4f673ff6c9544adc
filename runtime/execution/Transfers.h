// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Copies on the device and zeros as senders that own their tensors, like
/// launches: for pipelines, and for graphs of these.

#ifndef GIRIH_RUNTIME_EXECUTION_TRANSFERS_H
#define GIRIH_RUNTIME_EXECUTION_TRANSFERS_H

#include "runtime/execution/Arguments.h"
#include "runtime/execution/QueuedOperation.h"

#include <array>

namespace girih {
namespace detail {

/// Throw RuntimeError for elements that do not lie in row-major order, and for
/// other extents.
void checkCopy(const ArgumentView &from, const ArgumentView &to);
void checkZero(const ArgumentView &to);
/// Queue it; `accesses` are of `from`, where there is one, and of `to`.
Stream queueCopy(const ArgumentView &from, const ArgumentView &to,
                 std::span<Access> accesses, const Stream *stream);
Stream queueZero(const ArgumentView &to, Access access, const Stream *stream);

template <typename From, typename To> struct CopyPart {
  using Results = std::tuple<From, To>;
  static constexpr bool isRecordable = true;
  Results tensors;

  static std::string name() { return "copy"; }
  void check() const {
    checkCopy(viewOf(std::get<0>(tensors)), viewOf(std::get<1>(tensors)));
  }
  Stream queue(const Stream *stream) const {
    std::array<Access, 2> accesses{
        accessOf(std::get<0>(tensors), AccessMode::Read),
        accessOf(std::get<1>(tensors), AccessMode::Write)};
    return queueCopy(viewOf(std::get<0>(tensors)), viewOf(std::get<1>(tensors)),
                     accesses, stream);
  }
  template <typename Recorder> void recordOn(Recorder &recorder) const {
    recorder.copy(viewOf(std::get<0>(tensors)), holdOf(std::get<0>(tensors)),
                  viewOf(std::get<1>(tensors)), holdOf(std::get<1>(tensors)));
  }
};

template <typename To> struct ZeroPart {
  using Results = std::tuple<To>;
  static constexpr bool isRecordable = true;
  Results tensors;

  static std::string name() { return "setZero"; }
  void check() const { checkZero(viewOf(std::get<0>(tensors))); }
  Stream queue(const Stream *stream) const {
    return queueZero(viewOf(std::get<0>(tensors)),
                     accessOf(std::get<0>(tensors), AccessMode::Write), stream);
  }
  template <typename Recorder> void recordOn(Recorder &recorder) const {
    recorder.zero(viewOf(std::get<0>(tensors)), holdOf(std::get<0>(tensors)));
  }
};

} // namespace detail

/// Work on tensors, without a contract, that has not started: copies, zeros,
/// opt-outs.
template <typename Part>
class [[nodiscard]] TransferOp : public SenderMethods<TransferOp<Part>> {
public:
  using completion_signatures = signatures_of_t<typename Part::Results>;

  /// \cond
  explicit TransferOp(Part part) : part(std::move(part)) { this->part.check(); }
  /// \endcond
  template <receiver R> auto connect(R next) && {
    return detail::QueuedOperation<TransferOp, R>(std::move(*this),
                                                  std::move(next));
  }
  /// Queues it and gives the tensors back at once, like a launch.
  unwrapped_t<typename Part::Results> queue() && { return queued(nullptr); }
  unwrapped_t<typename Part::Results> queue(const Stream &stream) && {
    return queued(&stream);
  }

  template <typename Recorder> auto recordOn(Recorder &recorder) && {
    part.recordOn(recorder);
    return results();
  }

private:
  template <typename Op, typename R> friend class detail::QueuedOperation;

  unwrapped_t<typename Part::Results> queued(const Stream *stream) {
    queueOn(stream);
    return detail::Unwrapped<typename Part::Results>::of(results());
  }
  Stream queueOn(const Stream *stream) const { return part.queue(stream); }
  std::exception_ptr asError(std::exception_ptr error) const {
    return detail::named(part.name(), std::move(error));
  }
  typename Part::Results results() { return std::move(part.tensors); }

  Part part;
};

/// Copies the elements of a tensor into another one of its extents, on any
/// device, both in row-major order without gaps; gives both. Throws
/// RuntimeError for others.
template <typename From, typename To>
  requires detail::ArgumentTraits<From>::isArgument &&
           detail::ArgumentTraits<To>::isWritable &&
           std::same_as<typename detail::ArgumentTraits<From>::Element,
                        typename detail::ArgumentTraits<To>::Element>
[[nodiscard]] auto copy(From from, To to) {
  return TransferOp(
      detail::CopyPart<From, To>{{std::move(from), std::move(to)}});
}

/// Sets all bits to 0 of a tensor in row-major order without gaps; gives it.
template <typename To>
  requires detail::ArgumentTraits<To>::isWritable
[[nodiscard]] auto setZero(To to) {
  return TransferOp(detail::ZeroPart<To>{{std::move(to)}});
}

} // namespace girih

#endif // GIRIH_RUNTIME_EXECUTION_TRANSFERS_H
