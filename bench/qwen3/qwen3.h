/* Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The engine for dense Qwen3 models, in C. An engine serves any number of
 * requests from any number of threads; every call may be made from any thread.
 * Null in place of an engine or a request is refused, and ends nothing.
 * A call that fails leaves its message for its thread: qwen3_error.
 */
#ifndef GIRIH_BENCH_QWEN3_QWEN3_H
#define GIRIH_BENCH_QWEN3_QWEN3_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a call answers; the numbers are those of the tools' exit codes. */
typedef enum qwen3_status {
  QWEN3_OK = 0,
  QWEN3_REFUSED = 3, /* a bad argument, file, model or kernel */
  QWEN3_FAILED = 4   /* the driver or the device; the engine serves no more */
} qwen3_status;

/* What qwen3_next saw of a request. */
typedef enum qwen3_event {
  QWEN3_TOKEN = 0,     /* a token of the answer */
  QWEN3_STOP = 1,      /* ended: the model gave one of the stop tokens */
  QWEN3_LENGTH = 2,    /* ended: max_tokens are given, or all positions used */
  QWEN3_CANCELLED = 3, /* ended: qwen3_cancel */
  QWEN3_BROKEN = 4,    /* ended: the engine failed, or a logit is NaN; see
                          qwen3_error */
  QWEN3_WAIT = 5       /* nothing within timeout_ms */
} qwen3_event;

/* What matrices are of in device memory; embedding and norms stay in bf16. */
typedef enum qwen3_weights {
  QWEN3_BF16 = 0, /* as in the model's files */
  QWEN3_F8 = 1,   /* f8E4M3FN, rounded to nearest, a scale a row */
  QWEN3_INT4 = 2  /* -7 to 7, rounded to nearest, a scale in bf16 for each row
                     and group of 128 columns; the head as QWEN3_F8 */
} qwen3_weights;

typedef struct qwen3_engine qwen3_engine;
typedef struct qwen3_request qwen3_request;

typedef struct qwen3_options {
  int32_t device;    /* ordinal of the GPU */
  int32_t positions; /* of a sequence, prompt included; 0: 4096, or what the
                        model has where that is less */
  int32_t sequences; /* served at once; 0: 1 */
  int32_t invariant; /* not 0: answers are the same bits whoever else is
                        served, also by more than 16 at once; few are served
                        as slowly as many then */
  int32_t chunk;     /* tokens of prompts that are taken between two tokens
                        of answers; 0: 4096 */
  int32_t weights;   /* a qwen3_weights */
} qwen3_options;

typedef struct qwen3_sampling {
  float
      temperature; /* 0: the token of the largest logit, the first of equals */
  int32_t top_k;   /* 0: all */
  float top_p;     /* in (0, 1]; 1: all */
  uint64_t seed;   /* equal seeds give equal answers to equal prompts */
} qwen3_sampling;

/* Of how much is loaded, in bytes; from the thread of qwen3_open. */
typedef void (*qwen3_progress)(void *context, uint64_t done, uint64_t total);

/* Loads `model`, a folder as Hugging Face has it, with the artefacts of
 * `kernels`, a folder with one for each kernel. `options` and `progress` may be
 * null. Refuses a kernel that is not verified. */
qwen3_status qwen3_open(const char *model, const char *kernels,
                        const qwen3_options *options, qwen3_progress progress,
                        void *context, qwen3_engine **engine);

/* The same of a model that is cut over some devices, by their ordinals, for as
 * many ranks, each device once; `device` of the options says nothing. With a
 * device_count of 0 it is qwen3_open. NCCL is the loader's libnccl.so.2;
 * tokens take less time if the environment has NCCL_GRAPH_MIXING_SUPPORT=0 when
 * it is loaded. Refused besides: a model whose sizes so many do not divide, and
 * `invariant` on more than two. */
qwen3_status qwen3_open_ranks(const char *model, const char *kernels,
                              const qwen3_options *options,
                              const int32_t *devices, size_t device_count,
                              qwen3_progress progress, void *context,
                              qwen3_engine **engine);

/* Ends what requests are left with QWEN3_CANCELLED; handles of requests stay
 * valid until qwen3_release. Null is allowed. */
void qwen3_close(qwen3_engine *engine);

/* The sizes of the model, each kernel with its verdict, and the names of what
 * is none, as JSON:
 * {"model": {"width", "layers", "vocabulary", "positions", "sequences",
 *            "ranks", "parameters", "weights"},
 *  "kernels": [{"name", "verdict", "producer",
 *              "variants": [{"name", "certificates", "trusted"}]}],
 *  "opt_outs": [NAME...]}: those of NCCL where there are ranks, else none.
 * Lives as long as the engine. */
const char *qwen3_report(const qwen3_engine *engine);

/* Queues a request. Refused: no token, a token outside of the vocabulary, more
 * tokens than positions, sampling out of range, max_tokens below 1. */
qwen3_status qwen3_submit(qwen3_engine *engine, const int32_t *tokens,
                          size_t token_count, int32_t max_tokens,
                          const qwen3_sampling *sampling,
                          const int32_t *stop_tokens, size_t stop_count,
                          qwen3_request **request);

/* Waits for the next event of a request, at most timeout_ms, or for ever where
 * that is negative; `token` is set with QWEN3_TOKEN alone. The stop token is
 * not given. Once ended it answers the same again. One thread at a time. */
qwen3_event qwen3_next(qwen3_request *request, int32_t timeout_ms,
                       int32_t *token);

/* Asks a request to end; tokens that were made before may still come. */
void qwen3_cancel(qwen3_request *request);

/* Cancels it and gives its memory back. Null is allowed. */
void qwen3_release(qwen3_request *request);

/* Logits of the last token of a prompt by itself, f32[vocabulary], for tests:
 * waits for its turn among requests. `by_step` takes each token of the prompt
 * by the graph of a token, otherwise all at once. */
qwen3_status qwen3_logits(qwen3_engine *engine, const int32_t *tokens,
                          size_t token_count, int32_t by_step, float *logits);

/* Counters since qwen3_open, as JSON: {"requests", "active", "queued",
 * "finished", "cancelled", "prompt_tokens", "answer_tokens"}. Written into
 * `text`, cut off at `size` with its 0; the size that all of it takes is
 * returned, without the 0. */
size_t qwen3_counters(const qwen3_engine *engine, char *text, size_t size);

/* The message of the last call of this thread that failed; never null. */
const char *qwen3_error(void);

#ifdef __cplusplus
}
#endif

#endif /* GIRIH_BENCH_QWEN3_QWEN3_H */
