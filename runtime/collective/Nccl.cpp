// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/collective/Nccl.h"

#include "runtime/host/Error.h"

#include <dlfcn.h>
#include <map>
#include <memory>
#include <mutex>

namespace girih::nccl {

static std::unique_ptr<Library> load(const std::string &path) {
  void *handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    const char *why = dlerror();
    throw RuntimeError(77, "no NCCL: " + std::string(why ? why : path) +
                               "; the wheel nvidia-nccl has it");
  }
  auto made = std::make_unique<Library>();
  auto take = [&](auto &out, const char *name) {
    out = reinterpret_cast<std::remove_reference_t<decltype(out)>>(
        dlsym(handle, name));
    if (!out) {
      throw RuntimeError(77, path + " lacks " + name +
                                 ": it is older than NCCL 2.7");
    }
  };
  take(made->getErrorString, "ncclGetErrorString");
  take(made->getVersion, "ncclGetVersion");
  take(made->initAll, "ncclCommInitAll");
  take(made->destroy, "ncclCommDestroy");
  take(made->abort, "ncclCommAbort");
  take(made->getAsyncError, "ncclCommGetAsyncError");
  take(made->groupStart, "ncclGroupStart");
  take(made->groupEnd, "ncclGroupEnd");
  take(made->allReduce, "ncclAllReduce");
  take(made->allGather, "ncclAllGather");
  take(made->reduceScatter, "ncclReduceScatter");
  take(made->send, "ncclSend");
  take(made->receive, "ncclRecv");
  if (dlsym(handle, "ncclCommWindowRegister")) {
    take(made->memAlloc, "ncclMemAlloc");
    take(made->memFree, "ncclMemFree");
    take(made->windowRegister, "ncclCommWindowRegister");
    take(made->windowDeregister, "ncclCommWindowDeregister");
  }
  return made;
}

const Library &open(const std::string &path) {
  static std::mutex mutex;
  // Not closed: communicators in statics may end later.
  static auto *opened = new std::map<std::string, std::unique_ptr<Library>>;
  std::string name = path.empty() ? "libnccl.so.2" : path;
  std::lock_guard lock(mutex);
  auto found = opened->find(name);
  if (found == opened->end()) {
    found = opened->emplace(name, load(name)).first;
  }
  return *found->second;
}

} // namespace girih::nccl
