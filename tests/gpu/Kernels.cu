// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernels of the simulated driver (tests/simulated/Kernels.cpp) for a GPU,
// with the same parameters. A block has one thread; the first does all of it,
// so that nothing but the order of launches can go wrong. Compiled by clang
// without headers of CUDA.

#define KERNEL extern "C" __attribute__((global)) void
using Int = long long;

/// How many elements this block takes: all of them, or none.
static __attribute__((device)) Int mine(Int count) {
  return __nvvm_read_ptx_sreg_ctaid_x() + __nvvm_read_ptx_sreg_ctaid_y() +
                     __nvvm_read_ptx_sreg_ctaid_z() ==
                 0
             ? count
             : 0;
}

KERNEL add(const float *x, const float *y, float *z, Int n) {
  for (Int i = 0; i < mine(n); ++i) {
    z[i] = x[i] + y[i];
  }
}
KERNEL fault() { __builtin_trap(); }

KERNEL fill(float *z, float value, Int n) {
  for (Int i = 0; i < mine(n); ++i) {
    z[i] = value;
  }
}
KERNEL fill_i32(int *z, Int n, int value) {
  for (Int i = 0; i < mine(n); ++i) {
    z[i] = value;
  }
}
KERNEL fill_half(unsigned short *z, unsigned value, Int n) {
  for (Int i = 0; i < mine(n); ++i) {
    z[i] = static_cast<unsigned short>(value >> 16);
  }
}
KERNEL arange(float *z, float first, float step, Int n) {
  for (Int i = 0; i < mine(n); ++i) {
    z[i] = first + static_cast<float>(i) * step;
  }
}
KERNEL arange_i32(int *z, Int n, int first, int step) {
  for (Int i = 0; i < mine(n); ++i) {
    z[i] = static_cast<int>(first + i * step);
  }
}
KERNEL counter(float *z, Int n, Int seed) {
  for (Int i = 0; i < mine(n); ++i) {
    z[i] = static_cast<float>(seed + i);
  }
}
KERNEL copy(const float *x, float *z, Int n) {
  for (Int i = 0; i < mine(n); ++i) {
    z[i] = x[i];
  }
}
KERNEL scale(float alpha, float *x, Int n) {
  for (Int i = 0; i < mine(n); ++i) {
    x[i] *= alpha;
  }
}
KERNEL axpy(float alpha, const float *x, float *y, Int n) {
  for (Int i = 0; i < mine(n); ++i) {
    y[i] += alpha * x[i];
  }
}

static __attribute__((device)) void multiply(const float *a, const float *b,
                                             float *c, Int m, Int n, Int k,
                                             Int lda, Int ldb, Int ldc) {
  for (Int i = 0; i < mine(m); ++i) {
    for (Int j = 0; j < n; ++j) {
      float sum = 0;
      for (Int l = 0; l < k; ++l) {
        sum += a[i * lda + l] * b[l * ldb + j];
      }
      c[i * ldc + j] = sum;
    }
  }
}
KERNEL gemm(const float *a, const float *b, float *c, Int m, Int n, Int k) {
  multiply(a, b, c, m, n, k, k, n, n);
}
KERNEL gemm_strided(const float *a, const float *b, float *c, Int m, Int n,
                    Int k, Int lda, Int ldb, Int ldc) {
  multiply(a, b, c, m, n, k, lda, ldb, ldc);
}
KERNEL fill_rows(float *z, float value, Int m, Int n, Int ldz) {
  for (Int i = 0; i < mine(m); ++i) {
    for (Int j = 0; j < n; ++j) {
      z[i * ldz + j] = value;
    }
  }
}
KERNEL reduce(const float *x, float *sum, Int n) {
  float total = 0;
  for (Int i = 0; i < n; ++i) {
    total += x[i];
  }
  if (mine(1)) {
    *sum = total;
  }
}
KERNEL accumulate(const float *x, float *sum, Int n) {
  float total = 0;
  for (Int i = 0; i < n; ++i) {
    total += x[i];
  }
  if (mine(1)) {
    __nvvm_atom_add_gen_f(sum, total);
  }
}

/// Validators write how many elements there are, or before it the first that is
/// not as it is said to be.
template <typename Bad>
static __attribute__((device)) void look(Int *found, Int n, Int p, Bad isBad) {
  for (Int i = 0; i < mine(p); ++i) {
    found[i] = n;
  }
  for (Int i = mine(n) - 1; i >= 0; --i) {
    found[0] = isBad(i) ? i : found[0];
  }
}
KERNEL within(const int *t, Int *found, Int n, Int p, Int least, Int most) {
  look(found, n, p, [=] __attribute__((device))(Int i) {
    return t[i] < least || t[i] > most;
  });
}
KERNEL sorted(const int *t, Int *found, Int n, Int p) {
  look(found, n, p, [=] __attribute__((device))(Int i) {
    return i + 1 < n && t[i] > t[i + 1];
  });
}
KERNEL distinct(const int *t, Int *found, Int n, Int p) {
  look(found, n, p, [=] __attribute__((device))(Int i) {
    bool meets = false;
    for (Int j = i + 1; j < n; ++j) {
      meets |= t[j] == t[i];
    }
    return meets;
  });
}
KERNEL alarm(const int *, Int *found, Int n, Int p) {
  look(found, n, p, [] __attribute__((device))(Int) { return true; });
}
