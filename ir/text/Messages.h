// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What MLIR's parser and verifiers say about a kernel, in the words of the
// language, with the way out where one is known.

#ifndef GIRIH_IR_TEXT_MESSAGES_H
#define GIRIH_IR_TEXT_MESSAGES_H

#include "mlir/IR/Operation.h"

#include <optional>
#include <string>

namespace girih::tile {

struct BetterMessage {
  std::string message;
  std::optional<size_t> at = {}; ///< the byte that it is about, if another
};

/// A better message for `message` at byte `at` of a kernel's text: operators
/// that contracts spell as functions, stores to what was not claimed.
std::optional<BetterMessage> betterMessage(llvm::StringRef message,
                                           llvm::StringRef text, size_t at);

/// What a loop or branch yields against what it must.
struct YieldMessage {
  std::string message;
  mlir::Operation *yield = nullptr; ///< where it says so; null: it is implied
};

/// A better message about `op` when the verifier complains that what its
/// regions yield does not fit.
std::optional<YieldMessage> yieldMessage(mlir::Operation *op,
                                         llvm::StringRef message);

} // namespace girih::tile

#endif // GIRIH_IR_TEXT_MESSAGES_H
