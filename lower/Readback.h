// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The last look before the assembler: the text that was judged is read once
// more, its obligations are judged once more, and the bytecode is compared with
// it. Nothing that another stage made of the kernel is asked.

#ifndef GIRIH_LOWER_READBACK_H
#define GIRIH_LOWER_READBACK_H

#include "lower/tileir/Lower.h"
#include "lower/tileir/Writer.h"

namespace girih::lower {

/// The text that was judged, read once more.
class Gate {
public:
  static std::variant<Gate, std::string>
  open(const checker::VerifiedKernel &verified);
  tile::KernelOp kernel() const { return source.kernel(); }
  /// What differs, or nothing. Of what was lowered the entry points and their
  /// parameters are taken, which the manifest repeats, and that it waits for
  /// the grids before it, where bytecode 13.`minor` says so.
  std::optional<std::string>
  differs(const tileir::Lowered &lowered, const tileir::Bytes &bytecode,
          unsigned minor = tileir::newestMinor) const;

private:
  explicit Gate(checker::OpenedKernel source) : source(std::move(source)) {}
  checker::OpenedKernel source;
};

/// What differs, or is not what was judged; or nothing.
std::optional<std::string> readBack(const checker::VerifiedKernel &verified,
                                    const tileir::Lowered &lowered,
                                    const tileir::Bytes &bytecode,
                                    unsigned minor = tileir::newestMinor);

} // namespace girih::lower

#endif // GIRIH_LOWER_READBACK_H
