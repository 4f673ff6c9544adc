// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sparse elements: chunks of 256 in row-major order, made when written.

#include "spec/executor/memory/Memory.h"

#include "spec/executor/memory/Bytes.h"

#include "llvm/ADT/STLExtras.h"

#include <bit>
#include <cmath>
#include <limits>

namespace girih::exec {

uint64_t mix(uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
  x = (x ^ x >> 27) * 0x94d049bb133111eb;
  return x ^ x >> 31;
}

uint64_t seedFor(uint64_t seed, const std::string &name) {
  uint64_t hash = mix(seed);
  for (unsigned char c : name) {
    hash = mix(hash ^ c);
  }
  return hash;
}

double seededFloat(Kind kind, uint64_t seed, int64_t address) {
  uint64_t bits = mix(seed ^ static_cast<uint64_t>(address));
  if (kind == Kind::F8E8M0FNU) {
    return std::ldexp(1.0, static_cast<int>(bits >> 62) - 2);
  }
  double x = (static_cast<double>(bits >> 56) - 128) / 64;
  return elementBytes(kind) == 1 ? std::floor(2 * x) / 2 : x;
}

int64_t seededInteger(Kind kind, uint64_t seed, int64_t address) {
  uint64_t bits = mix(seed ^ static_cast<uint64_t>(address));
  // Of four bits the top one is the sign.
  return kind == Kind::I4
             ? static_cast<int64_t>(bits) >> 60
             : static_cast<int64_t>(bits >> (kind == Kind::I1 ? 63 : 60));
}

Wide ClosedForm::at(Wide number, int64_t address) const {
  if (last && number == count - 1) {
    return *last;
  }
  return low + (rising
                    ? span * number / count
                    : Wide(mix(seed ^ static_cast<uint64_t>(address))) % span);
}

Memory::Memory(Layout layout, const Array *given, uint64_t seed, bool values,
               const ClosedForm *form)
    : shape(std::move(layout)), given(given), form(form), seed(seed),
      values(values) {}

int64_t Memory::linear(llvm::ArrayRef<int64_t> coord) const {
  int64_t number = 0;
  for (size_t k = 0; k < coord.size(); ++k) {
    number = number * shape.extents[k] + coord[k];
  }
  return number;
}

int64_t Memory::address(llvm::ArrayRef<int64_t> coord) const {
  int64_t address = 0;
  for (size_t k = 0; k < coord.size(); ++k) {
    address += coord[k] * shape.strides[k];
  }
  return address;
}

Coord Memory::coordinate(int64_t linear) const {
  Coord coord(shape.extents.size());
  for (size_t k = coord.size(); k-- > 0;) {
    coord[k] = linear % shape.extents[k];
    linear /= shape.extents[k];
  }
  return coord;
}

const Memory::Chunk *Memory::find(int64_t linear) const {
  auto it = chunks.find(linear / chunkSize);
  return it == chunks.end() ? nullptr : it->second.get();
}

Memory::Chunk &Memory::touch(int64_t linear) {
  std::unique_ptr<Chunk> &chunk = chunks[linear / chunkSize];
  if (!chunk) {
    chunk = std::make_unique<Chunk>();
    usedBytes += sizeof(Chunk) + 64;
    if (!isFloat(shape.kind)) {
      chunk->ints.resize(chunkSize);
      usedBytes += chunkSize * 8;
    } else if (values) {
      chunk->floats.resize(chunkSize);
      usedBytes += chunkSize * 8;
    }
  }
  return *chunk;
}

/// Calls part(from, offset, length): the runs inside one chunk each.
template <typename Part>
void Memory::forEachPart(int64_t linear, int64_t count, Part part) const {
  for (int64_t offset = 0; offset < count;) {
    int64_t room = chunkSize - (linear + offset) % chunkSize;
    int64_t length = std::min(room, count - offset);
    part(linear + offset, offset, length);
    offset += length;
  }
}

std::optional<int64_t> Memory::firstUndefined(llvm::ArrayRef<int64_t> start,
                                              int64_t count) const {
  if (!shape.undefined) {
    return std::nullopt;
  }
  std::optional<int64_t> first;
  forEachPart(linear(start), count,
              [&](int64_t from, int64_t offset, int64_t length) {
                const Chunk *chunk = first ? nullptr : find(from);
                for (int64_t i = 0; i < length && !first; ++i) {
                  int64_t bit = (from + i) % chunkSize;
                  if (!chunk || !(chunk->written[bit / 64] >> bit % 64 & 1)) {
                    first = offset + i;
                  }
                }
              });
  return first;
}

void Memory::initial(llvm::ArrayRef<int64_t> start, int64_t count, Value &into,
                     size_t lane) const {
  if (given) {
    int64_t from = linear(start);
    if (isFloat(shape.kind)) {
      std::copy_n(given->floats.begin() + from, count,
                  into.floats.begin() + lane);
    } else {
      std::copy_n(given->ints.begin() + from, count, into.ints.begin() + lane);
    }
    return;
  }
  // By address: coordinates that share memory hold the same.
  int64_t address = this->address(start);
  int64_t step = start.empty() ? 0 : shape.strides.back();
  if (place) {
    Elements from{shape.kind, place, address, step};
    if (isFloat(shape.kind)) {
      readFloats(from, {into.floats.data() + lane, size_t(count)});
    } else {
      readIntegers(from, {into.ints.data() + lane, size_t(count)});
    }
    return;
  }
  // Tensors whose elements share memory may have too many for a number each.
  Wide number = 0;
  for (size_t k = 0; form && k < start.size(); ++k) {
    number = std::min(number * shape.extents[k] + start[k], Wide(1) << 80);
  }
  for (int64_t i = 0; i < count; ++i, address += step) {
    if (form) {
      into.ints[lane + i] = static_cast<int64_t>(form->at(number + i, address));
    } else if (isFloat(shape.kind)) {
      into.floats[lane + i] = seededFloat(shape.kind, seed, address);
    } else {
      into.ints[lane + i] = seededInteger(shape.kind, seed, address);
    }
  }
}

void Memory::read(llvm::ArrayRef<int64_t> start, int64_t count, Value &into,
                  size_t lane) const {
  if (!shape.undefined) {
    initial(start, count, into, lane);
  }
  if (chunks.empty()) {
    return;
  }
  auto copy = [&](int64_t from, int64_t offset, int64_t length) {
    const Chunk *chunk = find(from);
    for (int64_t i = 0; chunk && i < length; ++i) {
      int64_t at = (from + i) % chunkSize;
      size_t to = lane + offset + i;
      if (!(chunk->written[at / 64] >> at % 64 & 1)) {
        continue;
      }
      if (!isFloat(shape.kind)) {
        into.ints[to] = chunk->ints[at];
        continue;
      }
      into.floats[to] = chunk->floats[at];
      if (!chunk->bounds.empty() && chunk->bounds[at] != 0) {
        into.bounds.resize(into.floats.size(), 0);
        into.bounds[to] = chunk->bounds[at];
      }
    }
  };
  forEachPart(linear(start), count, copy);
}

void Memory::write(llvm::ArrayRef<int64_t> start, int64_t count,
                   const Value &from, size_t lane) {
  auto copy = [&](int64_t to, int64_t offset, int64_t length) {
    Chunk &chunk = touch(to);
    if (!from.bounds.empty() && chunk.bounds.empty()) {
      chunk.bounds.resize(chunkSize, 0);
      usedBytes += chunkSize * 8;
    }
    for (int64_t i = 0; i < length; ++i) {
      int64_t at = (to + i) % chunkSize;
      uint64_t bit = uint64_t(1) << at % 64;
      writtenCount += (chunk.written[at / 64] & bit) == 0;
      chunk.written[at / 64] |= bit;
    }
    int64_t at = to % chunkSize;
    size_t source = lane + offset;
    if (!isFloat(shape.kind)) {
      std::copy_n(from.ints.begin() + source, length, chunk.ints.begin() + at);
    } else if (values) {
      std::copy_n(from.floats.begin() + source, length,
                  chunk.floats.begin() + at);
    }
    for (int64_t i = 0; i < length && !chunk.bounds.empty(); ++i) {
      chunk.bounds[at + i] = from.bounds.empty() ? 0 : from.bounds[source + i];
    }
  };
  forEachPart(linear(start), count, copy);
}

void Memory::storeWritten() const {
  for (const auto &[number, chunk] : chunks) {
    if (!place || (isFloat(shape.kind) && !values)) {
      return;
    }
    for (int64_t at = 0; at < chunkSize; ++at) {
      if (!(chunk->written[at / 64] >> at % 64 & 1)) {
        continue;
      }
      Elements to{shape.kind, place,
                  address(coordinate(number * chunkSize + at)), 0};
      if (isFloat(shape.kind)) {
        writeFloat(to, chunk->floats[at]);
      } else {
        writeInteger(to, chunk->ints[at]);
      }
    }
  }
}

std::optional<Coord> Memory::firstMissing() const {
  if (llvm::is_contained(shape.extents, 0)) {
    return std::nullopt;
  }
  int64_t size = 1;
  for (int64_t extent : shape.extents) {
    size *= extent;
  }
  if (writtenCount == size) {
    return std::nullopt;
  }
  // Chunks are full up to the one with the first gap.
  for (int64_t at = 0; at < size; at += chunkSize) {
    const Chunk *chunk = find(at);
    for (int64_t word = 0; word < chunkSize / 64; ++word) {
      uint64_t gaps = ~(chunk ? chunk->written[word] : 0);
      int64_t first = at + word * 64 + std::countr_zero(gaps);
      if (gaps != 0) {
        return coordinate(first);
      }
    }
  }
  return std::nullopt;
}

std::optional<Memory::Dense> Memory::dense(int64_t limit) const {
  std::vector<int64_t> extents(shape.extents.begin(), shape.extents.end());
  std::optional<Array> array = makeArray(shape.kind, extents, limit);
  if (!array) {
    return std::nullopt;
  }
  auto size = static_cast<size_t>(array->size());
  Value lanes;
  if (isFloat(shape.kind)) {
    lanes.floats.assign(size, std::numeric_limits<double>::quiet_NaN());
  } else {
    lanes.ints.assign(size, 0);
  }
  Dense all{std::move(*array), std::nullopt,
            *makeArray(Kind::I1, extents, limit)};
  all.defined.ints.assign(size, !shape.undefined);
  if (size == 0) {
    return all;
  }
  Box whole{Coord(extents.size(), 0), shape.extents};
  forEachRow(whole, shape.extents,
             [&](llvm::ArrayRef<int64_t> start, size_t lane) {
               read(start, rowLength(whole), lanes, lane);
               return true;
             });
  for (const auto &[number, chunk] : chunks) {
    for (int64_t bit = 0; bit < chunkSize; ++bit) {
      if (chunk->written[bit / 64] >> bit % 64 & 1) {
        all.defined.ints[number * chunkSize + bit] = 1;
      }
    }
  }
  all.values.floats.assign(lanes.floats.begin(), lanes.floats.end());
  all.values.ints.assign(lanes.ints.begin(), lanes.ints.end());
  if (!lanes.bounds.empty()) {
    all.bounds = makeArray(Kind::F64, extents, limit);
    all.bounds->floats.assign(lanes.bounds.begin(), lanes.bounds.end());
  }
  return all;
}

} // namespace girih::exec
