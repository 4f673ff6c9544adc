// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// The verified kernels behind `Tensor<T>::full`, `ones`, `arange` and `randn`:
/// where their code comes from. A library that was built with an assembler has
/// it inside; otherwise artefacts of them are looked for beside the program.

#ifndef GIRIH_RUNTIME_EXECUTION_CREATION_H
#define GIRIH_RUNTIME_EXECUTION_CREATION_H

#include <span>
#include <string>
#include <string_view>

namespace girih {

/// A file of an artefact inside of a program, by its path within the folder.
struct EmbeddedFile {
  std::string_view name, bytes;
};

/// Takes kernels that make tensors from a folder with artefacts of them, each
/// in a folder of its name (`fill`, `randn_bf16`), in place of those that this
/// library has or finds. For those that were used already it comes too late.
void useCreationKernels(const std::string &folder);

/// \cond
namespace detail {

struct CreationKernel {
  std::string_view name;
  std::span<const EmbeddedFile> files;
};
/// Those inside of this library; written by embed.py where there is an
/// assembler.
std::span<const CreationKernel> creationKernels();

} // namespace detail
/// \endcond
} // namespace girih

#endif // GIRIH_RUNTIME_EXECUTION_CREATION_H
