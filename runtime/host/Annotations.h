// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Attributes of clang by which `-Wconsumed` finds the use of a value after it
/// was moved. Other compilers see nothing, and the ledger finds it at run time.

#ifndef GIRIH_RUNTIME_HOST_ANNOTATIONS_H
#define GIRIH_RUNTIME_HOST_ANNOTATIONS_H

#if defined(__clang__)
/// A class whose values can be consumed.
#define GIRIH_CONSUMABLE __attribute__((consumable(unconsumed)))
/// A constructor or function whose value is whole.
#define GIRIH_WHOLE __attribute__((return_typestate(unconsumed)))
/// A method for values that are whole.
#define GIRIH_USES __attribute__((callable_when("unconsumed")))
/// A method that takes all that the value has.
#define GIRIH_CONSUMES                                                         \
  __attribute__((callable_when("unconsumed"), set_typestate(consumed)))
#else
#define GIRIH_CONSUMABLE
#define GIRIH_WHOLE
#define GIRIH_USES
#define GIRIH_CONSUMES
#endif

#endif // GIRIH_RUNTIME_HOST_ANNOTATIONS_H
