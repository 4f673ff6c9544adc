// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A certificate is a tree that refutes the hypotheses of an obligation together
// with its negated goal. Facts are numbered: hypotheses first, then the negated
// goal, then whatever the nodes on the way down added, in order.

#ifndef GIRIH_PROOFS_CERTIFICATE_H
#define GIRIH_PROOFS_CERTIFICATE_H

#include "proofs/Obligation.h"

#include <map>

namespace girih::proofs {

/// `weight` times the product of the facts with these numbers, all of them
/// atoms. The weight is positive unless a factor is an equality.
struct Product {
  Int weight;
  std::vector<uint32_t> facts;
  friend bool operator==(const Product &, const Product &) = default;
};

/// One node; children in the order in which the comment names them.
struct Certificate {
  enum class Kind {
    Leaf,  ///< the products sum to a negative constant
    Solve, ///< fact `fact` is an equality in which `variable` occurs alone,
           ///< linearly, with coefficient 1 or -1: replaced everywhere; 1 child
    Case,  ///< fact `fact` is a disjunction; one child a branch, which gets
           ///< the atoms of that branch as new facts
    Split, ///< p <= -1 (new fact -p-1 >= 0) | p = 0 | p >= 1 (p-1 >= 0); 3
           ///< children
    Have,  ///< first child: facts and -p-1 >= 0 are absurd; second child: goes
           ///< on with the new fact p >= 0
  };
  Kind kind = Kind::Leaf;
  std::vector<Product> products; ///< Leaf
  uint32_t fact = 0;             ///< Solve, Case
  Var variable = 0;              ///< Solve
  Poly poly;                     ///< Split, Have
  std::vector<Certificate> children;
  friend bool operator==(const Certificate &, const Certificate &) = default;
};

/// One line of text: `(split 'v1 - v3' (leaf 1[4,5] 2[6]) ... )`.
std::string print(const Certificate &c);
std::variant<Certificate, ParseError> parseCertificate(std::string_view text);

/// Launch symbols with values that show a contract satisfiable.
using StoredModel = std::vector<std::pair<std::string, int64_t>>;

/// A file of certificates: found by the hash of the obligation, with models of
/// the contract, one a kernel. Text form:
///   girih-certificates 1
///   model M=1 N=1
///   <64 hexadecimal digits> <certificate>
struct CertificateFile {
  std::vector<StoredModel> models;
  std::map<std::string, Certificate> byHash;
};
std::string print(const CertificateFile &f);
std::variant<CertificateFile, ParseError>
parseCertificateFile(std::string_view text);

} // namespace girih::proofs

#endif // GIRIH_PROOFS_CERTIFICATE_H
