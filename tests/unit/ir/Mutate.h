// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Damages kernel texts: bytes, ranges, splices, words and numbers that MLIR's
// parser knows and no kernel has.

#ifndef GIRIH_TESTS_UNIT_IR_MUTATE_H
#define GIRIH_TESTS_UNIT_IR_MUTATE_H

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace girih::test {

/// Random numbers that are the same everywhere: no library distribution.
class Dice {
public:
  explicit Dice(uint64_t seed) : engine(seed) {}
  size_t below(size_t bound) { return bound == 0 ? 0 : engine() % bound; }

private:
  std::mt19937_64 engine;
};

inline const std::vector<std::string> &hostileWords() {
  static const std::vector<std::string> words = {
      "(",
      ")",
      "[",
      "]",
      "{",
      "}",
      "<",
      ">",
      ",",
      ":",
      "=",
      "->",
      "-",
      "+",
      "*",
      "%",
      "@",
      "!",
      "#",
      "^bb0:",
      "\"",
      "//",
      "{-#",
      "#-}",
      "?",
      "|",
      "0x",
      "0xFFFFFFFFFFFFFFFFFF",
      "4000000000",
      "-1",
      "0",
      "1",
      "2",
      "1.0e9",
      "9223372036854775807",
      "9223372036854775808",
      "1048577",
      "%x#3",
      "%x:2",
      "%arg0",
      "#loc",
      "@f",
      "!A",
      "!tile.tensor<",
      "!tile.piece<",
      "dense<",
      "vector<",
      "vector<4xf32>",
      "vector<0xf32>",
      "vector<[4]xf32>",
      "vector<1048576x1048576xf32>",
      "tensor<4xf32>",
      "memref<?xf32>",
      "affine_map<(d0) -> (d0)>",
      "dense_resource<a>",
      "opaque<\"a\", \"b\">",
      "array<i64: 1>",
      "loc(\"a\")",
      "loc(unknown)",
      "loc(\"k.cpp\":3:5)",
      "loc(\"k.cpp\":3:5)\n",
      "loc(#loc)",
      "#loc = loc(\"k.cpp\":7:0)\n",
      "loc(callsite(\"a\" at #loc))\n",
      "loc(fused[\"k.cpp\":1:1,",
      "index",
      "i1",
      "i8",
      "i32",
      "i64",
      "i7",
      "i16777215",
      "f32",
      "bf16",
      "f64",
      "f80",
      "none",
      "tuple<>",
      "complex<f32>",
      "() -> ()",
      "true",
      "false",
      "unit",
      "symbols",
      "grid",
      "requires",
      "hints",
      "pad(zero)",
      "pad(nan)",
      "keep",
      "unsigned",
      "overflow<nsw>",
      "fastmath<fast>",
      "exact",
      "iter_args(",
      "else",
      "step",
      "to",
      "by",
      "module {",
      "tile.kernel @k() grid [] {}",
      "tile.symbol \"M\" : index",
      "tile.reduce add",
      "tile.scan min",
      "tile.argmax",
      "reverse",
      "tile.mma",
      "tile.store",
      "scf.for",
      "scf.if",
      "scf.yield",
      "scf.while",
      "func.func",
      "arith.addi",
      "arith.constant",
      "arith.select",
      "arith.index_cast",
      "arith.cmpi slt,",
      "math.exp",
      "vector.broadcast",
      "vector.transpose",
      "vector.shape_cast",
      "tile.extract",
      "tile.cat",
      "[1, 0]",
      "[0, 0]",
      "[5, -1]",
      "ceildiv(M, 0)",
      "div(M, 0)",
      "_",
      "x",
      "out partial",
      "own",
      "shared",
      "strides [1, 1]",
      "align = 0"};
  return words;
}

/// The maximal run of word characters, sigil included, at or after \p at.
inline std::pair<size_t, size_t> wordAt(const std::string &text, size_t at) {
  auto isWord = [](unsigned char c) {
    return isalnum(c) || c == '_' || c == '.' || c == '%' || c == '!';
  };
  while (at < text.size() && !isWord(text[at])) {
    ++at;
  }
  while (at > 0 && isWord(text[at - 1])) {
    --at;
  }
  size_t end = at;
  while (end < text.size() && isWord(text[end])) {
    ++end;
  }
  return {at, end - at};
}

/// One change, or up to four; `other` is what splices are cut from.
inline std::string mutate(std::string text, const std::string &other,
                          Dice &dice) {
  size_t changes = dice.below(3) ? 1 : 1 + dice.below(4);
  for (; changes > 0; --changes) {
    size_t at = dice.below(text.size() + 1);
    size_t length = std::min(1 + dice.below(40), text.size() - at);
    const std::vector<std::string> &words = hostileWords();
    const std::string &word = words[dice.below(words.size())];
    switch (dice.below(11)) {
    case 0: // flip a bit
      if (at < text.size()) {
        text[at] = static_cast<char>(text[at] ^ (1 << dice.below(8)));
      }
      break;
    case 1:
      text.erase(at, length);
      break;
    case 2:
      text.insert(dice.below(text.size() + 1), text.substr(at, length));
      break;
    case 3: {
      size_t from = dice.below(other.size() + 1);
      text.replace(at, length, other.substr(from, 1 + dice.below(80)));
      break;
    }
    case 4:
      text.insert(at, word);
      break;
    case 5: { // a hostile word in the place of a word
      auto [begin, size] = wordAt(text, at);
      text.replace(begin, size, word);
      break;
    }
    case 6: { // a line twice, or at another place
      size_t begin = text.rfind('\n', at);
      begin = begin == std::string::npos ? 0 : begin;
      size_t end = std::min(text.find('\n', at), text.size());
      std::string line = text.substr(begin, end - begin);
      if (dice.below(2)) {
        text.erase(begin, end - begin);
      }
      size_t to = text.find('\n', dice.below(text.size() + 1));
      text.insert(std::min(to, text.size()), line);
      break;
    }
    case 7: { // a digit for a digit
      size_t digit = text.find_first_of("0123456789", at);
      if (digit != std::string::npos) {
        text[digit] = static_cast<char>('0' + dice.below(10));
      }
      break;
    }
    case 8:
    case 9: { // a word of the text in the place of another
      auto [begin, size] = wordAt(text, at);
      auto [from, length] = wordAt(text, dice.below(text.size() + 1));
      text.replace(begin, size, text.substr(from, length));
      break;
    }
    case 10: { // one word many times
      std::string many;
      for (size_t i = dice.below(300); i > 0; --i) {
        many += word;
      }
      text.insert(at, many);
      break;
    }
    }
  }
  return text;
}

} // namespace girih::test

#endif // GIRIH_TESTS_UNIT_IR_MUTATE_H
