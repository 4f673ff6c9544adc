// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// girih._launch: what is called of Kernel and Launch in girih/launch.py, in C.
// Where every argument is a plain torch tensor on a GPU, a float or an int, the
// call goes to libgirih_runtime.so from here. All else goes to the method
// `_call_slowly`, which says what is wrong, if anything is: no rule on
// arguments is written twice, only what surely keeps them all is recognised.

#include "TorchTensors.h"

#include "girih.h"

#include <structmember.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

namespace girih {

namespace {

PyObject *slowName, *tensorName, *evidenceName;

/// Raises girih.Refused with the library's reason.
PyObject *refuse(int code) {
  const char *reason = girih_error();
  Ref text(
      PyUnicode_DecodeUTF8(reason, Py_ssize_t(std::strlen(reason)), "replace"));
  Ref errors(PyImport_ImportModule("girih.errors"));
  Ref type(errors ? PyObject_GetAttrString(errors.get(), "Refused") : nullptr);
  Ref error(type && text
                ? PyObject_CallFunction(type.get(), "iO", code, text.get())
                : nullptr);
  if (error) {
    PyErr_SetObject(type.get(), error.get());
  }
  return nullptr;
}

PyObject *callSlowly(PyObject *self, PyObject *const *arguments, size_t count,
                     PyObject *names) {
  Ref method(PyObject_GetAttr(self, slowName));
  return method ? PyObject_Vectorcall(
                      method.get(), arguments,
                      static_cast<size_t>(PyVectorcall_NARGS(count)), names)
                : nullptr;
}

//===-- Kernel -----------------------------------------------------------===//

enum class Kind : uint8_t { Tensor, Scalar, Symbol };

/// An argument or a symbol of the kernel.
struct Slot {
  Ref name;
  std::string text;
  Kind kind;
  bool written = false;
};

/// Most calls have fewer; the others go the slow way.
constexpr size_t maxSlots = 64;

/// What is known of a kernel once it is ready.
struct KernelSlots {
  girih_kernel *kernel = nullptr;
  std::vector<Slot> slots;
  /// girih.launch._Known, and the evidence of what is vouched for.
  Ref known;
  long vouched = 0;
};

/// The slots of the names of a call, in the call's order.
struct CallOrder {
  Ref names;
  std::vector<const Slot *> slots;
};

/// Torch may let other threads run while it is asked, so that a call holds what
/// it uses of these.
struct KernelState {
  std::shared_ptr<const KernelSlots> kernel;
  /// Of the last call: in one place of a program the names are one tuple.
  std::shared_ptr<const CallOrder> order;
};

struct KernelObject {
  PyObject_HEAD vectorcallfunc vectorcall;
  KernelState *state;
};

/// The order of these names, or null where one is unknown.
std::shared_ptr<const CallOrder> findOrder(KernelState &state,
                                           PyObject *names) {
  if (state.order && state.order->names.get() == names) {
    return state.order;
  }
  auto order = std::make_shared<CallOrder>();
  for (Py_ssize_t k = 0; k < PyTuple_GET_SIZE(names); ++k) {
    PyObject *name = PyTuple_GET_ITEM(names, k);
    const Slot *found = nullptr;
    for (const Slot &slot : state.kernel->slots) {
      if (slot.name.get() == name ||
          PyUnicode_Compare(slot.name.get(), name) == 0) {
        found = &slot;
        break;
      }
    }
    if (!found) {
      PyErr_Clear();
      return nullptr;
    }
    order->slots.push_back(found);
  }
  order->names = Ref(Py_NewRef(names));
  return state.order = std::move(order);
}

/// What a call hands to the library.
struct CallLists {
  Numbers numbers;
  std::array<girih_argument, maxSlots> arguments;
  std::array<girih_symbol, maxSlots> symbols;
  /// Owned: what is vouched for is in an object that others may change.
  std::array<PyObject *, maxSlots> tensors;
  std::array<bool, maxSlots> written;
  size_t argumentCount = 0, symbolCount = 0, tensorCount = 0;
  int device = -1; ///< of the tensors so far

  CallLists() = default;
  CallLists(const CallLists &) = delete;
  CallLists &operator=(const CallLists &) = delete;
  ~CallLists() {
    for (size_t k = 0; k < tensorCount; ++k) {
      Py_DECREF(tensors[k]);
    }
  }
};

bool addTensor(const KernelSlots &kernel, const Slot &slot, PyObject *value,
               CallLists &lists) {
  int evidence = GIRIH_NOTHING;
  Ref tensor(Py_NewRef(value));
  if (reinterpret_cast<PyObject *>(Py_TYPE(value)) == kernel.known.get()) {
    Ref given(PyObject_GetAttr(value, evidenceName));
    tensor = Ref(PyObject_GetAttr(value, tensorName));
    int64_t number = 0;
    if (!given || !tensor || !exactInteger(given.get(), number) ||
        number != kernel.vouched) {
      PyErr_Clear();
      return false;
    }
    evidence = GIRIH_VOUCHED;
    value = tensor.get();
  }
  lists.tensors[lists.tensorCount] = Py_NewRef(value);
  lists.written[lists.tensorCount++] = slot.written;
  TensorView view;
  if (!isTorchTensor(value) || !viewTensor(value, lists.numbers, view) ||
      (lists.device >= 0 && view.device != lists.device) ||
      (slot.written && !mayBeWritten(value))) {
    return false;
  }
  lists.device = view.device;
  lists.arguments[lists.argumentCount++] = {slot.text.c_str(),
                                            view.element,
                                            view.address,
                                            view.rank,
                                            view.extents,
                                            view.strides,
                                            0,
                                            evidence,
                                            nullptr};
  return true;
}

/// A double as it is, or an int that is one.
bool addScalar(const Slot &slot, PyObject *value, CallLists &lists) {
  constexpr int64_t limit = int64_t(1) << 53;
  double number = 0;
  int64_t integer = 0;
  if (PyFloat_CheckExact(value)) {
    number = PyFloat_AS_DOUBLE(value);
  } else if (exactInteger(value, integer) && -limit <= integer &&
             integer <= limit) {
    number = static_cast<double>(integer);
  } else {
    return false;
  }
  lists.arguments[lists.argumentCount++] = {
      slot.text.c_str(), nullptr, 0, 0, nullptr, nullptr, number, 0, nullptr};
  return true;
}

/// Tensors come before scalars, as in girih/launch.py.
bool addAll(const KernelSlots &kernel, const std::vector<const Slot *> &order,
            PyObject *const *values, CallLists &lists) {
  for (size_t k = 0; k < order.size(); ++k) {
    if (order[k]->kind == Kind::Tensor &&
        !addTensor(kernel, *order[k], values[k], lists)) {
      return false;
    }
  }
  for (size_t k = 0; k < order.size(); ++k) {
    const Slot &slot = *order[k];
    if (slot.kind == Kind::Scalar && !addScalar(slot, values[k], lists)) {
      return false;
    }
    if (slot.kind == Kind::Symbol) {
      girih_symbol &symbol = lists.symbols[lists.symbolCount++];
      symbol.name = slot.text.c_str();
      if (!exactInteger(values[k], symbol.value)) {
        return false;
      }
    }
  }
  return lists.device >= 0;
}

PyObject *callKernel(PyObject *self, PyObject *const *arguments, size_t flagged,
                     PyObject *names) {
  KernelState &state = *reinterpret_cast<KernelObject *>(self)->state;
  std::shared_ptr<const KernelSlots> kernel = state.kernel;
  std::shared_ptr<const CallOrder> order;
  if (kernel && PyVectorcall_NARGS(flagged) == 0 && names &&
      PyTuple_GET_SIZE(names) <= Py_ssize_t(maxSlots) && findTorch()) {
    order = findOrder(state, names);
  }
  CallLists lists;
  void *stream = nullptr;
  if (!order || !addAll(*kernel, order->slots, arguments, lists) ||
      !currentStream(lists.device, stream)) {
    return callSlowly(self, arguments, flagged, names);
  }
  int code = 0;
  Py_BEGIN_ALLOW_THREADS;
  code = girih_call(kernel->kernel, lists.arguments.data(), lists.argumentCount,
                    lists.symbols.data(), lists.symbolCount, stream);
  Py_END_ALLOW_THREADS;
  if (code) {
    return refuse(code);
  }
  std::array<PyObject *, maxSlots> written;
  size_t count = 0;
  for (size_t k = 0; k < lists.tensorCount; ++k) {
    if (lists.written[k]) {
      written[count++] = lists.tensors[k];
    }
  }
  if (!tellWritten(written.data(), count)) {
    return nullptr;
  }
  Py_RETURN_NONE;
}

/// _ready(handle, [(name, mode)], known, vouched): the modes are girih_mode's,
/// and -1 of a symbol.
PyObject *readyKernel(PyObject *self, PyObject *arguments) {
  unsigned long long handle = 0;
  PyObject *names = nullptr, *known = nullptr;
  long vouched = 0;
  if (!PyArg_ParseTuple(arguments, "KO!Ol", &handle, &PyList_Type, &names,
                        &known, &vouched)) {
    return nullptr;
  }
  auto kernel = std::make_shared<KernelSlots>();
  kernel->kernel = reinterpret_cast<girih_kernel *>(handle);
  for (Py_ssize_t k = 0; k < PyList_GET_SIZE(names); ++k) {
    PyObject *name = nullptr;
    int mode = 0;
    if (!PyArg_ParseTuple(PyList_GET_ITEM(names, k), "Ui", &name, &mode)) {
      return nullptr;
    }
    const char *text = PyUnicode_AsUTF8(name);
    if (!text) {
      return nullptr;
    }
    // Of the same library as ctypes has, or the handle would be a stranger's.
    if (girih_mode(kernel->kernel, text) != mode) {
      Py_RETURN_NONE;
    }
    Kind kind = mode < 0    ? Kind::Symbol
                : mode == 3 ? Kind::Scalar
                            : Kind::Tensor;
    // As the names of a call are.
    kernel->slots.push_back({Ref(PyUnicode_InternFromString(text)), text, kind,
                             mode == 1 || mode == 2});
    if (!kernel->slots.back().name) {
      return nullptr;
    }
  }
  kernel->known = Ref(Py_NewRef(known));
  kernel->vouched = vouched;
  *reinterpret_cast<KernelObject *>(self)->state = {std::move(kernel), nullptr};
  Py_RETURN_NONE;
}

//===-- Launch -----------------------------------------------------------===//

/// A tensor as it was prepared.
struct PreparedTensor {
  Ref tensor;
  bool written = false;
  const char *element = nullptr;
  uint64_t address = 0;
  std::vector<int64_t> extents, strides;
};

struct ReadyLaunch {
  girih_launch *launch = nullptr;
  int device = 0;
  std::vector<PreparedTensor> tensors;
  std::vector<PyObject *> written; ///< of the tensors
};
using LaunchState = std::shared_ptr<const ReadyLaunch>;

struct LaunchObject {
  PyObject_HEAD vectorcallfunc vectorcall;
  LaunchState *state;
};

/// Whether a tensor is what was prepared.
bool isUnchanged(const PreparedTensor &then, int device) {
  Numbers numbers;
  TensorView now;
  return viewTensor(then.tensor.get(), numbers, now) &&
         now.address == then.address && now.element == then.element &&
         now.device == device && now.rank == then.extents.size() &&
         std::equal(then.extents.begin(), then.extents.end(), now.extents) &&
         std::equal(then.strides.begin(), then.strides.end(), now.strides) &&
         (!then.written || mayBeWritten(then.tensor.get()));
}

/// Torch's current stream, given or not. Of another one torch's allocator is
/// told in girih/launch.py.
bool streamOf(const ReadyLaunch &launch, PyObject *const *arguments,
              size_t count, PyObject *names, void *&stream) {
  Py_ssize_t positional = PyVectorcall_NARGS(count);
  if (names && PyTuple_GET_SIZE(names) != 0) {
    return false;
  }
  if (positional == 0 || (positional == 1 && arguments[0] == Py_None)) {
    return currentStream(launch.device, stream);
  }
  uint64_t handle = 0;
  return positional == 1 && exactAddress(arguments[0], handle) &&
         currentStream(launch.device, stream) &&
         reinterpret_cast<uint64_t>(stream) == handle;
}

PyObject *callLaunch(PyObject *self, PyObject *const *arguments, size_t count,
                     PyObject *names) {
  LaunchState launch = *reinterpret_cast<LaunchObject *>(self)->state;
  void *stream = nullptr;
  bool fast = launch && findTorch() &&
              streamOf(*launch, arguments, count, names, stream);
  for (size_t k = 0; fast && k < launch->tensors.size(); ++k) {
    fast = isUnchanged(launch->tensors[k], launch->device);
  }
  if (!fast) {
    return callSlowly(self, arguments, count, names);
  }
  int code = 0;
  Py_BEGIN_ALLOW_THREADS;
  code = girih_run(launch->launch, stream);
  Py_END_ALLOW_THREADS;
  if (code) {
    return refuse(code);
  }
  if (!tellWritten(launch->written.data(), launch->written.size())) {
    return nullptr;
  }
  Py_RETURN_NONE;
}

/// A list of numbers from a tuple; false without a Python error where they are
/// others than exact integers.
bool numbersOf(PyObject *tuple, std::vector<int64_t> &numbers) {
  for (Py_ssize_t k = 0; k < PyTuple_GET_SIZE(tuple); ++k) {
    int64_t number = 0;
    if (!exactInteger(PyTuple_GET_ITEM(tuple, k), number)) {
      return false;
    }
    numbers.push_back(number);
  }
  return true;
}

/// _ready(handle, device, [(tensor, written, element, address, shape,
/// strides)]), as they were when they were checked.
PyObject *readyLaunch(PyObject *self, PyObject *arguments) {
  unsigned long long handle = 0;
  PyObject *tensors = nullptr, *index = nullptr;
  if (!PyArg_ParseTuple(arguments, "KOO!", &handle, &index, &PyList_Type,
                        &tensors)) {
    return nullptr;
  }
  auto launch = std::make_shared<ReadyLaunch>();
  int64_t device = 0;
  if (!findTorch() || !exactInteger(index, device)) {
    Py_RETURN_NONE;
  }
  launch->device = static_cast<int>(device);
  for (Py_ssize_t k = 0; k < PyList_GET_SIZE(tensors); ++k) {
    PyObject *tensor = nullptr, *element = nullptr, *address = nullptr,
             *shape = nullptr, *strides = nullptr;
    int written = 0;
    if (!PyArg_ParseTuple(PyList_GET_ITEM(tensors, k), "OpUOO!O!", &tensor,
                          &written, &element, &address, &PyTuple_Type, &shape,
                          &PyTuple_Type, &strides)) {
      return nullptr;
    }
    PreparedTensor prepared;
    prepared.written = written != 0;
    prepared.element = elementOfView(element);
    if (!isTorchTensor(tensor) || !prepared.element ||
        !exactAddress(address, prepared.address) ||
        !numbersOf(shape, prepared.extents) ||
        !numbersOf(strides, prepared.strides)) {
      Py_RETURN_NONE;
    }
    prepared.tensor = Ref(Py_NewRef(tensor));
    if (prepared.written) {
      launch->written.push_back(tensor);
    }
    launch->tensors.push_back(std::move(prepared));
  }
  launch->launch = reinterpret_cast<girih_launch *>(handle);
  *reinterpret_cast<LaunchObject *>(self)->state = std::move(launch);
  Py_RETURN_NONE;
}

//===-- The types --------------------------------------------------------===//

template <typename Object, typename State, vectorcallfunc function>
PyObject *make(PyTypeObject *type, PyObject *, PyObject *) {
  auto *self = reinterpret_cast<Object *>(type->tp_alloc(type, 0));
  if (self) {
    self->vectorcall = function;
    self->state = new State;
  }
  return reinterpret_cast<PyObject *>(self);
}

template <typename Object> void destroy(PyObject *self) {
  PyTypeObject *type = Py_TYPE(self);
  PyObject_GC_UnTrack(self);
  delete reinterpret_cast<Object *>(self)->state;
  type->tp_free(self);
  Py_DECREF(type);
}

int traverseKernel(PyObject *self, visitproc visit, void *arg) {
  Py_VISIT(Py_TYPE(self));
  KernelState &state = *reinterpret_cast<KernelObject *>(self)->state;
  if (state.kernel) {
    Py_VISIT(state.kernel->known.get());
  }
  return 0;
}

int traverseLaunch(PyObject *self, visitproc visit, void *arg) {
  Py_VISIT(Py_TYPE(self));
  const LaunchState &state = *reinterpret_cast<LaunchObject *>(self)->state;
  for (size_t k = 0; state && k < state->tensors.size(); ++k) {
    Py_VISIT(state->tensors[k].tensor.get());
  }
  return 0;
}

template <typename Object, typename State> int clear(PyObject *self) {
  *reinterpret_cast<Object *>(self)->state = State();
  return 0;
}

template <typename Object> PyMemberDef *members() {
  static PyMemberDef list[] = {
      {"__vectorcalloffset__", T_PYSSIZET,
       static_cast<Py_ssize_t>(offsetof(Object, vectorcall)), READONLY,
       nullptr},
      {nullptr, 0, 0, 0, nullptr}};
  return list;
}

PyMethodDef kernelMethods[] = {
    {"_ready", readyKernel, METH_VARARGS,
     "_ready(handle, names_and_modes, known, vouched)"},
    {nullptr, nullptr, 0, nullptr}};
PyMethodDef launchMethods[] = {
    {"_ready", readyLaunch, METH_VARARGS, "_ready(handle, device, tensors)"},
    {nullptr, nullptr, 0, nullptr}};

template <typename Object, typename State, vectorcallfunc function>
bool addType(PyObject *module, const char *name, const char *doc,
             PyMethodDef *methods, traverseproc traverse) {
  PyType_Slot slots[] = {
      {Py_tp_doc, const_cast<char *>(doc)},
      {Py_tp_new, reinterpret_cast<void *>(make<Object, State, function>)},
      {Py_tp_dealloc, reinterpret_cast<void *>(destroy<Object>)},
      {Py_tp_traverse, reinterpret_cast<void *>(traverse)},
      {Py_tp_clear, reinterpret_cast<void *>(clear<Object, State>)},
      {Py_tp_call, reinterpret_cast<void *>(PyVectorcall_Call)},
      {Py_tp_methods, methods},
      {Py_tp_members, members<Object>()},
      {0, nullptr}};
  PyType_Spec spec = {name, sizeof(Object), 0,
                      Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE |
                          Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_HAVE_VECTORCALL,
                      slots};
  Ref type(PyType_FromSpec(&spec));
  return type && PyModule_AddType(
                     module, reinterpret_cast<PyTypeObject *>(type.get())) == 0;
}

PyModuleDef definition = {PyModuleDef_HEAD_INIT,
                          "girih._launch",
                          "Calls of kernels without ctypes.",
                          -1,
                          nullptr,
                          nullptr,
                          nullptr,
                          nullptr,
                          nullptr};

} // namespace
} // namespace girih

PyMODINIT_FUNC PyInit__launch() {
  using namespace girih;
  slowName = PyUnicode_InternFromString("_call_slowly");
  tensorName = PyUnicode_InternFromString("tensor");
  evidenceName = PyUnicode_InternFromString("evidence");
  Ref module(PyModule_Create(&definition));
  if (!slowName || !tensorName || !evidenceName || !module ||
      !addType<KernelObject, KernelState, callKernel>(
          module.get(), "girih._launch.CallableKernel",
          "What is called of a kernel.", kernelMethods, traverseKernel) ||
      !addType<LaunchObject, LaunchState, callLaunch>(
          module.get(), "girih._launch.CallableLaunch",
          "What is called of a launch.", launchMethods, traverseLaunch)) {
    return nullptr;
  }
  return Py_NewRef(module.get());
}
