// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// A folder as Hugging Face has them: `model.safetensors`, or several files
/// with `model.safetensors.index.json`. Files are mapped, and nobody trusts
/// what they say: each tensor's bytes are inside of its file and as many as its
/// extents take, and the tensors of a file are all of it, once.
/// Source: the format of safetensors 0.5, github.com/huggingface/safetensors.

#ifndef GIRIH_BENCH_QWEN3_CHECKPOINT_H
#define GIRIH_BENCH_QWEN3_CHECKPOINT_H

#include <boost/interprocess/file_mapping.hpp>
#include <boost/interprocess/mapped_region.hpp>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace girih::qwen3 {

/// Row by row, in the order of its extents.
struct StoredTensor {
  std::string element; ///< `BF16`, as the format calls it
  std::vector<std::int64_t> extents;
  std::span<const std::byte> bytes; ///< of the mapping
  std::string file;                 ///< for messages
};

/// Whose files may not be cut off while they are mapped: what is read behind
/// the new end ends the process.
class Checkpoint {
public:
  /// \throws RuntimeError 3, with the file and what is wrong there.
  static Checkpoint open(const std::filesystem::path &folder);

  const std::map<std::string, StoredTensor> &tensors() const { return all; }
  std::size_t fileCount() const { return files.size(); }
  std::uint64_t byteCount() const;

private:
  void add(const std::filesystem::path &path);

  std::vector<boost::interprocess::mapped_region> files;
  std::map<std::string, StoredTensor> all;
};

/// All of a text file of at most 64 MiB.
/// \throws RuntimeError 3
std::string textOf(const std::filesystem::path &path);

} // namespace girih::qwen3

#endif // GIRIH_BENCH_QWEN3_CHECKPOINT_H
