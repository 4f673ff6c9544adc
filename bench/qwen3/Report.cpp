// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "bench/qwen3/Report.h"

#include <nlohmann/json.hpp>

namespace girih::qwen3 {

using Json = nlohmann::ordered_json;

/// An artefact is of nothing but what is VERIFIED; what its text takes for
/// granted is said beside it.
static Json jsonOf(const KernelReport &kernel) {
  Json variants = Json::array();
  bool trusts = false;
  for (const KernelReport::Variant &variant : kernel.variants) {
    trusts |= !variant.trusted.empty();
    variants.push_back({{"name", variant.name},
                        {"certificates", variant.proof},
                        {"trusted", variant.trusted}});
  }
  return {{"name", kernel.name},
          {"verdict", trusts ? "VERIFIED with what is trusted" : "VERIFIED"},
          {"producer", kernel.producer},
          {"variants", std::move(variants)}};
}

std::string reportOf(const Engine &engine) {
  const Model &model = engine.model();
  Json kernels = Json::array();
  for (const KernelReport &kernel : engine.kernels().report()) {
    kernels.push_back(jsonOf(kernel));
  }
  return Json{{"model",
               {{"width", model.config.width},
                {"layers", model.config.layers},
                {"vocabulary", model.config.vocabulary},
                {"positions", model.positions},
                {"sequences", engine.sequences()},
                {"ranks", engine.rankCount()},
                {"parameters", model.parameters},
                {"weights", nameOf(model.format)}}},
              {"kernels", std::move(kernels)},
              {"opt_outs", engine.optOuts()}}
      .dump();
}

std::string countersOf(const Engine &engine) {
  Counters c = engine.counters();
  return Json{{"requests", c.requests},
              {"active", c.active},
              {"queued", c.queued},
              {"finished", c.finished},
              {"cancelled", c.cancelled},
              {"prompt_tokens", c.promptTokens},
              {"answer_tokens", c.answerTokens}}
      .dump();
}

} // namespace girih::qwen3
