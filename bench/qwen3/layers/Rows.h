// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// The layers of a model on many rows at once, each a token: of a prompt, whose
/// launches are queued, or of as many sequences, whose launches are recorded.
/// They differ in attention alone.

#ifndef GIRIH_BENCH_QWEN3_LAYERS_ROWS_H
#define GIRIH_BENCH_QWEN3_LAYERS_ROWS_H

#include "bench/qwen3/Kernels.h"
#include "bench/qwen3/Model.h"
#include "bench/qwen3/kernels/Panels.h"

#include <optional>

namespace girih::qwen3 {

/// `run` takes a launch and gives its arguments back.
template <typename Run> class Rows {
public:
  Rows(const Model &model, const Kernels &kernels, std::int64_t rows, Run &run,
       const Stream &stream)
      : model(model), c(model.config), kernels(kernels), rows(rows), run(run),
        stream(stream) {}

  /// From the embedding of tokens to the state behind all layers, and its norm.
  /// \param attention gives of layer k and its rows of q, k and v the means.
  template <typename Attention>
  std::pair<Shared<bf16>, Shared<bf16>> layers(Shared<bf16> x,
                                               Attention attention) {
    return layers(std::move(x), attention, *this);
  }
  /// The same of the last rows alone, as many as `ends` has: nobody reads the
  /// others behind the keys and values of the last layer.
  /// \param attention gives of the last layer the means of these.
  template <typename Attention>
  std::pair<Shared<bf16>, Shared<bf16>>
  layers(Shared<bf16> x, Attention attention, Rows &ends) {
    Shared<bf16> norm = normed(x, model.layers.front().inputNorm);
    for (std::size_t k = 0; k < model.layers.size(); ++k) {
      const Layer &layer = model.layers[k];
      bool isLast = k + 1 == model.layers.size();
      Rows &then = isLast ? ends : *this;
      Shared<bf16> mean =
          attention(k, product(std::move(norm), layer.qkv).share());
      std::tie(x, norm) =
          then.productAdded(std::move(mean), layer.out,
                            then.endOf(std::move(x)), layer.outputNorm);
      const Shared<bf16> &next =
          isLast ? model.norm : model.layers[k + 1].inputNorm;
      std::tie(x, norm) = then.productAdded(then.gated(std::move(norm), layer),
                                            layer.down, std::move(x), next);
    }
    return {std::move(x), std::move(norm)};
  }

  std::int64_t count() const { return rows; }

  /// The last rows of some, as many as these are.
  Shared<bf16> endOf(Shared<bf16> all) const {
    std::int64_t end = all.extents()[0];
    return end == rows ? all : all.slice(0, end - rows, end);
  }

  Tensor<bf16> product(Shared<bf16> x, const Matrix &w) {
    if (areMany(w)) {
      Shared<bf16> whole = inBf16(w);
      Tensor<bf16> out = product(std::move(x), whole);
      keep(std::move(whole));
      return out;
    }
    auto [outputs, depth] = extentsOf(w);
    Tensor<bf16> to = made(outputs);
    if (isSkinny(depth, w)) {
      return byGroups("skinny", std::move(x), w, std::move(to),
                      blocksOf(outputs, groupsOf(w)));
    }
    if (const auto *scaled = std::get_if<ScaledRows>(&w)) {
      auto [a, b, s, y] = run(kernels["linear_f8"].launch(
          {}, std::move(x), scaled->elements, scaled->scale, std::move(to)));
      keep(std::move(a));
      return std::move(y);
    }
    if (const auto *groups = std::get_if<ScaledGroups>(&w)) {
      auto [a, b, s, y] = run(kernels["linear_int4"].launch(
          {}, std::move(x), groups->elements, groups->scale, std::move(to)));
      keep(std::move(a));
      return std::move(y);
    }
    const auto &whole = std::get<Shared<bf16>>(w);
    if (std::int64_t width = panelWidth(rows, whole.extents()[0])) {
      std::int64_t panels = whole.extents()[0] / width;
      auto [a, b, y] = run(kernels["linear_panels"].launch(
          {}, std::move(x), whole.reshape({panels, width, whole.extents()[1]}),
          std::move(to).reshape({rows, panels, width})));
      keep(std::move(a));
      return std::move(y).reshape({rows, panels * width});
    }
    auto [a, b, y] =
        run(kernels["linear"].launch({}, std::move(x), whole, std::move(to)));
    keep(std::move(a));
    return std::move(y);
  }

  /// Heads of q, k and v in rows of all three: [rows, heads, depth].
  std::array<Shared<bf16>, 3> headsOf(const Shared<bf16> &qkv) const {
    std::int64_t ofKeys = c.heads + c.cacheHeads, all = ofKeys + c.cacheHeads;
    Shared<bf16> heads = qkv.reshape({rows, all, c.depth});
    return {heads.slice(1, 0, c.heads), heads.slice(1, c.heads, ofKeys),
            heads.slice(1, ofKeys, all)};
  }

  /// [rows, columns], of what was kept where there is such.
  Tensor<bf16> made(std::int64_t columns) { return room({rows, columns}); }
  Tensor<bf16> madeOfHeads() {
    return made(c.heads * c.depth).reshape({rows, c.heads, c.depth});
  }

  /// What nobody else has is written again: a layer of launches that are queued
  /// takes no memory but the first one.
  void keep(Shared<bf16> tensor) {
    if (auto own = std::move(tensor).tryUnique()) {
      unused.push_back(std::move(*own));
    }
  }

  /// What is added over all ranks, in f32: [rows, width].
  Tensor<float> sums(Shared<bf16> x, const Matrix &w) {
    Tensor<float> to = kept ? *std::exchange(kept, std::nullopt)
                            : Tensor<float>::empty({rows, c.width}, stream);
    auto [a, b, y] = run(kernels["rank_linear"].launch(
        {}, std::move(x), std::get<Shared<bf16>>(w), std::move(to)));
    keep(std::move(a));
    return std::move(y);
  }

  Shared<bf16> normed(const Shared<bf16> &x, const Shared<bf16> &gain) {
    auto [a, g, y] = run(
        kernels["rms_norm"].launch({{"eps", c.eps}}, x, gain, made(c.width)));
    return std::move(y).share();
  }

  /// silu(x gate^T) (x up^T) of both matrices behind each other.
  Shared<bf16> gated(Shared<bf16> x, const Layer &layer) {
    const Matrix &gateUp = layer.gateUp;
    if (layer.gateUpPadded) {
      if (std::int64_t width = gatePanelWidth(rows, c.inner)) {
        return gatedInPanels(std::move(x), *layer.gateUpPadded, width);
      }
    }
    if (isSkinny(c.width, gateUp)) {
      return byGroups("skinny_silu_mul", std::move(x), gateUp, made(c.inner),
                      blocksOf(2 * c.inner, groupsOf(gateUp)), 2)
          .share();
    }
    const auto *whole = std::get_if<Shared<bf16>>(&gateUp);
    if (whole || areMany(gateUp)) {
      Shared<bf16> weights = whole ? *whole : inBf16(gateUp);
      auto [a, w, y] = run(kernels["linear_silu_mul"].launch(
          {}, std::move(x), weights.reshape({2, c.inner, c.width}),
          made(c.inner)));
      keep(std::move(a));
      if (!whole) {
        keep(std::move(weights));
      }
      return std::move(y).share();
    }
    auto [a, y] = run(kernels["silu_mul"].launch(
        {}, product(std::move(x), gateUp).share(), made(c.inner)));
    keep(std::move(a));
    return std::move(y).share();
  }

  /// to + of w^T, and the norm of that.
  std::pair<Shared<bf16>, Shared<bf16>> productAdded(Shared<bf16> of,
                                                     const Matrix &w,
                                                     Shared<bf16> to,
                                                     const Shared<bf16> &gain) {
    if (areMany(w)) {
      Shared<bf16> whole = inBf16(w);
      auto out = productAdded(std::move(of), whole, std::move(to), gain);
      keep(std::move(whole));
      return out;
    }
    if (!isSplit(w)) {
      // Of many rows the schedule takes less, as measured on an H200.
      const char *norm = rows > 2048 ? "add_rms_norm_by_row" : "add_rms_norm";
      auto [a, b, g, sum, y] = run(kernels[norm].launch(
          {{"eps", c.eps}}, product(std::move(of), w).share(), std::move(to),
          gain, made(c.width), made(c.width)));
      keep(std::move(a));
      keep(std::move(b));
      return {std::move(sum).share(), std::move(y).share()};
    }
    std::int64_t some = areFew(w) ? std::min(rows, atOnce(w)) : rows;
    auto sums = made(c.width).partition({some, c.width}),
         norms = made(c.width).partition({some, c.width});
    std::vector<Shared<float>> partial; // groups do not wait for each other
    for (std::int64_t k = 0; k * some < rows; ++k) {
      auto ofGroup = [&](const Shared<bf16> &all) {
        return all.slice(0, k * some, std::min(rows, (k + 1) * some));
      };
      auto [p, b, sum, y] =
          addedParts(partsOf(ofGroup(of), w), ofGroup(to), gain,
                     sums[std::size_t(k)], norms[std::size_t(k)]);
      partial.push_back(std::move(p));
    }
    for (Shared<float> &each : partial) {
      keepParts(std::move(each));
    }
    keep(std::move(of));
    keep(std::move(to));
    return {run.join(std::move(sums)).share(),
            run.join(std::move(norms)).share()};
  }

  /// x + the sums of all ranks, rounded once, and the norm of that.
  std::pair<Shared<bf16>, Shared<bf16>>
  added(Tensor<float> sums, Shared<bf16> x, const Shared<bf16> &gain) {
    auto [s, b, g, sum, y] = run(kernels["rank_add_norm"].launch(
        {{"eps", c.eps}}, std::move(sums), std::move(x), gain, made(c.width),
        made(c.width)));
    kept = std::move(s);
    keep(std::move(b));
    return {std::move(sum).share(), std::move(y).share()};
  }

private:
  /// Of what was kept, or new; its elements are anything.
  Tensor<bf16> room(const Extents &extents) {
    std::int64_t count = 1;
    for (std::int64_t extent : extents) {
      count *= extent;
    }
    for (Tensor<bf16> &tensor : unused) {
      if (tensor.count() == count) {
        std::swap(tensor, unused.back());
        Tensor<bf16> out = std::move(unused.back()).reshape(extents);
        unused.pop_back();
        return out;
      }
    }
    return Tensor<bf16>::empty(extents, stream);
  }

  /// Whether so many rows are worth weights in bf16, as measured on an H200.
  bool areMany(const Matrix &w) const {
    return (std::holds_alternative<ScaledRows>(w) && rows > 384) ||
           (std::holds_alternative<ScaledGroups>(w) && rows > mostRowsInt4);
  }

  /// Scaled elements, rounded: [rows, columns] of the matrix.
  Shared<bf16> inBf16(const Matrix &w) {
    auto [outputs, depth] = extentsOf(w);
    if (const auto *scaled = std::get_if<ScaledRows>(&w)) {
      auto [e, s, y] = run(kernels["weights_of_f8"].launch(
          {}, scaled->elements, scaled->scale, room({outputs, depth})));
      return std::move(y).share();
    }
    const auto &groups = std::get<ScaledGroups>(w);
    auto [e, s, y] = run(kernels["weights_of_int4"].launch(
        {}, groups.elements, groups.scale,
        room({outputs, depth / groupColumns, 2, groupColumns / 2})));
    return std::move(y).reshape({outputs, depth}).share();
  }

  /// The same in panels, of which the last ones reach beyond gate and up.
  Shared<bf16> gatedInPanels(Shared<bf16> x, const Shared<bf16> &padded,
                             std::int64_t width) {
    std::int64_t panels = (c.inner + width - 1) / width;
    auto panelsFrom = [&](std::int64_t row) {
      return padded.slice(0, row, row + panels * width)
          .reshape({panels, width, c.width});
    };
    auto to = wide ? std::move(*std::exchange(wide, std::nullopt)).tryUnique()
                   : std::nullopt;
    auto [a, gate, up, y] = run(kernels["linear_silu_mul_panels"].launch(
        {}, std::move(x), panelsFrom(0), panelsFrom(c.inner),
        to ? std::move(*to).reshape({rows, panels, width})
           : Tensor<bf16>::empty({rows, panels, width}, stream)));
    keep(std::move(a));
    wide = std::move(y).reshape({rows, panels * width}).share();
    return wide->slice(1, 0, c.inner);
  }

  /// A product by a schedule, of a kernel for each format of weights.
  /// \param matrices that stand behind each other, which the kernel takes as
  /// another axis.
  template <typename To>
  To skinny(const std::string &form, Shared<bf16> x, const Matrix &w, To to,
            std::int64_t blocks, std::int64_t matrices = 1) {
    const NamedValues values = {{"P", blocks}};
    auto apart = [&](const auto &of) {
      Extents extents(of.extents().begin(), of.extents().end());
      if (matrices != 1) {
        extents[0] /= matrices;
        extents.insert(extents.begin(), matrices);
      }
      return of.reshape(extents);
    };
    if (const auto *scaled = std::get_if<ScaledRows>(&w)) {
      auto [a, m, s, y] = run(kernels[form + "_f8"].launch(
          values, std::move(x), apart(scaled->elements), apart(scaled->scale),
          std::move(to)));
      keep(std::move(a));
      return std::move(y);
    }
    if (const auto *groups = std::get_if<ScaledGroups>(&w)) {
      Extents whole(x.extents().begin(), x.extents().end());
      auto [a, m, s, y] = run(kernels[form + "_int4"].launch(
          values, rowsInGroups(std::move(x)), apart(groups->elements),
          apart(groups->scale), std::move(to)));
      keep(std::move(a).reshape(whole));
      return std::move(y);
    }
    auto [a, m, y] = run(kernels[form].launch(
        values, std::move(x), apart(std::get<Shared<bf16>>(w)), std::move(to)));
    keep(std::move(a));
    return std::move(y);
  }

  /// Rows by groups of columns: [rows, groups, 2, columns of a half].
  static Shared<bf16> rowsInGroups(Shared<bf16> x) {
    std::int64_t all = x.extents()[0], count = x.extents()[1] / groupColumns;
    return std::move(x).reshape({all, count, 2, groupColumns / 2});
  }

  /// The same of all rows, in as many launches as it takes. These share the
  /// multiprocessors, and what they read of the weights.
  Tensor<bf16> byGroups(const std::string &form, const Shared<bf16> &x,
                        const Matrix &w, Tensor<bf16> to, std::int64_t blocks,
                        std::int64_t matrices = 1) {
    std::int64_t some = std::min(rows, atOnce(w));
    Extents group = {some, to.extents()[1]};
    auto pieces = std::move(to).partition(group);
    for (std::int64_t k = 0; k < groupsOf(w); ++k) {
      (void)skinny(form, x.slice(0, k * some, std::min(rows, (k + 1) * some)),
                   w, pieces[std::size_t(k)], blocks, matrices);
    }
    return run.join(std::move(pieces));
  }

  /// Rows that a product by skinny takes at once: of 4 bits no more, in bf16
  /// more are as fast by Tile IR, as measured on an H200.
  static std::int64_t atOnce(const Matrix &w) {
    return std::holds_alternative<ScaledRows>(w) ? 16 : 8;
  }
  std::int64_t groupsOf(const Matrix &w) const {
    return (rows + atOnce(w) - 1) / atOnce(w);
  }
  /// Whether products of so many rows are skinny's: of 4 bits some groups of
  /// rows are faster than linear_int4, as measured on an H200.
  bool areFew(const Matrix &w) const {
    return rows <=
           (std::holds_alternative<ScaledGroups>(w) ? mostRowsInt4 : atOnce(w));
  }

  /// Whether a product has so few rows that it takes as long as its weights
  /// are read, and a block has so many columns of them.
  bool isSkinny(std::int64_t depth, const Matrix &w) const {
    return areFew(w) && depth <= skinnyDepth;
  }
  /// Blocks for a product of so many columns: two a multiprocessor, as long as
  /// there are tiles.
  static std::int64_t blocksOf(std::int64_t columns, std::int64_t count = 1) {
    std::int64_t tiles = (columns + tileColumns - 1) / tileColumns;
    return std::clamp<std::int64_t>(tiles, 1, busyBlocks / count);
  }

  /// What is added up to `of` w^T, in f32: [splits, rows of `of`, width].
  Tensor<float> partsOf(Shared<bf16> of, const Matrix &w) {
    std::int64_t depth = extentsOf(w)[1], count = splits;
    bool isFew = areFew(w);
    if (isFew) {
      // Enough for two blocks a multiprocessor, and no deeper than they take.
      count = std::max((depth + skinnyDepth - 1) / skinnyDepth,
                       std::min<std::int64_t>(4, (depth + 1023) / 1024));
    }
    Extents extents = {count, of.extents()[0], c.width};
    std::optional<Tensor<float>> place;
    for (Tensor<float> &tensor : parts) {
      if (std::ranges::equal(tensor.extents(), extents)) {
        std::swap(tensor, parts.back());
        place = std::move(parts.back());
        parts.pop_back();
        break;
      }
    }
    if (!place) {
      place = Tensor<float>::empty(extents, stream);
    }
    if (isFew) {
      return skinny("skinny_split_k", std::move(of), w, std::move(*place),
                    blocksOf(c.width, count * groupsOf(w)));
    }
    auto [a, m, partial] = run(kernels["linear_split_k"].launch(
        {}, std::move(of), std::get<Shared<bf16>>(w), std::move(*place)));
    keep(std::move(a));
    return std::move(partial);
  }

  void keepParts(Shared<float> tensor) {
    if (auto own = std::move(tensor).tryUnique()) {
      parts.push_back(std::move(*own));
    }
  }

  /// The sum of parts and `to`, and the norm of that. The parts come back.
  template <typename To>
  std::tuple<Shared<float>, Shared<bf16>, To, To>
  addedParts(Tensor<float> partial, Shared<bf16> to, const Shared<bf16> &gain,
             To sum, To norm) {
    auto [p, b, g, s, y] = run(kernels["add_rms_norm_split_k"].launch(
        {{"eps", c.eps}}, std::move(partial).share(), std::move(to), gain,
        std::move(sum), std::move(norm)));
    return {std::move(p), std::move(b), std::move(s), std::move(y)};
  }

  /// Whether a product with the width's columns of so many rows has too few
  /// tiles for all multiprocessors, as measured on an H200.
  bool isSplit(const Matrix &w) const {
    std::int64_t depth = extentsOf(w)[1];
    bool isWorth = false;
    if (areFew(w)) {
      isWorth = depth <= skinnyDepth * mostSplits;
    } else if (std::holds_alternative<Shared<bf16>>(w)) {
      isWorth = rows <= 256 && (rows > 64 || depth >= 3 * c.width);
    }
    return isWorth && c.width <= widestSplit;
  }

  static constexpr std::int64_t splits = 3;
  /// What skinny takes, and its tiles.
  static constexpr std::int64_t mostRowsInt4 = 32, skinnyDepth = 2560,
                                mostSplits = 16, tileColumns = 16;
  /// What add_rms_norm_split_k takes.
  static constexpr std::int64_t widestSplit = 8192;

  const Model &model;
  const Config &c;
  const Kernels &kernels;
  std::int64_t rows;
  Run &run;
  const Stream &stream;
  std::vector<Tensor<bf16>> unused;
  std::vector<Tensor<float>> parts;  ///< sums of splits, between products
  std::optional<Tensor<float>> kept; ///< of sums over ranks
  std::optional<Shared<bf16>> wide;  ///< between gate and down, in panels
};

} // namespace girih::qwen3

#endif // GIRIH_BENCH_QWEN3_LAYERS_ROWS_H
