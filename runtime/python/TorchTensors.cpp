// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two ways to read a tensor. Torch since 2.10 has the C functions of DLPack's
// exchange API, which fill in a struct; before, its attributes are asked, by
// names and methods that are looked up once.

#include "TorchTensors.h"

#include "host/DLPackAbi.h"

#include <cstring>
#include <iterator>

namespace girih {

namespace {

//===-- DLPack 1.3, dlpack.h: the exchange API ------------------------===//

struct DLExchange {
  uint32_t major, minor;
  const DLExchange *previous;
  void *allocate, *managedFromObject, *managedToObject;
  int (*viewObject)(void *object, dlpack::Tensor *view);
  int (*currentStream)(int32_t deviceType, int32_t device, void **stream);
};
//===-- Elements ---------------------------------------------------------===//

/// Torch's names, and DLPack's numbers, of the elements that kernels have.
struct ElementRow {
  const char *name, *torch;
  uint8_t code, bits;
};
constexpr ElementRow elements[] = {
    {"i1", "torch.bool", 6, 8},
    {"i8", "torch.int8", 0, 8},
    {"i16", "torch.int16", 0, 16},
    {"i32", "torch.int32", 0, 32},
    {"i64", "torch.int64", 0, 64},
    {"f16", "torch.float16", 2, 16},
    {"bf16", "torch.bfloat16", 4, 16},
    {"f32", "torch.float32", 2, 32},
    {"f64", "torch.float64", 2, 64},
    {"f8E4M3FN", "torch.float8_e4m3fn", 10, 8},
    {"f8E5M2", "torch.float8_e5m2", 12, 8},
    {"f8E8M0FNU", "torch.float8_e8m0fnu", 14, 8},
};

const char *elementOf(dlpack::DataType type) {
  for (const ElementRow &row : elements) {
    if (row.code == type.code && row.bits == type.bits && type.lanes == 1) {
      return row.name;
    }
  }
  return nullptr;
}

//===-- Torch ------------------------------------------------------------===//

/// What is looked up once for a torch module.
struct Torch {
  Ref module, tensor, parameter, strided;
  Ref isNeg, isConj, isInference, dataPtr, stride; ///< methods of the class
  Ref isGradEnabled, incrementVersion;
  Ref incrementVersions; ///< of an iterable; null if torch has none
  Ref rawStream;         ///< null if torch has none
  Ref currentStream;     ///< torch.cuda's
  Ref types;             ///< elements by torch's types, as numbers
  const DLExchange *exchange = nullptr;
};
// Never destroyed: Python may be gone by then.
Torch &torch = *new Torch;

/// An attribute's name, made once.
struct Name {
  PyObject *object = nullptr;
  const char *text;

  explicit Name(const char *text) : text(text) {}
  PyObject *get() {
    return object ? object : (object = PyUnicode_InternFromString(text));
  }
};
Name isCuda("is_cuda"), layoutName("layout"), shapeName("shape"),
    dtypeName("dtype"), deviceName("device"), indexName("index"),
    requiresGrad("requires_grad"), cudaStream("cuda_stream"),
    torchName("torch");

Ref attribute(PyObject *object, Name &name) {
  return Ref(PyObject_GetAttr(object, name.get()));
}
Ref attribute(PyObject *object, const char *name) {
  return Ref(object ? PyObject_GetAttrString(object, name) : nullptr);
}
Ref call(const Ref &function, PyObject *argument) {
  return Ref(PyObject_Vectorcall(function.get(), &argument, 1, nullptr));
}

/// A method of a class that takes no argument, called on an instance. What C
/// has written is called as it is, without the interpreter's way to it.
Ref callMethod(const Ref &method, PyObject *self) {
  if (Py_IS_TYPE(method.get(), &PyMethodDescr_Type)) {
    auto *described = reinterpret_cast<PyMethodDescrObject *>(method.get());
    if (described->d_method->ml_flags == METH_NOARGS &&
        PyObject_TypeCheck(self, described->d_common.d_type)) {
      return Ref(described->d_method->ml_meth(self, nullptr));
    }
  }
  return call(method, self);
}

/// The table of DLPack's exchange API, of a major version that is known.
const DLExchange *exchangeOf(PyObject *tensor) {
  Ref capsule = attribute(tensor, "__dlpack_c_exchange_api__");
  if (!capsule || !PyCapsule_IsValid(capsule.get(), "dlpack_exchange_api")) {
    PyErr_Clear();
    return nullptr;
  }
  auto *api = static_cast<const DLExchange *>(
      PyCapsule_GetPointer(capsule.get(), "dlpack_exchange_api"));
  while (api && api->major != 1) {
    api = api->previous;
  }
  return api && api->viewObject && api->currentStream ? api : nullptr;
}

/// A null reference where the torch at hand has no such thing.
bool readTorch(PyObject *module) {
  Torch t;
  Ref autograd = attribute(module, "autograd"),
      cuda = attribute(module, "cuda");
  Ref graph = attribute(autograd.get(), "graph");
  t.tensor = attribute(module, "Tensor");
  t.strided = attribute(module, "strided");
  for (auto [method, name] :
       {std::pair{&t.isNeg, "is_neg"}, std::pair{&t.isConj, "is_conj"},
        std::pair{&t.isInference, "is_inference"},
        std::pair{&t.dataPtr, "data_ptr"}, std::pair{&t.stride, "stride"}}) {
    *method = attribute(t.tensor.get(), name);
    if (!*method) {
      return false;
    }
  }
  t.isGradEnabled = attribute(module, "is_grad_enabled");
  t.incrementVersion = attribute(graph.get(), "increment_version");
  t.currentStream = attribute(cuda.get(), "current_stream");
  t.types = Ref(PyDict_New());
  if (!t.strided || !t.isGradEnabled || !t.incrementVersion ||
      !t.currentStream || !t.types || !PyType_Check(t.tensor.get())) {
    return false;
  }
  Ref nn = attribute(module, "nn");
  t.parameter = attribute(nn.get(), "Parameter");
  Ref internals = attribute(module, "_C");
  t.rawStream = attribute(internals.get(), "_cuda_getCurrentRawStream");
  t.incrementVersions = attribute(internals.get(), "_increment_version");
  PyErr_Clear();
  t.exchange = exchangeOf(t.tensor.get());
  Py_INCREF(module);
  t.module = Ref(module);
  torch = std::move(t);
  return true;
}

/// The element of torch's type, by its name the first time.
const char *elementOf(PyObject *type) {
  PyObject *known = PyDict_GetItemWithError(torch.types.get(), type);
  if (known) {
    return elements[PyLong_AsLong(known)].name;
  }
  Ref text(PyErr_Occurred() ? nullptr : PyObject_Str(type));
  const char *name = text ? PyUnicode_AsUTF8(text.get()) : nullptr;
  for (const ElementRow &row : elements) {
    if (name && std::strcmp(name, row.torch) == 0) {
      Ref number(PyLong_FromLong(&row - elements));
      bool kept =
          number && PyDict_SetItem(torch.types.get(), type, number.get()) == 0;
      return kept ? row.name : nullptr;
    }
  }
  return nullptr;
}

bool isFalse(const Ref &value) { return value.get() == Py_False; }

/// A tuple of exact integers.
const int64_t *integers(const Ref &tuple, size_t &count, Numbers &numbers) {
  if (!tuple || !PyTuple_Check(tuple.get())) {
    return nullptr;
  }
  count = static_cast<size_t>(PyTuple_GET_SIZE(tuple.get()));
  int64_t *list = numbers.take(count);
  for (size_t k = 0; list && k < count; ++k) {
    if (!exactInteger(PyTuple_GET_ITEM(tuple.get(), static_cast<Py_ssize_t>(k)),
                      list[k])) {
      return nullptr;
    }
  }
  return list;
}

/// Fails for what has no memory of its own: sparse and batched tensors.
bool viewThroughExchange(PyObject *tensor, Numbers &numbers, TensorView &view) {
  dlpack::Tensor seen{};
  if (torch.exchange->viewObject(tensor, &seen) != 0 ||
      seen.device.type != dlpack::cuda || seen.ndim < 0) {
    return false;
  }
  view.element = elementOf(seen.dtype);
  view.address = reinterpret_cast<uint64_t>(seen.data) + seen.byteOffset;
  view.rank = static_cast<size_t>(seen.ndim);
  view.device = seen.device.id;
  // The struct points into the tensor, which other threads may change later.
  int64_t *extents = numbers.take(view.rank);
  int64_t *strides = numbers.take(view.rank);
  if (!view.element || !extents || !strides ||
      (view.rank != 0 && (!seen.shape || !seen.strides))) {
    return false;
  }
  for (size_t k = 0; k < view.rank; ++k) {
    extents[k] = seen.shape[k];
    strides[k] = seen.strides[k];
  }
  view.extents = extents;
  view.strides = strides;
  // Complex tensors alone are conjugated lazily, and no kernel takes those.
  return isFalse(callMethod(torch.isNeg, tensor));
}

bool viewThroughAttributes(PyObject *tensor, Numbers &numbers,
                           TensorView &view) {
  if (attribute(tensor, isCuda).get() != Py_True ||
      attribute(tensor, layoutName).get() != torch.strided.get() ||
      !isFalse(callMethod(torch.isNeg, tensor)) ||
      !isFalse(callMethod(torch.isConj, tensor))) {
    return false;
  }
  Ref address = callMethod(torch.dataPtr, tensor);
  if (!address || !exactAddress(address.get(), view.address)) {
    return false;
  }
  size_t rank = 0;
  view.extents = integers(attribute(tensor, shapeName), view.rank, numbers);
  view.strides = integers(call(torch.stride, tensor), rank, numbers);
  Ref type = attribute(tensor, dtypeName);
  view.element = type ? elementOf(type.get()) : nullptr;
  Ref device = attribute(tensor, deviceName);
  Ref index = device ? attribute(device.get(), indexName) : Ref();
  int64_t number = -1;
  if (!view.extents || !view.strides || rank != view.rank || !view.element ||
      !index || !exactInteger(index.get(), number) || number < 0 ||
      number > INT32_MAX) {
    return false;
  }
  view.device = static_cast<int>(number);
  return true;
}

/// The answer of a function that may have left a Python error.
bool withoutError(bool answer) {
  if (!answer) {
    PyErr_Clear();
  }
  return answer;
}

} // namespace

bool exactInteger(PyObject *value, int64_t &number) {
  int overflow = 0;
  if (!PyLong_CheckExact(value)) {
    return false;
  }
  number = PyLong_AsLongLongAndOverflow(value, &overflow);
  return overflow == 0;
}

bool exactAddress(PyObject *value, uint64_t &number) {
  if (!PyLong_CheckExact(value)) {
    return false;
  }
  number = PyLong_AsUnsignedLongLong(value);
  return withoutError(number != ~uint64_t(0) || !PyErr_Occurred());
}

const char *elementOfView(PyObject *name) {
  for (const ElementRow &row : elements) {
    if (PyUnicode_Check(name) &&
        PyUnicode_CompareWithASCIIString(name, row.name) == 0) {
      return row.name;
    }
  }
  return nullptr;
}

bool findTorch() {
  PyObject *module =
      PyDict_GetItemWithError(PyImport_GetModuleDict(), torchName.get());
  return withoutError(module &&
                      (module == torch.module.get() || readTorch(module)));
}

bool isTorchTensor(PyObject *value) {
  auto *type = reinterpret_cast<PyObject *>(Py_TYPE(value));
  return type == torch.tensor.get() || type == torch.parameter.get();
}

bool viewTensor(PyObject *tensor, Numbers &numbers, TensorView &view) {
  return withoutError(torch.exchange
                          ? viewThroughExchange(tensor, numbers, view)
                          : viewThroughAttributes(tensor, numbers, view));
}

bool mayBeWritten(PyObject *tensor) {
  return withoutError(
      isFalse(attribute(tensor, requiresGrad)) ||
      isFalse(Ref(PyObject_CallNoArgs(torch.isGradEnabled.get()))));
}

bool currentStream(int device, void *&stream) {
  if (torch.exchange) {
    return withoutError(
        torch.exchange->currentStream(dlpack::cuda, device, &stream) == 0);
  }
  Ref number(PyLong_FromLong(device));
  if (!number) {
    return withoutError(false);
  }
  Ref handle;
  if (torch.rawStream) {
    handle = call(torch.rawStream, number.get());
  } else if (Ref current = call(torch.currentStream, number.get())) {
    handle = attribute(current.get(), cudaStream);
  }
  uint64_t address = 0;
  if (!handle || !exactAddress(handle.get(), address)) {
    return withoutError(false);
  }
  stream = reinterpret_cast<void *>(address);
  return true;
}

static bool tellWrittenOne(PyObject *tensor) {
  // Tensors of inference mode are in no backward pass and have no version.
  Ref inference = callMethod(torch.isInference, tensor);
  if (inference.get() == Py_True) {
    return true;
  }
  return inference && call(torch.incrementVersion, tensor);
}

bool tellWritten(PyObject *const *tensors, size_t count) {
  if (count == 0) {
    return true;
  }
  if (torch.incrementVersions) {
    Ref all(PyTuple_New(static_cast<Py_ssize_t>(count)));
    for (size_t k = 0; all && k < count; ++k) {
      PyTuple_SET_ITEM(all.get(), static_cast<Py_ssize_t>(k),
                       Py_NewRef(tensors[k]));
    }
    if (all && call(torch.incrementVersions, all.get())) {
      return true;
    }
    // One of them has no version, or this torch takes a tensor there. A version
    // that has grown twice says the same.
    PyErr_Clear();
  }
  for (size_t k = 0; k < count; ++k) {
    if (!tellWrittenOne(tensors[k])) {
      return false;
    }
  }
  return true;
}

} // namespace girih
