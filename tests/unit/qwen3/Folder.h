// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Folders of small models, written as their format says.

#ifndef GIRIH_TESTS_UNIT_QWEN3_FOLDER_H
#define GIRIH_TESTS_UNIT_QWEN3_FOLDER_H

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <unistd.h>
#include <vector>

namespace girih::qwen3::test {

using Json = nlohmann::ordered_json;

/// Of bf16, whose bytes count on from a number of its own.
struct Stored {
  std::vector<std::int64_t> extents;
  std::string bytes;
};
using Tensors = std::map<std::string, Stored>;

class Folder {
public:
  Folder() {
    static int count = 0;
    path = std::filesystem::temp_directory_path() /
           ("girih-qwen3-" + std::to_string(getpid()) + "-" +
            std::to_string(count++));
    std::filesystem::create_directory(path);
  }
  ~Folder() { std::filesystem::remove_all(path); }
  Folder(const Folder &) = delete;
  Folder &operator=(const Folder &) = delete;

  void write(const std::string &name, const std::string &text) const {
    std::ofstream(path / name, std::ios::binary) << text;
  }
  std::filesystem::path path;
};

inline Json config() {
  return {{"architectures", {"Qwen3ForCausalLM"}},
          {"attention_bias", false},
          {"head_dim", 8},
          {"hidden_act", "silu"},
          {"hidden_size", 16},
          {"intermediate_size", 24},
          {"max_position_embeddings", 64},
          {"model_type", "qwen3"},
          {"num_attention_heads", 4},
          {"num_hidden_layers", 2},
          {"num_key_value_heads", 2},
          {"rms_norm_eps", 1e-6},
          {"rope_scaling", nullptr},
          {"rope_theta", 1000000},
          {"tie_word_embeddings", false},
          {"torch_dtype", "bfloat16"},
          {"use_sliding_window", false},
          {"vocab_size", 10}};
}

inline Stored stored(std::vector<std::int64_t> extents, unsigned from) {
  std::size_t count = 2;
  for (std::int64_t extent : extents) {
    count *= std::size_t(extent);
  }
  Stored out{std::move(extents), std::string(count, 0)};
  for (std::size_t k = 0; k < count; ++k) {
    out.bytes[k] = char(from + k * 7);
  }
  return out;
}

/// Those of `config`.
inline Tensors weights() {
  Tensors out;
  auto add = [&](const std::string &name, std::vector<std::int64_t> extents) {
    out[name + ".weight"] = stored(std::move(extents), unsigned(out.size()));
  };
  add("model.embed_tokens", {10, 16});
  add("model.norm", {16});
  add("lm_head", {10, 16});
  for (const char *layer : {"model.layers.0.", "model.layers.1."}) {
    auto in = [&](const char *name, std::vector<std::int64_t> extents) {
      add(std::string(layer) + name, std::move(extents));
    };
    in("input_layernorm", {16});
    in("post_attention_layernorm", {16});
    in("self_attn.q_proj", {32, 16});
    in("self_attn.k_proj", {16, 16});
    in("self_attn.v_proj", {16, 16});
    in("self_attn.o_proj", {16, 32});
    in("self_attn.q_norm", {8});
    in("self_attn.k_norm", {8});
    in("mlp.gate_proj", {24, 16});
    in("mlp.up_proj", {24, 16});
    in("mlp.down_proj", {16, 24});
  }
  return out;
}

/// A file of its header and its data.
inline std::string fileOf(const std::string &header, const std::string &data) {
  std::string out;
  for (unsigned k = 0; k < 8; ++k) {
    out += char(std::uint64_t(header.size()) >> (8 * k));
  }
  return out + header + data;
}

inline std::pair<Json, std::string> partsOf(const Tensors &tensors) {
  Json header = {{"__metadata__", {{"format", "pt"}}}};
  std::string data;
  for (const auto &[name, tensor] : tensors) {
    std::size_t begin = data.size();
    data += tensor.bytes;
    header[name] = {{"dtype", "BF16"},
                    {"shape", tensor.extents},
                    {"data_offsets", {begin, data.size()}}};
  }
  return {std::move(header), std::move(data)};
}

inline std::string fileOf(const Tensors &tensors) {
  auto [header, data] = partsOf(tensors);
  return fileOf(header.dump(), data);
}

/// What is said of what is refused; empty of what is not.
template <typename F> std::string refusal(F call) {
  try {
    call();
    return "";
  } catch (const RuntimeError &error) {
    return error.code() == 3 ? error.what() : "another code";
  }
}

} // namespace girih::qwen3::test

#endif // GIRIH_TESTS_UNIT_QWEN3_FOLDER_H
