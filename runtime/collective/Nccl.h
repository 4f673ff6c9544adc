// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NCCL, opened at run time: the functions that are used, with their ABI, which
// has stayed since 2.7, of windows since 2.27. Handles are the library's
// pointers.

#ifndef GIRIH_RUNTIME_COLLECTIVE_NCCL_H
#define GIRIH_RUNTIME_COLLECTIVE_NCCL_H

#include <cstddef>
#include <string>

namespace girih::nccl {

/// ncclResult_t.
inline constexpr int success = 0, inProgress = 7;
/// ncclDataType_t.
inline constexpr int int8 = 0, uint8 = 1, int32 = 2, uint32 = 3, int64 = 4,
                     uint64 = 5, float16 = 6, float32 = 7, float64 = 8,
                     bfloat16 = 9, f8e4m3 = 10, f8e5m2 = 11;

/// Every one but the first returns a ncclResult_t.
struct Library {
  const char *(*getErrorString)(int error) = nullptr;
  int (*getVersion)(int *version) = nullptr;
  int (*initAll)(void **communicators, int count, const int *devices) = nullptr;
  int (*destroy)(void *communicator) = nullptr;
  int (*abort)(void *communicator) = nullptr;
  int (*getAsyncError)(void *communicator, int *error) = nullptr;
  int (*groupStart)() = nullptr;
  int (*groupEnd)() = nullptr;
  int (*allReduce)(const void *from, void *to, size_t count, int type,
                   int operation, void *communicator, void *stream) = nullptr;
  int (*allGather)(const void *from, void *to, size_t countOfOne, int type,
                   void *communicator, void *stream) = nullptr;
  int (*reduceScatter)(const void *from, void *to, size_t countOfOne, int type,
                       int operation, void *communicator,
                       void *stream) = nullptr;
  int (*send)(const void *from, size_t count, int type, int peer,
              void *communicator, void *stream) = nullptr;
  int (*receive)(void *to, size_t count, int type, int peer, void *communicator,
                 void *stream) = nullptr;
  // Since 2.27; all of them or none.
  int (*memAlloc)(void **memory, size_t bytes) = nullptr;
  int (*memFree)(void *memory) = nullptr;
  int (*windowRegister)(void *communicator, void *memory, size_t bytes,
                        void **window, int flags) = nullptr;
  int (*windowDeregister)(void *communicator, void *window) = nullptr;

  bool hasWindows() const noexcept { return windowRegister != nullptr; }
};

/// NCCL_WIN_COLL_SYMMETRIC and NCCL_WIN_REQUIRED_ALIGNMENT.
inline constexpr int symmetric = 1;
inline constexpr size_t windowAlignment = 4096;

/// The library of a path, or, where that is empty, `libnccl.so.2` as the loader
/// finds it. It stays open. Throws RuntimeError, 77 where there is none.
const Library &open(const std::string &path);

} // namespace girih::nccl

#endif // GIRIH_RUNTIME_COLLECTIVE_NCCL_H
