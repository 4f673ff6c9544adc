// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lower/hopper/nvvm/ToLLVM.h"
#include "lower/hopper/nvvm/Emitter.h"
#include "lower/hopper/verify/Budget.h"

#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"

using namespace mlir;

namespace girih::hopper {
namespace {

constexpr unsigned globalSpace = 1, sharedSpace = 3;
constexpr const char *sharedName = "shared";

/// What every pattern needs of the kernel that its op is in.
struct Place {
  int64_t warps = 0;
  SharedPlan shared;
};

/// So many bytes into the block's shared memory.
Value sharedAt(Emitter &e, int64_t bytes) {
  Value base = LLVM::AddressOfOp::create(e, e.pointer(sharedSpace), sharedName);
  return e.offset(base, e.i32(bytes));
}

/// A ring as LLVM has it: the warp's slots, the warp's barriers, and the policy
/// of its copies.
Type ringType(MLIRContext *context) {
  Type pointer = LLVM::LLVMPointerType::get(context, sharedSpace);
  return LLVM::LLVMStructType::getLiteral(
      context, {pointer, pointer, IntegerType::get(context, 64)});
}

template <class Op> struct Pattern : OpConversionPattern<Op> {
  Pattern(const TypeConverter &types, MLIRContext *context, const Place &place)
      : OpConversionPattern<Op>(types, context), place(place) {}
  const Place &place;
};

#define GIRIH_LOWERS(OP)                                                       \
  struct OP##Lowering : Pattern<OP> {                                          \
    using Pattern::Pattern;                                                    \
    LogicalResult                                                              \
    matchAndRewrite(OP op, OpAdaptor in,                                       \
                    ConversionPatternRewriter &rewriter) const override;       \
  };                                                                           \
  LogicalResult OP##Lowering::matchAndRewrite(                                 \
      OP op, [[maybe_unused]] OpAdaptor in,                                    \
      ConversionPatternRewriter &rewriter) const

//===-- Kernel ------------------------------------------------------------===//

GIRIH_LOWERS(KernelOp) {
  Emitter e(op.getLoc(), rewriter);
  TypeConverter::SignatureConversion signature(op.getBody().getNumArguments());
  if (failed(typeConverter->convertSignatureArgs(
          op.getBody().getArgumentTypes(), signature))) {
    return failure();
  }
  auto type = LLVM::LLVMFunctionType::get(
      LLVM::LLVMVoidType::get(e.getContext()), signature.getConvertedTypes());
  auto function = LLVM::LLVMFuncOp::create(e, op.getSymName(), type);
  int32_t threads = op.getWarps() * lanes;
  function->setAttr("nvvm.kernel", e.getUnitAttr());
  function->setAttr("nvvm.maxntid", e.getDenseI32ArrayAttr({threads, 1, 1}));
  function->setAttr("nvvm.maxnreg", e.getI32IntegerAttr(op.getRegisters()));
  rewriter.inlineRegionBefore(op.getBody(), function.getBody(), function.end());
  rewriter.applySignatureConversion(&function.getBody().front(), signature,
                                    typeConverter);
  rewriter.eraseOp(op);
  return success();
}

GIRIH_LOWERS(ReturnOp) {
  rewriter.replaceOpWithNewOp<LLVM::ReturnOp>(op, ValueRange());
  return success();
}

/// What the region does, then the wait.
GIRIH_LOWERS(BeforeDependencyOp) {
  rewriter.inlineBlockBefore(&op.getBody().front(), op);
  rewriter.replaceOpWithNewOp<NVVM::GriddepcontrolOp>(
      op, NVVM::GridDepActionKind::wait);
  return success();
}

GIRIH_LOWERS(TriggerOp) {
  rewriter.replaceOpWithNewOp<NVVM::GriddepcontrolOp>(
      op, NVVM::GridDepActionKind::launch_dependents);
  return success();
}

static LogicalResult replaceWide(Operation *op, Value narrow,
                                 ConversionPatternRewriter &rewriter) {
  rewriter.replaceOpWithNewOp<LLVM::ZExtOp>(op, rewriter.getI64Type(), narrow);
  return success();
}

GIRIH_LOWERS(BlockIdOp) {
  Emitter e(op.getLoc(), rewriter);
  return replaceWide(op, NVVM::BlockIdXOp::create(e, e.getI32Type()), rewriter);
}

GIRIH_LOWERS(WarpIdOp) {
  Emitter e(op.getLoc(), rewriter);
  return replaceWide(op, e.warp(), rewriter);
}

GIRIH_LOWERS(LaneIdOp) {
  Emitter e(op.getLoc(), rewriter);
  return replaceWide(op, e.lane(), rewriter);
}

//===-- Rings -------------------------------------------------------------===//

GIRIH_LOWERS(RingOp) {
  Emitter e(op.getLoc(), rewriter);
  RingType type = op.getRing().getType();
  Value warp = e.warp();
  Value slots = e.offset(sharedAt(e, place.shared.memory.at(op)),
                         e.mul(warp, type.getSlots() * type.getBytes()));
  Value barriers = e.offset(sharedAt(e, place.shared.barriers.at(op)),
                            e.mul(warp, type.getSlots() * barrierBytes));
  e.when(e.is(LLVM::ICmpPredicate::eq, e.lane(), e.i32(0)), [&](Emitter &e) {
    for (int64_t slot = 0; slot < type.getSlots(); ++slot) {
      NVVM::MBarrierInitOp::create(
          e, e.offset(barriers, e.i32(slot * barrierBytes)), e.i32(1), Value());
    }
    NVVM::FenceMbarrierInitOp::create(e);
  });
  // Of a stream of weights nothing is read twice.
  Value policy =
      LLVM::InlineAsmOp::create(
          e, e.getI64Type(), ValueRange(),
          "createpolicy.fractional.L2::evict_first.b64 $0, 1.0;", "=l",
          /*has_side_effects=*/false, /*is_align_stack=*/false,
          LLVM::tailcallkind::TailCallKind::None, nullptr, nullptr)
          .getResult(0);
  Value ring = LLVM::PoisonOp::create(e, ringType(e.getContext()));
  Value parts[] = {slots, barriers, policy};
  for (auto [n, part] : llvm::enumerate(parts)) {
    ring = LLVM::InsertValueOp::create(e, ring, part, n);
  }
  rewriter.replaceOp(op, ring);
  return success();
}

GIRIH_LOWERS(WarpBarrierOp) {
  Emitter e(op.getLoc(), rewriter);
  rewriter.replaceOpWithNewOp<NVVM::SyncWarpOp>(op, e.i32(-1));
  return success();
}

/// Part `n` of a ring, and `slot` times `bytes` behind it: of part 0 the slot,
/// of part 1 its barrier.
static Value part(Emitter &e, Value ring, int64_t n) {
  return LLVM::ExtractValueOp::create(e, ring, n);
}
static Value ofSlot(Emitter &e, Value ring, int64_t n, Value slot,
                    int64_t bytes) {
  Value wide = LLVM::ZExtOp::create(e, e.getI64Type(), slot);
  Value size = LLVM::ConstantOp::create(e, e.getI64Type(), bytes);
  return e.offset(part(e, ring, n), LLVM::MulOp::create(e, wide, size));
}

GIRIH_LOWERS(FillOp) {
  Emitter e(op.getLoc(), rewriter);
  int64_t bytes = op.getRing().getType().getBytes();
  Value slot = ofSlot(e, in.getRing(), 0, in.getSlot(), bytes);
  Value barrier = ofSlot(e, in.getRing(), 1, in.getSlot(), barrierBytes);
  Value policy = part(e, in.getRing(), 2);
  Value source = e.offset(in.getSource(), in.getOffset());
  e.when(e.is(LLVM::ICmpPredicate::eq, e.lane(), e.i32(0)), [&](Emitter &e) {
    NVVM::MBarrierArriveExpectTxOp::create(e, Type(), barrier, in.getBytes(),
                                           NVVM::MemScopeKind::CTA,
                                           /*relaxed=*/false, Value());
    Value some = e.is(LLVM::ICmpPredicate::ne, in.getBytes(), e.i32(0));
    e.when(some, [&](Emitter &e) {
      NVVM::CpAsyncBulkGlobalToSharedClusterOp::create(
          e, slot, source, barrier, in.getBytes(), Value(), policy);
    });
  });
  rewriter.eraseOp(op);
  return success();
}

GIRIH_LOWERS(WaitOp) {
  Emitter e(op.getLoc(), rewriter);
  int64_t bytes = op.getRing().getType().getBytes();
  Value barrier = ofSlot(e, in.getRing(), 1, in.getSlot(), barrierBytes);
  scf::WhileOp::create(
      e, TypeRange(), ValueRange(),
      [&](OpBuilder &inner, Location at, ValueRange) {
        Emitter e(at, inner);
        Value ended = NVVM::MBarrierTryWaitOp::create(
            e, e.getI1Type(), barrier, in.getParity(), Value(),
            NVVM::MemScopeKind::CTA, /*relaxed=*/false);
        Value yet = LLVM::XOrOp::create(
            e, ended, LLVM::ConstantOp::create(e, e.getI1Type(), 1));
        scf::ConditionOp::create(e, yet, ValueRange());
      },
      [](OpBuilder &inner, Location at, ValueRange) {
        scf::YieldOp::create(inner, at);
      });
  rewriter.replaceOp(op, ofSlot(e, in.getRing(), 0, in.getSlot(), bytes));
  return success();
}

GIRIH_LOWERS(ReadOp) {
  Emitter e(op.getLoc(), rewriter);
  rewriter.replaceOpWithNewOp<LLVM::LoadOp>(
      op, op.getWords().getType(), e.offset(in.getToken(), in.getOffset()),
      /*alignment=*/16);
  return success();
}

/// A branch on a number that is never taken, as none of floats is this NaN:
/// those of the hardware are 0x7fffffff. What stands behind it is issued once
/// the number is known; that it stands before it would not be enough.
static void issueAfter(Emitter &e, Value number) {
  constexpr int64_t noNumber = 0x7fc0dead;
  Value bits = LLVM::BitcastOp::create(e, e.getI32Type(), number);
  e.when(e.is(LLVM::ICmpPredicate::eq, bits, e.i32(noNumber)),
         [](Emitter &e) { LLVM::Trap::create(e); });
}

GIRIH_LOWERS(ReleaseOp) {
  Emitter e(op.getLoc(), rewriter);
  issueAfter(e, in.getSum());
  rewriter.eraseOp(op);
  return success();
}

GIRIH_LOWERS(OrderOp) {
  Emitter e(op.getLoc(), rewriter);
  issueAfter(e, in.getNumber());
  rewriter.eraseOp(op);
  return success();
}

//===-- Lanes, warps and blocks -------------------------------------------===//

/// Over lanes that differ in these bits, by a butterfly: in each of them the
/// same.
template <class Op>
static Value overLanes(Emitter &e, Value value,
                       ArrayRef<int64_t> bits = {16, 8, 4, 2, 1}) {
  for (int64_t distance : bits) {
    Value other = NVVM::ShflOp::create(e, e.getF32Type(), e.i32(-1), value,
                                       e.i32(distance), e.i32(lanes - 1),
                                       NVVM::ShflKind::bfly, UnitAttr());
    value = Op::create(e, value, other);
  }
  return value;
}

GIRIH_LOWERS(WarpSumOp) {
  Emitter e(op.getLoc(), rewriter);
  rewriter.replaceOp(op, overLanes<LLVM::FAddOp>(e, in.getValue()));
  return success();
}

GIRIH_LOWERS(WarpMaxOp) {
  Emitter e(op.getLoc(), rewriter);
  rewriter.replaceOp(op, overLanes<LLVM::MaximumOp>(e, in.getValue()));
  return success();
}

GIRIH_LOWERS(GroupSumOp) {
  Emitter e(op.getLoc(), rewriter);
  rewriter.replaceOp(op,
                     overLanes<LLVM::FAddOp>(e, in.getValue(), op.getBits()));
  return success();
}

GIRIH_LOWERS(GroupMaxOp) {
  Emitter e(op.getLoc(), rewriter);
  rewriter.replaceOp(
      op, overLanes<LLVM::MaximumOp>(e, in.getValue(), op.getBits()));
  return success();
}

GIRIH_LOWERS(TransposeOp) {
  Emitter e(op.getLoc(), rewriter);
  auto turned = LLVM::InlineAsmOp::create(
      e, e.getI32Type(), in.getRows(),
      "movmatrix.sync.aligned.m8n8.trans.b16 $0, $1;", "=r,r",
      /*has_side_effects=*/true, /*is_align_stack=*/false,
      LLVM::tailcallkind::TailCallKind::None, nullptr, nullptr);
  rewriter.replaceOp(op, turned.getResult(0));
  return success();
}

/// In words of PTX: sums stay where they are.
GIRIH_LOWERS(MmaOp) {
  Emitter e(op.getLoc(), rewriter);
  constexpr size_t count = 4;
  SmallVector<Value> operands;
  for (size_t i = 0; i < count; ++i) {
    operands.push_back(
        LLVM::ExtractElementOp::create(e, in.getSums(), e.i32(int64_t(i))));
  }
  llvm::append_range(operands, in.getLeft());
  llvm::append_range(operands, in.getRight());
  Type sums = LLVM::LLVMStructType::getLiteral(
      e.getContext(), SmallVector<Type>(count, e.getF32Type()));
  std::string of = op.getF16() ? ".f16.f16" : ".bf16.bf16";
  Value made = LLVM::InlineAsmOp::create(
                   e, sums, operands,
                   "mma.sync.aligned.m16n8k16.row.col.f32" + of +
                       ".f32 {$0, $1, $2, $3}, {$8, $9, $10, $11}, "
                       "{$12, $13}, {$0, $1, $2, $3};",
                   "=f,=f,=f,=f,0,1,2,3,r,r,r,r,r,r",
                   /*has_side_effects=*/true, /*is_align_stack=*/false,
                   LLVM::tailcallkind::TailCallKind::None, nullptr, nullptr)
                   .getResult(0);
  Value out = LLVM::PoisonOp::create(e, op.getType());
  for (size_t i = 0; i < count; ++i) {
    Value one = LLVM::ExtractValueOp::create(e, made, int64_t(i));
    out = LLVM::InsertElementOp::create(e, out, one, e.i32(int64_t(i)));
  }
  rewriter.replaceOp(op, out);
  return success();
}

GIRIH_LOWERS(KeepOp) {
  Emitter e(op.getLoc(), rewriter);
  auto kept = LLVM::InlineAsmOp::create(
      e, op.getType(), in.getValue(), "mov.b64 $0, $1;", "=l,l",
      /*has_side_effects=*/false, /*is_align_stack=*/false,
      LLVM::tailcallkind::TailCallKind::None, nullptr, nullptr);
  rewriter.replaceOp(op, kept.getResult(0));
  return success();
}

GIRIH_LOWERS(BlockBarrierOp) {
  rewriter.replaceOpWithNewOp<NVVM::Barrier0Op>(op);
  return success();
}

GIRIH_LOWERS(SharedOp) {
  Emitter e(op.getLoc(), rewriter);
  rewriter.replaceOp(op, sharedAt(e, place.shared.memory.at(op)));
  return success();
}

template <class Op>
static LogicalResult load(Op op, Value memory, Value offset,
                          ConversionPatternRewriter &rewriter) {
  Emitter e(op.getLoc(), rewriter);
  Type type = op.getValue().getType();
  rewriter.replaceOpWithNewOp<LLVM::LoadOp>(op, type, e.offset(memory, offset),
                                            sizeOf(type));
  return success();
}

template <class Op>
static LogicalResult store(Op op, Value value, Value memory, Value offset,
                           ConversionPatternRewriter &rewriter) {
  Emitter e(op.getLoc(), rewriter);
  rewriter.replaceOpWithNewOp<LLVM::StoreOp>(
      op, value, e.offset(memory, offset), sizeOf(value.getType()));
  return success();
}

GIRIH_LOWERS(SharedLoadOp) {
  return load(op, in.getMemory(), in.getOffset(), rewriter);
}
GIRIH_LOWERS(LoadOp) {
  return load(op, in.getMemory(), in.getOffset(), rewriter);
}
GIRIH_LOWERS(SharedStoreOp) {
  return store(op, in.getValue(), in.getMemory(), in.getOffset(), rewriter);
}
GIRIH_LOWERS(StoreOp) {
  return store(op, in.getValue(), in.getMemory(), in.getOffset(), rewriter);
}

//===-- Module ------------------------------------------------------------===//

/// A kernel's shared memory, whose size the launch says.
void addShared(ModuleOp module) {
  auto b =
      ImplicitLocOpBuilder::atBlockBegin(module.getLoc(), module.getBody());
  constexpr uint64_t line = 128;
  LLVM::GlobalOp::create(b, LLVM::LLVMArrayType::get(b.getI8Type(), 0),
                         /*isConstant=*/false, LLVM::Linkage::External,
                         sharedName, Attribute(), line, sharedSpace);
}

} // namespace

LogicalResult lowerToLLVM(ModuleOp module) {
  MLIRContext *context = module.getContext();
  context->loadDialect<LLVM::LLVMDialect, NVVM::NVVMDialect,
                       cf::ControlFlowDialect>();
  auto kernels = llvm::to_vector(module.getOps<KernelOp>());
  if (kernels.size() != 1) {
    return module.emitError("a module to lower has one kernel");
  }
  Place place{int64_t(kernels[0].getWarps()), planShared(kernels[0])};
  addShared(module);

  LowerToLLVMOptions options(context);
  options.overrideIndexBitwidth(64);
  LLVMTypeConverter types(context, options);
  types.addConversion([&](GlobalType) {
    return LLVM::LLVMPointerType::get(context, globalSpace);
  });
  types.addConversion([&](SharedType) {
    return LLVM::LLVMPointerType::get(context, sharedSpace);
  });
  types.addConversion([&](SlotType) {
    return LLVM::LLVMPointerType::get(context, sharedSpace);
  });
  types.addConversion([&](RingType) { return ringType(context); });

  RewritePatternSet patterns(context);
  patterns.add<KernelOpLowering, ReturnOpLowering, BeforeDependencyOpLowering,
               TriggerOpLowering, BlockIdOpLowering, WarpIdOpLowering,
               LaneIdOpLowering, RingOpLowering, WarpBarrierOpLowering,
               FillOpLowering, WaitOpLowering, ReadOpLowering,
               ReleaseOpLowering, OrderOpLowering, WarpSumOpLowering,
               WarpMaxOpLowering, GroupSumOpLowering, GroupMaxOpLowering,
               TransposeOpLowering, MmaOpLowering, BlockBarrierOpLowering,
               KeepOpLowering, SharedOpLowering, SharedLoadOpLowering,
               SharedStoreOpLowering, LoadOpLowering, StoreOpLowering>(
      types, context, place);
  addVectorPatterns(types, patterns);
  populateSCFToControlFlowConversionPatterns(patterns);
  cf::populateControlFlowToLLVMConversionPatterns(types, patterns);
  arith::populateArithToLLVMConversionPatterns(types, patterns);
  populateMathToLLVMConversionPatterns(types, patterns);
  ConversionTarget target(*context);
  target.addLegalDialect<LLVM::LLVMDialect, NVVM::NVVMDialect>();
  target.addLegalOp<ModuleOp>();
  // They go with the op around them, which is made after them.
  target.addLegalOp<scf::YieldOp, scf::ConditionOp>();
  return applyFullConversion(module, target, std::move(patterns));
}

} // namespace girih::hopper
