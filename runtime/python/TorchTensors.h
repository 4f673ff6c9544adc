// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Torch tensors without torch's headers: plain ones on a CUDA device, of which
// girih/arguments.py would say nothing. Of all others these functions say no
// more than that they are others; Python then says what is wrong with them, if
// anything is. No function here leaves a Python error behind unless it says so.

#ifndef GIRIH_RUNTIME_PYTHON_TORCHTENSORS_H
#define GIRIH_RUNTIME_PYTHON_TORCHTENSORS_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <array>
#include <cstddef>
#include <cstdint>

namespace girih {

/// An owned reference, or null.
class Ref {
public:
  Ref() = default;
  explicit Ref(PyObject *object) : object(object) {}
  Ref(Ref &&other) noexcept : object(other.object) { other.object = nullptr; }
  Ref &operator=(Ref &&other) noexcept {
    PyObject *old = object;
    object = other.object;
    other.object = nullptr;
    Py_XDECREF(old);
    return *this;
  }
  ~Ref() { Py_XDECREF(object); }

  PyObject *get() const { return object; }
  explicit operator bool() const { return object != nullptr; }

private:
  PyObject *object = nullptr;
};

/// Extents and strides of the tensors of one call.
struct Numbers {
  std::array<int64_t, 256> all;
  size_t used = 0;

  /// Place for some more, or null.
  int64_t *take(size_t count) {
    if (count > all.size() - used) {
      return nullptr;
    }
    used += count;
    return all.data() + used - count;
  }
};

/// A tensor as the C interface has it.
struct TensorView {
  const char *element = nullptr; ///< of the table in TorchTensors.cpp
  uint64_t address = 0;
  size_t rank = 0;
  const int64_t *extents = nullptr, *strides = nullptr;
  int device = 0;
};

/// The element of that name in the form in which a TensorView has it, or null.
const char *elementOfView(PyObject *name);

/// The torch that is imported, for the length of one call; false where there is
/// none, or one that lacks what is needed here.
bool findTorch();

/// Whether it is of torch's own classes, whose elements are where they say.
bool isTorchTensor(PyObject *value);
/// What a tensor is now; false if that is not plain.
bool viewTensor(PyObject *tensor, Numbers &numbers, TensorView &view);
/// Whether torch lets a kernel write the tensor: no gradient passes through it.
bool mayBeWritten(PyObject *tensor);
/// Torch's current stream of a device.
bool currentStream(int device, void *&stream);
/// Tells torch that tensors have changed. False with a Python error.
bool tellWritten(PyObject *const *tensors, size_t count);

/// An int that is no subclass, from low to high, without a look at any method.
bool exactInteger(PyObject *value, int64_t &number);
bool exactAddress(PyObject *value, uint64_t &number);

} // namespace girih

#endif // GIRIH_RUNTIME_PYTHON_TORCHTENSORS_H
