// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/host/Ledger.h"

#include "runtime/host/Record.h"

namespace girih {

static std::atomic<LedgerMode> mode{LedgerMode::Checks};

void setLedger(LedgerMode to) noexcept {
  mode.store(to, std::memory_order_relaxed);
}
LedgerMode ledgerMode() noexcept {
  return mode.load(std::memory_order_relaxed);
}

namespace {
std::string number(size_t argument) { return std::to_string(argument); }
} // namespace

/// Acquires accesses to as many tensors, without a look at devices.
void acquireDistinct(std::span<Access> accesses, const Stream &stream);

void acquire(std::span<Access> accesses, const Stream &stream) {
  const bool checks = ledgerMode() == LedgerMode::Checks;
  const auto &self = stream.internal();
  for (size_t k = 0; checks && k < accesses.size(); ++k) {
    const Access &a = accesses[k];
    if (&a.record->device() != &self->device) {
      throw RuntimeError(3, "argument " + number(k) + " lies on device " +
                                std::to_string(a.record->device().ordinal) +
                                ", the stream is of device " +
                                std::to_string(self->device.ordinal));
    }
    for (size_t j = 0; j < k; ++j) {
      const Access &b = accesses[j];
      if (a.record == b.record &&
          (a.mode != AccessMode::Read || b.mode != AccessMode::Read)) {
        throw RuntimeError(3, "arguments " + number(j) + " and " + number(k) +
                                  " are one tensor, and argument " +
                                  number(a.mode != AccessMode::Read ? k : j) +
                                  " is written");
      }
    }
  }
  acquireDistinct(accesses, stream);
}

void acquireAcross(std::span<Access> accesses, const Stream &stream) {
  // Whatever the mode: an address of another device is written to nowhere.
  for (size_t k = 0; k < accesses.size(); ++k) {
    const detail::Record &record = *accesses[k].record;
    if (accesses[k].mode != AccessMode::Read &&
        &record.device() != &stream.internal()->device) {
      throw RuntimeError(3,
                         "argument " + number(k) +
                             " is written and lies on "
                             "device " +
                             std::to_string(record.device().ordinal) +
                             ", the stream is of device " +
                             std::to_string(stream.internal()->device.ordinal));
    }
  }
  acquireDistinct(accesses, stream);
}

void acquireDistinct(std::span<Access> accesses, const Stream &stream) {
  const bool checks = ledgerMode() == LedgerMode::Checks;
  const auto &self = stream.internal();
  size_t begun = 0;
  try {
    std::vector<detail::Use> waits;
    for (Access &access : accesses) {
      access.record->begin(*self, access.mode, checks, begun, waits);
      access.marked = checks;
      ++begun;
    }
    for (const detail::Use &use : waits) {
      if (!self->isBehind(*use.stream, use.ticket)) {
        self->waitFor(*use.stream);
      }
    }
  } catch (...) {
    cancel(accesses.first(begun));
    throw;
  }
}

void release(std::span<Access> accesses, const Stream &stream) noexcept {
  const auto &self = stream.internal();
  uint64_t ticket = ++self->ticket;
  for (Access &access : accesses) {
    access.record->end(self, ticket, access.mode, access.marked);
    access.marked = false;
  }
}

void cancel(std::span<Access> accesses) noexcept {
  for (Access &access : accesses) {
    access.record->cancel(access.mode, access.marked);
    access.marked = false;
  }
}

Device deviceFor(std::span<const Access> accesses) {
  return accesses.empty() ? Device::get()
                          : Device(accesses.front().record->device());
}

Stream streamFor(std::span<const Access> accesses) {
  if (accesses.empty()) {
    return Device::get().nextStream();
  }
  const Access *first = &accesses.front();
  for (const Access &access : accesses) {
    if (access.mode != AccessMode::Read) {
      first = &access;
      break;
    }
  }
  return Stream(first->record->lastStream());
}

} // namespace girih
