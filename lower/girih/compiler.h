// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Compiles verified kernels for NVIDIA GPUs. What `tile-compile` does. There
/// is no way to compile a kernel that `verify` did not find VERIFIED.

#ifndef GIRIH_COMPILER_H
#define GIRIH_COMPILER_H

#include "girih/checker.h"

namespace girih {

/// What is compiled for, and with what.
struct CompileOptions {
  /// One or more of `architectures()`, each once.
  std::vector<std::string> architectures = {"sm_90", "sm_100", "sm_120"};
  /// False: kernels that rest on opt-outs are refused.
  bool allowTrust = false;
  /// Cubins say which line of the kernel code comes from.
  bool lineInfo = false;
  /// The path of the assembler `tileiras` of a CUDA toolkit of 13.3 or newer;
  /// empty: the one on PATH. Bytecode needs none.
  std::string tileiras;
  /// Seconds that the assembler may take for one architecture.
  unsigned timeLimit = 300;
  /// The folder in which cubins are kept for the next time, 1 GiB at most.
  /// Nothing: `girih` in `$XDG_CACHE_HOME` or `~/.cache`. Empty: none.
  std::optional<std::string> cache;
  /// The file of a key of Ed25519 that signs artefacts, as `openssl genpkey
  /// -algorithm ed25519` writes it. Empty: they are not signed.
  std::string signingKey;
};

/// The architectures that can be compiled for: `sm_80` to `sm_121`.
GIRIH_EXPORT std::vector<std::string> architectures();

/// A kernel as CUDA Tile IR, compared with the verified kernel by a decoder of
/// its own.
struct TileIr {
  std::string kernel;                 ///< its name, without `@`
  std::vector<std::uint8_t> bytecode; ///< version 13.4
  std::string text;                   ///< the same for a reader
};

/// The code of a kernel for one architecture.
struct Cubin {
  std::string kernel;              ///< its name, without `@`
  std::string architecture;        ///< `sm_90`
  std::vector<std::uint8_t> bytes; ///< an ELF file
};

/// A folder with cubins, manifest and proofs, which `girih/runtime.h` and
/// `tile-run` load.
struct Artefact {
  std::string folder;    ///< as it was given
  std::string name;      ///< of the kernel, or of the list of several
  std::string assembler; ///< `tileiras 13.5.37`
};

/// Tile IR of each kernel; needs no assembler. `Refused` if Tile IR cannot
/// express a kernel, an architecture lacks something, or the kernels rest on
/// opt-outs that the options do not allow; `Usage` for unknown architectures.
GIRIH_EXPORT Expected<std::vector<TileIr>>
compileToTileIr(const VerifiedKernels &kernels,
                const CompileOptions &options = {});

/// Cubins of each kernel for each architecture. Errors as above; `Missing`
/// without an assembler, `Failed` with its own words if it fails.
GIRIH_EXPORT Expected<std::vector<Cubin>>
compileToCubins(const VerifiedKernels &kernels,
                const CompileOptions &options = {});

/// Writes the artefact of the kernels: whole, or not at all. An artefact in
/// the folder is replaced in one step; any other folder that is not empty is
/// left alone. Errors as above; `File` if it cannot be written. If the
/// assembler fails, FOLDER.tileirbc holds what it was given.
GIRIH_EXPORT Expected<Artefact>
compileToArtefact(const VerifiedKernels &kernels, const std::string &folder,
                  const CompileOptions &options = {});

} // namespace girih

#endif // GIRIH_COMPILER_H
