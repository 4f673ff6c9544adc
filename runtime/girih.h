/* Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */

/** \file
 * The runtime for other languages: a few functions of C, in
 * libgirih_runtime.so.
 *
 * Errors. Functions that can fail return 0, or what tile-run would exit with: 1
 * for an artefact that is refused or a call of the driver that failed, 3 for a
 * call that this interface or the contract refuses, 77 without a GPU;
 * girih_error() has the reason. What is refused has done nothing, and a pointer
 * that was to be filled is null. A null pointer is an error wherever it is not
 * said to be allowed.
 *
 * Handles. A kernel or launch is a number, no address, and no number is given
 * twice: of one that was closed or released, or never given, or given for
 * something else, every function says so and returns 3.
 *
 * Threads. Every function may be called in any thread at any time. Calls that
 * run the same launch wait for each other, and so do those that prepare
 * launches of the same kernel; girih_call waits for no other call, except with
 * extents or symbols that are new. A handle that one thread releases while
 * another uses it lives until that use has ended.
 *
 * Contexts. A launch is of the context in which it was prepared: the thread's
 * current context, or the primary context of the first device where a thread
 * has none. If its first tensor with elements lies on another device, then of
 * that memory's context, or of that device's primary one where the driver knows
 * none. Launches run there whatever is current in the thread that runs them,
 * and the thread's own context is current again afterwards. A kernel may be
 * used in any number of contexts, and has its code in each.
 *
 * Captures. Nothing here ruins a graph that is being captured. Launches can be
 * captured, unless a tensor is GIRIH_VALIDATED. Everything on the default
 * stream is refused while a stream that waits for it is captured; waiting for
 * the whole context, girih_synchronize, is left to the caller: not while any
 * stream of it is captured.
 *
 * Preconditions that nobody can check:
 * - Pointers to host memory are right: texts end with a null, arrays have the
 *   length that is said, contents have all elements, places can be written.
 * - Device memory that was checked stays where it is until the launch has
 * ended, and for as long as a graph that recorded it is replayed.
 * - A stream is one of the driver's, is alive, and is of the launch's context.
 * - A launch has ended on the device before what it uses is freed. Its kernel's
 *   code is unloaded with the last of the kernel and its launches, except for
 *   code that a graph recorded.
 */

#ifndef GIRIH_RUNTIME_GIRIH_H
#define GIRIH_RUNTIME_GIRIH_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** An artefact that is loaded. */
typedef struct girih_kernel girih_kernel;
/** A call that was checked. */
typedef struct girih_launch girih_launch;

/** How it is known that a tensor keeps what the kernel's contract gives about
 * its contents; for tensors about which nothing is given it means nothing. */
enum {
  GIRIH_NOTHING = 0,  /**< not at all: the call is refused */
  GIRIH_CONTENTS = 1, /**< `contents` holds its elements in host memory */
  GIRIH_VOUCHED = 2,  /**< the caller says so, for as long as it is launched */
  GIRIH_VALIDATED = 3 /**< it is looked up on the device at each girih_run */
};

/** A tensor in device memory: extents and strides in elements, one an axis.
 * Both may be null with rank 0. Or, with a null `element`, a float scalar,
 * rounded to the nearest number of its type; finite numbers beyond all of them
 * are refused. `contents` is read while the call is checked: the elements that
 * the tensor has, in row-major order. */
typedef struct {
  const char *name;       /**< of the kernel's argument */
  const char *element;    /**< "bf16"; null for a scalar */
  uint64_t address;       /**< in device memory */
  size_t rank;            /**< how many axes there are */
  const int64_t *extents; /**< one an axis */
  const int64_t *strides; /**< one an axis */
  double value;           /**< of a scalar */
  int evidence;           /**< GIRIH_NOTHING to GIRIH_VALIDATED */
  const void *contents;   /**< in host memory, or null */
} girih_argument;

/** A launch symbol. */
typedef struct {
  const char *name; /**< as the kernel calls it */
  int64_t value;    /**< what it is in this launch */
} girih_symbol;

/** Why the last call of this thread failed; until the thread's next call. */
const char *girih_error(void);

/** Loads and checks an artefact; needs no GPU. */
int girih_open(const char *folder, girih_kernel **kernel);
/** The same for an artefact that a policy admits, a file as spec/formats.md has
 * it: signed by one of its keys. Any other is refused, with 1. */
int girih_open_signed(const char *folder, const char *policy,
                      girih_kernel **kernel);
/** Closes it; null is nothing to close. Its launches cannot be run any more,
 * and are still to be released. */
int girih_close(girih_kernel *kernel);

/** 0 shared, 1 own, raw or atomic, 2 out, 3 a scalar, -1 no argument of that
 * name, -2 an error. */
int girih_mode(const girih_kernel *kernel, const char *name);

/** Checks a call against the contract alone, as girih_prepare does before it
 * asks the driver for anything; needs no GPU. Addresses count for alignment and
 * overlap. Whether memory is there nobody looks. */
int girih_check(const girih_kernel *kernel, const girih_argument *arguments,
                size_t argument_count, const girih_symbol *symbols,
                size_t symbol_count);

/** Checks a call against the contract and readies its launch. Every argument is
 * given once, and all are on one device: memory of another device, or none, or
 * less than the tensor takes, is refused. Symbols that are extents or strides
 * of arguments need not be given; none is given twice. */
int girih_prepare(girih_kernel *kernel, const girih_argument *arguments,
                  size_t argument_count, const girih_symbol *symbols,
                  size_t symbol_count, girih_launch **launch);
/** What the launch takes for granted and nobody looks up, one text a number
 * from 0, then null: opt-outs of the kernel, and what the caller vouched for.
 * Texts live as long as the launch. Null also for an error. */
const char *girih_believed(const girih_launch *launch, size_t number);
/** Queues a launch on a stream of the driver; null is the default stream. May
 * be repeated, and captured into a graph, while the tensors live. With a
 * tensor that is GIRIH_VALIDATED it waits for the stream and is refused, with
 * 3, when its contents break what is given; it cannot be captured. */
int girih_run(girih_launch *launch, void *stream);
/** Null is nothing to release. */
int girih_release(girih_launch *launch);
/** girih_prepare, girih_run and girih_release in one, with their errors; for
 * calls that come again. What the contract says of elements, extents, strides,
 * symbols and evidence is remembered with the kernel; addresses, memory and
 * scalars are checked each time. */
int girih_call(girih_kernel *kernel, const girih_argument *arguments,
               size_t argument_count, const girih_symbol *symbols,
               size_t symbol_count, void *stream);

/** Whether a stream is being captured, 1 or 0: in the launch's context, or in
 * the current one with a null launch. */
int girih_captured(const girih_launch *launch, void *stream, int *captured);
/** Waits for a stream, likewise. Refused where it is captured. */
int girih_wait(const girih_launch *launch, void *stream);

/** Device memory for callers that have none of their own. No bytes are at
 * address 0. */
int girih_allocate(size_t bytes, uint64_t *address);
/** Address 0 is nothing to free; other addresses are freed once, and are
 * girih_allocate's. */
int girih_free(uint64_t address);
/** Copies to the device and waits for the default stream. Refused where the
 * device's memory is no memory or ends too early. */
int girih_upload(uint64_t to, const void *from, size_t bytes);
/** Copies from the device, likewise. */
int girih_download(void *to, uint64_t from, size_t bytes);
/** Waits for the whole context. */
int girih_synchronize(void);

#ifdef __cplusplus
}
#endif

#endif /* GIRIH_RUNTIME_GIRIH_H */
