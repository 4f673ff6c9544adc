// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// A tensor as an argument of a launch, without its type: what launchers are
/// made of. A launch is acquire, the call of the driver, then release, or
/// cancel if the call failed.

#ifndef GIRIH_RUNTIME_HOST_ACCESS_H
#define GIRIH_RUNTIME_HOST_ACCESS_H

#include "runtime/host/Element.h"
#include "runtime/host/Stream.h"

#include <span>

namespace girih {
/// \cond
namespace detail {
class Record;
class ReplayUses;
struct TensorState;
} // namespace detail
/// \endcond

/// Where a tensor lies, in elements. The spans are the tensor's own: they hold
/// until it is moved.
struct ArgumentView {
  std::uint64_t address = 0;             ///< of the first element
  Element element = Element::F32;        ///< its type
  std::span<const std::int64_t> extents; ///< one an axis
  std::span<const std::int64_t> strides; ///< one an axis, in elements
};

/// What a launch does with an argument.
enum class AccessMode : unsigned char {
  Read,   ///< reads it
  Write,  ///< writes it, and may read it
  Atomic, ///< updates it; for the ledger a write
};

/// One argument of one launch. What it was made of has to stay where it is
/// until release or cancel.
class Access {
public:
  /// \cond
  Access(detail::Record &record, AccessMode mode) noexcept
      : record(&record), mode(mode) {}
  /// \endcond

private:
  friend class detail::ReplayUses;
  friend void acquire(std::span<Access>, const Stream &);
  friend void acquireAcross(std::span<Access>, const Stream &);
  friend void acquireDistinct(std::span<Access>, const Stream &);
  friend void release(std::span<Access>, const Stream &) noexcept;
  friend void cancel(std::span<Access>) noexcept;
  friend Stream streamFor(std::span<const Access>);
  friend Device deviceFor(std::span<const Access>);

  detail::Record *record;
  AccessMode mode;
  bool marked = false; ///< as pending, in the mode of the ledger at acquire
};

/// Before a launch on a stream: refuses accesses that contradict each other or
/// pending ones, and queues waits for what they depend on. Throws RuntimeError;
/// then nothing is acquired.
void acquire(std::span<Access> accesses, const Stream &stream);
/// The same where tensors that are only read may lie on another device than
/// the stream's: of copies.
void acquireAcross(std::span<Access> accesses, const Stream &stream);
/// After the launch is queued: books the uses under a new ticket.
void release(std::span<Access> accesses, const Stream &stream) noexcept;
/// In place of release where nothing was queued.
void cancel(std::span<Access> accesses) noexcept;

/// The device on which the arguments lie; the first device without any.
Device deviceFor(std::span<const Access> accesses);
/// A stream where a launch waits least: the one of the last use of the first
/// argument that is written, or else of the first one; without arguments the
/// next stream of the first device.
Stream streamFor(std::span<const Access> accesses);

} // namespace girih

#endif // GIRIH_RUNTIME_HOST_ACCESS_H
