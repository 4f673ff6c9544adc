// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The quick look at tensors against the contract itself: it admits nothing that
// the contract refuses, and every launch as most programs make them.

#include "runtime/arguments/PlannedTensors.h"
#include "tests/unit/runtime/Fixture.h"

#include <gtest/gtest.h>
#include <random>

using namespace girih::runtime;
using namespace girih::tests;

namespace {

struct Drawn {
  Manifest manifest;
  Call call;
  LaunchPlan plan;
};

using Draw = std::mt19937;
int64_t below(Draw &draw, int64_t end) {
  return std::uniform_int_distribution<int64_t>(0, end - 1)(draw);
}

/// Tensors of drawn ranks, extents and strides, one behind the other.
Drawn honest(Draw &draw) {
  static constexpr Element elements[] = {
      Element::I8, Element::BF16, Element::F32, Element::F64, Element::I4};
  Drawn drawn;
  uint64_t address = uint64_t(1) << 20;
  size_t count = static_cast<size_t>(1 + below(draw, 6));
  for (size_t k = 0; k < count; ++k) {
    Argument argument;
    argument.name = std::string(1, static_cast<char>('a' + k));
    argument.isTensor = below(draw, 8) != 0;
    argument.element = elements[below(draw, 5)];
    argument.mode = below(draw, 2) ? Mode::Shared : Mode::Out;
    argument.align = int64_t(1) << below(draw, 6);
    Layout layout;
    layout.element = argument.element;
    int64_t stride = 1;
    for (int64_t rank = below(draw, 4); rank > 0 && argument.isTensor; --rank) {
      int64_t extent = below(draw, 12) == 0 ? 0 : 1 + below(draw, 9);
      layout.extents.insert(layout.extents.begin(), extent);
      layout.strides.insert(layout.strides.begin(), stride);
      stride *= std::max<int64_t>(extent, 1) + below(draw, 3) / 2;
    }
    drawn.manifest.arguments.push_back(argument);
    drawn.plan.layouts.push_back(layout);
    drawn.call.tensors.emplace_back();
    drawn.call.scalars.emplace_back();
    if (!argument.isTensor) {
      drawn.call.scalars.back() = 1;
      continue;
    }
    drawn.call.tensors.back() =
        TensorValue{address,        layout.element, layout.extents,
                    layout.strides, Evidence::None, nullptr};
    auto bytes =
        bytesOf<uint64_t>(layout.element, static_cast<uint64_t>(layout.span()));
    address = (address + bytes + 31) / 32 * 32;
  }
  return drawn;
}

bool admits(const Drawn &drawn) {
  std::vector<TensorValue> views;
  for (const auto &tensor : drawn.call.tensors) {
    if (tensor) {
      views.push_back(
          {tensor->address, tensor->element, tensor->extents, tensor->strides});
    }
  }
  return PlannedTensors(drawn.manifest, drawn.plan)
      .admit([&](size_t k) -> const TensorValue & { return views[k]; });
}

bool isAccepted(const Drawn &drawn) {
  return !checkArguments(drawn.manifest, drawn.plan, drawn.call);
}

/// Changes one tensor; the other of two is where it may be moved to.
void change(Draw &draw, TensorValue &tensor, const TensorValue &other) {
  auto axis = [&](std::vector<int64_t> &numbers) -> int64_t & {
    return numbers[static_cast<size_t>(
        below(draw, static_cast<int64_t>(numbers.size())))];
  };
  switch (below(draw, 8)) {
  case 0:
    tensor.address += static_cast<uint64_t>(below(draw, 65)) - 32;
    break;
  case 1:
    tensor.address =
        other.address + static_cast<uint64_t>(below(draw, 33)) - 16;
    break;
  case 2:
    tensor.address = 0;
    break;
  case 3:
    tensor.address = ~uint64_t(0) - static_cast<uint64_t>(below(draw, 300));
    break;
  case 4:
    tensor.element = other.element;
    break;
  case 5:
    if (!tensor.extents.empty()) {
      axis(tensor.extents) += below(draw, 3) - 1;
    }
    break;
  case 6:
    if (!tensor.strides.empty()) {
      axis(tensor.strides) += below(draw, 3) - 1;
    }
    break;
  default:
    tensor.extents.push_back(1);
    tensor.strides.push_back(1);
  }
}

TEST(PlannedTensors, AdmitWhatTheContractAccepts) {
  constexpr int draws = 20000;
  Draw draw(20261125);
  int admitted = 0, refused = 0;
  for (int k = 0; k < draws; ++k) {
    Drawn drawn = honest(draw);
    bool isPlain =
        std::none_of(drawn.plan.layouts.begin(), drawn.plan.layouts.end(),
                     [](const Layout &layout) { return layout.empty(); });
    ASSERT_TRUE(isAccepted(drawn)) << k;
    ASSERT_EQ(admits(drawn), isPlain) << k;
    std::vector<TensorValue *> tensors;
    for (auto &tensor : drawn.call.tensors) {
      if (tensor) {
        tensors.push_back(&*tensor);
      }
    }
    if (tensors.empty()) {
      continue;
    }
    auto any = [&]() -> TensorValue & {
      return *tensors[static_cast<size_t>(
          below(draw, static_cast<int64_t>(tensors.size())))];
    };
    change(draw, any(), any());
    bool accepted = isAccepted(drawn);
    admitted += admits(drawn);
    refused += !accepted;
    ASSERT_TRUE(accepted || !admits(drawn)) << k;
  }
  // The changes are of both kinds.
  EXPECT_GT(admitted, draws / 20);
  EXPECT_GT(refused, draws / 4);
}

} // namespace
