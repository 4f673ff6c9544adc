// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/execution/OptOut.h"

#include "runtime/driver/Ranges.h"
#include "runtime/host/States.h"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <fmt/format.h>
#include <map>

namespace girih {

//===-- Whether, and which -----------------------------------------------===//

static std::atomic<OptOuts> allowed{OptOuts::Allowed};

void setOptOuts(OptOuts to) noexcept { allowed.store(to); }

namespace {
struct Uses {
  std::mutex mutex;
  std::map<std::string, uint64_t> counts;
};
Uses &uses() {
  static auto *all = new Uses; // statics of the program may use some later
  return *all;
}
} // namespace

std::vector<OptOutUse> usedOptOuts() {
  std::vector<OptOutUse> out;
  std::lock_guard lock(uses().mutex);
  for (const auto &[name, count] : uses().counts) {
    out.push_back({name, count});
  }
  return out;
}

namespace detail {

void refuseIfAsked(const std::string &name) {
  if (allowed.load(std::memory_order_relaxed) == OptOuts::Refused) {
    throw RuntimeError(3, fmt::format("opt-out {}: opt-outs are refused "
                                      "(setOptOuts)",
                                      name));
  }
}

void checkOptOutName(std::string_view name) {
  bool isName = !name.empty() && name.size() <= 100 &&
                std::all_of(name.begin(), name.end(), [](unsigned char c) {
                  return std::isalnum(c) || std::strchr("_.:-", c);
                });
  if (!isName) {
    throw RuntimeError(3, "an opt-out has a name of letters, digits and _.:-, "
                          "100 at most");
  }
}

void checkOptOut(const OptOut &work, std::span<const bool> writable) {
  refuseIfAsked(work.name);
  if (work.modes.size() != writable.size()) {
    throw RuntimeError(3, fmt::format("{}: it has modes for {} tensors, {} are "
                                      "given",
                                      work.text, work.modes.size(),
                                      writable.size()));
  }
  for (size_t k = 0; k < writable.size(); ++k) {
    if (!writable[k] && work.modes[k] != AccessMode::Read) {
      throw RuntimeError(3, fmt::format("{}: tensor {} is written, a shared "
                                        "one is given",
                                        work.text, k));
    }
  }
}

void bookOptOut(const std::string &name) {
  refuseIfAsked(name);
  std::lock_guard lock(uses().mutex);
  ++uses().counts[name];
}

//===-- Calls ------------------------------------------------------------===//

static std::exception_ptr namedError(const OptOut &work) {
  return named(work.text, std::current_exception());
}

Stream queueOptOut(const OptOut &work, std::span<const ArgumentView> tensors,
                   std::span<Access> accesses, const Stream *given) {
  try {
    bookOptOut(work.name);
    Stream stream = given ? *given : streamFor(accesses);
    InContext in(stream.internal()->device);
    acquire(accesses, stream);
    try {
      runtime::Range range(runtime::hasRanges() ? work.text : std::string());
      work.call({stream, stream.handle(), tensors});
    } catch (...) {
      // A part of its work may be queued: uses are booked nevertheless.
      release(accesses, stream);
      throw;
    }
    release(accesses, stream);
    return stream;
  } catch (...) {
    std::rethrow_exception(namedError(work));
  }
}

std::shared_ptr<void> captureOptOut(const OptOut &work,
                                    std::span<const ArgumentView> tensors,
                                    const Device &device) {
  try {
    Stream stream = Stream::create(device);
    InContext in(device.internal());
    check(functions().streamBeginCapture(stream.handle(),
                                         runtime::cu::captureRelaxed),
          "cuStreamBeginCapture");
    std::exception_ptr failure;
    try {
      work.call({stream, stream.handle(), tensors});
    } catch (...) {
      failure = std::current_exception();
    }
    // Whatever happened, the stream is let go of.
    void *graph = nullptr;
    int error = functions().streamEndCapture(stream.handle(), &graph);
    if (error) {
      // Where that did not end it, nothing else on the device could go on.
      functions().streamEndCapture(stream.handle(), &graph);
    }
    std::shared_ptr<void> owned(graph, [device](void *captured) {
      if (captured) {
        runtime::Entered entered(driver(), device.context());
        functions().graphDestroy(captured);
      }
    });
    if (failure) {
      std::rethrow_exception(failure);
    }
    check(error, "cuStreamEndCapture");
    return owned;
  } catch (...) {
    std::rethrow_exception(namedError(work));
  }
}

} // namespace detail

LibraryCall::LibraryCall(std::string_view name, std::vector<AccessMode> modes,
                         std::function<void(const RawCall &)> function) {
  detail::checkOptOutName(name);
  if (!function) {
    throw RuntimeError(3, fmt::format("opt-out {}: an empty function", name));
  }
  work = std::make_shared<const detail::OptOut>(
      detail::OptOut{std::string(name), fmt::format("opt-out {}", name),
                     std::move(modes), std::move(function)});
}

} // namespace girih
