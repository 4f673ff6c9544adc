// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "bench/qwen3/Config.h"

#include "runtime/artefact/Json.h"
#include "runtime/artefact/Text.h"
#include "runtime/host/Error.h"

#include <cmath>
#include <fmt/ranges.h>
#include <set>

namespace girih::qwen3 {
namespace {

using runtime::JsonCursor;

/// More than any model has; products of two of them are far from 64 bits.
constexpr std::int64_t maxExtent = 1 << 24, maxLayers = 1024;
/// Names in a message.
constexpr std::size_t maxNamed = 4;

std::int64_t extentOf(JsonCursor at, std::int64_t most = maxExtent) {
  std::int64_t out = at.integer();
  if (out < 1 || out > most) {
    at.fail("is not from 1 to " + std::to_string(most));
  }
  return out;
}

double positive(JsonCursor at) {
  double out = at.number();
  if (!(out > 0) || !std::isfinite(out)) {
    at.fail("is not positive");
  }
  return out;
}

/// What a model may leave out, but not have otherwise.
void only(JsonCursor root, const char *key, std::string_view value) {
  if (root.has(key) && root[key].string() != value) {
    root[key].fail("is not " + std::string(value));
  }
}

void onlyFalse(JsonCursor root, const char *key) {
  if (root.has(key) && root[key].boolean()) {
    root[key].fail("is true, which is not built");
  }
}

void readArchitecture(JsonCursor root) {
  only(root, "model_type", "qwen3");
  JsonCursor names = root["architectures"];
  names.count(1);
  if (std::string name = names.item(0).string(); name != "Qwen3ForCausalLM") {
    names.item(0).fail("is " + name + ", not Qwen3ForCausalLM");
  }
  only(root, "hidden_act", "silu");
  onlyFalse(root, "attention_bias");
  onlyFalse(root, "use_sliding_window");
  // Older and newer files call it differently.
  for (const char *key : {"torch_dtype", "dtype"}) {
    only(root, key, "bfloat16");
  }
}

/// Newer files have an object of what older ones have at the top.
double readTheta(JsonCursor root) {
  if (root.has("rope_scaling") && !root["rope_scaling"].isNull()) {
    root["rope_scaling"].fail("is not null: angles that are scaled are not "
                              "built");
  }
  if (!root.has("rope_parameters")) {
    return positive(root["rope_theta"]);
  }
  JsonCursor rope = root["rope_parameters"];
  only(rope, "rope_type", "default");
  return positive(rope["rope_theta"]);
}

/// Tensors by name, and what is wrong with them.
class Finder {
public:
  Finder(const Checkpoint &checkpoint) : checkpoint(checkpoint) {}

  const StoredTensor *find(const std::string &name,
                           const std::vector<std::int64_t> &extents) {
    used.insert(name);
    auto found = checkpoint.tensors().find(name);
    if (found == checkpoint.tensors().end()) {
      missing.push_back(name);
      return nullptr;
    }
    const StoredTensor &tensor = found->second;
    if (tensor.element != "BF16" || tensor.extents != extents) {
      wrong.push_back(fmt::format(
          "{} is {} [{}], not BF16 [{}]", name, tensor.element,
          fmt::join(tensor.extents, ", "), fmt::join(extents, ", ")));
    }
    return &tensor;
  }
  void ignore(const std::string &name) { used.insert(name); }

  void check() {
    std::vector<std::string> unknown;
    for (const auto &[name, tensor] : checkpoint.tensors()) {
      if (!used.contains(name)) {
        unknown.push_back(name);
      }
    }
    refuse(missing, "tensor is missing", "tensors are missing");
    refuse(wrong, "tensor is of another kind", "tensors are of another kind");
    refuse(unknown, "tensor is none of a Qwen3", "tensors are none of a Qwen3");
  }

private:
  static void refuse(const std::vector<std::string> &names, const char *one,
                     const char *many) {
    if (names.empty()) {
      return;
    }
    std::size_t shown = std::min(names.size(), maxNamed);
    std::string more = shown < names.size() ? ", ..." : "";
    throw RuntimeError(
        3, fmt::format("{}: {}{}", runtime::counted(names.size(), one, many),
                       fmt::join(names.begin(),
                                 names.begin() + std::ptrdiff_t(shown), ", "),
                       more));
  }

  const Checkpoint &checkpoint;
  std::set<std::string> used;
  std::vector<std::string> missing, wrong;
};

} // namespace

Config Config::read(const std::filesystem::path &folder) {
  std::filesystem::path path = folder / "config.json";
  Config out;
  std::string error;
  runtime::readJson(textOf(path), error, [&](JsonCursor root) {
    readArchitecture(root);
    out.width = extentOf(root["hidden_size"]);
    out.inner = extentOf(root["intermediate_size"]);
    out.layers = extentOf(root["num_hidden_layers"], maxLayers);
    out.heads = extentOf(root["num_attention_heads"]);
    out.cacheHeads = extentOf(root["num_key_value_heads"]);
    out.depth = extentOf(root["head_dim"]);
    out.vocabulary = extentOf(root["vocab_size"]);
    out.positions = extentOf(root["max_position_embeddings"]);
    out.eps = positive(root["rms_norm_eps"]);
    out.theta = readTheta(root);
    out.isTied = root.has("tie_word_embeddings") &&
                 root["tie_word_embeddings"].boolean();
    if (root.ok() && out.heads % out.cacheHeads != 0) {
      root["num_attention_heads"].fail("is no multiple of num_key_value_heads");
    }
    if (root.ok() && out.depth % 2 != 0) {
      root["head_dim"].fail("is odd: elements are turned in pairs");
    }
  });
  if (!error.empty()) {
    throw RuntimeError(3, path.string() + ": " + error);
  }
  return out;
}

Weights Weights::of(const Config &c, const Checkpoint &checkpoint) {
  Finder from(checkpoint);
  Weights out;
  std::int64_t queries = c.heads * c.depth, keys = c.cacheHeads * c.depth;
  out.embedding =
      from.find("model.embed_tokens.weight", {c.vocabulary, c.width});
  out.norm = from.find("model.norm.weight", {c.width});
  if (c.isTied) {
    // Some files have a copy.
    from.ignore("lm_head.weight");
    out.head = out.embedding;
  } else {
    out.head = from.find("lm_head.weight", {c.vocabulary, c.width});
  }
  for (std::int64_t k = 0; k < c.layers; ++k) {
    auto find = [&](const char *name, std::vector<std::int64_t> extents) {
      return from.find(fmt::format("model.layers.{}.{}.weight", k, name),
                       extents);
    };
    LayerWeights layer;
    layer.inputNorm = find("input_layernorm", {c.width});
    layer.outputNorm = find("post_attention_layernorm", {c.width});
    layer.q = find("self_attn.q_proj", {queries, c.width});
    layer.k = find("self_attn.k_proj", {keys, c.width});
    layer.v = find("self_attn.v_proj", {keys, c.width});
    layer.qNorm = find("self_attn.q_norm", {c.depth});
    layer.kNorm = find("self_attn.k_norm", {c.depth});
    layer.out = find("self_attn.o_proj", {c.width, queries});
    layer.gate = find("mlp.gate_proj", {c.inner, c.width});
    layer.up = find("mlp.up_proj", {c.inner, c.width});
    layer.down = find("mlp.down_proj", {c.width, c.inner});
    out.layers.push_back(layer);
  }
  from.check();
  return out;
}

} // namespace girih::qwen3
