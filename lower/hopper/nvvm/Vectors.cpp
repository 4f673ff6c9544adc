// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lower/hopper/nvvm/Emitter.h"

using namespace mlir;

namespace girih::hopper {
namespace {

/// A vector as words of 32 bits, and back.
SmallVector<Value> wordsOf(Emitter &e, Value vector) {
  int64_t count = sizeOf(vector.getType()) / 4;
  Type type = VectorType::get({count}, e.getI32Type());
  Value words = LLVM::BitcastOp::create(e, type, vector);
  SmallVector<Value> out;
  for (int64_t i = 0; i < count; ++i) {
    out.push_back(LLVM::ExtractElementOp::create(e, words, e.i32(i)));
  }
  return out;
}

/// `{$0, $1}, from` on, with the modifier of so many words.
std::string operandsOf(size_t count, size_t first, std::string &vector) {
  std::string out;
  for (size_t i = 0; i < count; ++i) {
    out += (i == 0 ? "$" : ", $") + std::to_string(first + i);
  }
  vector = count == 1 ? "" : ".v" + std::to_string(count);
  return count == 1 ? out : "{" + out + "}";
}

/// In words of PTX: LLVM has no load that keeps a register where a condition
/// does not hold, and would make branches of it, each with the load's first
/// use.
struct MaskedLoadLowering : OpConversionPattern<MaskedLoadOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(MaskedLoadOp op, OpAdaptor in,
                  ConversionPatternRewriter &rewriter) const override {
    Emitter e(op.getLoc(), rewriter);
    std::string load =
        std::string(" ld.global") + (op.getOnce() ? ".L1::no_allocate" : "");
    if (sizeOf(op.getValue().getType()) == 2) {
      Value other =
          LLVM::BitcastOp::create(e, e.getI16Type(), in.getOtherwise());
      Value at = e.offset(in.getMemory(), in.getOffset());
      Value half =
          LLVM::InlineAsmOp::create(
              e, e.getI16Type(), ValueRange{other, at, in.getCondition()},
              "@$3" + load + ".b16 $0, [$2];", "=h,0,l,b",
              /*has_side_effects=*/true, /*is_align_stack=*/false,
              LLVM::tailcallkind::TailCallKind::None, nullptr, nullptr)
              .getResult(0);
      rewriter.replaceOpWithNewOp<LLVM::BitcastOp>(op, op.getValue().getType(),
                                                   half);
      return success();
    }
    SmallVector<Value> operands = wordsOf(e, in.getOtherwise());
    size_t count = operands.size();
    std::string vector, to = operandsOf(count, 0, vector), constraints;
    for (size_t i = 0; i < count; ++i) {
      constraints += "=r,";
    }
    for (size_t i = 0; i < count; ++i) {
      constraints += std::to_string(i) + ",";
    }
    operands.push_back(e.offset(in.getMemory(), in.getOffset()));
    operands.push_back(in.getCondition());
    std::string text = "@$" + std::to_string(2 * count + 1) + load + vector +
                       ".b32 " + to + ", [$" + std::to_string(2 * count) + "];";
    Type word = e.getI32Type();
    Type result = count == 1
                      ? word
                      : LLVM::LLVMStructType::getLiteral(
                            e.getContext(), SmallVector<Type>(count, word));
    Value loaded = LLVM::InlineAsmOp::create(
                       e, result, operands, text, constraints + "l,b",
                       /*has_side_effects=*/true, /*is_align_stack=*/false,
                       LLVM::tailcallkind::TailCallKind::None, nullptr, nullptr)
                       .getResult(0);
    auto type = VectorType::get({int64_t(count)}, word);
    Value words = LLVM::PoisonOp::create(e, type);
    for (size_t i = 0; i < count; ++i) {
      Value one =
          count == 1
              ? loaded
              : LLVM::ExtractValueOp::create(e, loaded, int64_t(i)).getResult();
      words = LLVM::InsertElementOp::create(e, words, one, e.i32(i));
    }
    rewriter.replaceOpWithNewOp<LLVM::BitcastOp>(op, op.getValue().getType(),
                                                 words);
    return success();
  }
};

struct MaskedStoreLowering : OpConversionPattern<MaskedStoreOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(MaskedStoreOp op, OpAdaptor in,
                  ConversionPatternRewriter &rewriter) const override {
    Emitter e(op.getLoc(), rewriter);
    SmallVector<Value> operands = wordsOf(e, in.getValue());
    size_t count = operands.size();
    std::string vector, from = operandsOf(count, 0, vector), constraints;
    for (size_t i = 0; i < count; ++i) {
      constraints += "r,";
    }
    operands.push_back(e.offset(in.getMemory(), in.getOffset()));
    operands.push_back(in.getCondition());
    std::string text = "@$" + std::to_string(count + 1) + " st.global" +
                       (op.getOnce() ? ".cs" : "") + vector + ".b32 [$" +
                       std::to_string(count) + "], " + from + ";";
    LLVM::InlineAsmOp::create(
        e, TypeRange(), operands, text, constraints + "l,b,~{memory}",
        /*has_side_effects=*/true,
        /*is_align_stack=*/false, LLVM::tailcallkind::TailCallKind::None,
        nullptr, nullptr);
    rewriter.eraseOp(op);
    return success();
  }
};

struct PrefetchLowering : OpConversionPattern<PrefetchOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(PrefetchOp op, OpAdaptor in,
                  ConversionPatternRewriter &rewriter) const override {
    Emitter e(op.getLoc(), rewriter);
    Value at = e.offset(in.getMemory(), in.getOffset());
    LLVM::InlineAsmOp::create(e, TypeRange(), ValueRange{at, in.getCondition()},
                              "@$1 prefetch.global.L2 [$0];", "l,b",
                              /*has_side_effects=*/true,
                              /*is_align_stack=*/false,
                              LLVM::tailcallkind::TailCallKind::None, nullptr,
                              nullptr);
    rewriter.eraseOp(op);
    return success();
  }
};

struct FromElementsLowering : OpConversionPattern<vector::FromElementsOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(vector::FromElementsOp op, OpAdaptor in,
                  ConversionPatternRewriter &rewriter) const override {
    Emitter e(op.getLoc(), rewriter);
    Value out = LLVM::PoisonOp::create(e, op.getType());
    for (auto [n, element] : llvm::enumerate(in.getElements())) {
      out = LLVM::InsertElementOp::create(e, out, element, e.i32(int64_t(n)));
    }
    rewriter.replaceOp(op, out);
    return success();
  }
};

struct ExtractLowering : OpConversionPattern<vector::ExtractOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(vector::ExtractOp op, OpAdaptor in,
                  ConversionPatternRewriter &rewriter) const override {
    Emitter e(op.getLoc(), rewriter);
    rewriter.replaceOpWithNewOp<LLVM::ExtractElementOp>(
        op, in.getSource(), e.i32(op.getStaticPosition()[0]));
    return success();
  }
};

struct BroadcastLowering : OpConversionPattern<vector::BroadcastOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(vector::BroadcastOp op, OpAdaptor in,
                  ConversionPatternRewriter &rewriter) const override {
    Emitter e(op.getLoc(), rewriter);
    VectorType type = op.getResultVectorType();
    Value first = LLVM::InsertElementOp::create(
        e, LLVM::PoisonOp::create(e, type), in.getSource(), e.i32(0));
    SmallVector<int32_t> zeros(type.getNumElements());
    rewriter.replaceOpWithNewOp<LLVM::ShuffleVectorOp>(op, first, first, zeros);
    return success();
  }
};

struct BitcastLowering : OpConversionPattern<vector::BitCastOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(vector::BitCastOp op, OpAdaptor in,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<LLVM::BitcastOp>(
        op, typeConverter->convertType(op.getType()), in.getSource());
    return success();
  }
};

/// A bf16 is the upper half of an f32: one instruction an element, where LLVM
/// has two.
struct WidenLowering : OpConversionPattern<arith::ExtFOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(arith::ExtFOp op, OpAdaptor in,
                  ConversionPatternRewriter &rewriter) const override {
    auto from = dyn_cast<VectorType>(op.getIn().getType());
    if (!from || !from.getElementType().isBF16() || sizeOf(from) % 4 != 0 ||
        !getElementTypeOrSelf(op.getType()).isF32()) {
      return failure();
    }
    Emitter e(op.getLoc(), rewriter);
    Value wide = LLVM::PoisonOp::create(e, op.getType());
    for (auto [n, word] : llvm::enumerate(wordsOf(e, in.getIn()))) {
      Value halves[] = {LLVM::ShlOp::create(e, word, e.i32(16)),
                        LLVM::AndOp::create(e, word, e.i32(0xffff0000))};
      for (auto [half, bits] : llvm::enumerate(halves)) {
        Value real = LLVM::BitcastOp::create(e, e.getF32Type(), bits);
        wide =
            LLVM::InsertElementOp::create(e, wide, real, e.i32(2 * n + half));
      }
    }
    rewriter.replaceOp(op, wide);
    return success();
  }
};

/// Nothing but the instruction, as which LLVM has others around.
Value powerOf(Emitter &e, Value x) {
  return LLVM::InlineAsmOp::create(
             e, e.getF32Type(), x, "ex2.approx.ftz.f32 $0, $1;", "=f,f",
             /*has_side_effects=*/false, /*is_align_stack=*/false,
             LLVM::tailcallkind::TailCallKind::None, nullptr, nullptr)
      .getResult(0);
}

/// Two elements of f8E4M3FN in one instruction: LLVM knows them as bytes.
struct WidenF8Lowering : OpConversionPattern<arith::ExtFOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(arith::ExtFOp op, OpAdaptor in,
                  ConversionPatternRewriter &rewriter) const override {
    auto from = dyn_cast<VectorType>(op.getIn().getType());
    if (!from || !isa<Float8E4M3FNType>(from.getElementType()) ||
        from.getNumElements() % 4 != 0 ||
        !getElementTypeOrSelf(op.getType()).isF32()) {
      return failure();
    }
    Emitter e(op.getLoc(), rewriter);
    auto bytes = VectorType::get({2}, e.getI8Type());
    auto halves = VectorType::get({2}, e.getF16Type());
    Value wide = LLVM::PoisonOp::create(e, op.getType());
    int64_t at = 0;
    for (Value word : wordsOf(e, in.getIn())) {
      Value upper = LLVM::LShrOp::create(e, word, e.i32(16));
      for (Value part : {word, upper}) {
        Value packed = LLVM::TruncOp::create(e, e.getI16Type(), part);
        Value two = NVVM::ConvertF8x2ToF16x2Op::create(
            e, halves, LLVM::BitcastOp::create(e, bytes, packed),
            e.getBoolAttr(false), TypeAttr::get(from.getElementType()));
        for (int64_t i : {0, 1}) {
          Value one = LLVM::FPExtOp::create(
              e, e.getF32Type(),
              LLVM::ExtractElementOp::create(e, two, e.i32(i)));
          wide = LLVM::InsertElementOp::create(e, wide, one, e.i32(at++));
        }
      }
    }
    rewriter.replaceOp(op, wide);
    return success();
  }
};

/// Applies `one` to each element of a vector, or to a scalar.
Value byElement(Emitter &e, Value value, llvm::function_ref<Value(Value)> one) {
  auto type = dyn_cast<VectorType>(value.getType());
  if (!type) {
    return one(value);
  }
  Value out = LLVM::PoisonOp::create(e, type);
  for (int64_t i = 0; i < type.getNumElements(); ++i) {
    Value element = LLVM::ExtractElementOp::create(e, value, e.i32(i));
    out = LLVM::InsertElementOp::create(e, out, one(element), e.i32(i));
  }
  return out;
}

/// Where a subnormal may be zero; LLVM keeps it, by three instructions more.
struct PowerLowering : OpConversionPattern<math::Exp2Op> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(math::Exp2Op op, OpAdaptor in,
                  ConversionPatternRewriter &rewriter) const override {
    if (!getElementTypeOrSelf(op.getType()).isF32() ||
        !bitEnumContainsAll(op.getFastmath(), arith::FastMathFlags::afn)) {
      return failure();
    }
    Emitter e(op.getLoc(), rewriter);
    rewriter.replaceOp(op, byElement(e, in.getOperand(),
                                     [&](Value x) { return powerOf(e, x); }));
    return success();
  }
};

/// e^x = 2^f 2^j, j the integer next to x log2(e): f of two parts of log2(e),
/// so that it has all its bits, and 2^j of two factors, so that the result may
/// be subnormal.
Value exponential(Emitter &e, Value x) {
  auto real = [&](float value) -> Value {
    return LLVM::ConstantOp::create(e, e.getF32Type(),
                                    e.getF32FloatAttr(value));
  };
  // 1.5 2^23: what is added to it is rounded to an integer, in the low bits.
  constexpr float toInteger = 12582912.0f, most = 128.0f, least = -150.0f;
  constexpr int64_t toIntegerBits = 0x4b400000, bias = 127, mantissa = 23;
  Value high = real(0x1.715476p+0f), low = real(0x1.4ae0cp-26f);
  Value y = LLVM::FMulOp::create(e, x, high);
  y = LLVM::MaxNumOp::create(e, LLVM::MinNumOp::create(e, y, real(most)),
                             real(least));
  Value shifted = LLVM::FAddOp::create(e, y, real(toInteger));
  Value whole = LLVM::FSubOp::create(e, shifted, real(toInteger));
  Value f = LLVM::FMAOp::create(e, x, high, LLVM::FNegOp::create(e, whole));
  f = LLVM::FMAOp::create(e, x, low, f);
  Value bits = LLVM::BitcastOp::create(e, e.getI32Type(), shifted);
  Value j = LLVM::SubOp::create(e, bits, e.i32(toIntegerBits));
  Value half = LLVM::AShrOp::create(e, j, e.i32(1));
  Value out = powerOf(e, f);
  for (Value part : {half, Value(LLVM::SubOp::create(e, j, half))}) {
    Value biased = LLVM::AddOp::create(e, part, e.i32(bias));
    Value factor = LLVM::BitcastOp::create(
        e, e.getF32Type(), LLVM::ShlOp::create(e, biased, e.i32(mantissa)));
    out = LLVM::FMulOp::create(e, out, factor);
  }
  return out;
}

struct ExponentialLowering : OpConversionPattern<math::ExpOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(math::ExpOp op, OpAdaptor in,
                  ConversionPatternRewriter &rewriter) const override {
    if (!getElementTypeOrSelf(op.getType()).isF32()) {
      return failure();
    }
    Emitter e(op.getLoc(), rewriter);
    rewriter.replaceOp(op, byElement(e, in.getOperand(), [&](Value x) {
                         return exponential(e, x);
                       }));
    return success();
  }
};

/// log2(x) = i + log2(1 + f), the nearer f to 0 the better: 1 + f from the root
/// of 1/2 to that of 2. log2(1 + f) / f is a polynomial, off by 2^-25 at most,
/// so that the logarithm of what is near 1 has all its bits, too.
Value logarithm(Emitter &e, Value x) {
  auto real = [&](float value) -> Value {
    return LLVM::ConstantOp::create(e, e.getF32Type(),
                                    e.getF32FloatAttr(value));
  };
  auto select = [&](Value condition, Value a, Value b) -> Value {
    return LLVM::SelectOp::create(e, condition, a, b);
  };
  auto compare = [&](LLVM::FCmpPredicate how, Value a, Value b) -> Value {
    return LLVM::FCmpOp::create(e, how, a, b);
  };
  auto bitsOf = [&](Value v) -> Value {
    return LLVM::BitcastOp::create(e, e.getI32Type(), v);
  };
  constexpr int64_t mantissa = 23, rootOfHalf = 0x3f3504f3;
  constexpr float normal = 0x1p-126f, infinity = INFINITY;
  constexpr float ofPower[] = {
      0x1.01b6a8p-3f,  -0x1.a87d0cp-3f, 0x1.b9c92cp-3f,
      -0x1.e95be8p-3f, 0x1.26d384p-2f,  -0x1.715c4ep-2f,
      0x1.ec73d6p-2f,  -0x1.715470p-1f, 0x1.715476p+0f}; // the highest first
  Value isSmall = compare(LLVM::FCmpPredicate::olt, x, real(normal));
  Value scaled = LLVM::FMulOp::create(e, x, real(0x1p23f));
  Value bits = bitsOf(select(isSmall, scaled, x));
  Value i = LLVM::AShrOp::create(
      e, LLVM::SubOp::create(e, bits, e.i32(rootOfHalf)), e.i32(mantissa));
  Value m =
      LLVM::SubOp::create(e, bits, LLVM::ShlOp::create(e, i, e.i32(mantissa)));
  Value f = LLVM::FSubOp::create(
      e, LLVM::BitcastOp::create(e, e.getF32Type(), m), real(1));
  Value whole = LLVM::SIToFPOp::create(
      e, e.getF32Type(),
      LLVM::SubOp::create(e, i, select(isSmall, e.i32(mantissa), e.i32(0))));
  Value sum = real(ofPower[0]);
  for (float factor : llvm::drop_begin(ofPower)) {
    sum = LLVM::FMAOp::create(e, sum, f, real(factor));
  }
  Value out = LLVM::FMAOp::create(e, f, sum, whole);
  // Of infinity that, of NaN and of what is negative NaN.
  Value other = LLVM::FMAOp::create(e, x, real(infinity), real(infinity));
  other = select(compare(LLVM::FCmpPredicate::oeq, x, real(0)), real(-infinity),
                 other);
  out =
      select(compare(LLVM::FCmpPredicate::olt, x, real(infinity)), out, other);
  return select(compare(LLVM::FCmpPredicate::ogt, x, real(0)), out, other);
}

struct LogarithmLowering : OpConversionPattern<math::Log2Op> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(math::Log2Op op, OpAdaptor in,
                  ConversionPatternRewriter &rewriter) const override {
    if (!getElementTypeOrSelf(op.getType()).isF32()) {
      return failure();
    }
    Emitter e(op.getLoc(), rewriter);
    rewriter.replaceOp(op, byElement(e, in.getOperand(),
                                     [&](Value x) { return logarithm(e, x); }));
    return success();
  }
};

} // namespace

void addVectorPatterns(const TypeConverter &types,
                       RewritePatternSet &patterns) {
  MLIRContext *context = patterns.getContext();
  patterns.add<MaskedLoadLowering, MaskedStoreLowering, PrefetchLowering,
               ExtractLowering, FromElementsLowering, BroadcastLowering,
               BitcastLowering>(types, context);
  // Before those of MLIR.
  constexpr unsigned first = 2;
  patterns.add<WidenLowering, WidenF8Lowering, PowerLowering,
               ExponentialLowering, LogarithmLowering>(types, context, first);
}

} // namespace girih::hopper
