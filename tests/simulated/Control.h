// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How tests steer the simulated driver and read what it found. The functions
// are those of its libcuda.so.1, which the runtime opens by name: take them
// with `simulated()` of Artefacts.h, or with dlsym.

#ifndef GIRIH_TESTS_SIMULATED_CONTROL_H
#define GIRIH_TESTS_SIMULATED_CONTROL_H

#include <cstddef>
#include <cstdint>

/// Every function of the control interface: result, name, parameters.
#define GIRIH_SIMULATED_FUNCTIONS(F)                                           \
  /* Ends all work (gates open), frees everything, forgets errors, faults, */  \
  /* counts and handles, and starts again with this seed. */                   \
  F(void, simReset, (uint64_t seed))                                           \
  /* The seed in use: of simReset, or of GIRIH_SIM_SEED in the environment. */ \
  F(uint64_t, simSeed, ())                                                     \
  /* Longest random delay before one piece of work; 0 for none. */             \
  F(void, simDelay, (unsigned microseconds))                                   \
  /* The n-th call of a function from now on fails, 1 is the next one. The */  \
  /* name is without suffix: cuMemAllocAsync; "*" is any function. */          \
  F(void, simFailCall, (const char *name, int n, int error))                   \
  /* Each call fails with this probability. */                                 \
  F(void, simFailRandomly, (double probability, int error))                    \
  /* What was asked to fail and has not does not any more. */                  \
  F(void, simStopFailing, ())                                                  \
  /* A function that neither "*" nor chance makes fail. */                     \
  F(void, simSpare, (const char *name))                                        \
  /* The n-th piece of work from now on fails as it runs: the error poisons */ \
  /* its context and surfaces at a later call. */                              \
  F(void, simFailWork, (int n, int error))                                     \
  /* Bytes of memory of a device, all told. */                                 \
  F(void, simMemoryLimit, (int device, uint64_t bytes))                        \
  /* How many devices there are, at most 4; two when the driver starts. */     \
  F(void, simDevices, (int count))                                             \
  /* Whether devices reach each other's memory; they do when it starts. */     \
  F(void, simPeers, (int reach))                                               \
  /* Kernels marked `gated` wait until gates are open. They start closed. */   \
  F(void, simOpenGates, ())                                                    \
  F(void, simCloseGates, ())                                                   \
  /* Calls of a function since the reset, of any for "*"; refused included. */ \
  F(int, simCalls, (const char *name))                                         \
  /* Calls that returned an error other than CUDA_ERROR_NOT_READY. */          \
  F(int, simFailedCalls, ())                                                   \
  /* Memory that is allocated and not freed, in the order of the calls. */     \
  F(uint64_t, simLiveBytes, (int device))                                      \
  F(int, simLiveAllocations, (int device))                                     \
  /* Streams, events, graphs, executables, modules that were not destroyed. */ \
  F(int, simLiveHandles, ())                                                   \
  /* Work queued that is not done, and work done. */                           \
  F(int, simOutstanding, ())                                                   \
  F(int, simDone, ())                                                          \
  /* Mistakes of the program: `race: ...`, `use after free: ...`. */           \
  F(int, simErrors, ())                                                        \
  F(const char *, simError, (int number))                                      \
  /* Adds `leak: ...` for what is live now, of contexts without errors. */     \
  F(int, simFindLeaks, ())                                                     \
  /* What device memory holds, whatever is queued; 0 when it did. */           \
  F(int, simPeek, (uint64_t address, void *to, size_t bytes))

#define GIRIH_SIMULATED_DECLARE(result, name, parameters)                      \
  extern "C" result name parameters;
GIRIH_SIMULATED_FUNCTIONS(GIRIH_SIMULATED_DECLARE)
#undef GIRIH_SIMULATED_DECLARE

#endif // GIRIH_TESTS_SIMULATED_CONTROL_H
