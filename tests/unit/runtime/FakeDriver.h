// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A driver for tests: a library named libcuda.so.1 whose device memory is the
// host's. Its cubins are text: `fake`, the sizes of the parameters, a semicolon
// and what the kernel does with parameters (pointer x, pointer y, pointer z,
// integer n) of z = x + y in f32:
//
//   add      what it should
//   early    all but the last element
//   outside  one element more
//   input    also writes to x
//   fault    an error that stays, at the next synchronisation
//   crash    ends the process        hang  does not end
//   nothing  leaves memory alone, whatever the parameters
//
// or with parameters (pointer t, pointer found, integers N, P, least, most) of
// numbers of 32 bits, what a validator does:
//
//   within   leaves in found[0] the first element outside of least..most
//   sorted   leaves there the first that is above the next one
//   distinct leaves there the first that equals a later one
//   alarm    says 0, always

#ifndef GIRIH_TESTS_UNIT_RUNTIME_FAKEDRIVER_H
#define GIRIH_TESTS_UNIT_RUNTIME_FAKEDRIVER_H

#include <string>
#include <vector>

/// One launch, as the driver got it.
struct FakeLaunch {
  std::string entry;
  unsigned grid[3], block[3], sharedBytes;
  void *stream;
  std::vector<std::string> parameters; ///< the bytes of each
};

/// What happened since the last reset.
struct FakeState {
  int calls = 0; ///< of any function but those that ask for names
  std::vector<FakeLaunch> launches;
  int modulesLoaded = 0, modulesUnloaded = 0;
  int allocations = 0, frees = 0;
  int capturing = 0; ///< what cuStreamIsCapturing is to say
};

/// Of the library; reached with dlsym, since the runtime opens it by name.
extern "C" FakeState *fakeState();

#endif // GIRIH_TESTS_UNIT_RUNTIME_FAKEDRIVER_H
