// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A driver for tests: a library named libcuda.so.1 whose device memory is the
// host's. Of its cubins, ELF files that say how many parameters there are, it
// reads a text behind the header: `fake`, the sizes of the parameters, a
// semicolon and what the kernel does with parameters (pointer x, pointer y,
// pointer z, integer n) of z = x + y in f32:
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
//
// Threads have contexts of their own, as with the real one, and modules belong
// to contexts. All host memory counts as memory of device 0, unless `strict`.

#ifndef GIRIH_TESTS_UNIT_RUNTIME_FAKEDRIVER_H
#define GIRIH_TESTS_UNIT_RUNTIME_FAKEDRIVER_H

#include <cstdint>
#include <map>
#include <string>
#include <vector>

/// One launch, as the driver got it.
struct FakeLaunch {
  std::string entry;
  unsigned grid[3], block[3], sharedBytes;
  void *stream;
  std::vector<std::string> parameters; ///< the bytes of each
  std::map<int, int> attributes;       ///< that its function was given
};

/// Memory of which the driver knows.
struct FakeRange {
  uint64_t begin, size;
  int device;   ///< whose it is
  int type = 2; ///< 1 host, 2 device
  void *context = nullptr;
};

/// What happened since the last reset, and what is to happen.
struct FakeState {
  int calls = 0; ///< of any function but those that ask for names
  std::vector<FakeLaunch> launches;
  int modulesLoaded = 0, modulesUnloaded = 0;
  int allocations = 0, frees = 0;
  std::vector<std::string> failed; ///< calls that returned an error
  /// Functions that fail, and how.
  std::map<std::string, int> fails;

  int capturing = 0; ///< what cuStreamIsCapturing is to say
  /// Which stream is captured: all of them, or one, and then the capture is
  /// ruined by what ruins one.
  void *captured = everyStream();
  /// Whether the captured stream waits for the default stream.
  bool blocking = false;
  bool ruined = false;

  int devices = 1;
  bool strict = false; ///< memory is where something was allocated, or here:
  std::vector<FakeRange> ranges;

  static void *everyStream() { return reinterpret_cast<void *>(~uintptr_t(0)); }
};

/// Of the library; reached with dlsym, since the runtime opens it by name.
extern "C" FakeState *fakeState();
/// Contexts of a device: number 0 is the primary one.
extern "C" void *fakeContext(int device, int number);

/// For callers from other languages.
extern "C" void fakeReset();
extern "C" void fakeCapture(void *stream, int blocking);
extern "C" void fakeRange(uint64_t begin, uint64_t size, int device, int type);
extern "C" int fakeRuined();
extern "C" int fakeLaunches();
extern "C" int fakeFailed();
/// Modules that were loaded and not unloaded.
extern "C" int fakeModules();
/// The device of the current context, or -1.
extern "C" int fakeCurrent();
/// A parameter of the last launch: its first eight bytes.
extern "C" uint64_t fakeParameter(int number);
/// Allocations that were not freed, since the process began.
extern "C" int fakeLive();

#endif // GIRIH_TESTS_UNIT_RUNTIME_FAKEDRIVER_H
