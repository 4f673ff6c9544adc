// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Tensors in device memory. A Tensor owns its elements and moves; a Shared is
/// read by many and copies. Whoever launches a kernel hands tensors over and
/// gets them back, so no two owners can write one element.
///
/// Memory comes from the driver's pool in the order of a stream and goes back
/// behind the last use: a tensor may be dropped while work with it is queued.
/// One tensor is for one thread at a time, like any value of C++; copies of one
/// Shared are for several.

#ifndef GIRIH_RUNTIME_HOST_TENSOR_H
#define GIRIH_RUNTIME_HOST_TENSOR_H

#include "runtime/host/Annotations.h"
#include "runtime/host/Error.h"
#include "runtime/host/Ledger.h"
#include "runtime/host/Readback.h"
#include "runtime/host/TensorState.h"

#include <memory>
#include <optional>
#include <type_traits>

namespace girih {

template <typename T> class Pieces;
template <typename T> class Shared;

/// \cond
namespace detail {
template <typename T> constexpr bool isOneOf(std::initializer_list<Element> e) {
  return std::find(e.begin(), e.end(), ElementOf<T>::value) != e.end();
}
} // namespace detail
/// \endcond

/// Elements of which tensors can be made by `full` and `ones`.
template <typename T>
concept Fillable = detail::isOneOf<T>(
    {Element::F32, Element::BF16, Element::F16, Element::I32});
/// Elements of which tensors can be made by `arange`.
template <typename T>
concept Countable = detail::isOneOf<T>({Element::F32, Element::I32});
/// Elements of which tensors can be made by `randn`.
template <typename T>
concept Drawable =
    detail::isOneOf<T>({Element::F32, Element::BF16, Element::F16});

/// A tensor that is nobody else's: elements of type T in device memory, with
/// any rank and strides. It moves and is not copied. A tensor that was moved is
/// refused with RuntimeError, and by clang's `-Wconsumed`.
template <typename T> class [[nodiscard]] GIRIH_CONSUMABLE Tensor {
public:
  /// Takes the other's elements.
  Tensor(Tensor &&) noexcept = default;
  /// Takes the other's elements and drops its own.
  Tensor &operator=(Tensor &&) noexcept = default;
  /// Not copied: see clone and share.
  Tensor(const Tensor &) = delete;
  /// Not copied: see clone and share.
  Tensor &operator=(const Tensor &) = delete;
  /// Drops the elements: their memory is free once the work that was queued
  /// with them is done.
  ~Tensor() = default;

  /// Packed in row-major order, with elements that nobody has written. Extents
  /// are at most 2^40, and all bytes 2^47.
  static Tensor empty(const Extents &extents, const Place &place = {}) {
    return Tensor(detail::makeEmpty(element, extents, place.stream()));
  }
  /// All bits 0, by the driver's memset.
  static Tensor zeros(const Extents &extents, const Place &place = {}) {
    return Tensor(detail::makeZeros(element, extents, place.stream()));
  }
  /// A number to make elements of.
  using Number = std::conditional_t<std::is_integral_v<T>, T, double>;
  /// Every element is a number, rounded to f32 and then to T. Like `ones`,
  /// `arange` and `randn` by a verified kernel (proofs/kernels) on the device.
  static Tensor full(const Extents &extents, Number value,
                     const Place &place = {})
    requires Fillable<T>
  {
    return byKernel("fill", extents, place, {value});
  }
  /// Every element is 1.
  static Tensor ones(const Extents &extents, const Place &place = {})
    requires Fillable<T>
  {
    return full(extents, Number(1), place);
  }
  /// `count` elements on one axis, element n is first + n * step: integers
  /// modulo 2^32; floats with n rounded to f32, and then the sum.
  static Tensor arange(std::int64_t count, Number first = 0, Number step = 1,
                       const Place &place = {})
    requires Countable<T>
  {
    return byKernel("arange", {count}, place, {first, step});
  }
  /// Normal numbers with mean 0 and deviation 1, rounded to T. The element at
  /// a row-major position depends on seed and position alone, not on the
  /// extents or the device's way to run it, but for the last bits of logarithm
  /// and cosine.
  static Tensor randn(const Extents &extents, std::uint64_t seed,
                      const Place &place = {})
    requires Drawable<T>
  {
    auto bits = static_cast<std::int64_t>(seed);
    return Tensor(detail::makeByKernel("randn", element, extents,
                                       place.stream(), {}, {&bits, 1}));
  }
  /// A copy of host memory in row-major order, which may change or go as soon
  /// as this returns.
  static Tensor copyFrom(std::span<const T> elements, const Extents &extents,
                         const Place &place = {}) {
    return Tensor(detail::makeCopy(element, elements.data(), elements.size(),
                                   sizeof(T), extents, place.stream()));
  }

  /// Elements of somebody else's memory, `strides` apart an axis. The owner is
  /// let go of, in any thread, when the work with it has run. Uses are behind
  /// what is queued on the stream; without one the memory is ready now. Throws
  /// RuntimeError, and then has done nothing, where memory or layout cannot be:
  /// a null pointer or owner, an address that T does not allow, negative or too
  /// large extents or strides, elements that overlap, memory of the host or of
  /// another device than the stream's, or of another live tensor.
  static Tensor fromForeign(void *pointer, const Extents &extents,
                            const Extents &strides,
                            std::shared_ptr<void> owner) {
    return Tensor(foreign(pointer, extents, strides, std::move(owner), {}));
  }
  /// The same behind a stream.
  static Tensor fromForeign(void *pointer, const Extents &extents,
                            const Extents &strides, std::shared_ptr<void> owner,
                            const Stream &behind) {
    return Tensor(
        foreign(pointer, extents, strides, std::move(owner), &behind));
  }
  /// A tensor of DLPack 1.x with elements of T, as fromForeign takes it; its
  /// deleter is the owner. What is refused stays the caller's.
  static Tensor fromDLPack(DLManagedTensorVersioned *tensor) {
    return Tensor(detail::fromDLPack(element, isUnsigned, tensor, false, {}));
  }
  /// The same behind a stream.
  static Tensor fromDLPack(DLManagedTensorVersioned *tensor,
                           const Stream &behind) {
    return Tensor(
        detail::fromDLPack(element, isUnsigned, tensor, false, &behind));
  }

  /// Extents, one an axis.
  GIRIH_USES std::span<const std::int64_t> extents() const {
    return whole().extents.span();
  }
  /// Strides in elements, one an axis.
  GIRIH_USES std::span<const std::int64_t> strides() const {
    return whole().strides.span();
  }
  /// Axes.
  GIRIH_USES std::size_t rank() const { return extents().size(); }
  /// Elements.
  GIRIH_USES std::int64_t count() const { return whole().count(); }
  /// Of the first element, in device memory. What is done with it besides
  /// launches is not in the ledger.
  GIRIH_USES std::uint64_t address() const { return whole().address; }

  /// The elements in row-major order. Waits for the last writer, not for who
  /// reads.
  GIRIH_USES std::vector<T> toHost() const {
    std::vector<T> out(static_cast<std::size_t>(count()));
    detail::copyToHost(whole(), out.data(), sizeof(T));
    return out;
  }
  /// Queues a copy of the elements to the host behind the last writer, and
  /// waits for nothing; who writes the tensor later is ordered behind the copy.
  /// Throws RuntimeError for one whose elements have gaps.
  [[nodiscard]] GIRIH_USES Readback<T> readBack() const {
    return {detail::readBack(whole(), sizeof(T)),
            static_cast<std::size_t>(count())};
  }
  /// A copy without gaps, on any device; its axes lie in the same order.
  [[nodiscard]] GIRIH_USES Tensor clone(const Place &place = {}) const {
    return Tensor(detail::clone(whole(), place.stream()));
  }
  /// The same on a device or stream, by a path between devices. Throws
  /// RuntimeError where PeerPath::Direct is asked for and is not there.
  [[nodiscard]] GIRIH_USES Tensor copyTo(const Place &place,
                                         PeerPath path = PeerPath::Any) const {
    return Tensor(detail::copyTo(whole(), place.stream(), path));
  }
  /// Overwrites the elements with host memory in row-major order, which may
  /// change or go as soon as this returns.
  GIRIH_USES void assign(std::span<const T> elements) {
    detail::copyInto(whole(), elements.data(), elements.size(), sizeof(T),
                     nullptr);
  }

  /// Elements `from` to before `to` of an axis. What is outside is given up.
  [[nodiscard]] GIRIH_CONSUMES Tensor slice(std::size_t axis, std::int64_t from,
                                            std::int64_t to) && {
    detail::slice(mutableWhole(), axis, from, to);
    return std::move(*this);
  }
  /// Axis k of the result is axis `order[k]` of this.
  [[nodiscard]] GIRIH_CONSUMES Tensor
  permute(const std::vector<std::size_t> &order) && {
    detail::permute(mutableWhole(), order);
    return std::move(*this);
  }
  /// The same elements in row-major order with other extents. Refused where
  /// the elements do not lie in that order.
  [[nodiscard]] GIRIH_CONSUMES Tensor reshape(const Extents &extents) && {
    detail::reshape(mutableWhole(), extents);
    return std::move(*this);
  }
  /// To be read by many from now on.
  [[nodiscard]] GIRIH_CONSUMES Shared<T> share() && {
    whole();
    return Shared<T>(std::move(state));
  }
  /// In tiles of these extents, one an axis; tiles at the upper edges are as
  /// large as what is left. Each can be written by itself.
  [[nodiscard]] GIRIH_CONSUMES Pieces<T> partition(const Extents &tile) && {
    Pieces<T> pieces(detail::partition(std::move(mutableWhole()), tile));
    state.reset();
    return pieces;
  }

  /// As DLPack 1.x has it. The stream `consumer` waits for what is queued with
  /// the elements, and who takes them may use them there until the deleter is
  /// called: uses of ours, and the end of the memory, come behind that. Refused
  /// for elements of 4 bits.
  [[nodiscard]] GIRIH_CONSUMES DLManagedTensorVersioned *
  toDLPack(const Stream &consumer) && {
    auto *given = detail::toDLPack(std::move(mutableWhole()), isUnsigned, false,
                                   consumer);
    state.reset();
    return given;
  }

  /// As an argument of a launch.
  friend ArgumentView viewOf(const Tensor &tensor) {
    return detail::viewOf(tensor.whole());
  }
  /// A hold on its memory and its entry in the ledger.
  friend std::shared_ptr<detail::Record> holdOf(const Tensor &tensor) {
    return tensor.whole().record;
  }
  /// As an access of a launch.
  friend Access accessOf(const Tensor &tensor, AccessMode mode) {
    return {*tensor.whole().record, mode};
  }

private:
  friend class Pieces<T>;
  friend class Shared<T>;
  static constexpr Element element = ElementOf<T>::value;
  static constexpr bool isUnsigned =
      std::is_unsigned_v<T> && !std::same_as<T, bool>;

  static detail::TensorState foreign(void *pointer, const Extents &extents,
                                     const Extents &strides,
                                     std::shared_ptr<void> owner,
                                     const Stream *behind) {
    return detail::makeForeign(
        element, reinterpret_cast<std::uint64_t>(pointer), extents, strides,
        std::move(owner), false, behind);
  }
  GIRIH_WHOLE explicit Tensor(detail::TensorState &&state)
      : state(std::make_unique<detail::TensorState>(std::move(state))) {}
  /// Integers are symbols of a kernel, floats are scalars.
  static Tensor byKernel(std::string_view kernel, const Extents &extents,
                         const Place &place,
                         std::initializer_list<Number> numbers) {
    if constexpr (std::is_integral_v<T>) {
      std::vector<std::int64_t> symbols;
      for (Number number : numbers) {
        symbols.push_back(static_cast<std::int32_t>(number));
      }
      return Tensor(detail::makeByKernel(kernel, element, extents,
                                         place.stream(), {}, symbols));
    } else {
      return Tensor(
          detail::makeByKernel(kernel, element, extents, place.stream(),
                               {numbers.begin(), numbers.size()}, {}));
    }
  }
  const detail::TensorState &whole() const {
    return detail::whole(state.get(), "tensor");
  }
  detail::TensorState &mutableWhole() {
    whole();
    return *state;
  }

  /// Apart from this, so that a launch moves a pointer.
  std::unique_ptr<detail::TensorState> state;
};

/// A tensor that is only read, by any number of owners in any threads. Copies
/// share the elements; nothing writes them while there are two.
template <typename T> class [[nodiscard]] GIRIH_CONSUMABLE Shared {
public:
  /// Shares the elements.
  GIRIH_WHOLE Shared(const Shared &) = default;
  /// Takes the other's share.
  Shared(Shared &&) noexcept = default;
  /// Shares the other's elements and drops its own share.
  Shared &operator=(const Shared &) = default;
  /// Takes the other's share and drops its own.
  Shared &operator=(Shared &&) noexcept = default;
  /// Drops this share.
  ~Shared() = default;

  /// Elements of somebody else's memory that are only read, as of a Tensor;
  /// they may overlap each other, and those of another Shared. Such a tensor
  /// never becomes unique.
  static Shared fromForeign(const void *pointer, const Extents &extents,
                            const Extents &strides,
                            std::shared_ptr<void> owner) {
    return Shared(foreign(pointer, extents, strides, std::move(owner), {}));
  }
  /// The same behind a stream.
  static Shared fromForeign(const void *pointer, const Extents &extents,
                            const Extents &strides, std::shared_ptr<void> owner,
                            const Stream &behind) {
    return Shared(
        foreign(pointer, extents, strides, std::move(owner), &behind));
  }
  /// A tensor of DLPack 1.x, read-only or not; see Tensor.
  static Shared fromDLPack(DLManagedTensorVersioned *tensor) {
    return Shared(detail::fromDLPack(element, isUnsigned, tensor, true, {}));
  }
  /// The same behind a stream.
  static Shared fromDLPack(DLManagedTensorVersioned *tensor,
                           const Stream &behind) {
    return Shared(
        detail::fromDLPack(element, isUnsigned, tensor, true, &behind));
  }

  /// Extents, one an axis.
  GIRIH_USES std::span<const std::int64_t> extents() const {
    return whole().extents.span();
  }
  /// Strides in elements, one an axis.
  GIRIH_USES std::span<const std::int64_t> strides() const {
    return whole().strides.span();
  }
  /// Axes.
  GIRIH_USES std::size_t rank() const { return extents().size(); }
  /// Elements.
  GIRIH_USES std::int64_t count() const { return whole().count(); }
  /// Of the first element, in device memory.
  GIRIH_USES std::uint64_t address() const { return whole().address; }

  /// The elements in row-major order. Waits for the last writer, not for who
  /// reads.
  GIRIH_USES std::vector<T> toHost() const {
    std::vector<T> out(static_cast<std::size_t>(count()));
    detail::copyToHost(whole(), out.data(), sizeof(T));
    return out;
  }
  /// Queues a copy of the elements to the host behind the last writer, and
  /// waits for nothing; who writes the tensor later is ordered behind the copy.
  /// Throws RuntimeError for one whose elements have gaps.
  [[nodiscard]] GIRIH_USES Readback<T> readBack() const {
    return {detail::readBack(whole(), sizeof(T)),
            static_cast<std::size_t>(count())};
  }
  /// A copy without gaps, on any device; its axes lie in the same order.
  [[nodiscard]] GIRIH_USES Tensor<T> clone(const Place &place = {}) const {
    return Tensor<T>(detail::clone(whole(), place.stream()));
  }
  /// The same on a device or stream, by a path between devices. Throws
  /// RuntimeError where PeerPath::Direct is asked for and is not there.
  [[nodiscard]] GIRIH_USES Tensor<T>
  copyTo(const Place &place, PeerPath path = PeerPath::Any) const {
    return Tensor<T>(detail::copyTo(whole(), place.stream(), path));
  }

  /// Elements `from` to before `to` of an axis.
  [[nodiscard]] GIRIH_USES Shared slice(std::size_t axis, std::int64_t from,
                                        std::int64_t to) const {
    detail::TensorState view = whole();
    detail::slice(view, axis, from, to);
    return Shared(std::move(view));
  }
  /// Axis k of the result is axis `order[k]` of this.
  [[nodiscard]] GIRIH_USES Shared
  permute(const std::vector<std::size_t> &order) const {
    detail::TensorState view = whole();
    detail::permute(view, order);
    return Shared(std::move(view));
  }
  /// The same elements in row-major order with other extents. Refused where
  /// the elements do not lie in that order.
  [[nodiscard]] GIRIH_USES Shared reshape(const Extents &extents) const {
    detail::TensorState view = whole();
    detail::reshape(view, extents);
    return Shared(std::move(view));
  }

  /// As DLPack 1.x has it, read-only; see Tensor. This share stays.
  [[nodiscard]] GIRIH_USES DLManagedTensorVersioned *
  toDLPack(const Stream &consumer) const {
    detail::TensorState copy = whole();
    return detail::toDLPack(std::move(copy), isUnsigned, true, consumer);
  }

  /// The tensor, to be written again, if nobody else shares it; else nothing,
  /// and this stays as it is. Reads that are queued come first on the device.
  [[nodiscard]] std::optional<Tensor<T>> tryUnique() && {
    if (state.use_count() > 1 || !detail::isUnique(whole())) {
      return std::nullopt;
    }
    detail::TensorState own = *state;
    state.reset();
    return Tensor<T>(std::move(own));
  }

  /// As an argument of a launch.
  friend ArgumentView viewOf(const Shared &tensor) {
    return detail::viewOf(tensor.whole());
  }
  /// A hold on its memory and its entry in the ledger.
  friend std::shared_ptr<detail::Record> holdOf(const Shared &tensor) {
    return tensor.whole().record;
  }
  /// As an access of a launch, which only reads.
  friend Access accessOf(const Shared &tensor, AccessMode mode) {
    if (mode != AccessMode::Read) {
      throw RuntimeError(3, "a shared tensor is only read");
    }
    return {*tensor.whole().record, mode};
  }

private:
  friend class Tensor<T>;
  static constexpr Element element = ElementOf<T>::value;
  static constexpr bool isUnsigned =
      std::is_unsigned_v<T> && !std::same_as<T, bool>;

  static detail::TensorState
  foreign(const void *pointer, const Extents &extents, const Extents &strides,
          std::shared_ptr<void> owner, const Stream *behind) {
    return detail::makeForeign(
        element, reinterpret_cast<std::uint64_t>(pointer), extents, strides,
        std::move(owner), true, behind);
  }
  GIRIH_WHOLE explicit Shared(std::shared_ptr<const detail::TensorState> state)
      : state(std::move(state)) {}
  /// Of another view.
  GIRIH_WHOLE explicit Shared(detail::TensorState &&view)
      : state(std::make_shared<const detail::TensorState>(std::move(view))) {}
  const detail::TensorState &whole() const {
    return detail::whole(state.get(), "shared tensor");
  }

  std::shared_ptr<const detail::TensorState> state;
};

} // namespace girih

#include "runtime/host/Partition.h"

#endif // GIRIH_RUNTIME_HOST_TENSOR_H
