// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lower/hopper/schedule/AttentionBuilder.h"
#include "lower/tileir/Lower.h"

using namespace mlir;

namespace girih::hopper {

/// Bits of a lane's number that tell the lanes of a column.
static constexpr int64_t ofColumn[] = {4, 8, 16};
/// Bytes of a cache line; numbers of f32 from one thread's sums to the next
/// one's: in banks of their own.
static constexpr int64_t line = 128, sumPitch = 2 * 16 + 4;

Value AttentionBuilder::power(Value x) {
  auto op = math::Exp2Op::create(b, x);
  op.setFastmath(arith::FastMathFlags::afn);
  return op;
}

void AttentionBuilder::addArguments(
    Block &block, llvm::function_ref<Access(unsigned)> accessOf) {
  for (const tileir::Parameter &p : tileir::parametersOf(source)) {
    bool isAxis = p.type == tileir::Element::I32;
    if (p.kind == tileir::Parameter::Kind::Integer) {
      Type type = isAxis ? b.getI32Type() : b.getI64Type();
      Int v{&b, block.addArgument(type, b.getLoc())};
      (isAxis ? axes : numbers)[p.value.getSymbol()] = v;
      continue;
    }
    Type type = b.getF32Type();
    if (p.kind == tileir::Parameter::Kind::Pointer) {
      type = GlobalType::get(b.getContext(), accessOf(p.argument));
    }
    arguments[p.argument] = block.addArgument(type, b.getLoc());
  }
}

//===-- Heads of a new token ----------------------------------------------===//

AttentionBuilder::Part AttentionBuilder::loadPart(Value argument, Int at,
                                                  Value isIn) {
  Int mine = at + lane * 4;
  return {loaded(argument, mine, isIn, narrow(2)),
          loaded(argument, mine + headBytes / 2, isIn, narrow(2))};
}

AttentionBuilder::Angles AttentionBuilder::loadAngles(Value cosines,
                                                      Value sines, Int position,
                                                      Value isIn) {
  Int at = position * (depth / 2 * 4) + lane * 8;
  return {loaded(cosines, at, isIn, wide(2)), loaded(sines, at, isIn, wide(2))};
}

AttentionBuilder::Part AttentionBuilder::turned(const Part &head,
                                                const Part &gain,
                                                const Angles &angles,
                                                Value epsilon) {
  Value low = widened(head.low), high = widened(head.high);
  Value squares = plus(times(low, low), times(high, high));
  Value sum = WarpSumOp::create(b, b.getF32Type(),
                                plus(element(squares, 0), element(squares, 1)));
  Value mean = with<arith::DivFOp>(sum, real(depth));
  Value inverse = all(math::RsqrtOp::create(b, plus(mean, epsilon)), 2);
  low = times(times(low, inverse), widened(gain.low));
  high = times(times(high, inverse), widened(gain.high));
  auto [cosine, sine] = angles;
  return {rounded(minus(times(low, cosine), times(high, sine))),
          rounded(plus(times(high, cosine), times(low, sine)))};
}

//===-- Keys and values ---------------------------------------------------===//

Int AttentionBuilder::pageOf(const Head &head, Int key) {
  if (!head.pages) {
    return {};
  }
  Value one =
      loaded(head.pages->table, (head.pages->entries + key / Pages::length) * 4,
             key < head.count, VectorType::get({1}, b.getI32Type()));
  return {&b, element(one, 0)};
}

/// The byte at which a key begins. In pages it is one behind key `begin`, in
/// the same page.
Int AttentionBuilder::placeOf(const Head &head, Int begin, Int key, Int page) {
  if (!head.pages) {
    return head.begin + key * headBytes;
  }
  constexpr int64_t length = Pages::length;
  Int line = page.to64() * length + begin % length + (key - begin);
  return head.begin + line * (head.pages->heads * headBytes);
}

/// Whether a key counts. A table with other contents is not followed.
Value AttentionBuilder::counts(const Head &head, Int key, Int page) {
  Value isBelow = key < head.count;
  return head.pages ? both(isBelow, page.to64() < head.pages->count) : isBelow;
}

void AttentionBuilder::prefetch(const Head &head, int64_t keys) {
  constexpr int64_t lines = headBytes / line, step = threads / lines;
  auto keyAt = [&](int64_t at) { return head.first + thread / lines + at; };
  SmallVector<Int> pages;
  for (int64_t at = 0; at < keys; at += step) {
    pages.push_back(pageOf(head, keyAt(at)));
  }
  for (Value some : {head.keys, head.values}) {
    for (auto [n, page] : llvm::enumerate(pages)) {
      Int key = keyAt(int64_t(n) * step);
      PrefetchOp::create(b, some,
                         placeOf(head, key, key, page) + thread % lines * line,
                         counts(head, key, page));
    }
  }
}

SmallVector<Value> AttentionBuilder::loadKeys(const Head &head, Int begin,
                                              Int page) {
  SmallVector<Value> out;
  for (int64_t at : {0, 8}) {
    Int key = begin + row + at;
    for (int64_t c = 0; c < ofLane; ++c) {
      out.push_back(loaded(head.keys,
                           placeOf(head, begin, key, page) +
                               part * vectorBytes + c * (4 * vectorBytes),
                           counts(head, key, page), narrow(width)));
    }
  }
  return out;
}

SmallVector<Value> AttentionBuilder::loadValues(const Head &head, Int begin,
                                                Int page) {
  SmallVector<Value> out;
  for (int64_t at : {0, 1, 8, 9}) {
    Int key = begin + part * 2 + at;
    for (int64_t i = 0; i < ofValue; ++i) {
      out.push_back(
          loaded(head.values,
                 placeOf(head, begin, key, page) + row * 32 + i * vectorBytes,
                 counts(head, key, page), narrow(width)));
    }
  }
  return out;
}

Int AttentionBuilder::keyOf(const Head &head, Int trip) {
  return head.first + trip * ofTrip + warp * ofWarp;
}

AttentionBuilder::Trip AttentionBuilder::loadTrip(const Head &head, int64_t n) {
  Int begin = keyOf(head, number(n));
  Int page = pageOf(head, begin);
  return {loadKeys(head, begin, page), loadValues(head, begin, page)};
}

void AttentionBuilder::overKeys(const Head &head, ArrayRef<Query> queries,
                                MutableArrayRef<Sums> sums,
                                SmallVector<Trip> ahead) {
  int64_t inTurn = ahead.size(), keys = inTurn * ofTrip;
  Int left = head.count - head.first;
  if (head.pages) {
    left = max(left, number(0)); // they begin with a page, there or not
  }
  Int turns = (left + (keys - 1)) / keys;
  SmallVector<SmallVector<Value> *> carried;
  for (Sums &some : sums) {
    llvm::append_values(carried, &some.tops, &some.weights, &some.values);
  }
  for (Trip &trip : ahead) {
    llvm::append_values(carried, &trip.keys, &trip.values);
  }
  auto pack = [&] {
    SmallVector<Value> out;
    for (SmallVector<Value> *some : carried) {
      llvm::append_range(out, *some);
    }
    return out;
  };
  auto unpack = [&](ValueRange from) {
    for (SmallVector<Value> *some : carried) {
      llvm::copy(from.take_front(some->size()), some->begin());
      from = from.drop_front(some->size());
    }
  };
  unpack(loop(b, number(0), turns, number(1), pack(),
              [&](Int turn, ValueRange now) {
                unpack(now);
                for (auto [n, trip] : llvm::enumerate(ahead)) {
                  Int begin = keyOf(head, turn * inTurn + int64_t(n));
                  // It arrives while the keys of this trip do.
                  Int page = pageOf(head, begin + keys);
                  SmallVector<Value> products;
                  for (const Query &query : queries) {
                    products.push_back(productsOf(trip.keys, query));
                  }
                  trip.keys = loadKeys(head, begin + keys, page);
                  SmallVector<SmallVector<Value>> weights;
                  for (auto [made, some] : llvm::zip(products, sums)) {
                    weights.push_back(weigh(head, begin, made, some));
                  }
                  addValues(weights, trip.values, sums);
                  trip.values = loadValues(head, begin + keys, page);
                }
                return pack();
              }));
}

/// Of 16 keys with the queries.
Value AttentionBuilder::productsOf(ArrayRef<Value> keys, const Query &query) {
  Value sums = none(wide(4));
  for (int64_t c = 0; c < ofLane; ++c) {
    SmallVector<Value> low = words(keys[c]), high = words(keys[ofLane + c]),
                       right = words(query[c]);
    for (int64_t i = 0; i < 4; i += 2) {
      sums = MmaOp::create(b, wide(4),
                           ValueRange{low[i], high[i], low[i + 1], high[i + 1]},
                           ValueRange{right[i], right[i + 1]}, sums);
    }
  }
  return sums;
}

/// The weights of 16 keys, as mma takes them; all that is in the sums becomes
/// of the largest score.
SmallVector<Value> AttentionBuilder::weigh(const Head &head, Int begin,
                                           Value products, Sums &sums) {
  Value shrink[2], weights[2][2]; // by query and key
  for (int64_t q = 0; q < 2; ++q) {
    Value score[2];
    for (int64_t i = 0; i < 2; ++i) {
      score[i] =
          chosen(begin + row + i * 8 < head.count,
                 times(element(products, i * 2 + q), factor), real(-INFINITY));
    }
    Value top = larger(
        sums.tops[q], GroupMaxOp::create(b, b.getF32Type(),
                                         larger(score[0], score[1]), ofColumn));
    shrink[q] = power(minus(sums.tops[q], top));
    sums.tops[q] = top;
    sums.weights[q] = times(sums.weights[q], shrink[q]);
    for (int64_t i = 0; i < 2; ++i) {
      weights[q][i] = power(minus(score[i], top));
      sums.weights[q] = plus(sums.weights[q], weights[q][i]);
    }
  }
  Value factors = vectorOf({shrink[0], shrink[1], shrink[0], shrink[1]});
  for (Value &some : sums.values) {
    some = times(some, factors);
  }
  SmallVector<Value> out;
  for (int64_t i = 0; i < 2; ++i) {
    Value some = rounded(vectorOf({weights[0][i], weights[1][i]}));
    out.push_back(TransposeOp::create(b, b.getI32Type(), words(some)[0]));
  }
  return out;
}

/// Two words of two keys each, from one of each key.
std::pair<Value, Value> AttentionBuilder::across(Value a, Value c) {
  Int x{&b, a}, y{&b, c}, sixteen = x.constant(16);
  Int low = x.with<arith::AndIOp>(x.constant(0xffff));
  Int high = y.with<arith::AndIOp>(y.constant(int32_t(0xffff0000)));
  return {low.with<arith::OrIOp>(y.with<arith::ShLIOp>(sixteen)),
          x.with<arith::ShRUIOp>(sixteen).with<arith::OrIOp>(high)};
}

void AttentionBuilder::addValues(ArrayRef<SmallVector<Value>> weights,
                                 ArrayRef<Value> vectors,
                                 MutableArrayRef<Sums> sums) {
  SmallVector<SmallVector<Value>> ofKey;
  for (int64_t key = 0; key < 4; ++key) {
    ofKey.push_back(words(vectors[key * ofValue]));
    llvm::append_range(ofKey.back(), words(vectors[key * ofValue + 1]));
  }
  for (size_t n = 0; n < ofKey[0].size(); ++n) {
    auto [low0, high0] = across(ofKey[0][n], ofKey[1][n]);
    auto [low1, high1] = across(ofKey[2][n], ofKey[3][n]);
    for (auto [some, weight] : llvm::zip(sums, weights)) {
      some.values[n] =
          MmaOp::create(b, wide(4), ValueRange{low0, high0, low1, high1},
                        weight, some.values[n]);
    }
  }
}

//===-- Warps together ----------------------------------------------------===//

void AttentionBuilder::makeRoom() {
  tops = shared(warps * queries * 4);
  weights = shared(warps * queries * 4);
  means = shared(threads * sumPitch * 4);
}

void AttentionBuilder::publish(const Sums &sums) {
  SmallVector<Value> ofQueries;
  for (Value some : sums.weights) {
    ofQueries.push_back(GroupSumOp::create(b, b.getF32Type(), some, ofColumn));
  }
  // Where the lane's row is 0, LLVM takes its number for its part.
  Int kept{&b, KeepOp::create(b, part.v.getType(), part)};
  Int place = (warp * queries + kept * 2) * 4;
  ifThen(b, row == number(0), [&] {
    SharedStoreOp::create(b, vectorOf(sums.tops), tops, place);
    SharedStoreOp::create(b, vectorOf(ofQueries), weights, place);
  });
  for (int64_t q = 0; q < 2; ++q) {
    for (int64_t n = 0; n < 8; n += 2) {
      Value some = vectorOf(
          {element(sums.values[n], q), element(sums.values[n], q + 2),
           element(sums.values[n + 1], q), element(sums.values[n + 1], q + 2)});
      SharedStoreOp::create(b, some, means,
                            (thread * sumPitch + (q * 16 + n * 2)) * 4);
    }
  }
}

AttentionBuilder::Whole AttentionBuilder::whole() {
  Int from = lane / 4 * 4 + warp / 2; // the lane that has them
  Whole out;
  Value topOf[warps];
  for (int64_t w = 0; w < warps; ++w) {
    topOf[w] =
        SharedLoadOp::create(b, b.getF32Type(), tops, (warp + w * queries) * 4);
    out.top = out.top ? larger(out.top, topOf[w]) : topOf[w];
  }
  for (int64_t w = 0; w < warps; ++w) {
    Value share = power(minus(topOf[w], out.top));
    Value ofThat = SharedLoadOp::create(b, b.getF32Type(), weights,
                                        (warp + w * queries) * 4);
    Value some = times(share, ofThat);
    out.weight = out.weight ? plus(out.weight, some) : some;
    Value four = SharedLoadOp::create(
        b, wide(4), means,
        ((from + w * lanes) * sumPitch + warp % 2 * 16 + part * 4) * 4);
    Value product = times(four, all(share, 4));
    out.values = out.values ? plus(out.values, product) : product;
  }
  return out;
}

Value AttentionBuilder::meanOf(const Whole &whole) {
  Value inverse =
      with<arith::DivFOp>(real(1), larger(whole.weight, real(leastWeight)));
  return times(whole.values, all(inverse, 4));
}

} // namespace girih::hopper
