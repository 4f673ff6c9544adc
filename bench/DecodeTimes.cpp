// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// decode_times FOLDER [--model=4B|32B] [--layers=N] [--blocks=N] [--keys=N]
// [--without=attention] [--products[=f8|f16|int4]] [--rows=8] [--attention]: a
// token of a model like Qwen3-4B or 32B as one graph, all matrices distinct in
// memory: of each layer the products of q, k and v of a norm, norms and angles
// of heads and the caches' new row, attention over --keys positions, the
// product with its residual, gate and up of a norm through SiLU, and down with
// its residual; then the logits of a norm and the largest. FOLDER has what
// tile-compile made of gemv_norm, gemv_add, gemv_norm_silu, argmax_blocks and
// argmax_reduce, and for attention of attention_step, which is one launch, for
// up to 1024 keys, else of qk_norm_rope_append, attention_decode_gqa_split and
// attention_merge; products have --blocks programs each, where one block fills
// a multiprocessor half as many. What attention costs is seen without it: the
// product takes queries for means. Graphs whose launches start early, graphs
// whose launches wait for those before, and readings of all of a buffer of 4
// GiB by bulk copies, which differ in how much is on its way, are interleaved.
// Prints JSON: medians in microseconds a replay, bytes of matrices a replay,
// bytes that the fastest of these reads a second, and whether both gave equal
// bits of all logits each time, a thousand replays of the early one among them.
// With --products in place of that, of matrices of both models, a product alone
// in microseconds: by gemv_add, or with =f8 by gemv_add_f8, =int4 by
// gemv_add_int4, =f16 by gemv_f16; with --rows=8 too of 8 rows, for which
// matrices are Qwen3-4B's, by skinny, skinny_split_k of 4 splits and
// skinny_silu_mul, or those with _f8 or _int4, or by skinny_f16. With
// --attention attention of one query a sequence, 32 heads on 8, of 1 and 8
// sequences: by attention_decode_gqa_split and attention_merge, of 8 sequences
// up to 8192 keys by attention_decode_gqa; many calls a graph, each with caches
// of its own.

#include "bench/ProductTimes.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>

using namespace girih;
using namespace girih::bench;

namespace {

constexpr int repeats = 1000;
constexpr int64_t vocabulary = 151936;
constexpr int64_t shared = 8,
                  depth = 128; // heads of the caches, and their size
constexpr double eps = 1e-6;
const double scale = 1 / std::sqrt(double(depth));
/// Keys for which attention is one launch: a block has all of a head's.
constexpr int64_t ofOneLaunch = 1024;
/// Blocks of attention in splits, which are merged: as many as there are
/// multiprocessors.
constexpr int64_t ofSplits = 132;
/// Sequences and their keys for which one launch has enough blocks.
constexpr int64_t manySequences = 8, ofShort = 8192;

/// What tells one model of the family from another.
struct Sizes {
  const char *name;
  int64_t width, inner, heads, layers;

  int64_t ofQkv() const { return (heads + 2 * shared) * depth; }
};
constexpr Sizes models[] = {{"4B", 2560, 9728, 32, 36},
                            {"32B", 5120, 25600, 64, 64}};

/// What is asked for.
struct Options {
  std::string folder;
  Sizes sizes = models[0];
  int64_t blocks = 256, keys = 128;
  bool attention = true;
  bool products = false, attentions = false; ///< in place of a token
  bool few = false;                          ///< products of 8 rows
  std::string weights;                       ///< of products: bf16 where empty
};

struct Layer {
  Shared<bf16> qkv, out, gateUp, down;
};

/// Splits of each of so many heads, of at least 256 keys, so that together they
/// are no more blocks than there are multiprocessors.
int64_t splitsOf(int64_t blocks, int64_t keys) {
  return std::max<int64_t>(1, std::min(ofSplits / blocks, keys / 256));
}

/// The model, of which each layer has matrices of its own; gains and angles are
/// those of all.
struct Model {
  Options options;
  int64_t width, inner, heads, keys;
  Kernel norm, add, gated;
  std::optional<Kernel> heads_, merge; ///< none where attention is one launch
  Kernel attention, blockMax, token;
  std::vector<Layer> layers;
  Shared<bf16> head, x, gain, headGain;
  Shared<float> cos, sin;
  Shared<int32_t> position;

  explicit Model(const Options &options)
      : options(options), width(options.sizes.width),
        inner(options.sizes.inner), heads(options.sizes.heads),
        keys(options.keys), norm(load("gemv_norm")), add(load("gemv_add")),
        gated(load("gemv_norm_silu")),
        heads_(keys <= ofOneLaunch
                   ? std::nullopt
                   : std::optional(load("qk_norm_rope_append"))),
        merge(heads_ ? std::optional(load("attention_merge")) : std::nullopt),
        attention(
            load(heads_ ? "attention_decode_gqa_split" : "attention_step")),
        blockMax(load("argmax_blocks")), token(load("argmax_reduce")),
        head(onDevice(drawn(vocabulary, width, 1), {vocabulary, width})),
        x(onDevice(drawn(1, width, 2), {width})),
        gain(onDevice(drawn(1, width, 3), {width})),
        headGain(onDevice(drawn(1, depth, 4), {depth})),
        cos(Tensor<float>::copyFrom(std::vector<float>(keys * depth / 2, 0.8F),
                                    {keys, depth / 2})
                .share()),
        sin(Tensor<float>::copyFrom(std::vector<float>(keys * depth / 2, 0.6F),
                                    {keys, depth / 2})
                .share()),
        position(Tensor<int32_t>::copyFrom(
                     std::vector<int32_t>{static_cast<int32_t>(keys) - 1}, {1})
                     .share()) {
    int64_t ofQkv = options.sizes.ofQkv();
    std::vector<bf16> qkv = drawn(ofQkv, width, 5);
    std::vector<bf16> out = drawn(width, heads * depth, 6);
    std::vector<bf16> gateUp = drawn(2 * inner, width, 7);
    std::vector<bf16> down = drawn(width, inner, 8);
    for (int64_t k = 0; k < options.sizes.layers; ++k) {
      layers.push_back({onDevice(qkv, {ofQkv, width}),
                        onDevice(out, {width, heads * depth}),
                        onDevice(gateUp, {2, inner, width}),
                        onDevice(down, {width, inner})});
    }
  }

  Kernel load(const char *name) const {
    return Kernel::load(options.folder + "/" + name);
  }

  int64_t bytes() const {
    int64_t layer =
        (options.sizes.ofQkv() + heads * depth + 3 * inner) * width * 2;
    return layer * static_cast<int64_t>(layers.size()) + vocabulary * width * 2;
  }

  /// x + out attention(qkv norm(x)), the last of `keys` positions being new.
  Shared<bf16> attended(Recording &run, const Layer &layer,
                        const Shared<bf16> &x) const {
    auto [w, a, g, made] =
        run(norm.launch({{"P", options.blocks}, {"eps", eps}}, layer.qkv, x,
                        gain, Tensor<bf16>::empty({options.sizes.ofQkv()})));
    Shared<bf16> all = std::move(made).share();
    Shared<bf16> mean = !options.attention ? headsOf(all, 0, heads)
                        : heads_           ? ofThreeLaunches(run, all)
                                           : attentionStep(run, all);
    return added(run, layer.out, mean.reshape({heads * depth}), x);
  }

  static Shared<bf16> headsOf(const Shared<bf16> &all, int64_t from,
                              int64_t count) {
    return all.slice(0, from * depth, (from + count) * depth);
  }

  Shared<bf16> attentionStep(Recording &run, const Shared<bf16> &all) const {
    auto part = [&](int64_t from) {
      return headsOf(all, from, shared).reshape({shared, depth});
    };
    Extents rows = {shared, heads / shared, depth},
            cache = {shared, keys, depth};
    auto [q, k, v, at, qGain, kGain, c, s, ks, vs, mean] = run(attention.launch(
        {{"eps", eps}, {"scale", scale}}, headsOf(all, 0, heads).reshape(rows),
        part(heads), part(heads + shared), position, headGain, headGain, cos,
        sin, Tensor<bf16>::zeros(cache), Tensor<bf16>::zeros(cache),
        Tensor<bf16>::empty(rows)));
    return std::move(mean).share();
  }

  Shared<bf16> ofThreeLaunches(Recording &run, const Shared<bf16> &all) const {
    auto part = [&](int64_t from, int64_t count) {
      return headsOf(all, from, count).reshape({1, count, depth});
    };
    auto [q, k, v, qGain, kGain, c, s, turned, ks, vs] = run(heads_->launch(
        {{"pos", keys - 1}, {"eps", eps}}, part(0, heads), part(heads, shared),
        part(heads + shared, shared), headGain, headGain, cos, sin,
        Tensor<bf16>::empty({1, heads, depth}),
        Tensor<bf16>::zeros({shared, keys, depth}),
        Tensor<bf16>::zeros({shared, keys, depth})));
    int64_t r = heads / shared, splits = splitsOf(shared, keys);
    Extents rows = {1, shared, r, depth}, cache = {1, shared, keys, depth};
    auto [q2, k2, v2, partial, lse] = run(
        attention.launch({{"L", keys}, {"scale", scale}},
                         std::move(turned).share().reshape(rows),
                         std::move(ks).share().reshape(cache),
                         std::move(vs).share().reshape(cache),
                         Tensor<float>::empty({1, splits, shared, r, depth}),
                         Tensor<float>::empty({1, splits, shared, r})));
    auto [partial2, lse2, mean] = run(merge->launch(
        {}, std::move(partial).share().reshape({1, splits, heads, depth}),
        std::move(lse).share().reshape({1, splits, heads}),
        Tensor<bf16>::empty({1, heads, depth})));
    return std::move(mean).share();
  }

  Shared<bf16> added(Recording &run, const Shared<bf16> &w,
                     const Shared<bf16> &of, const Shared<bf16> &to) const {
    int64_t blocks = blocksOf(w.extents()[1], options.blocks);
    auto [a, b, c, sum] = run(
        add.launch({{"P", blocks}}, w, of, to, Tensor<bf16>::empty({width})));
    return std::move(sum).share();
  }

  auto record(bool early) const {
    return girih::record(
        [&](Recording &run) {
          Shared<bf16> now = x;
          for (const Layer &layer : layers) {
            Shared<bf16> middle = attended(run, layer, now);
            auto [w, a, g, act] = run(gated.launch(
                {{"P", options.blocks}, {"eps", eps}}, layer.gateUp, middle,
                gain, Tensor<bf16>::empty({inner})));
            now = added(run, layer.down, std::move(act).share(), middle);
          }
          auto [w, a, g, logits] =
              run(norm.launch({{"P", options.blocks}, {"eps", eps}}, head, now,
                              gain, Tensor<bf16>::empty({vocabulary})));
          constexpr int64_t some = 4096;
          int64_t count = (vocabulary + some - 1) / some;
          Shared<bf16> row = std::move(logits).share();
          auto [l, top, at] =
              run(blockMax.launch({}, row.reshape({1, vocabulary}),
                                  Tensor<float>::empty({1, count}),
                                  Tensor<int32_t>::empty({1, count})));
          auto [t, i, best] = run(token.launch({}, std::move(top).share(),
                                               std::move(at).share(),
                                               Tensor<int32_t>::empty({1})));
          return std::tuple(std::move(best), row);
        },
        {.early = early});
  }
};

template <typename G> std::vector<uint16_t> logitsOf(const G &graph) {
  std::vector<uint16_t> out;
  for (bf16 value : graph.template get<1>().toHost()) {
    out.push_back(value.bits);
  }
  return out;
}

/// Attention again and again, of caches of its own as many as pass the cache
/// many times over; the mean of each is the query of the next.
void runAttentionAlone(const Options &options, int64_t batch, int64_t keys,
                       const Limit &limit, const Stream &stream) {
  constexpr int64_t all = 1'000'000'000, r = 4, heads = shared * r;
  const double scale = 1 / std::sqrt(double(depth));
  int64_t bytes = batch * shared * keys * depth * 4, count = all / bytes + 2;
  bool one = batch >= manySequences && keys <= ofShort;
  auto load = [&](const char *name) {
    return Kernel::load(options.folder + "/" + name);
  };
  Kernel attention =
      load(one ? "attention_decode_gqa" : "attention_decode_gqa_split");
  std::optional<Kernel> merge;
  if (!one) {
    merge = load("attention_merge");
  }
  Extents rows = {batch, shared, r, depth};
  std::vector<bf16> numbers = drawn(batch * shared * keys, depth, 1);
  std::vector<Shared<bf16>> caches;
  for (int64_t k = 0; k < 2 * count; ++k) {
    caches.push_back(onDevice(numbers, {batch, shared, keys, depth}));
  }
  Shared<bf16> q = onDevice(drawn(batch * heads, depth, 2), rows);
  int64_t splits = splitsOf(batch * shared, keys);
  auto recorded = [&](bool early) {
    return girih::record(
        [&](Recording &run) {
          Shared<bf16> now = q;
          for (int64_t k = 0; k < 2 * count; k += 2) {
            auto i = static_cast<size_t>(k);
            if (one) {
              auto [a, ks, vs, y] = run(attention.launch(
                  {{"L", keys}, {"scale", scale}}, now, caches[i],
                  caches[i + 1], Tensor<bf16>::empty(rows)));
              now = std::move(y).share();
              continue;
            }
            auto [a, ks, vs, partial, lse] = run(attention.launch(
                {{"L", keys}, {"scale", scale}}, now, caches[i], caches[i + 1],
                Tensor<float>::empty({batch, splits, shared, r, depth}),
                Tensor<float>::empty({batch, splits, shared, r})));
            auto [p, l, y] = run(merge->launch(
                {},
                std::move(partial).share().reshape(
                    {batch, splits, heads, depth}),
                std::move(lse).share().reshape({batch, splits, heads}),
                Tensor<bf16>::empty({batch, heads, depth})));
            now = std::move(y).share().reshape(rows);
          }
          return now;
        },
        {.early = early});
  };
  auto full = recorded(false), early = recorded(true);
  Times times = timesOf(full, early, limit, stream, [] {});
  auto each = [&](double us) { return us / static_cast<double>(count); };
  std::printf("{\"batch\": %lld, \"keys\": %lld, \"bytes\": %lld, "
              "\"splits\": %lld, \"full_us\": %.2f, \"early_us\": %.2f, "
              "\"limit\": %.4g}\n",
              static_cast<long long>(batch), static_cast<long long>(keys),
              static_cast<long long>(bytes),
              static_cast<long long>(one ? 1 : splits), each(times.full),
              each(times.early), times.limit);
}

int runAttentions(const Options &options, const Limit &limit,
                  const Stream &stream) {
  for (int64_t batch : {1, 8}) {
    for (int64_t keys = 1024; keys <= 65536; keys *= 2) {
      runAttentionAlone(options, batch, keys, limit, stream);
    }
  }
  return 0;
}

int runToken(const Options &options, const Limit &limit, const Stream &stream) {
  bool equal = true;
  Model model(options);
  auto full = model.record(false), early = model.record(true);
  full.launch(stream);
  const std::vector<uint16_t> wanted = logitsOf(full);
  Times times = timesOf(full, early, limit, stream, [&] {
    equal &= logitsOf(early) == wanted && logitsOf(full) == wanted;
  });
  for (int k = 0; k < repeats; ++k) {
    early.launch(stream);
    equal &= logitsOf(early) == wanted;
  }
  std::printf("{\"model\": \"%s\", \"layers\": %lld, \"blocks\": %lld, "
              "\"keys\": %lld, \"attention\": %s, \"bytes\": %lld, "
              "\"full_us\": %.1f, \"early_us\": %.1f, \"limit\": %.4g, "
              "\"token\": %d, \"equal_bits\": %s}\n",
              options.sizes.name, static_cast<long long>(options.sizes.layers),
              static_cast<long long>(options.blocks),
              static_cast<long long>(options.keys),
              options.attention ? "true" : "false",
              static_cast<long long>(model.bytes()), times.full, times.early,
              times.limit, early.get<0>().toHost()[0],
              equal ? "true" : "false");
  return equal ? 0 : 1;
}

/// Nothing where an argument is none of those that the top of the file names.
std::optional<Options> parsed(int argc, char **argv) {
  Options out;
  std::optional<int64_t> layers;
  for (int k = 1; k < argc; ++k) {
    std::string_view all = argv[k], name = all.substr(0, all.find('='));
    std::string_view value =
        name.size() < all.size() ? all.substr(name.size() + 1) : "";
    auto number = [&](int64_t &to, int64_t most) {
      const char *end = value.data() + value.size();
      auto [last, error] = std::from_chars(value.data(), end, to);
      return error == std::errc() && last == end && to >= 1 && to <= most;
    };
    bool isKnown = false;
    if (name == "--model") {
      for (const Sizes &sizes : models) {
        if (value == sizes.name) {
          out.sizes = sizes;
          isKnown = true;
        }
      }
    } else if (name == "--layers") {
      isKnown = number(layers.emplace(), 256);
    } else if (name == "--blocks") {
      isKnown = number(out.blocks, 4096);
    } else if (name == "--keys") {
      isKnown = number(out.keys, 1 << 20);
    } else if (all == "--without=attention") {
      out.attention = false;
      isKnown = true;
    } else if (all == "--products" || all == "--products=f8" ||
               all == "--products=f16" || all == "--products=int4") {
      out.products = isKnown = true;
      out.weights = value;
    } else if (all == "--rows=8") {
      out.few = isKnown = true;
    } else if (all == "--attention") {
      out.attentions = isKnown = true;
    } else if (!all.starts_with("-") && out.folder.empty()) {
      out.folder = all;
      isKnown = true;
    }
    if (!isKnown) {
      std::fprintf(stderr, "decode_times: error: %s is no argument of mine\n",
                   argv[k]);
      return std::nullopt;
    }
  }
  if (out.few && !out.products) {
    std::fprintf(stderr, "decode_times: error: --rows=8 is of --products\n");
    return std::nullopt;
  }
  out.sizes.layers = layers.value_or(out.sizes.layers);
  return out;
}

} // namespace

int main(int argc, char **argv) {
  std::optional<Options> options = parsed(argc, argv);
  if (!options || options->folder.empty()) {
    std::fprintf(stderr,
                 "usage: decode_times FOLDER [--model=4B|32B] [--layers=N] "
                 "[--blocks=N] [--keys=N] [--without=attention] "
                 "[--products[=f8|f16|int4]] [--rows=8] "
                 "[--attention]\n");
    return 3;
  }
  try {
    Stream stream = Stream::create();
    Limit limit;
    if (options->products) {
      runProducts(
          {options->folder, options->weights, options->blocks, options->few},
          limit, stream);
      return 0;
    }
    return options->attentions ? runAttentions(*options, limit, stream)
                               : runToken(*options, limit, stream);
  } catch (const RuntimeError &error) {
    std::fprintf(stderr, "decode_times: error: %s\n", error.what());
    return error.code();
  } catch (const std::runtime_error &error) {
    std::fprintf(stderr, "decode_times: error: %s\n", error.what());
    return 1;
  }
}
