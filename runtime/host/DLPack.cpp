// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tensors from and to DLPack. What is taken is given back once, when the work
// with it has run; what is given is ordered behind its uses, and before ours.

#include "runtime/host/DLPackAbi.h"
#include "runtime/host/Record.h"
#include "runtime/host/TensorState.h"

#include <fmt/format.h>

namespace girih::detail {

[[noreturn]] static void refuseExchange(const std::string &why) {
  throw RuntimeError(3, "DLPack: " + why);
}

//===-- Elements ---------------------------------------------------------===//

static dlpack::DataType typeOf(Element element, bool isUnsigned) {
  auto bits = static_cast<uint8_t>(bitsOf(element));
  switch (element) {
  case Element::I1:
    return {dlpack::codeBool, bits, 1};
  case Element::I4:
  case Element::I8:
  case Element::I16:
  case Element::I32:
  case Element::I64:
    return {isUnsigned ? dlpack::codeUInt : dlpack::codeInt, bits, 1};
  case Element::F16:
  case Element::F32:
  case Element::F64:
    return {dlpack::codeFloat, bits, 1};
  case Element::BF16:
    return {dlpack::codeBfloat, bits, 1};
  case Element::F8E4M3FN:
    return {dlpack::codeF8E4M3FN, bits, 1};
  case Element::F8E5M2:
    return {dlpack::codeF8E5M2, bits, 1};
  case Element::F8E8M0FNU:
    return {dlpack::codeF8E8M0FNU, bits, 1};
  case Element::F4E2M1FN:
    return {dlpack::codeF4E2M1FN, bits, 1};
  }
  refuseExchange("an element without a name");
}

/// Two elements of 4 bits in a byte have more than one form there.
static void refuseHalves(Element element) {
  if (bitsOf(element) < 8) {
    refuseExchange(
        fmt::format("elements of {} are not exchanged", nameOf(element)));
  }
}

//===-- From others ------------------------------------------------------===//

/// Gives back what it has, once.
namespace {
struct Taken {
  dlpack::Managed *managed = nullptr;

  ~Taken() {
    if (managed) {
      managed->deleter(managed);
    }
  }
};

/// A tensor of ours in the hands of others.
struct Exported {
  TensorState state;
  AccessMode mode;
  Stream consumer;
  dlpack::Managed managed;

  Exported(TensorState &&from, AccessMode mode, const Stream &consumer)
      : state(std::move(from)), mode(mode), consumer(consumer) {}
};
} // namespace

/// Others may use it until here, on the stream that they said.
static void giveBack(dlpack::Managed *managed) {
  std::unique_ptr<Exported> given(static_cast<Exported *>(managed->context));
  Access access(*given->state.record, given->mode);
  release({&access, 1}, given->consumer);
}

static void checkVersion(const dlpack::Managed &managed) {
  if (managed.major != dlpack::major) {
    refuseExchange(fmt::format("it has version {}.{}, not 1", managed.major,
                               managed.minor));
  }
  if (managed.flags & dlpack::paddedSubBytes) {
    refuseExchange("its elements are padded to bytes");
  }
}

TensorState fromDLPack(Element element, bool isUnsigned,
                       DLManagedTensorVersioned *handle, bool isReadOnly,
                       const Stream *behind) {
  /// As the other borders of the runtime.
  constexpr int maxRank = 64;
  auto *managed = reinterpret_cast<dlpack::Managed *>(handle);
  if (!managed) {
    refuseExchange("a null pointer");
  }
  checkVersion(*managed);
  if (!isReadOnly && managed->flags & dlpack::readOnly) {
    refuseExchange(
        "it is read-only, and a Tensor may be written: take it as a Shared");
  }
  refuseHalves(element);
  const dlpack::Tensor &tensor = managed->tensor;
  dlpack::DataType type = typeOf(element, isUnsigned);
  if (tensor.dtype.code != type.code || tensor.dtype.bits != type.bits ||
      tensor.dtype.lanes != type.lanes) {
    refuseExchange(
        fmt::format("its elements have code {}, {} bits and {} lanes; {}{} "
                    "has code {}, {} bits and 1 lane",
                    tensor.dtype.code, tensor.dtype.bits, tensor.dtype.lanes,
                    nameOf(element), isUnsigned ? " without a sign" : "",
                    type.code, type.bits));
  }
  if (tensor.device.type != dlpack::cuda &&
      tensor.device.type != dlpack::cudaManaged) {
    refuseExchange(
        fmt::format("its device is of type {}, no memory of CUDA (2, 13)",
                    tensor.device.type));
  }
  if (tensor.ndim < 0 || tensor.ndim > maxRank) {
    refuseExchange(fmt::format("{} axes", tensor.ndim));
  }
  auto rank = static_cast<size_t>(tensor.ndim);
  if (rank && !tensor.shape) {
    refuseExchange("it has no shape");
  }
  Extents extents(tensor.shape, tensor.shape + rank), strides(rank);
  checkedCount(element, extents);
  if (tensor.strides) {
    strides.assign(tensor.strides, tensor.strides + rank);
  } else {
    makeRowMajor(extents, strides);
  }
  auto address = reinterpret_cast<uint64_t>(tensor.data);
  if (tensor.byteOffset > UINT64_MAX - address) {
    refuseExchange(
        fmt::format("{} bytes behind {:#x} are beyond the last address",
                    tensor.byteOffset, address));
  }
  address += tensor.byteOffset;
  Device device = behind ? behind->device() : Device::get(tensor.device.id);
  if (device.ordinal() != tensor.device.id) {
    refuseExchange(
        fmt::format("it lies on device {}, the stream is of device {}",
                    tensor.device.id, device.ordinal()));
  }
  Stream stream = behind ? *behind : device.nextStream();
  if (managed->deleter == giveBack) {
    // One of ours comes home, with its past.
    auto *given = static_cast<Exported *>(managed->context);
    given->consumer.wait(stream.record());
    TensorState state = given->state;
    giveBack(managed);
    return state;
  }
  auto owner = std::make_shared<Taken>();
  TensorState state = makeForeign(element, address, extents, strides, owner,
                                  isReadOnly, &stream);
  // Refused, it would still be the caller's; without a deleter it always is.
  owner->managed = managed->deleter ? managed : nullptr;
  return state;
}

//===-- To others --------------------------------------------------------===//

DLManagedTensorVersioned *toDLPack(TensorState &&state, bool isUnsigned,
                                   bool isReadOnly, const Stream &consumer) {
  refuseHalves(state.element);
  dlpack::DataType type = typeOf(state.element, isUnsigned);
  AccessMode mode = isReadOnly ? AccessMode::Read : AccessMode::Write;
  auto given = std::make_unique<Exported>(std::move(state), mode, consumer);
  Access access(*given->state.record, mode);
  bool isExpected = false;
  try {
    given->state.record->expect(mode);
    isExpected = true;
    acquire({&access, 1}, consumer);
  } catch (...) {
    if (isExpected) {
      given->state.record->cancel(mode, /*marked=*/false);
    }
    state = std::move(given->state);
    throw;
  }
  release({&access, 1}, consumer);
  dlpack::Managed &managed = given->managed;
  managed.major = dlpack::major;
  managed.minor = dlpack::minor;
  managed.deleter = giveBack;
  managed.flags = isReadOnly ? dlpack::readOnly : 0;
  dlpack::Tensor &tensor = managed.tensor;
  tensor.data = reinterpret_cast<void *>(given->state.address);
  tensor.device = {dlpack::cuda, consumer.device().ordinal()};
  tensor.ndim = static_cast<int32_t>(given->state.extents.span().size());
  tensor.dtype = type;
  tensor.shape = given->state.extents.span().data();
  tensor.strides = given->state.strides.span().data();
  managed.context = given.release();
  return reinterpret_cast<DLManagedTensorVersioned *>(&managed);
}

} // namespace girih::detail
