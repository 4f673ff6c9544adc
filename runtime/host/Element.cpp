// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/host/Element.h"

#include "runtime/artefact/Element.h"

namespace girih::detail {

// Both lists have one order.
static_assert(int(Element::I1) == int(runtime::Element::I1) &&
              int(Element::I64) == int(runtime::Element::I64) &&
              int(Element::F16) == int(runtime::Element::F16) &&
              int(Element::F64) == int(runtime::Element::F64) &&
              int(Element::F4E2M1FN) == int(runtime::Element::F4E2M1FN));

uint64_t roundTo(Element element, double number) {
  return runtime::bitsOf(runtime::Element(element), number);
}

double numberAt(Element element, const void *bits) {
  return runtime::floatAt(runtime::Element(element), bits);
}

} // namespace girih::detail
