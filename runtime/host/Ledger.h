// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// The borrow ledger: who used a tensor last, on which stream. It orders work
/// across streams and finds at run time what types cannot express.
///
/// Each launch has a ticket, a number in its stream. A tensor remembers the
/// last writers and the readers behind them by stream and ticket. A use on
/// another stream waits for an event that is recorded when the dependency is
/// found: a chain in one stream costs no event. A tensor is freed behind its
/// last uses.

#ifndef GIRIH_RUNTIME_HOST_LEDGER_H
#define GIRIH_RUNTIME_HOST_LEDGER_H

namespace girih {

/// How much the ledger does.
enum class LedgerMode : unsigned char {
  /// Orders uses, and refuses those that contradict each other: two arguments
  /// of one launch of which one is written, two threads that queue a reader and
  /// a writer at once, a tensor whose pieces are out, a stream of another
  /// device.
  Checks,
  /// Orders uses, and believes that nothing is used in two ways at once. Values
  /// that were moved are refused nevertheless.
  Orders,
};

/// Sets the mode for launches from now on, in all threads.
void setLedger(LedgerMode mode) noexcept;
/// The mode; `Checks` unless it was set.
LedgerMode ledgerMode() noexcept;

} // namespace girih

#endif // GIRIH_RUNTIME_HOST_LEDGER_H
