// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The text forms of certificates; proofs/README.md has the grammar.

#include "proofs/Certificate.h"
#include "proofs/Text.h"

#include <algorithm>
#include <limits>

namespace girih::proofs {

/// Deeper trees are refused: the reader and the judge are recursive.
constexpr int maxDepth = 1000;

/// The word before the version of the format.
constexpr std::string_view fileHeader = "girih-certificates";
constexpr uint32_t fileVersion = 1;

static void print(const Certificate &c, std::string &out) {
  switch (c.kind) {
  case Certificate::Kind::Leaf:
    out += "(leaf";
    for (const Product &p : c.products) {
      out += " " + toString(p.weight) + "[";
      for (uint32_t f : p.facts) {
        out += (out.back() == '[' ? "" : ",") + std::to_string(f);
      }
      out += "]";
    }
    break;
  case Certificate::Kind::Solve:
    out +=
        "(solve " + std::to_string(c.fact) + " v" + std::to_string(c.variable);
    break;
  case Certificate::Kind::Case:
    out += "(case " + std::to_string(c.fact);
    break;
  case Certificate::Kind::Split:
    out += "(split '" + print(c.poly, nullptr) + "'";
    break;
  case Certificate::Kind::Have:
    out += "(have '" + print(c.poly, nullptr) + "'";
    break;
  }
  for (const Certificate &child : c.children) {
    out += " ";
    print(child, out);
  }
  out += ")";
}

std::string print(const Certificate &c) {
  std::string out;
  print(c, out);
  return out;
}

static Poly parseQuotedPoly(Cursor &c) {
  Cursor inside(c.quoted(), c.lineNumber());
  if (c.failed()) {
    return {};
  }
  Poly p = inside.polynomial({});
  if (inside.failed()) {
    c.fail(inside.failure().message);
  } else if (!inside.atEnd()) {
    c.fail("expected a polynomial between quotes");
  }
  return p;
}

static Product parseProduct(Cursor &c) {
  Product p{c.integer(), {}};
  c.expect("[");
  while (!c.failed() && !c.accept("]")) {
    if (!p.facts.empty()) {
      c.expect(",");
    }
    p.facts.push_back(c.number());
  }
  return p;
}

static Certificate parseNode(Cursor &c, int depth) {
  Certificate node;
  if (depth > maxDepth) {
    c.fail("certificate deeper than " + std::to_string(maxDepth));
    return node;
  }
  c.expect("(");
  std::string_view name = c.word();
  if (name == "leaf") {
    node.kind = Certificate::Kind::Leaf;
    while (c.peek() == '-' || (c.peek() >= '0' && c.peek() <= '9')) {
      node.products.push_back(parseProduct(c));
    }
  } else if (name == "solve") {
    node.kind = Certificate::Kind::Solve;
    node.fact = c.number();
    node.variable = c.variable({});
  } else if (name == "case") {
    node.kind = Certificate::Kind::Case;
    node.fact = c.number();
  } else if (name == "split" || name == "have") {
    node.kind =
        name == "split" ? Certificate::Kind::Split : Certificate::Kind::Have;
    node.poly = parseQuotedPoly(c);
  } else {
    c.fail("expected leaf, solve, case, split or have");
  }
  while (c.peek() == '(') {
    node.children.push_back(parseNode(c, depth + 1));
  }
  c.expect(")");
  return node;
}

std::variant<Certificate, ParseError> parseCertificate(std::string_view text) {
  Cursor c(text);
  Certificate node = parseNode(c, 1);
  c.endLine();
  if (!c.failed() && !c.atEnd()) {
    c.fail("expected one certificate");
  }
  if (c.failed()) {
    return c.failure();
  }
  return node;
}

std::string print(const CertificateFile &f) {
  std::string out =
      std::string(fileHeader) + " " + std::to_string(fileVersion) + "\n";
  for (const StoredModel &model : f.models) {
    out += "model";
    for (const auto &[symbol, value] : model) {
      out += " " + printString(symbol) + "=" + std::to_string(value);
    }
    out += "\n";
  }
  out += f.models.empty() ? "model\n" : "";
  for (const auto &[hash, certificate] : f.byHash) {
    out += hash + " ";
    print(certificate, out);
    out += "\n";
  }
  return out;
}

/// The hash that stands before the certificate; `word()` takes no name that
/// begins with a digit, so it is told by its length.
static std::string parseHash(Cursor &c) {
  std::string hash;
  while (hash.size() < 64 && c.peek() != '\0') {
    char next = c.peek();
    if ((next < '0' || next > '9') && (next < 'a' || next > 'f')) {
      break;
    }
    hash += next;
    c.accept({&next, 1});
  }
  if (hash.size() != 64) {
    c.fail("expected a hash of 64 hexadecimal digits");
  }
  return hash;
}

/// What follows the word, and the end of the line.
static StoredModel parseModel(Cursor &c) {
  StoredModel model;
  while (!c.atEndOfLine()) {
    std::string symbol = c.string();
    c.expect("=");
    Int value = c.integer();
    if (value < std::numeric_limits<int64_t>::min() ||
        value > std::numeric_limits<int64_t>::max()) {
      c.fail("number out of range");
    }
    model.push_back({std::move(symbol), int64_t(value)});
  }
  c.endLine();
  return model;
}

std::variant<CertificateFile, ParseError>
parseCertificateFile(std::string_view text) {
  Cursor c(text);
  CertificateFile file;
  c.expect(fileHeader);
  if (uint32_t found = c.number(); found != fileVersion) {
    c.fail("version " + std::to_string(found) +
           ": this program reads version " + std::to_string(fileVersion) +
           " of " + std::string(fileHeader));
  }
  c.endLine();
  c.expect("model");
  do {
    file.models.push_back(parseModel(c));
  } while (c.accept("model"));
  while (!c.atEnd()) {
    std::string hash = parseHash(c);
    Certificate certificate = parseNode(c, 1);
    if (!c.failed() &&
        !file.byHash.emplace(hash, std::move(certificate)).second) {
      c.fail("hash " + hash + " stands twice");
    }
    c.endLine();
  }
  if (c.failed()) {
    return c.failure();
  }
  return file;
}

} // namespace girih::proofs
