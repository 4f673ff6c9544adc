// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lower/tileir/Encoding.h"

#include <algorithm>

namespace girih::tileir {

static constexpr const char *roundings[] = {
    "nearest_even", "zero", "negative_inf",       "positive_inf",
    "approx",       "full", "nearest_int_to_zero"};
static constexpr const char *signs[] = {"unsigned", "signed"};
static constexpr const char *overflows[] = {"none", "no_signed_wrap",
                                            "no_unsigned_wrap", "no_wrap"};
static constexpr const char *predicates[] = {
    "equal",        "not_equal",
    "less_than",    "less_than_or_equal",
    "greater_than", "greater_than_or_equal"};
static constexpr const char *orderings[] = {"unordered", "ordered"};
static constexpr const char *directions[] = {"forward", "reverse"};
static constexpr const char *semantics[] = {"weak", "relaxed", "acquire",
                                            "release", "acq_rel"};
static constexpr const char *scopes[] = {"tl_blk", "device", "sys"};
static constexpr const char *modes[] = {"and",  "or",  "xor", "add",
                                        "addf", "max", "min"};

static const AttrForm rounding{"rounding", AttrKind::Enum, roundings};
static const AttrForm sign{"sign", AttrKind::Enum, signs};
static const AttrForm overflow{"overflow", AttrKind::Enum, overflows};
static const AttrForm ftz{"flush_to_zero", AttrKind::Flag};
static const AttrForm nan{"propagate_nan", AttrKind::Flag};
static const AttrForm compare{"compare", AttrKind::Enum, predicates};
static const AttrForm ordering{"ordering", AttrKind::Enum, orderings};
static const AttrForm saturating{"saturating", AttrKind::Flag, {}, 4};
static const AttrForm order{"order", AttrKind::Enum, semantics};
static const AttrForm scope{"scope", AttrKind::OptionalEnum, scopes};
static const AttrForm hints{"hints", AttrKind::OptionalHints};
static const AttrForm inBounds{"in_bounds", AttrKind::Truths, {}, 4};

static const std::vector<OperandForm> none = {};
static const std::vector<OperandForm> one = {{"source"}};
static const std::vector<OperandForm> two = {{"lhs"}, {"rhs"}};
static const std::vector<OperandForm> three = {{"lhs"}, {"rhs"}, {"acc"}};
static const std::vector<OperandForm> any = {{"values", Arity::Many}};

using enum Operands;

/// The ops of ir/ops/Elementwise.def: one result, operands by the shape.
static std::vector<OpForm> elementwiseForms() {
  const auto &Unary = one, &Cast = one, &Binary = two, &Shift = two,
             &Compare = two, &Ternary = three, &Select = none;
  std::vector<OpForm> rows;
  auto add = [&](Opcode opcode, const char *mnemonic,
                 const std::vector<OperandForm> &operands,
                 std::vector<AttrForm> attributes) {
    rows.push_back(
        {opcode, mnemonic, 1, false, Plain, std::move(attributes), operands});
  };
  const std::vector<OperandForm> *shaped = nullptr;
#define TILE_IR(opcode, number, mnemonic, ...)                                 \
  add(Opcode::opcode, mnemonic, *shaped, {__VA_ARGS__});
#define ELEMENTWISE(name, shape, elements, executor, coq, tile_ir, ...)        \
  shaped = &shape;                                                             \
  tile_ir
#include "ir/ops/Elementwise.def"
  return rows;
}

static const OpForm others[] = {
    {Opcode::Assert,
     "assert",
     0,
     false,
     Plain,
     {{"message", AttrKind::String}},
     {{"condition"}}},
    {Opcode::Assume,
     "assume",
     1,
     false,
     Plain,
     {{"that", AttrKind::Predicate}},
     one},
    {Opcode::AtomicRMW,
     "atomic_rmw_tko",
     2,
     false,
     Segmented,
     {order,
      {"scope", AttrKind::Enum, scopes},
      {"mode", AttrKind::Enum, modes}},
     {{"destination"},
      {"value"},
      {"mask", Arity::Optional},
      {"token", Arity::Optional}}},
    {Opcode::Break, "break", 0, true, Counted, {}, any},
    {Opcode::Broadcast, "broadcast", 1, false, Plain, {}, one},
    {Opcode::Cat, "cat", 1, false, Plain, {{"dim", AttrKind::Integer}}, two},
    {Opcode::Constant,
     "constant",
     1,
     false,
     Plain,
     {{"value", AttrKind::Constant}},
     none},
    {Opcode::Continue, "continue", 0, true, Counted, {}, any},
    {Opcode::Extract,
     "extract",
     1,
     true,
     Counted,
     {},
     {{"source"}, {"index", Arity::Many}}},
    {Opcode::For,
     "for",
     -1,
     true,
     Counted,
     {{"unsigned", AttrKind::Flag}},
     {{"lower"}, {"upper"}, {"step"}, {"init", Arity::Many}},
     1},
    {Opcode::GetTileBlockId, "get_tile_block_id", 3, false, Plain, {}, none},
    {Opcode::If, "if", -1, true, Plain, {}, {{"condition"}}, 2},
    {Opcode::Iota, "iota", 1, false, Plain, {}, none},
    {Opcode::JoinTokens, "join_tokens", 1, true, Counted, {}, any},
    {Opcode::LoadPtr,
     "load_ptr_tko",
     2,
     false,
     Segmented,
     {order, scope, hints},
     {{"source"},
      {"mask", Arity::Optional},
      {"padding", Arity::Optional},
      {"token", Arity::Optional}}},
    {Opcode::LoadView,
     "load_view_tko",
     2,
     true,
     Segmented,
     {order, scope, hints, inBounds},
     {{"view"}, {"index", Arity::Many}, {"token", Arity::Optional}}},
    {Opcode::Loop, "loop", -1, true, Counted, {}, {{"init", Arity::Many}}, 1},
    {Opcode::MakePartitionView,
     "make_partition_view",
     1,
     false,
     Plain,
     {},
     {{"view"}}},
    {Opcode::MakeTensorView,
     "make_tensor_view",
     1,
     true,
     Segmented,
     {},
     {{"base"}, {"shape", Arity::Many}, {"strides", Arity::Many}}},
    {Opcode::MakeToken, "make_token", 1, false, Plain, {}, none},
    {Opcode::MmaF,
     "mmaf",
     1,
     false,
     Plain,
     {{"fast_acc", AttrKind::Flag}},
     three},
    {Opcode::MmaI,
     "mmai",
     1,
     false,
     Plain,
     {{"sign_lhs", AttrKind::Enum, signs}, {"sign_rhs", AttrKind::Enum, signs}},
     three},
    {Opcode::Offset, "offset", 1, false, Plain, {}, {{"base"}, {"offset"}}},
    {Opcode::Permute,
     "permute",
     1,
     false,
     Plain,
     {{"permutation", AttrKind::Integers}},
     one},
    {Opcode::Print,
     "print_tko",
     1,
     true,
     Segmented,
     {{"text", AttrKind::String}},
     {{"values", Arity::Many}, {"token", Arity::Optional}}},
    {Opcode::Reduce,
     "reduce",
     -1,
     true,
     Counted,
     {{"dim", AttrKind::Integer}, {"identities", AttrKind::Identities}},
     any,
     1},
    {Opcode::Reshape, "reshape", 1, false, Plain, {}, one},
    {Opcode::Return, "return", 0, true, Counted, {}, any},
    {Opcode::Scan,
     "scan",
     -1,
     true,
     Counted,
     {{"dim", AttrKind::Integer},
      {"direction", AttrKind::Enum, directions},
      {"identities", AttrKind::Identities}},
     any,
     1},
    {Opcode::Select,
     "select",
     1,
     false,
     Plain,
     {},
     {{"condition"}, {"then"}, {"else"}}},
    {Opcode::StorePtr,
     "store_ptr_tko",
     1,
     false,
     Segmented,
     {order, scope, hints},
     {{"destination"},
      {"value"},
      {"mask", Arity::Optional},
      {"token", Arity::Optional}}},
    {Opcode::StoreView,
     "store_view_tko",
     1,
     true,
     Segmented,
     {order, scope, hints, inBounds},
     {{"value"}, {"view"}, {"index", Arity::Many}, {"token", Arity::Optional}}},
    {Opcode::Yield, "yield", 0, true, Counted, {}, any},
    {Opcode::MmaFScaled,
     "mmaf_scaled",
     1,
     false,
     Plain,
     {},
     {{"lhs"}, {"rhs"}, {"acc"}, {"lhs_scale"}, {"rhs_scale"}}},
    {Opcode::AtomicRedView,
     "atomic_red_view_tko",
     1,
     true,
     Segmented,
     {order,
      {"scope", AttrKind::Enum, scopes},
      {"mode", AttrKind::Enum, modes}},
     {{"view"}, {"index", Arity::Many}, {"value"}, {"token", Arity::Optional}}},
    {Opcode::GdcLaunchDependents,
     "gdc_launch_dependents_tko",
     1,
     false,
     Plain,
     {},
     {{"token", Arity::Optional}},
     0,
     4},
    {Opcode::GdcWait,
     "gdc_wait_tko",
     1,
     false,
     Plain,
     {},
     {{"token", Arity::Optional}},
     0,
     4},
};

bool OpForm::hasFlags(unsigned minor) const {
  auto optional = [&](const AttrForm &a) {
    return a.since <= minor &&
           (a.kind == AttrKind::Flag || a.kind == AttrKind::OptionalEnum ||
            a.kind == AttrKind::OptionalHints);
  };
  return std::ranges::any_of(attributes, optional) ||
         std::ranges::any_of(operands, [](const OperandForm &o) {
           return o.arity == Arity::Optional;
         });
}

static const std::vector<OpForm> table = [] {
  std::vector<OpForm> rows = elementwiseForms();
  rows.insert(rows.end(), std::begin(others), std::end(others));
  std::ranges::sort(rows, {}, &OpForm::opcode);
  return rows;
}();

std::span<const OpForm> opForms() { return table; }

const OpForm &formOf(Opcode opcode) {
  return *std::ranges::lower_bound(table, opcode, {}, &OpForm::opcode);
}

} // namespace girih::tileir
