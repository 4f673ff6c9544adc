// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the host library calls beyond the functions in Driver.h: streams,
// stream-ordered memory, asynchronous copies, graphs. They are looked up on
// demand, so that a tool that needs none of them runs where some are missing.

#ifndef GIRIH_RUNTIME_DRIVER_HOSTFUNCTIONS_H
#define GIRIH_RUNTIME_DRIVER_HOSTFUNCTIONS_H

#include "runtime/driver/Driver.h"

namespace girih::runtime {

// Values that the ABI of the driver fixes.
namespace cu {
constexpr int success = 0, invalidValue = 1, outOfMemory = 2,
              invalidDevice = 101, invalidImage = 200, invalidContext = 201,
              peerUnsupported = 217, invalidHandle = 400, illegalState = 401,
              notFound = 500, notReady = 600, illegalAddress = 700,
              peerAlreadyEnabled = 704, launchFailed = 719,
              captureUnsupported = 900, captureInvalidated = 901,
              captureMerge = 902, captureUnmatched = 903, captureUnjoined = 904,
              captureIsolation = 905, captureImplicit = 906,
              capturedEvent = 907, captureWrongThread = 908;
constexpr unsigned streamDefault = 0, streamNonBlocking = 1;
constexpr unsigned eventDefault = 0, eventBlockingSync = 1,
                   eventDisableTiming = 2;
constexpr unsigned hostAllocPortable = 1; ///< pinned for every context
constexpr unsigned hostAllocMapped = 2;   ///< and reached by kernels
/// Modes of a capture.
constexpr int captureGlobal = 0, captureThreadLocal = 1, captureRelaxed = 2;
/// What streamIsCapturing says.
constexpr int captureNone = 0, captureActive = 1, captureStatusInvalidated = 2;
constexpr unsigned memoryHost = 1, memoryDevice = 2;
/// Attributes of a memory pool; all are 64 bits but the first three, an int.
constexpr int poolFollowEvents = 1, poolOpportunistic = 2,
              poolInternalDependencies = 3, poolReleaseThreshold = 4,
              poolReservedCurrent = 5, poolReservedHigh = 6,
              poolUsedCurrent = 7, poolUsedHigh = 8;
constexpr int nodeKernel = 0, nodeCopy = 1, nodeFill = 2, nodeHost = 3,
              nodeEmpty = 5;
/// Of an edge: the port that opens once all blocks have let the next launch
/// start, or ended, and the type.
constexpr unsigned char portProgrammatic = 1, edgeProgrammatic = 1;
/// An attribute of a device.
constexpr int memoryPoolsSupported = 115;
} // namespace cu

/// CUmemAccessDesc.
struct PoolAccess {
  int kind = 1; ///< of the place: a device
  int device = 0;
  int rights = 3; ///< to read and to write
};
static_assert(sizeof(PoolAccess) == 12);

/// CUDA_KERNEL_NODE_PARAMS_v2.
struct KernelNodeParams {
  void *function = nullptr;
  unsigned gridX = 1, gridY = 1, gridZ = 1;
  unsigned blockX = 1, blockY = 1, blockZ = 1;
  unsigned sharedBytes = 0;
  void **parameters = nullptr;
  void **extra = nullptr;
  void *kernel = nullptr;  ///< a CUkernel, used where `function` is null
  void *context = nullptr; ///< of `kernel`
};
static_assert(sizeof(KernelNodeParams) == 72);
static_assert(offsetof(KernelNodeParams, sharedBytes) == 32);
static_assert(offsetof(KernelNodeParams, parameters) == 40);
static_assert(offsetof(KernelNodeParams, context) == 64);

/// One side of a CUDA_MEMCPY3D_v2.
struct CopySide {
  size_t xInBytes = 0, y = 0, z = 0, level = 0;
  unsigned memoryType = 0; ///< cu::memoryHost or cu::memoryDevice
  void *host = nullptr;
  DevicePointer device = 0;
  void *array = nullptr;
  void *reserved = nullptr;
  size_t pitch = 0, height = 0;
};
static_assert(sizeof(CopySide) == 88);
static_assert(offsetof(CopySide, host) == 40);
static_assert(offsetof(CopySide, pitch) == 72);

/// CUDA_MEMCPY3D_v2.
struct CopyParams {
  CopySide from, to;
  size_t widthInBytes = 0, height = 1, depth = 1;
};
static_assert(sizeof(CopyParams) == 200);
static_assert(offsetof(CopyParams, to) == 88);
static_assert(offsetof(CopyParams, widthInBytes) == 176);

/// CUDA_MEMSET_NODE_PARAMS_v1.
struct FillParams {
  DevicePointer to = 0;
  size_t pitch = 0; ///< of the rows; unused for one row
  unsigned value = 0;
  unsigned elementBytes = 1; ///< 1, 2 or 4
  size_t width = 0;          ///< elements of a row
  size_t height = 1;         ///< rows
};
static_assert(sizeof(FillParams) == 40);
static_assert(offsetof(FillParams, elementBytes) == 20);
static_assert(offsetof(FillParams, width) == 24);

/// A CUhostFn: runs on a thread of the driver and must not call the driver.
using HostFunction = void (*)(void *data);

/// CUDA_HOST_NODE_PARAMS_v1.
struct HostNodeParams {
  HostFunction function = nullptr;
  void *data = nullptr;
};
static_assert(sizeof(HostNodeParams) == 16);

/// CUgraphEdgeData; null pointers to it say full dependencies.
/// Programmatic ones go from the port cu::portProgrammatic of a kernel node to
/// a kernel node that waits by itself.
struct EdgeData {
  unsigned char fromPort = 0, toPort = 0, type = 0, reserved[5] = {};
};
static_assert(sizeof(EdgeData) == 8);

/// Every one returns a CUresult. Handles are the driver's pointers.
struct HostFunctions {
  int (*primaryContextRelease)(int device) = nullptr;
  int (*contextStreamPriorities)(int *least, int *greatest) = nullptr;
  int (*deviceCanAccessPeer)(int *can, int device, int peer) = nullptr;
  int (*contextEnablePeerAccess)(void *peer, unsigned flags) = nullptr;

  int (*streamCreate)(void **stream, unsigned flags) = nullptr;
  int (*streamCreateWithPriority)(void **stream, unsigned flags,
                                  int priority) = nullptr;
  int (*streamDestroy)(void *stream) = nullptr;
  int (*streamWaitEvent)(void *stream, void *event, unsigned flags) = nullptr;
  int (*streamQuery)(void *stream) = nullptr;
  int (*streamGetContext)(void *stream, void **context) = nullptr;
  int (*eventQuery)(void *event) = nullptr;
  int (*launchHostFunction)(void *stream, HostFunction function,
                            void *data) = nullptr;

  int (*memoryGetInfo)(size_t *free, size_t *total) = nullptr;
  int (*memoryAllocateBehind)(DevicePointer *pointer, size_t bytes,
                              void *stream) = nullptr;
  int (*memoryFreeBehind)(DevicePointer pointer, void *stream) = nullptr;
  int (*deviceDefaultPool)(void **pool, int device) = nullptr;
  int (*poolSetAttribute)(void *pool, int attribute, void *value) = nullptr;
  int (*poolGetAttribute)(void *pool, int attribute, void *value) = nullptr;
  int (*poolSetAccess)(void *pool, const PoolAccess *list,
                       size_t count) = nullptr;
  int (*poolTrimTo)(void *pool, size_t bytes) = nullptr;
  int (*hostAllocate)(void **pointer, size_t bytes, unsigned flags) = nullptr;
  int (*hostFree)(void *pointer) = nullptr;

  int (*copyToDeviceBehind)(DevicePointer to, const void *from, size_t bytes,
                            void *stream) = nullptr;
  int (*copyOnDeviceBehind)(DevicePointer to, DevicePointer from, size_t bytes,
                            void *stream) = nullptr;
  int (*copyToPeerBehind)(DevicePointer to, void *toContext, DevicePointer from,
                          void *fromContext, size_t bytes,
                          void *stream) = nullptr;
  int (*fill8Behind)(DevicePointer to, unsigned char value, size_t count,
                     void *stream) = nullptr;
  int (*fill16Behind)(DevicePointer to, unsigned short value, size_t count,
                      void *stream) = nullptr;
  int (*fill32Behind)(DevicePointer to, unsigned value, size_t count,
                      void *stream) = nullptr;

  int (*streamBeginCapture)(void *stream, int mode) = nullptr;
  int (*streamEndCapture)(void *stream, void **graph) = nullptr;
  int (*graphCreate)(void **graph, unsigned flags) = nullptr;
  int (*graphDestroy)(void *graph) = nullptr;
  int (*graphAddKernelNode)(void **node, void *graph, void *const *behind,
                            size_t count,
                            const KernelNodeParams *params) = nullptr;
  int (*graphAddCopyNode)(void **node, void *graph, void *const *behind,
                          size_t count, const CopyParams *params,
                          void *context) = nullptr;
  int (*graphAddFillNode)(void **node, void *graph, void *const *behind,
                          size_t count, const FillParams *params,
                          void *context) = nullptr;
  int (*graphAddHostNode)(void **node, void *graph, void *const *behind,
                          size_t count, const HostNodeParams *params) = nullptr;
  /// The child is copied.
  int (*graphAddChildNode)(void **node, void *graph, void *const *behind,
                           size_t count, void *child) = nullptr;
  int (*graphAddEmptyNode)(void **node, void *graph, void *const *behind,
                           size_t count) = nullptr;
  int (*graphAddDependencies)(void *graph, void *const *from, void *const *to,
                              const EdgeData *edges, size_t count) = nullptr;
  int (*graphGetNodes)(void *graph, void **nodes, size_t *count) = nullptr;
  int (*graphGetEdges)(void *graph, void **from, void **to, EdgeData *edges,
                       size_t *count) = nullptr;
  int (*graphNodeGetType)(void *node, int *type) = nullptr;
  /// The parameters point into the node and hold until it is destroyed.
  int (*graphKernelNodeGetParams)(void *node,
                                  KernelNodeParams *params) = nullptr;
  int (*graphInstantiate)(void **executable, void *graph,
                          unsigned long long flags) = nullptr;
  int (*graphExecKernelNodeSetParams)(void *executable, void *node,
                                      const KernelNodeParams *params) = nullptr;
  int (*graphExecCopyNodeSetParams)(void *executable, void *node,
                                    const CopyParams *params,
                                    void *context) = nullptr;
  int (*graphExecFillNodeSetParams)(void *executable, void *node,
                                    const FillParams *params,
                                    void *context) = nullptr;
  int (*graphExecChildNodeSetParams)(void *executable, void *node,
                                     void *child) = nullptr;
  int (*graphUpload)(void *executable, void *stream) = nullptr;
  int (*graphLaunch)(void *executable, void *stream) = nullptr;
  int (*graphExecDestroy)(void *executable) = nullptr;
};

/// The functions of the driver that `openDriver` has opened, or the name of the
/// first one that it lacks.
Expected<HostFunctions> openHostFunctions();

} // namespace girih::runtime

#endif // GIRIH_RUNTIME_DRIVER_HOSTFUNCTIONS_H
