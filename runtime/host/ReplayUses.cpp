// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/host/ReplayUses.h"

#include "runtime/host/Ledger.h"

#include <algorithm>

namespace girih::detail {

void ReplayUses::reset(std::vector<Access> given) {
  touched.reserve(given.size());
  ending.reserve(given.size());
  accesses = std::move(given);
  try {
    for (std::size_t k = 0; k < accesses.size(); ++k) {
      accesses[k].record->enter(*this, k, accesses[k].mode);
      touched.push_back(k);
    }
  } catch (...) {
    clear();
    throw;
  }
}

void ReplayUses::clear() noexcept {
  for (Access &access : accesses) {
    access.record->leave(*this);
  }
  accesses.clear();
  touched.clear();
  last = {};
}

std::optional<Use> ReplayUses::touch(std::size_t access, bool refused) {
  std::lock_guard guard(lock);
  if (isQueueing && refused) {
    return std::nullopt;
  }
  touched.push_back(access); // there is room for all of them
  return last;
}

bool ReplayUses::isTouchedMeanwhile(std::size_t access) const {
  std::lock_guard guard(lock);
  if (!isQueueing) {
    return false;
  }
  auto since = touched.begin() + static_cast<std::ptrdiff_t>(booking);
  return std::find(since, touched.end(), access) != touched.end();
}

std::shared_ptr<StreamState> ReplayUses::lastStream() const {
  std::lock_guard guard(lock);
  return last.stream;
}

std::size_t ReplayUses::touchedCount() const {
  std::lock_guard guard(lock);
  return touched.size();
}

void ReplayUses::acquire(const Stream &stream) {
  const bool checks = ledgerMode() == LedgerMode::Checks;
  const auto &self = stream.internal();
  if (last.stream && last.stream != self) {
    // What the last replays used is behind them on their stream alone.
    for (Access &access : accesses) {
      access.record->settle(*this);
    }
  }
  std::size_t count = 0;
  {
    std::lock_guard guard(lock);
    isQueueing = true;
    booking = count = touched.size();
  }
  try {
    std::vector<Use> waits;
    for (begun = 0; begun < count; ++begun) {
      Access &access = accesses[touched[begun]];
      access.record->begin(*self, access.mode, checks, touched[begun], waits,
                           this);
      access.marked = checks;
    }
    for (const Use &use : waits) {
      if (!self->isBehind(*use.stream, use.ticket)) {
        self->waitFor(*use.stream);
      }
    }
  } catch (...) {
    cancel();
    throw;
  }
}

void ReplayUses::cancel() noexcept {
  for (std::size_t k = 0; k < begun; ++k) {
    Access &access = accesses[touched[k]];
    access.record->cancel(access.mode, access.marked);
    access.marked = false;
  }
  begun = 0;
  std::lock_guard guard(lock);
  isQueueing = false;
}

void ReplayUses::release(const Stream &stream) noexcept {
  const auto &self = stream.internal();
  uint64_t ticket = ++self->ticket;
  {
    std::lock_guard guard(lock);
    ending.assign(touched.begin(), touched.end());
    touched.erase(touched.begin(),
                  touched.begin() + static_cast<std::ptrdiff_t>(begun));
    last = {self, ticket};
    isQueueing = false;
  }
  for (std::size_t k = 0; k < ending.size(); ++k) {
    Access &access = accesses[ending[k]];
    if (k < begun) {
      if (access.record->end(self, ticket, access.mode, access.marked, this)) {
        std::lock_guard guard(lock);
        touched.push_back(ending[k]);
      }
      access.marked = false;
    } else { // touched meanwhile
      access.record->book(self, ticket, access.mode);
    }
  }
  begun = 0;
}

} // namespace girih::detail
