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

std::variant<Skinny, Misfit> matchSkinny(tile::KernelOp kernel) {
  std::optional<Misfit> misfit;
  auto symbol = [&](size_t i) { return kernel.getLaunchSymbols()[i].name; };
  struct Known {
    Skinny::Form form;
    const char *text;
    bool isF8 = false;
  };
  const Known known[] = {{Skinny::Form::Product, skinnyText},
                         {Skinny::Form::Gated, skinnyGatedText},
                         {Skinny::Form::Split, skinnySplitText},
                         {Skinny::Form::Product, skinnyF8Text, true},
                         {Skinny::Form::Gated, skinnyGatedF8Text, true},
                         {Skinny::Form::Split, skinnySplitF8Text, true}};
  bool isF16 = llvm::any_of(kernel.getArguments(), [](BlockArgument a) {
    auto type = dyn_cast<tile::TileTensorType>(a.getType());
    return type && type.getElementType().isF16();
  });
  for (const auto &[form, inBf16, isF8] : known) {
    std::string text = inBf16;
    for (size_t at;
         isF16 && !isF8 && (at = text.find("bf16")) != std::string::npos;) {
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
      out.isF8 = isF8;
      if (isSplit) {
        out.s = symbol(3);
      }
      return out;
    }
  }
  return *misfit;
}

} // namespace girih::hopper
