// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device memory for one tensor of a checked run. Around the tensor and between
// its rows lie bytes of a known pattern, and so does an output before it is
// written: a kernel that writes where it must not is found out.

#ifndef GIRIH_RUNTIME_DRIVER_BUFFER_H
#define GIRIH_RUNTIME_DRIVER_BUFFER_H

#include "runtime/arguments/Contract.h"
#include "runtime/arguments/Npy.h"
#include "runtime/driver/Driver.h"

#include <utility>

namespace girih::runtime {

class Buffer {
public:
  /// Allocates and fills memory. `contents` has the extents of the layout;
  /// without it every byte is the pattern, which is a NaN as a float. The
  /// address is a multiple of `align`, and of nothing more if `weakest`.
  static Expected<Buffer> make(const Driver &driver, const Layout &layout,
                             const Array *contents, int64_t align,
                             bool weakest);
  Buffer(Buffer &&other) noexcept;
  Buffer &operator=(Buffer &&) = delete;
  ~Buffer();

  DevicePointer address() const { return memory + lead; }

  /// The elements now. Refused when a byte that is no element has changed, or
  /// any byte of a tensor that was only to be read.
  Expected<Array> read(const std::string &name, bool written);

private:
  Buffer(const Driver &driver, Layout layout);

  const Driver *driver;
  Layout layout;
  DevicePointer memory = 0;
  size_t lead = 0;   ///< bytes before the first element
  std::string image; ///< what was uploaded
};

/// Calls `visit(element, position)` for all elements in row-major order: the
/// number of the element and its place in memory, in elements.
template <typename Visit>
void forEachElement(const Layout &layout, Visit visit) {
  if (layout.empty()) {
    return;
  }
  std::vector<int64_t> at(layout.extents.size());
  int64_t element = 0, position = 0;
  while (true) {
    visit(element++, position);
    size_t k = at.size();
    while (k > 0) {
      --k;
      position += layout.strides[k];
      if (++at[k] < layout.extents[k]) {
        break;
      }
      position -= layout.extents[k] * layout.strides[k];
      at[k] = 0;
      if (k == 0) {
        return;
      }
    }
    if (at.empty()) {
      return;
    }
  }
}

} // namespace girih::runtime

#endif // GIRIH_RUNTIME_DRIVER_BUFFER_H
