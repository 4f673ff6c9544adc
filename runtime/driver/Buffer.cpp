// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/driver/Buffer.h"

#include <cstring>
#include <fmt/format.h>

namespace girih::runtime {

static constexpr char pattern = '\xff';
static constexpr size_t guard = 1 << 16;

/// The element at a position in memory where two share a byte.
static char halfOf(const char *first, int64_t position) {
  int pair = static_cast<unsigned char>(first[position / 2]);
  return static_cast<char>(pair >> (position % 2 * 4) & 15);
}

static void setHalf(char *first, int64_t position, char half) {
  int shift = position % 2 == 0 ? 0 : 4, kept = position % 2 == 0 ? 0xf0 : 15;
  char &pair = first[position / 2];
  pair = static_cast<char>((pair & kept) | (half & 15) << shift);
}

Buffer::Buffer(const Driver &driver, Layout layout)
    : driver(&driver), layout(std::move(layout)) {}

Buffer::Buffer(Buffer &&other) noexcept
    : driver(other.driver), layout(std::move(other.layout)),
      memory(std::exchange(other.memory, 0)), lead(other.lead),
      image(std::move(other.image)) {}

Buffer::~Buffer() {
  if (memory) {
    driver->memoryFree(memory);
  }
}

Expected<Buffer> Buffer::make(const Driver &driver, const Layout &layout,
                            const Array *contents, int64_t align,
                            bool weakest) {
  size_t size = bytesOf(layout.element);
  size_t bytes = bytesOf(layout.element, static_cast<size_t>(layout.span()));
  auto unit = static_cast<size_t>(align);
  Buffer buffer(driver, layout);
  buffer.image.assign(guard + 3 * unit + bytes + guard, pattern);
  if (int error = driver.memoryAllocate(&buffer.memory, buffer.image.size())) {
    return driverFailure(driver, "cuMemAlloc", error);
  }
  // The first address behind the guard that is an even multiple of the
  // alignment; the weakest one is the odd multiple behind it.
  size_t rest = (buffer.memory + guard) % (2 * unit);
  buffer.lead = guard + (rest ? 2 * unit - rest : 0) + (weakest ? unit : 0);
  if (contents) {
    char *first = buffer.image.data() + buffer.lead;
    forEachElement(layout, [&](int64_t element, int64_t position) {
      if (isSubByte(layout.element)) {
        setHalf(first, position, *contents->at(element));
      } else {
        std::memcpy(first + position * size, contents->at(element), size);
      }
    });
  }
  if (int error = driver.copyToDevice(buffer.memory, buffer.image.data(),
                                      buffer.image.size())) {
    return driverFailure(driver, "cuMemcpyHtoD", error);
  }
  return buffer;
}

Expected<Array> Buffer::read(const std::string &name, bool written) {
  std::string now(image.size(), 0);
  if (int error = driver->copyToHost(now.data(), memory, now.size())) {
    return driverFailure(*driver, "cuMemcpyDtoH", error);
  }
  size_t size = bytesOf(layout.element);
  Array array{layout.element, layout.extents, {}};
  forEachElement(layout, [&](int64_t, int64_t position) {
    if (isSubByte(layout.element)) {
      char half = halfOf(now.data() + lead, position);
      array.bytes += half;
      if (written) {
        setHalf(image.data() + lead, position, half);
      }
      return;
    }
    size_t at = lead + position * size;
    array.bytes.append(now, at, size);
    if (written) {
      // Elements may have changed; what is left must be as it was.
      std::memcpy(image.data() + at, now.data() + at, size);
    }
  });
  if (now == image) {
    return array;
  }
  size_t at = 0;
  while (now[at] == image[at]) {
    ++at;
  }
  return Error{
      ErrorKind::Failed,
      fmt::format("the kernel wrote {} %{}: byte {} from its start",
                  written ? "outside" : "to the read-only", name,
                  static_cast<int64_t>(at) - static_cast<int64_t>(lead))};
}

} // namespace girih::runtime
