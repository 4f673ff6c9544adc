// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Models by their configuration: what is not built is refused by its key, and
// tensors that are not those of the model by their names.

#include "bench/qwen3/Config.h"

#include "runtime/host/Error.h"
#include "tests/unit/Long.h"
#include "tests/unit/qwen3/Folder.h"

#include <functional>
#include <gtest/gtest.h>
#include <random>

using namespace girih;
using namespace girih::qwen3;
using namespace girih::qwen3::test;

namespace {

std::string configRefusal(const std::string &text) {
  Folder folder;
  folder.write("config.json", text);
  return refusal([&] { Config::read(folder.path); });
}

Config configOf(const Json &json) {
  Folder folder;
  folder.write("config.json", json.dump());
  return Config::read(folder.path);
}

TEST(Config, IsWhatTheFileSays) {
  Config read = configOf(config());
  EXPECT_EQ(read.width, 16);
  EXPECT_EQ(read.inner, 24);
  EXPECT_EQ(read.layers, 2);
  EXPECT_EQ(read.heads, 4);
  EXPECT_EQ(read.cacheHeads, 2);
  EXPECT_EQ(read.depth, 8);
  EXPECT_EQ(read.vocabulary, 10);
  EXPECT_EQ(read.positions, 64);
  EXPECT_EQ(read.eps, 1e-6);
  EXPECT_EQ(read.theta, 1e6);
  EXPECT_FALSE(read.isTied);
}

/// As transformers 5 writes it.
TEST(Config, MayHaveTheNamesOfNewerFiles) {
  Json newer = config();
  for (const char *key : {"torch_dtype", "rope_theta", "rope_scaling"}) {
    newer.erase(key);
  }
  newer["dtype"] = "bfloat16";
  newer["rope_parameters"] = {{"rope_theta", 5e5}, {"rope_type", "default"}};
  newer["tie_word_embeddings"] = true;
  newer["layer_types"] = {"full_attention", "full_attention"};
  Config read = configOf(newer);
  EXPECT_EQ(read.theta, 5e5);
  EXPECT_TRUE(read.isTied);
}

TEST(Config, RefusesWhatIsNotBuiltByItsKey) {
  auto with = [](const std::function<void(Json &)> &change) {
    Json changed = config();
    change(changed);
    return configRefusal(changed.dump());
  };
  std::pair<std::string, std::string> cases[] = {
      {configRefusal(""), "is not JSON"},
      {configRefusal("[1]"), "architectures is not an array"},
      {with([](Json &j) { j["architectures"] = {"LlamaForCausalLM"}; }),
       "architectures[0] is LlamaForCausalLM, not Qwen3ForCausalLM"},
      {with([](Json &j) { j["architectures"] = {"Qwen3MoeForCausalLM"}; }),
       "is Qwen3MoeForCausalLM"},
      {with([](Json &j) { j["model_type"] = "qwen3_moe"; }),
       "model_type is not qwen3"},
      {with([](Json &j) { j["attention_bias"] = true; }),
       "attention_bias is true, which is not built"},
      {with([](Json &j) { j["use_sliding_window"] = true; }),
       "use_sliding_window is true"},
      {with([](Json &j) { j["hidden_act"] = "gelu"; }),
       "hidden_act is not silu"},
      {with([](Json &j) { j["torch_dtype"] = "float16"; }),
       "torch_dtype is not bfloat16"},
      {with([](Json &j) { j["rope_scaling"] = {{"type", "yarn"}}; }),
       "rope_scaling is not null"},
      {with([](Json &j) {
         j["rope_parameters"] = {{"rope_theta", 1}, {"rope_type", "yarn"}};
       }),
       "rope_parameters.rope_type is not default"},
      {with([](Json &j) { j.erase("rope_theta"); }),
       "rope_theta is not a number"},
      {with([](Json &j) { j["rope_theta"] = -1; }),
       "rope_theta is not positive"},
      {with([](Json &j) { j["hidden_size"] = 0; }),
       "hidden_size is not from 1 to"},
      {with([](Json &j) { j["hidden_size"] = 1.5; }),
       "hidden_size is not a 64-bit integer"},
      {with([](Json &j) { j["num_hidden_layers"] = 1 << 20; }),
       "num_hidden_layers is not from 1 to 1024"},
      {with([](Json &j) { j.erase("head_dim"); }), "head_dim is not"},
      {with([](Json &j) { j["head_dim"] = 7; }), "head_dim is odd"},
      {with([](Json &j) { j["num_key_value_heads"] = 3; }),
       "num_attention_heads is no multiple of num_key_value_heads"},
      {with([](Json &j) { j["rms_norm_eps"] = "1e-6"; }),
       "rms_norm_eps is not a number"},
  };
  for (const auto &[said, part] : cases) {
    EXPECT_NE(said.find(part), std::string::npos) << said << "; " << part;
    EXPECT_NE(said.find("config.json: "), std::string::npos) << said;
  }
  Folder none;
  EXPECT_NE(refusal([&] { Config::read(none.path); }).find("cannot be read"),
            std::string::npos);
}

std::string weightsRefusal(const Tensors &tensors, bool isTied = false) {
  Folder folder;
  folder.write("model.safetensors", fileOf(tensors));
  Json json = config();
  json["tie_word_embeddings"] = isTied;
  return refusal([&] {
    Checkpoint checkpoint = Checkpoint::open(folder.path);
    Weights::of(configOf(json), checkpoint);
  });
}

TEST(Weights, AreThoseOfTheLayers) {
  Folder folder;
  folder.write("model.safetensors", fileOf(weights()));
  Checkpoint checkpoint = Checkpoint::open(folder.path);
  Weights read = Weights::of(configOf(config()), checkpoint);
  auto at = [&](const char *name) { return &checkpoint.tensors().at(name); };
  EXPECT_EQ(read.embedding, at("model.embed_tokens.weight"));
  EXPECT_EQ(read.norm, at("model.norm.weight"));
  EXPECT_EQ(read.head, at("lm_head.weight"));
  ASSERT_EQ(read.layers.size(), 2);
  const LayerWeights &last = read.layers[1];
  EXPECT_EQ(last.inputNorm, at("model.layers.1.input_layernorm.weight"));
  EXPECT_EQ(last.outputNorm,
            at("model.layers.1.post_attention_layernorm.weight"));
  EXPECT_EQ(last.q, at("model.layers.1.self_attn.q_proj.weight"));
  EXPECT_EQ(last.k, at("model.layers.1.self_attn.k_proj.weight"));
  EXPECT_EQ(last.v, at("model.layers.1.self_attn.v_proj.weight"));
  EXPECT_EQ(last.out, at("model.layers.1.self_attn.o_proj.weight"));
  EXPECT_EQ(last.qNorm, at("model.layers.1.self_attn.q_norm.weight"));
  EXPECT_EQ(last.kNorm, at("model.layers.1.self_attn.k_norm.weight"));
  EXPECT_EQ(last.gate, at("model.layers.1.mlp.gate_proj.weight"));
  EXPECT_EQ(last.up, at("model.layers.1.mlp.up_proj.weight"));
  EXPECT_EQ(last.down, at("model.layers.1.mlp.down_proj.weight"));
}

TEST(Weights, MayHaveTheEmbeddingForTheHead) {
  Tensors tied = weights();
  EXPECT_EQ(weightsRefusal(tied, true), "");
  tied.erase("lm_head.weight");
  EXPECT_EQ(weightsRefusal(tied, true), "");
  EXPECT_EQ(weightsRefusal(tied), "1 tensor is missing: lm_head.weight");
}

TEST(Weights, AreNamedWhereTheyAreNotThoseOfTheModel) {
  Tensors tensors = weights();
  for (const auto &[name, tensor] : weights()) {
    Tensors less = tensors;
    less.erase(name);
    EXPECT_EQ(weightsRefusal(less), "1 tensor is missing: " + name);
    Tensors turned = tensors;
    auto &extents = turned[name].extents;
    extents.insert(extents.begin(), 1);
    EXPECT_NE(weightsRefusal(turned).find(
                  "1 tensor is of another kind: " + name + " is BF16 [1, "),
              std::string::npos);
  }
  tensors["model.layers.0.self_attn.q_proj.bias"] = stored({32}, 0);
  EXPECT_EQ(weightsRefusal(tensors), "1 tensor is none of a Qwen3: "
                                     "model.layers.0.self_attn.q_proj.bias");
  EXPECT_NE(weightsRefusal(Tensors{{"a", stored({1}, 0)}})
                .find("25 tensors are missing: "),
            std::string::npos);
}

TEST(Mutations, OfAConfigurationAreRefusedOrWithinBounds) {
  const unsigned rounds = girih::test::isLong ? 100000 : 3000;
  const std::string honest = config().dump();
  Folder folder;
  unsigned accepted = 0;
  for (unsigned seed = 0; seed < rounds; ++seed) {
    std::mt19937 random(seed);
    std::string text = honest;
    for (unsigned k = random() % 2 + 1; k > 0; --k) {
      std::size_t at = random() % text.size();
      random() % 2 ? text[at] = char(random() % 128)
                   : (text.insert(at, 1, "09-.e\"{}"[random() % 8]), ' ');
    }
    folder.write("config.json", text);
    accepted +=
        refusal([&] {
          Config read = Config::read(folder.path);
          for (std::int64_t extent :
               {read.width, read.inner, read.layers, read.heads,
                read.cacheHeads, read.depth, read.vocabulary, read.positions}) {
            EXPECT_GE(extent, 1) << text;
            EXPECT_LE(extent, 1 << 24) << text;
          }
          EXPECT_EQ(read.heads % read.cacheHeads, 0) << text;
        }).empty();
  }
  EXPECT_GT(accepted, rounds / 50);
  EXPECT_LT(accepted, rounds / 2);
}

} // namespace
