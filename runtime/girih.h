/* Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The runtime for other languages: a few functions of C, in
 * libgirih_runtime.so. Functions that can fail return 0, or what tile-run would
 * exit with: 1 for an artefact that is refused or a launch that failed, 3 for a
 * call that the contract refuses, 77 without a GPU; girih_error() has the
 * reason. A kernel is for one thread at a time and for the device on which it
 * was first prepared: the current context's, or else the first one.
 */

#ifndef GIRIH_RUNTIME_GIRIH_H
#define GIRIH_RUNTIME_GIRIH_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct girih_kernel girih_kernel;
typedef struct girih_launch girih_launch;

/* How it is known that a tensor keeps what the kernel's contract gives about
 * its contents; for tensors about which nothing is given it means nothing. */
enum {
  GIRIH_NOTHING = 0,  /* not at all: the call is refused */
  GIRIH_CONTENTS = 1, /* `contents` holds its elements in host memory */
  GIRIH_VOUCHED = 2,  /* the caller says so, for as long as it is launched */
  GIRIH_VALIDATED = 3 /* it is looked up on the device at each girih_run */
};

/* A tensor in device memory: extents and strides in elements, one an axis. Or,
 * with a null `element`, a float scalar. `contents` is read by girih_prepare
 * alone: the elements that the tensor has, in row-major order. */
typedef struct {
  const char *name;
  const char *element; /* "bf16" */
  uint64_t address;
  size_t rank;
  const int64_t *extents, *strides;
  double value;
  int evidence;
  const void *contents;
} girih_argument;

typedef struct {
  const char *name;
  int64_t value;
} girih_symbol;

/* Why the last call of this thread failed. */
const char *girih_error(void);

/* Loads and checks an artefact; needs no GPU. */
int girih_open(const char *folder, girih_kernel **kernel);
/* Unloads it. Its launches must be released and have ended. */
void girih_close(girih_kernel *kernel);

/* 0 shared, 1 own, raw or atomic, 2 out, 3 a scalar, -1 no argument of that
   name. */
int girih_mode(const girih_kernel *kernel, const char *name);

/* Checks a call against the contract and readies its launch. Symbols that are
 * extents of arguments need not be given. */
int girih_prepare(girih_kernel *kernel, const girih_argument *arguments,
                  size_t argument_count, const girih_symbol *symbols,
                  size_t symbol_count, girih_launch **launch);
/* What the launch takes for granted and nobody looks up, one text a number from
 * 0, then null: opt-outs of the kernel, and what the caller vouched for. */
const char *girih_believed(const girih_launch *launch, size_t number);
/* Queues a launch on a stream of the driver; null is the default stream. May
 * be repeated, and captured into a graph, while the tensors live. With a
 * tensor that is GIRIH_VALIDATED it waits for the stream and is refused, with
 * 3, when its contents break what is given; it cannot be captured. */
int girih_run(girih_launch *launch, void *stream);
void girih_release(girih_launch *launch);

/* Device memory for callers that have none of their own. */
int girih_allocate(size_t bytes, uint64_t *address);
int girih_free(uint64_t address);
int girih_upload(uint64_t to, const void *from, size_t bytes);
int girih_download(void *to, uint64_t from, size_t bytes);
int girih_synchronize(void);

#ifdef __cplusplus
}
#endif

#endif /* GIRIH_RUNTIME_GIRIH_H */
