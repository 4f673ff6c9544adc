// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Certificates for what follows from bounds, one variable or one product after
// the other, after a few cases. Most of the obligations of a program are of
// this kind, and a search costs more than all the rest. The judge rules on
// these as on any other.

#ifndef GIRIH_LOWER_PTX_LINEAR_H
#define GIRIH_LOWER_PTX_LINEAR_H

#include "proofs/Certificate.h"

namespace girih::ptx {

/// A certificate of leaves and a few cases, or nothing.
std::optional<proofs::Certificate>
linearCertificate(const proofs::Obligation &o);

} // namespace girih::ptx

#endif // GIRIH_LOWER_PTX_LINEAR_H
