// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is used of the ABI of DLPack 1.0 to 1.3 (dlpack.h), by names of our own:
// a program may include that header too. No part of the public interface.

#ifndef GIRIH_RUNTIME_HOST_DLPACKABI_H
#define GIRIH_RUNTIME_HOST_DLPACKABI_H

#include <cstddef>
#include <cstdint>

namespace girih::dlpack {

/// DLDevice.
struct Device {
  std::int32_t type = 0, id = 0;
};
/// DLDataType.
struct DataType {
  std::uint8_t code = 0, bits = 0;
  std::uint16_t lanes = 0;
};
/// DLTensor.
struct Tensor {
  void *data = nullptr;
  Device device;
  std::int32_t ndim = 0;
  DataType dtype;
  std::int64_t *shape = nullptr, *strides = nullptr;
  std::uint64_t byteOffset = 0;
};
static_assert(sizeof(Tensor) == 48 && offsetof(Tensor, shape) == 24);

/// DLManagedTensorVersioned. Of another major version only the members before
/// the flags are where they are here.
struct Managed {
  std::uint32_t major = 0, minor = 0;
  void *context = nullptr;
  void (*deleter)(Managed *self) = nullptr;
  std::uint64_t flags = 0;
  Tensor tensor;
};
static_assert(sizeof(Managed) == 80 && offsetof(Managed, flags) == 24);

/// The version that is written.
inline constexpr std::uint32_t major = 1, minor = 1;

/// Bits of the flags.
inline constexpr std::uint64_t readOnly = 1, copied = 2, paddedSubBytes = 4;

/// Types of devices: device memory, and memory that moves.
inline constexpr std::int32_t cuda = 2, cudaManaged = 13;

/// Codes of data types.
inline constexpr std::uint8_t codeInt = 0, codeUInt = 1, codeFloat = 2,
                              codeBfloat = 4, codeBool = 6, codeF8E4M3FN = 10,
                              codeF8E5M2 = 12, codeF8E8M0FNU = 14,
                              codeF4E2M1FN = 17;

} // namespace girih::dlpack

#endif // GIRIH_RUNTIME_HOST_DLPACKABI_H
