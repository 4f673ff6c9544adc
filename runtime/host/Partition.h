// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// A tensor in tiles that are written by themselves, on any streams and in any
/// threads.

#ifndef GIRIH_RUNTIME_HOST_PARTITION_H
#define GIRIH_RUNTIME_HOST_PARTITION_H

#include "runtime/host/Tensor.h"

#include <memory>

namespace girih {

/// One tile of a tensor, which nothing else writes or reads while this exists.
/// It moves and is not copied; dropped, it has gone back.
template <typename T> class [[nodiscard]] GIRIH_CONSUMABLE Piece {
public:
  /// Takes the other's elements.
  Piece(Piece &&) noexcept = default;
  /// Takes the other's elements, and gives its own back.
  Piece &operator=(Piece &&) noexcept = default;
  /// Not copied.
  Piece(const Piece &) = delete;
  /// Not copied.
  Piece &operator=(const Piece &) = delete;
  /// Gives the piece back.
  ~Piece() = default;

  /// Extents, one an axis.
  GIRIH_USES std::span<const std::int64_t> extents() const {
    return whole().extents.span();
  }
  /// Strides in elements, one an axis: those of the tensor.
  GIRIH_USES std::span<const std::int64_t> strides() const {
    return whole().strides.span();
  }
  /// Axes.
  GIRIH_USES std::size_t rank() const { return extents().size(); }
  /// Elements.
  GIRIH_USES std::int64_t count() const { return whole().count(); }
  /// Of the first element, in device memory.
  GIRIH_USES std::uint64_t address() const { return whole().address; }

  /// The elements in row-major order. Waits for the piece's last writer.
  GIRIH_USES std::vector<T> toHost() const {
    std::vector<T> out(static_cast<std::size_t>(count()));
    detail::copyToHost(whole(), out.data(), sizeof(T));
    return out;
  }
  /// Overwrites the elements with host memory in row-major order, which may
  /// change or go as soon as this returns.
  GIRIH_USES void assign(std::span<const T> elements) {
    detail::copyInto(whole(), elements.data(), elements.size(), sizeof(T),
                     nullptr);
  }

  /// As an argument of a launch.
  friend ArgumentView viewOf(const Piece &piece) {
    return detail::viewOf(piece.whole());
  }
  /// A hold on its memory and its entry in the ledger.
  friend std::shared_ptr<detail::Record> holdOf(const Piece &piece) {
    return piece.whole().record;
  }
  /// As an access of a launch.
  friend Access accessOf(const Piece &piece, AccessMode mode) {
    return {*piece.whole().record, mode};
  }

private:
  friend class Pieces<T>;

  GIRIH_WHOLE explicit Piece(detail::TensorState &&state)
      : state(std::make_unique<detail::TensorState>(std::move(state))) {}
  const detail::TensorState &whole() const {
    return detail::whole(state.get(), "piece");
  }

  std::unique_ptr<detail::TensorState> state;
};

/// All tiles of a tensor. It keeps the tensor until `join`.
template <typename T> class [[nodiscard]] GIRIH_CONSUMABLE Pieces {
public:
  /// Takes the other's tensor.
  Pieces(Pieces &&) noexcept = default;
  /// Takes the other's tensor and drops its own.
  Pieces &operator=(Pieces &&) noexcept = default;
  /// Not copied.
  Pieces(const Pieces &) = delete;
  /// Not copied.
  Pieces &operator=(const Pieces &) = delete;
  /// Drops the tensor, whose memory stays for as long as a piece is out.
  ~Pieces() = default;

  /// Tiles along each axis.
  GIRIH_USES std::span<const std::int64_t> counts() const {
    return whole().counts;
  }
  /// Tiles.
  GIRIH_USES std::size_t size() const { return whole().records.size(); }

  /// The tile at an index, one number an axis. Refused while it is out.
  [[nodiscard]] GIRIH_USES Piece<T> take(const Extents &index) {
    whole();
    return Piece<T>(detail::take(state, index));
  }
  /// The tile with a number, in row-major order. Refused while it is out.
  [[nodiscard]] GIRIH_USES Piece<T> operator[](std::size_t number) {
    whole();
    return Piece<T>(detail::take(state, detail::indexOf(state, number)));
  }

  /// The tensor, ordered behind all that its pieces were used for. Refused
  /// while a piece is out, and then this stays as it is.
  [[nodiscard]] GIRIH_CONSUMES Tensor<T> join() && {
    whole();
    return Tensor<T>(detail::join(std::move(state)));
  }
  /// \cond
  template <typename Join>
  GIRIH_CONSUMES Tensor<T> joinBy(const Join &join) && {
    whole();
    return Tensor<T>(join(std::move(state)));
  }
  /// \endcond

private:
  friend class Tensor<T>;

  GIRIH_WHOLE explicit Pieces(detail::PiecesState &&state)
      : state(std::move(state)) {}
  const detail::PiecesState &whole() const {
    detail::whole(state.tensor, "set of pieces");
    return state;
  }

  detail::PiecesState state;
};

} // namespace girih

#endif // GIRIH_RUNTIME_HOST_PARTITION_H
