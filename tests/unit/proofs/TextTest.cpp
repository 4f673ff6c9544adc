// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The text forms: what is printed is read back as it was, and no bytes make a
// reader crash.

#include "Build.h"

#include <limits>
#include <random>

using namespace girih::proofs;
using namespace girih::proofs::test;

namespace {

/// Random values of every type that has a text form.
class Random {
public:
  explicit Random(unsigned seed) : engine(seed) {}

  uint32_t below(uint32_t n) { return engine() % n; }

  Int integer() {
    switch (below(4)) {
    case 0:
      return Int(below(7)) - 3;
    case 1:
      return -(static_cast<Int>(1) << 126) * 2; // the least
    case 2:
      return static_cast<Int>((static_cast<unsigned __int128>(1) << 127) - 1);
    default:
      return (static_cast<Int>(engine()) << 64) - Int(engine());
    }
  }

  Poly poly() {
    std::vector<Term> terms;
    Monomial m;
    for (uint32_t n = below(5); n > 0; --n) {
      // Longer and longer monomials: none merge, so none overflow.
      m.push_back(below(8) == 0 ? std::numeric_limits<Var>::max() : below(6));
      terms.push_back({m, integer()});
    }
    return Poly::fromTerms(terms);
  }

  Fact fact() {
    if (below(3) != 0) {
      return {{{{below(2) == 0, poly()}}}};
    }
    std::vector<std::vector<Atom>> branches(below(4));
    for (auto &branch : branches) {
      branch.resize(below(3));
      for (Atom &a : branch) {
        a = {below(2) == 0, poly()};
      }
    }
    return Fact::anyOf(branches);
  }

  std::string string() {
    static const std::vector<std::string> some = {
        "",  "M",      "%i",    "b0'",  "v2",       "v02",    "two words",
        "x", "q\"uot", "a\\b",  "\n\t", "\x01\xff", "1st",    "any",
        "x", "part",   "x # y", "end",  "a-b",      "nothing"};
    return some[below(uint32_t(some.size()))];
  }

  template <typename T, typename F> std::vector<T> list(uint32_t n, F make) {
    std::vector<T> out;
    for (uint32_t i = below(n + 1); i > 0; --i) {
      out.push_back(make());
    }
    return out;
  }

  Obligation obligation() {
    Obligation o;
    o.rule = string();
    o.label = string();
    o.location = string();
    o.variables = list<std::string>(8, [&] { return string(); });
    o.definitions = list<Definition>(3, [&] {
      return Definition{Definition::Kind(below(4)),
                        list<Poly>(3, [&] { return poly(); }),
                        list<Var>(3, [&] { return below(9); })};
    });
    o.hypotheses = list<Hypothesis>(6, [&] {
      Origin origin{Origin::Kind(below(9)), below(3), below(3), {}, string()};
      origin.renaming = list<std::pair<Var, Var>>(
          3, [&] { return std::pair(below(9), below(9)); });
      return Hypothesis{fact(), origin};
    });
    o.goal = poly();
    o.splits = list<Poly>(2, [&] { return poly(); });
    return o;
  }

  Certificate certificate(int depth) {
    Certificate c;
    c.kind = Certificate::Kind(depth == 0 ? 0 : below(5));
    switch (c.kind) {
    case Certificate::Kind::Leaf:
      c.products = list<Product>(3, [&] {
        return Product{integer(), list<uint32_t>(3, [&] { return below(9); })};
      });
      return c;
    case Certificate::Kind::Solve:
      c.variable = below(9);
      [[fallthrough]];
    case Certificate::Kind::Case:
      c.fact = below(9);
      break;
    case Certificate::Kind::Split:
    case Certificate::Kind::Have:
      c.poly = poly();
    }
    c.children = list<Certificate>(3, [&] { return certificate(depth - 1); });
    return c;
  }

  std::mt19937_64 engine;
};

} // namespace

TEST(Text, obligationsReadBack) {
  Random random(3);
  for (int i = 0; i < 3000; ++i) {
    Obligation a = random.obligation(), b = random.obligation();
    std::string text = print(a) + "\n# a comment\n" + print(b);
    auto parsed = parseObligations(text);
    auto *e = std::get_if<ParseError>(&parsed);
    ASSERT_EQ(e, nullptr) << e->line << ": " << e->message << "\n" << text;
    ASSERT_EQ(std::get<0>(parsed), (std::vector<Obligation>{a, b})) << text;
  }
}

TEST(Text, certificatesReadBack) {
  Random random(4);
  for (int i = 0; i < 3000; ++i) {
    Certificate c = random.certificate(4);
    auto parsed = parseCertificate(print(c));
    ASSERT_EQ(parsed.index(), 0u) << print(c);
    ASSERT_EQ(std::get<0>(parsed), c) << print(c);
  }
}

TEST(Text, certificateFilesReadBack) {
  Random random(5);
  for (int i = 0; i < 300; ++i) {
    CertificateFile f;
    for (int n = int(random.below(3)); n >= 0; --n) {
      f.models.push_back(random.list<std::pair<std::string, int64_t>>(3, [&] {
        return std::pair(random.string(), int64_t(random.engine()));
      }));
    }
    for (int n = int(random.below(4)); n > 0; --n) {
      std::string hash;
      for (int d = 0; d < 64; ++d) {
        hash += "0123456789abcdef"[random.below(16)];
      }
      f.byHash[hash] = random.certificate(3);
    }
    auto parsed = parseCertificateFile(print(f));
    auto *e = std::get_if<ParseError>(&parsed);
    ASSERT_EQ(e, nullptr) << e->line << ": " << e->message << "\n" << print(f);
    EXPECT_EQ(std::get<0>(parsed).models, f.models);
    EXPECT_EQ(std::get<0>(parsed).byHash, f.byHash);
  }
}

/// A few bytes changed, dropped, doubled or cut off.
static std::string mutated(std::string text, Random &random) {
  static const std::string alphabet = "()[]{},;:'\"\\ \n\t+-*=>0189avgx#|%\xff";
  for (uint32_t n = 1 + random.below(4); n > 0 && !text.empty(); --n) {
    size_t at = random.below(uint32_t(text.size()));
    switch (random.below(5)) {
    case 0:
      text[at] = alphabet[random.below(uint32_t(alphabet.size()))];
      break;
    case 1:
      text.erase(at, 1 + random.below(4));
      break;
    case 2:
      text.insert(at, 1, alphabet[random.below(uint32_t(alphabet.size()))]);
      break;
    case 3:
      text.insert(at, text.substr(at, random.below(40)));
      break;
    default:
      text[at] = char(random.below(256));
    }
  }
  return random.below(10) == 0 ? text.substr(0, text.size() / 2) : text;
}

TEST(Text, noBytesCrashAReader) {
  Random random(6);
  CertificateFile file;
  file.models = {{{"M", 1}}, {{"N", 2}}};
  file.byHash[std::string(64, 'a')] = random.certificate(4);
  for (int i = 0; i < 20000; ++i) {
    auto o = parseObligations(mutated(print(random.obligation()), random));
    if (auto *all = std::get_if<0>(&o)) {
      for (const Obligation &each : *all) {
        auto again = parseObligations(print(each));
        ASSERT_EQ(again.index(), 0u);
        ASSERT_EQ(std::get<0>(again), std::vector<Obligation>{each});
      }
    }
    auto c = parseCertificate(mutated(print(random.certificate(3)), random));
    if (auto *each = std::get_if<0>(&c)) {
      ASSERT_EQ(std::get<0>(parseCertificate(print(*each))), *each);
    }
    parseCertificateFile(mutated(print(file), random));
  }
}

static std::string errorOf(const std::string &certificate) {
  auto parsed = parseCertificate(certificate);
  auto *e = std::get_if<ParseError>(&parsed);
  return e ? e->message : "";
}

TEST(Text, certificateErrors) {
  EXPECT_EQ(errorOf(""), "expected '('");
  EXPECT_EQ(errorOf("(leaf"), "expected ')'");
  EXPECT_EQ(errorOf("(loaf)"), "expected leaf, solve, case, split or have");
  EXPECT_EQ(errorOf("(leaf) (leaf)"), "expected the end of the line");
  EXPECT_EQ(errorOf("(leaf)\n(leaf)"), "expected one certificate");
  EXPECT_EQ(errorOf("(leaf 1[4294967296])"), "number out of range");
  EXPECT_EQ(errorOf("(leaf 1[-1])"), "expected a number");
  EXPECT_EQ(errorOf("(leaf 170141183460469231731687303715884105728[])"),
            "number out of range");
  EXPECT_EQ(errorOf("(leaf -170141183460469231731687303715884105728[])"), "");
  EXPECT_EQ(errorOf("(solve 1 w3 (leaf))"), "unknown variable 'w3'");
  EXPECT_EQ(errorOf("(solve 1 v4294967296 (leaf))"),
            "unknown variable 'v4294967296'");
  EXPECT_EQ(errorOf("(split 'v1 v2')"), "expected a polynomial between quotes");
  EXPECT_EQ(errorOf("(split 'v1)"), "expected a closing quote");
  std::string deep, closing;
  for (int i = 0; i < 100000; ++i) {
    deep += "(case 0 ";
    closing += ")";
  }
  EXPECT_EQ(errorOf(deep + closing), "certificate deeper than 1000");
}

TEST(Text, certificateFileErrors) {
  auto error = [](const std::string &text) {
    auto parsed = parseCertificateFile(text);
    auto *e = std::get_if<ParseError>(&parsed);
    return e ? std::to_string(e->line) + ": " + e->message : "";
  };
  std::string head = "girih-certificates 1\nmodel M=1 N=2\n";
  std::string line = std::string(64, '0') + " (leaf 1[0])\n";
  EXPECT_EQ(error(head + line), "");
  EXPECT_EQ(error(head + line + line),
            "4: hash " + std::string(64, '0') + " stands twice");
  for (const char *version : {"0", "2"}) {
    EXPECT_EQ(error("girih-certificates " + std::string(version) + "\n" + line),
              "1: version " + std::string(version) +
                  ": this program reads version 1 of girih-certificates");
  }
  EXPECT_EQ(error("certificates 1\n"), "1: expected 'girih-certificates'");
  EXPECT_EQ(error("girih-certificates 1\n"), "2: expected 'model'");
  EXPECT_EQ(error("girih-certificates 1\nmodel M=9223372036854775808\n"),
            "2: number out of range");
  EXPECT_EQ(error(head + "00ff (leaf)\n"),
            "3: expected a hash of 64 hexadecimal digits");
}

TEST(Text, obligationErrorsNameTheLine) {
  auto error = [](const std::string &line) {
    auto parsed = parseObligations(
        "\nobligation r\nlabel l\nlocation \"\"\nvariables M\n" + line +
        "\ngoal M\nend\n");
    auto *e = std::get_if<ParseError>(&parsed);
    return e ? std::to_string(e->line) + ": " + e->message : "";
  };
  EXPECT_EQ(error("given contract: M - 1 >= 0 # \"the extent\""), "");
  EXPECT_EQ(error("given contract: N >= 0"), "6: unknown variable 'N'");
  EXPECT_EQ(error("given gift: M >= 0"), "6: unknown kind 'gift'");
  EXPECT_EQ(error("given contract: M > 0"), "6: expected '>='");
  EXPECT_EQ(error("given contract: any of (M >= 0 | M = 0)"),
            "6: expected ','");
  EXPECT_EQ(error("define product (M) -> v3"), "6: unknown kind 'product'");
  EXPECT_EQ(error("given contract: M >= 0 # \"open"),
            "6: text without its closing quote");
  EXPECT_EQ(error("given contract: M >= 0 # \"\\q\""),
            "6: unknown escape in a text");
  EXPECT_EQ(
      error("given contract: 170141183460469231731687303715884105727 + 1 >= 0"),
      "6: number out of range");
}

TEST(Text, canonicalTextHasNoNames) {
  Obligation o = obligation("define quotient (M, 4) -> q r\n"
                            "given contract: M >= 0 # \"note\"\n"
                            "given definition 0 part 3: q >= 0\n"
                            "goal M - q\nsplit q",
                            "M q r");
  EXPECT_EQ(canonicalText(o), "table 1\nobligation test\ngiven v0 >= 0\n"
                              "given v1 >= 0\ngoal v0 - v1\n");
  Obligation other = o;
  other.variables = {"N", "x", "y"};
  other.label = "label";
  other.location = "a.mlir:1:1";
  other.splits.clear();
  other.hypotheses[0].origin.note.clear();
  EXPECT_EQ(canonicalText(other), canonicalText(o));
  other.goal = other.goal + Poly(1);
  EXPECT_NE(canonicalText(other), canonicalText(o));
}
