// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/execution/KernelOfFile.h"

#include "runtime/artefact/Cache.h"
#include "runtime/host/States.h"

#include <cstdio>
#include <set>
#include <shared_mutex>
#include <sys/stat.h>
#include <unordered_map>

using namespace girih::runtime;

namespace girih {

/// Of all GPUs, without a context on any of them.
static std::vector<std::string> architecturesHere() {
  const Driver &driver = detail::driver();
  int count = 0;
  detail::check(driver.deviceGetCount(&count), "cuDeviceGetCount");
  std::set<std::string> out;
  for (int ordinal = 0; ordinal < count; ++ordinal) {
    int handle = 0;
    detail::check(driver.deviceGet(&handle, ordinal), "cuDeviceGet");
    auto described = describeDevice(driver, handle);
    if (!described) {
      detail::throwError(described.error());
    }
    out.insert(architectureOf(*described));
  }
  if (out.empty()) {
    throw RuntimeError(77, "this machine has no GPU to compile for, and "
                           "JitOptions::architectures is empty");
  }
  return {out.begin(), out.end()};
}

const std::shared_ptr<KernelState> &KernelOfFile::compile() {
  std::lock_guard lock(mutex);
  if (error) {
    std::rethrow_exception(error);
  }
  if (state) {
    return state;
  }
  try {
    if (file.architectures.empty()) {
      file.architectures = architecturesHere();
    }
    Expected<Artefact> artefact = compileFile(file);
    if (!artefact) {
      detail::throwError(artefact.error());
    }
    state = std::make_shared<KernelState>(std::move(*artefact));
  } catch (...) {
    error = std::current_exception();
    failed.store(true, std::memory_order_release);
    throw;
  }
  file = {};
  ready.store(true, std::memory_order_release);
  return state;
}

//===-- Those of this process ---------------------------------------------===//

namespace {

/// By which a file is known without being read.
struct FileIdentity {
  dev_t device = 0;
  ino_t number = 0;
  off_t size = 0;
  timespec changed{}, moved{};

  bool operator==(const FileIdentity &other) const {
    auto same = [](const timespec &a, const timespec &b) {
      return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
    };
    return device == other.device && number == other.number &&
           size == other.size && same(changed, other.changed) &&
           same(moved, other.moved);
  }
};

struct Entry {
  FileIdentity identity;
  JitOptions options; ///< without progress
  std::shared_ptr<KernelOfFile> kernel;
};

struct AllKernels {
  std::shared_mutex mutex;
  std::unordered_map<std::string, std::vector<Entry>> byPath;
};

} // namespace

static FileIdentity identityOf(const std::string &path) {
  struct stat status;
  if (::stat(path.c_str(), &status)) {
    return {};
  }
  return {status.st_dev, status.st_ino, status.st_size, status.st_mtim,
          status.st_ctim};
}

static bool isSame(const JitOptions &a, const JitOptions &b) {
  return a.architectures == b.architectures && a.allowTrust == b.allowTrust &&
         a.compiler == b.compiler && a.assembler == b.assembler &&
         a.cache == b.cache && a.timeLimit == b.timeLimit;
}

std::shared_ptr<KernelOfFile> kernelOfText(FileToCompile file,
                                           const JitOptions &options) {
  file.architectures = options.architectures;
  file.allowTrust = options.allowTrust;
  file.compiler = options.compiler;
  file.assembler = options.assembler;
  file.cache = options.cache ? *options.cache : defaultCacheFolder();
  file.timeLimit = options.timeLimit;
  file.progress =
      options.progress ? options.progress : [](const std::string &text) {
        std::fprintf(stderr, "%s\n", text.c_str());
      };
  return std::make_shared<KernelOfFile>(std::move(file));
}

static FileToCompile read(const std::string &path) {
  Expected<FileToCompile> file = readKernelFile(path);
  if (!file) {
    detail::throwError(file.error());
  }
  return std::move(*file);
}

std::shared_ptr<KernelOfFile> kernelOfFile(const std::string &path,
                                           const JitOptions &options) {
  // Not destroyed: launches in statics may be dropped later.
  static auto &known = *new AllKernels;
  FileIdentity identity = identityOf(path);
  auto find = [&]() -> Entry * {
    auto found = known.byPath.find(path);
    if (found != known.byPath.end()) {
      for (Entry &each : found->second) {
        if (isSame(each.options, options)) {
          return &each;
        }
      }
    }
    return nullptr;
  };
  auto isCurrent = [&](const Entry *each) {
    return each && each->identity == identity && !each->kernel->hasFailed();
  };
  {
    std::shared_lock lock(known.mutex);
    if (Entry *each = find(); isCurrent(each)) {
      return each->kernel;
    }
  }
  auto made = kernelOfText(read(path), options);
  std::unique_lock lock(known.mutex);
  Entry *each = find();
  if (isCurrent(each)) {
    return each->kernel;
  }
  if (!each) {
    each = &known.byPath[path].emplace_back();
    each->options = options;
    each->options.progress = nullptr;
  }
  each->identity = identity;
  each->kernel = made;
  return made;
}

} // namespace girih
