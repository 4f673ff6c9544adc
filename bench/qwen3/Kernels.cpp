// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "bench/qwen3/Kernels.h"

#include "runtime/artefact/Artefact.h"
#include "runtime/host/Error.h"

#include <fmt/ranges.h>
#include <stdexcept>

namespace girih::qwen3 {

std::vector<const char *> Kernels::names(Format format, bool isOfRanks) {
  std::vector<const char *> all = {
      // Of the library.
      "add_rms_norm", "add_rms_norm_by_row", "argmax_blocks",
      "attention_decode_paged", "attention_decode_paged_whole",
      "attention_merge", "attention_prefill_gqa", "attention_step",
      "attention_step_merge", "attention_step_split", "qk_norm_rope_append",
      "rms_norm",
      // Products of many rows, whatever weights are stored in.
      "add_rms_norm_split_k", "linear", "linear_panels", "linear_silu_mul",
      "linear_split_k",
      // Of this folder.
      "paged_copy", "paged_heads", "sample_count", "sample_draw", "sample_pick",
      "sample_start", "step_argmax", "step_embedding", "step_tokens"};
  auto products = [&]() -> std::vector<const char *> {
    switch (format) {
    case Format::F8:
      return {"gemv_add_f8", "gemv_norm_f8",      "gemv_norm_silu_f8",
              "linear_f8",   "skinny_f8",         "skinny_silu_mul_f8",
              "silu_mul",    "skinny_split_k_f8", "weights_of_f8"};
    case Format::Int4:
      // The head is in f8.
      return {"gemv_add_int4",       "gemv_norm_int4", "gemv_norm_silu_int4",
              "linear_int4",         "gemv_norm_f8",   "linear_f8",
              "skinny_f8",           "skinny_int4",    "skinny_silu_mul_int4",
              "skinny_split_k_int4", "silu_mul",       "weights_of_int4"};
    case Format::BF16:
      break;
    }
    return {"gemv_add",       "gemv_norm",
            "gemv_norm_silu", "linear_silu_mul_panels",
            "skinny",         "skinny_silu_mul",
            "skinny_split_k"};
  }();
  all.insert(all.begin(), products.begin(), products.end());
  if (isOfRanks) {
    all.insert(all.end(), {"rank_add", "rank_add_norm", "rank_argmax",
                           "rank_gemv", "rank_linear", "rank_tokens"});
  }
  return all;
}

static KernelReport reportOf(const std::string &folder) {
  // Kernel::load has looked at all that the manifest names.
  std::optional<std::string> text =
      runtime::readFile(folder + "/manifest.json");
  auto manifest = runtime::parseManifest(text.value_or(""));
  if (!manifest) {
    throw RuntimeError(3, folder + ": " + manifest.error().reason);
  }
  KernelReport out{manifest->name, manifest->producer, {}};
  for (const runtime::Variant &variant : manifest->variants) {
    out.variants.push_back(
        {variant.name, variant.proof.sha256, variant.trusted});
  }
  return out;
}

/// Whatever is wrong with a file is the caller's.
static Kernel loaded(const std::string &path) {
  try {
    return Kernel::load(path);
  } catch (const RuntimeError &error) {
    throw RuntimeError(3, path + ": " + error.what());
  }
}

Kernels Kernels::load(const std::filesystem::path &folder, Format format,
                      bool isOfRanks) {
  const std::vector<const char *> names = Kernels::names(format, isOfRanks);
  std::vector<std::string> missing;
  for (const char *name : names) {
    if (!std::filesystem::exists(folder / name)) {
      missing.push_back(name);
    }
  }
  if (!missing.empty()) {
    throw RuntimeError(3, fmt::format("{}: {} of the engine's {} kernels are "
                                      "missing: {}",
                                      folder.string(), missing.size(),
                                      names.size(), fmt::join(missing, ", ")));
  }
  Kernels out;
  for (const char *name : names) {
    std::string path = (folder / name).string();
    Kernel kernel = loaded(path);
    if (kernel.name() != name) {
      throw RuntimeError(
          3, fmt::format("{}: is the kernel {}", path, kernel.name()));
    }
    out.all.emplace(name, std::move(kernel));
    out.reports.push_back(reportOf(path));
  }
  return out;
}

const Kernel &Kernels::operator[](std::string_view name) const {
  auto found = all.find(name);
  if (found == all.end()) {
    throw std::logic_error("no kernel of the engine: " + std::string(name));
  }
  return found->second;
}

} // namespace girih::qwen3
