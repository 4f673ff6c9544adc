// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/driver/HostFunctions.h"

#include "runtime/driver/Symbols.h"

namespace girih::runtime {

// Names as the headers of CUDA 12.4 and newer spell them with their suffixes:
// the names without are older functions with other parameters.
static void takeStreams(Symbols &from, HostFunctions &f) {
  from.take(f.primaryContextRelease, "cuDevicePrimaryCtxRelease_v2");
  from.take(f.contextStreamPriorities, "cuCtxGetStreamPriorityRange");
  from.take(f.deviceCanAccessPeer, "cuDeviceCanAccessPeer");
  from.take(f.contextEnablePeerAccess, "cuCtxEnablePeerAccess");
  from.take(f.streamCreate, "cuStreamCreate");
  from.take(f.streamCreateWithPriority, "cuStreamCreateWithPriority");
  from.take(f.streamDestroy, "cuStreamDestroy_v2");
  from.take(f.streamWaitEvent, "cuStreamWaitEvent");
  from.take(f.streamQuery, "cuStreamQuery");
  from.take(f.streamGetContext, "cuStreamGetCtx");
  from.take(f.eventQuery, "cuEventQuery");
  from.take(f.launchHostFunction, "cuLaunchHostFunc");
}

static void takeMemory(Symbols &from, HostFunctions &f) {
  from.take(f.memoryGetInfo, "cuMemGetInfo_v2");
  from.take(f.memoryAllocateBehind, "cuMemAllocAsync");
  from.take(f.memoryFreeBehind, "cuMemFreeAsync");
  from.take(f.deviceDefaultPool, "cuDeviceGetDefaultMemPool");
  from.take(f.poolSetAttribute, "cuMemPoolSetAttribute");
  from.take(f.poolGetAttribute, "cuMemPoolGetAttribute");
  from.take(f.poolSetAccess, "cuMemPoolSetAccess");
  from.take(f.poolTrimTo, "cuMemPoolTrimTo");
  from.take(f.hostAllocate, "cuMemHostAlloc");
  from.take(f.hostFree, "cuMemFreeHost");
  from.take(f.copyToDeviceBehind, "cuMemcpyHtoDAsync_v2");
  from.take(f.copyOnDeviceBehind, "cuMemcpyDtoDAsync_v2");
  from.take(f.copyToPeerBehind, "cuMemcpyPeerAsync");
  from.take(f.fill8Behind, "cuMemsetD8Async");
  from.take(f.fill16Behind, "cuMemsetD16Async");
  from.take(f.fill32Behind, "cuMemsetD32Async");
}

static void takeGraphs(Symbols &from, HostFunctions &f) {
  from.take(f.streamBeginCapture, "cuStreamBeginCapture_v2");
  from.take(f.streamEndCapture, "cuStreamEndCapture");
  from.take(f.graphCreate, "cuGraphCreate");
  from.take(f.graphDestroy, "cuGraphDestroy");
  from.take(f.graphAddKernelNode, "cuGraphAddKernelNode_v2");
  from.take(f.graphAddCopyNode, "cuGraphAddMemcpyNode");
  from.take(f.graphAddFillNode, "cuGraphAddMemsetNode");
  from.take(f.graphAddHostNode, "cuGraphAddHostNode");
  from.take(f.graphAddChildNode, "cuGraphAddChildGraphNode");
  from.take(f.graphAddEmptyNode, "cuGraphAddEmptyNode");
  from.take(f.graphAddDependencies, "cuGraphAddDependencies_v2");
  from.take(f.graphGetNodes, "cuGraphGetNodes");
  from.take(f.graphGetEdges, "cuGraphGetEdges_v2");
  from.take(f.graphNodeGetType, "cuGraphNodeGetType");
  from.take(f.graphKernelNodeGetParams, "cuGraphKernelNodeGetParams_v2");
  from.take(f.graphInstantiate, "cuGraphInstantiateWithFlags");
  from.take(f.graphExecKernelNodeSetParams,
            "cuGraphExecKernelNodeSetParams_v2");
  from.take(f.graphExecCopyNodeSetParams, "cuGraphExecMemcpyNodeSetParams");
  from.take(f.graphExecFillNodeSetParams, "cuGraphExecMemsetNodeSetParams");
  from.take(f.graphExecChildNodeSetParams,
            "cuGraphExecChildGraphNodeSetParams");
  from.take(f.graphUpload, "cuGraphUpload");
  from.take(f.graphLaunch, "cuGraphLaunch");
  from.take(f.graphExecDestroy, "cuGraphExecDestroy");
}

Expected<HostFunctions> openHostFunctions() {
  Symbols symbols;
  if (!symbols.library) {
    return Error{ErrorKind::NoGpu,
                 "no CUDA driver: libcuda.so.1 is not on this machine"};
  }
  HostFunctions functions;
  takeStreams(symbols, functions);
  takeMemory(symbols, functions);
  takeGraphs(symbols, functions);
  if (symbols.missing) {
    return Error{ErrorKind::NoGpu, std::string("libcuda.so.1 lacks ") +
                                       symbols.missing +
                                       ", which the host library needs"};
  }
  return functions;
}

} // namespace girih::runtime
