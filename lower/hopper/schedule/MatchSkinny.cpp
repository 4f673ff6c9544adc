// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lower/hopper/schedule/MatchLibrary.h"
#include "lower/hopper/schedule/Skinny.h"

using namespace mlir;

namespace girih::hopper {

static constexpr const char skinnyText[] =
#include "lower/hopper/schedule/SkinnyText.inc"
    ;
static constexpr const char skinnyGatedText[] =
#include "lower/hopper/schedule/SkinnySiluMulText.inc"
    ;
static constexpr const char skinnySplitText[] =
#include "lower/hopper/schedule/SkinnySplitKText.inc"
    ;
static constexpr const char skinnyF8Text[] =
#include "lower/hopper/schedule/SkinnyF8Text.inc"
    ;
static constexpr const char skinnyGatedF8Text[] =
#include "lower/hopper/schedule/SkinnySiluMulF8Text.inc"
    ;
static constexpr const char skinnySplitF8Text[] =
#include "lower/hopper/schedule/SkinnySplitKF8Text.inc"
    ;
static constexpr const char skinnyInt4Text[] =
#include "lower/hopper/schedule/SkinnyInt4Text.inc"
    ;
static constexpr const char skinnyGatedInt4Text[] =
#include "lower/hopper/schedule/SkinnySiluMulInt4Text.inc"
    ;
static constexpr const char skinnySplitInt4Text[] =
#include "lower/hopper/schedule/SkinnySplitKInt4Text.inc"
    ;

std::variant<Skinny, Misfit> matchSkinny(tile::KernelOp kernel) {
  std::optional<Misfit> misfit;
  auto symbol = [&](size_t i) { return kernel.getLaunchSymbols()[i].name; };
  struct Known {
    Skinny::Form form;
    const char *text;
    Skinny::Weights weights = Skinny::Weights::AsX;
  };
  using Form = Skinny::Form;
  using Weights = Skinny::Weights;
  const Known known[] = {{Form::Product, skinnyText},
                         {Form::Gated, skinnyGatedText},
                         {Form::Split, skinnySplitText},
                         {Form::Product, skinnyF8Text, Weights::F8},
                         {Form::Gated, skinnyGatedF8Text, Weights::F8},
                         {Form::Split, skinnySplitF8Text, Weights::F8},
                         {Form::Product, skinnyInt4Text, Weights::Int4},
                         {Form::Gated, skinnyGatedInt4Text, Weights::Int4},
                         {Form::Split, skinnySplitInt4Text, Weights::Int4}};
  bool isF16 = llvm::any_of(kernel.getArguments(), [](BlockArgument a) {
    auto type = dyn_cast<tile::TileTensorType>(a.getType());
    return type && type.getElementType().isF16();
  });
  for (const auto &[form, inBf16, weights] : known) {
    std::string text = inBf16;
    for (size_t at; isF16 && weights == Weights::AsX &&
                    (at = text.find("bf16")) != std::string::npos;) {
      text.erase(at, 1);
    }
    for (size_t place : {0, 1}) { // of at most 8 rows, and of 16
      auto why = matchLibrary(kernel, "skinny", text, place);
      if (why) {
        if (!misfit || (why->isNear && !misfit->isNear)) {
          misfit.emplace(std::move(*why));
        }
        continue;
      }
      // Of x: [M, K], of w: [N, K], of partial: [S, M, N], then P.
      bool isSplit = form == Skinny::Form::Split;
      Skinny out{form,      int64_t(8 << place),     symbol(0), symbol(2),
                 symbol(1), symbol(isSplit ? 4 : 3), {}};
      out.isF16 = isF16;
      out.weights = weights;
      if (isSplit) {
        out.s = symbol(3);
      }
      return out;
    }
  }
  return *misfit;
}

} // namespace girih::hopper
