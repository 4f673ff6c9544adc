// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tests/simulated/Kernels.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <elf.h>
#include <sstream>

namespace girih::simulated {

namespace {

using Arguments = KernelArguments;
using Touches = std::vector<Touch>;
constexpr Mode R = Mode::Read, W = Mode::Write, U = Mode::Atomic;

Touches none(const Arguments &) { return {}; }
void idle(const Arguments &) {}

// z[n] = x[n] + y[n]: parameters x, y, z, n.

Touches sumOf(const Arguments &a, uint64_t written) {
  uint64_t n = 4 * a.extent(3);
  return {{0, 0, n, R}, {1, 0, n, R}, {2, 0, written, W}};
}
Touches addTouches(const Arguments &a) { return sumOf(a, 4 * a.extent(3)); }
Touches earlyTouches(const Arguments &a) {
  return sumOf(a, 4 * std::max<uint64_t>(a.extent(3), 1) - 4);
}
Touches outsideTouches(const Arguments &a) {
  return sumOf(a, 4 * a.extent(3) + 4);
}
Touches inputTouches(const Arguments &a) {
  Touches touches = addTouches(a);
  touches.push_back({0, 0, 4, W});
  return touches;
}
void addFirst(const Arguments &a, uint64_t n) {
  for (uint64_t i = 0; i < n; ++i) {
    a.pointer<float>(2)[i] = a.pointer<float>(0)[i] + a.pointer<float>(1)[i];
  }
}
void add(const Arguments &a) { addFirst(a, a.extent(3)); }
void early(const Arguments &a) {
  addFirst(a, std::max<uint64_t>(a.extent(3), 1) - 1);
}
void outside(const Arguments &a) {
  add(a);
  a.pointer<float>(2)[a.extent(3)] = 1;
}
void input(const Arguments &a) {
  add(a);
  a.pointer<float>(0)[0] += 1;
}

// fill: z, value, n.  copy: x, z, n.  scale: alpha, x, n.  axpy: alpha, x, y,
// n.

Touches fillTouches(const Arguments &a) { return {{0, 0, 4 * a.extent(2), W}}; }
void fill(const Arguments &a) {
  std::fill_n(a.pointer<float>(0), a.extent(2), a.value<float>(1));
}
// fill_i32: z, n, value.  fill_half: z, value, n, with the upper halves of f32.
// arange: z, first, step, n.  arange_i32: z, n, first, step.  counter: z, n,
// seed: the numbers from seed on.

template <size_t count, unsigned bytes> Touches writes(const Arguments &a) {
  return {{0, 0, bytes * a.extent(count), W}};
}
template <size_t count, typename T, typename Value>
void number(const Arguments &a, Value value) {
  for (uint64_t i = 0; i < a.extent(count); ++i) {
    a.pointer<T>(0)[i] = static_cast<T>(value(i));
  }
}
void fillIntegers(const Arguments &a) {
  number<1, int32_t>(a, [&](uint64_t) { return a.value<int32_t>(2); });
}
void fillHalves(const Arguments &a) {
  number<2, uint16_t>(a, [&](uint64_t) { return a.value<uint32_t>(1) >> 16; });
}
void arange(const Arguments &a) {
  number<3, float>(a, [&](uint64_t i) {
    return a.value<float>(1) + static_cast<float>(i) * a.value<float>(2);
  });
}
void arangeIntegers(const Arguments &a) {
  number<1, int32_t>(a, [&](uint64_t i) {
    return a.value<uint32_t>(2) + i * a.value<uint32_t>(3);
  });
}
void counter(const Arguments &a) {
  number<1, float>(a, [&](uint64_t i) {
    return a.value<int64_t>(2) + static_cast<int64_t>(i);
  });
}

Touches copyTouches(const Arguments &a) {
  return {{0, 0, 4 * a.extent(2), R}, {1, 0, 4 * a.extent(2), W}};
}
void copy(const Arguments &a) {
  std::copy_n(a.pointer<float>(0), a.extent(2), a.pointer<float>(1));
}
Touches scaleTouches(const Arguments &a) {
  return {{1, 0, 4 * a.extent(2), W}};
}
void scale(const Arguments &a) {
  for (uint64_t i = 0; i < a.extent(2); ++i) {
    a.pointer<float>(1)[i] *= a.value<float>(0);
  }
}
Touches axpyTouches(const Arguments &a) {
  return {{1, 0, 4 * a.extent(3), R}, {2, 0, 4 * a.extent(3), W}};
}
void axpy(const Arguments &a) {
  for (uint64_t i = 0; i < a.extent(3); ++i) {
    a.pointer<float>(2)[i] += a.value<float>(0) * a.pointer<float>(1)[i];
  }
}

// Matrices, row by row. gemm: a, b, c, M, N, K and, strided, the distances of
// the rows of a, b, c. fill_rows: z, value, M, N, distance of the rows.

void rowsOf(Touches &out, size_t parameter, uint64_t rows, uint64_t width,
            uint64_t distance, Mode mode) {
  if (distance == width) {
    out.push_back({parameter, 0, 4 * rows * width, mode});
    return;
  }
  for (uint64_t row = 0; row < rows; ++row) {
    out.push_back({parameter, 4 * row * distance, 4 * width, mode});
  }
}
Touches gemmOf(const Arguments &a, uint64_t la, uint64_t lb, uint64_t lc) {
  uint64_t m = a.extent(3), n = a.extent(4), k = a.extent(5);
  Touches out;
  rowsOf(out, 0, m, k, la, R);
  rowsOf(out, 1, k, n, lb, R);
  rowsOf(out, 2, m, n, lc, W);
  return out;
}
void multiply(const Arguments &a, uint64_t la, uint64_t lb, uint64_t lc) {
  uint64_t m = a.extent(3), n = a.extent(4), k = a.extent(5);
  for (uint64_t i = 0; i < m; ++i) {
    for (uint64_t j = 0; j < n; ++j) {
      float sum = 0;
      for (uint64_t l = 0; l < k; ++l) {
        sum +=
            a.pointer<float>(0)[i * la + l] * a.pointer<float>(1)[l * lb + j];
      }
      a.pointer<float>(2)[i * lc + j] = sum;
    }
  }
}
Touches gemmTouches(const Arguments &a) {
  return gemmOf(a, a.extent(5), a.extent(4), a.extent(4));
}
void gemm(const Arguments &a) {
  multiply(a, a.extent(5), a.extent(4), a.extent(4));
}
Touches stridedTouches(const Arguments &a) {
  return gemmOf(a, a.extent(6), a.extent(7), a.extent(8));
}
void strided(const Arguments &a) {
  multiply(a, a.extent(6), a.extent(7), a.extent(8));
}
Touches rowsTouches(const Arguments &a) {
  Touches out;
  rowsOf(out, 0, a.extent(2), a.extent(3), a.extent(4), W);
  return out;
}
void fillRows(const Arguments &a) {
  for (uint64_t i = 0; i < a.extent(2); ++i) {
    std::fill_n(a.pointer<float>(0) + i * a.extent(4), a.extent(3),
                a.value<float>(1));
  }
}

// reduce: x, sum[1], n. accumulate adds to sum[1] instead, and may run beside
// others that do.

Touches reduceTouches(const Arguments &a) {
  return {{0, 0, 4 * a.extent(2), R}, {1, 0, 4, W}};
}
float sumOfFirst(const Arguments &a) {
  float sum = 0;
  for (uint64_t i = 0; i < a.extent(2); ++i) {
    sum += a.pointer<float>(0)[i];
  }
  return sum;
}
void reduce(const Arguments &a) { *a.pointer<float>(1) = sumOfFirst(a); }
Touches accumulateTouches(const Arguments &a) {
  return {{0, 0, 4 * a.extent(2), R}, {1, 0, 4, U}};
}
void accumulate(const Arguments &a) {
  std::atomic_ref<float>(*a.pointer<float>(1)).fetch_add(sumOfFirst(a));
}

// Validators: t, found, N, P and, for within, the least and the greatest value.

Touches lookTouches(const Arguments &a) {
  return {{0, 0, 4 * a.extent(2), R}, {1, 0, 8 * a.extent(3), W}};
}
template <typename Bad> void look(const Arguments &a, Bad isBad) {
  auto n = static_cast<int64_t>(a.extent(2));
  int64_t *found = a.pointer<int64_t>(1);
  std::fill_n(found, a.extent(3), n);
  for (int64_t i = n; i-- > 0;) {
    found[0] = isBad(a.pointer<int32_t>(0), i, n) ? i : found[0];
  }
}
void within(const Arguments &a) {
  look(a, [&](const int32_t *t, int64_t i, int64_t) {
    return t[i] < a.value<int64_t>(4) || t[i] > a.value<int64_t>(5);
  });
}
void sorted(const Arguments &a) {
  look(a, [](const int32_t *t, int64_t i, int64_t n) {
    return i + 1 < n && t[i] > t[i + 1];
  });
}
void distinct(const Arguments &a) {
  look(a, [](const int32_t *t, int64_t i, int64_t n) {
    return std::find(t + i + 1, t + n, t[i]) != t + n;
  });
}
void alarm(const Arguments &a) {
  look(a, [](const int32_t *, int64_t, int64_t) { return true; });
}

// call: x, z, the bytes of each, a function of the program and its data: what a
// library has as a kernel of its own.

Touches callTouches(const Arguments &a) {
  return {{0, 0, a.extent(2), R}, {1, 0, a.extent(3), W}};
}
void callFunction(const Arguments &a) {
  auto function = reinterpret_cast<void (*)(void *, const char *, char *)>(
      a.value<uintptr_t>(4));
  function(reinterpret_cast<void *>(a.value<uintptr_t>(5)), a.pointer<char>(0),
           a.pointer<char>(1));
}

constexpr KernelType types[] = {
    {"nothing", "", none, idle},
    {"fault", "", none, nullptr}, // an error that stays
    {"add", "pppi", addTouches, add},
    {"early", "pppi", earlyTouches, early},
    {"outside", "pppi", outsideTouches, outside},
    {"input", "pppi", inputTouches, input},
    {"fill", "pfi", fillTouches, fill},
    {"fill_i32", "pif", writes<1, 4>, fillIntegers},
    {"fill_half", "pfi", writes<2, 2>, fillHalves},
    {"arange", "pffi", writes<3, 4>, arange},
    {"arange_i32", "piff", writes<1, 4>, arangeIntegers},
    {"counter", "pii", writes<1, 4>, counter},
    {"copy", "ppi", copyTouches, copy},
    {"scale", "fpi", scaleTouches, scale},
    {"axpy", "fppi", axpyTouches, axpy},
    {"gemm", "pppiii", gemmTouches, gemm},
    {"gemm_strided", "pppiiiiii", stridedTouches, strided},
    {"fill_rows", "pfiii", rowsTouches, fillRows},
    {"reduce", "ppi", reduceTouches, reduce},
    {"accumulate", "ppi", accumulateTouches, accumulate},
    {"within", "ppiiii", lookTouches, within},
    {"sorted", "ppii", lookTouches, sorted},
    {"distinct", "ppii", lookTouches, distinct},
    {"alarm", "ppii", lookTouches, alarm},
    {"call", "ppiiii", callTouches, callFunction},
};

const KernelType *typeNamed(const std::string &name) {
  auto found =
      std::find_if(std::begin(types), std::end(types),
                   [&](const KernelType &t) { return t.name == name; });
  return found == std::end(types) ? nullptr : found;
}

/// Kernels without a signature take any parameters.
bool fits(const KernelCode &code) {
  std::string_view signature = code.type->signature;
  if (signature.empty()) {
    return true;
  }
  return std::equal(
      signature.begin(), signature.end(), code.sizes.begin(), code.sizes.end(),
      [](char kind, size_t size) { return size == (kind == 'f' ? 4 : 8); });
}

/// False when it is refused.
bool readExecuted(const ExecutedText &text, KernelCode &code,
                  std::string &why) {
  for (const Parameter &p : text.parameters) {
    code.sizes.push_back(p.bytes);
    code.pointers.push_back(p.kind == Parameter::Kind::Pointer);
  }
  for (const std::string &entry : text.entries) {
    code.entries += ".nv.info." + entry + '\0';
  }
  code.name = text.entries.empty() ? "" : text.entries.back();
  code.executed = openKernel(text, why);
  return code.executed != nullptr;
}

} // namespace

bool KernelCode::hasEntry(const std::string &entry) const {
  return entries.find(".nv.info." + entry + '\0') != std::string::npos;
}

size_t KernelCode::offsetOf(size_t parameter) const {
  size_t end = 0;
  for (size_t k = 0;; ++k) {
    end = (end + sizes[k] - 1) / sizes[k] * sizes[k];
    if (k == parameter) {
      return end;
    }
    end += sizes[k];
  }
}

bool readCode(const void *image, KernelCode &code, std::string &why) {
  const char *file = static_cast<const char *>(image);
  if (std::memcmp(file, ELFMAG, SELFMAG) != 0) {
    return false;
  }
  Elf64_Ehdr header;
  std::memcpy(&header, file, sizeof header);
  if (auto executed = parseExecuted(file + sizeof header)) {
    return readExecuted(*executed, code, why);
  }
  std::istringstream text(std::string(file + sizeof header));
  std::string word;
  if (!(text >> word) || word != "fake") {
    return false;
  }
  Elf64_Shdr names;
  std::memcpy(&names,
              file + header.e_shoff + header.e_shstrndx * sizeof(Elf64_Shdr),
              sizeof names);
  code.entries.assign(file + names.sh_offset, names.sh_size);
  while (text >> word && word != ";") {
    code.sizes.push_back(std::stoul(word));
  }
  while (text >> word) {
    code.slow |= word == "slow";
    code.gated |= word == "gated";
    code.name = word;
  }
  code.type = typeNamed(code.name);
  for (char kind : code.type ? code.type->signature : "") {
    code.pointers.push_back(kind == 'p');
  }
  return code.type && fits(code);
}

} // namespace girih::simulated
