# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the launchers of all kernels of the library and of kernels with names
that C++ has taken, and compiles them, alone and together. What a launcher must
not take is no call of it.

  headers.py TILE_COMPILE CXX SOURCE_DIR
"""

import pathlib
import subprocess
import sys
import tempfile

CALLS = """
#include <concepts>
using namespace girih;
template <typename... Arguments>
constexpr bool calls(auto launcher) {
  return std::invocable<decltype(launcher), Arguments...>;
}
using A = Shared<bf16>;
static_assert(calls<A, A, Tensor<float>>(kernels::gemm));
static_assert(calls<Tensor<bf16>, Piece<bf16>, Piece<float>>(kernels::gemm));
static_assert(!calls<A, A, Shared<float>>(kernels::gemm)); // to be written
static_assert(!calls<A, A, Tensor<float> &>(kernels::gemm)); // not moved
static_assert(!calls<A, Shared<f16>, Tensor<float>>(kernels::gemm));
static_assert(!calls<A, A>(kernels::gemm));
// What is given of contents has to be known.
using Ids = Shared<std::int32_t>;
static_assert(!calls<Ids, A, Tensor<bf16>>(kernels::embedding));
static_assert(calls<Evident<Ids>, A, Tensor<bf16>>(kernels::embedding));
// Scalars and symbols by name, all of them.
template <typename V> constexpr bool defaults = std::default_initializable<V>;
static_assert(!defaults<kernels::launchers::saxpy::Values>);
auto saxpy(Shared<float> x, Tensor<float> y) {
  return kernels::saxpy(x, std::move(y), {.alpha = 2}).sync();
}
auto copies(Shared<float> x, Tensor<float> y) {
  return kernels::double_(x, std::move(y), {.register_ = 3});
}
"""


def main():
    tool, cxx, source = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
    kernels = sorted((source / "proofs/kernels").glob("*/*.mlir"))
    kernels.append(source / "tests/lit/tileir/Inputs/names.mlir")
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        for kernel in kernels:
            subprocess.run([tool, kernel,
                            f"--emit-launcher={folder / kernel.stem}.h"],
                           check=True)
        headers = sorted(folder.glob("*.h"))
        together = "".join(f'#include "{h}"\n' for h in headers) * 2 + CALLS
        for name, text in [("alone", f'#include "{folder}/gemm.h"\n'),
                           ("together", together)]:
            (folder / f"{name}.cpp").write_text(text)
            said = subprocess.run(
                [cxx, "-std=c++20", "-Wall", "-Wextra", "-Werror", "-pedantic",
                 "-fsyntax-only", f"-I{source}/runtime", f"-I{source}",
                 f"{folder}/{name}.cpp"], capture_output=True, encoding="utf-8")
            if said.returncode:
                sys.exit(said.stderr)
        print(f"{len(headers)} headers")


if __name__ == "__main__":
    main()
