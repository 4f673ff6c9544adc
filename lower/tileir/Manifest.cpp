// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lower/tileir/Manifest.h"
#include "checker/decide/OptOuts.h"
#include "lower/tileir/Context.h"

#include "proofs/Text.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace girih::tile;
namespace json = llvm::json;

namespace girih::tileir {

static json::Value toJson(ExprAttr e) {
  switch (e.getKind()) {
  case ExprKind::Constant:
    return e.getValue();
  case ExprKind::Symbol:
    return json::Object{{"symbol", e.getSymbol().getValue()}};
  default:
    return json::Object{
        {"op", stringifyExprKind(e.getKind())},
        {"args", json::Array{toJson(e.getLhs()), toJson(e.getRhs())}}};
  }
}

static json::Array toJson(const std::vector<ExprAttr> &expressions) {
  json::Array out;
  for (ExprAttr e : expressions) {
    out.push_back(toJson(e));
  }
  return out;
}

static json::Array toJson(llvm::ArrayRef<ComparisonAttr> conditions) {
  json::Array out;
  for (ComparisonAttr c : conditions) {
    out.push_back(json::Object{
        {"op", stringifyComparisonKind(c.getKind())},
        {"args", json::Array{toJson(c.getLhs()), toJson(c.getRhs())}},
        {"text", c.str()}});
  }
  return out;
}

static std::string typeName(mlir::Type type) {
  std::string name;
  llvm::raw_string_ostream(name) << type;
  return name;
}

static json::Object argument(KernelOp kernel, mlir::BlockArgument a) {
  llvm::StringRef name = kernel.getArgName(a.getArgNumber());
  auto type = mlir::dyn_cast<TileTensorType>(a.getType());
  if (!type) {
    return json::Object{
        {"kind", "scalar"}, {"name", name}, {"dtype", typeName(a.getType())}};
  }
  return json::Object{{"kind", "tensor"},
                      {"name", name},
                      {"dtype", typeName(type.getElementType())},
                      {"mode", stringifyMode(type.getMode())},
                      {"partial", type.getPartial()},
                      {"dims", toJson(extentExprs(type))},
                      {"strides", toJson(strideExprs(type))},
                      {"align", type.getAlign()}};
}

static json::Array symbols(KernelOp kernel) {
  json::Array out;
  for (const LaunchSymbol &s : kernel.getLaunchSymbols()) {
    bool extent = llvm::any_of(kernel.getArguments(), [&](auto a) {
      auto type = mlir::dyn_cast<TileTensorType>(a.getType());
      return type && llvm::is_contained(type.getDims(), s.name);
    });
    out.push_back(json::Object{{"name", s.name.getValue()},
                               {"type", typeName(s.type)},
                               {"source", extent ? "extent" : "caller"}});
  }
  return out;
}

static json::Object parameter(KernelOp kernel, const Parameter &p) {
  switch (p.kind) {
  case Parameter::Kind::Pointer:
    return json::Object{{"kind", "pointer"},
                        {"argument", kernel.getArgName(p.argument)}};
  case Parameter::Kind::Scalar:
    return json::Object{{"kind", "scalar"},
                        {"argument", kernel.getArgName(p.argument)}};
  case Parameter::Kind::Integer:
    break;
  }
  return json::Object{{"kind", "integer"},
                      {"type", elementName(p.type)},
                      {"value", toJson(p.value)}};
}

static json::Object hints(KernelOp kernel, llvm::StringRef target) {
  json::Object out;
  if (auto entries = kernel.getHints().getAs<mlir::DictionaryAttr>(target)) {
    for (mlir::NamedAttribute hint : entries) {
      out[hint.getName().getValue()] =
          mlir::cast<mlir::IntegerAttr>(hint.getValue()).getInt();
    }
  }
  return out;
}

static json::Object cubins(KernelOp kernel, const ManifestInputs &inputs) {
  json::Object out;
  for (const auto &[target, file] : inputs.cubins) {
    out[target] = json::Object{{"file", file.name},
                               {"sha256", file.sha256},
                               {"hints", hints(kernel, target)}};
  }
  return out;
}

std::string validatorOf(KernelOp kernel, GivenAttr given) {
  auto type = mlir::cast<TileTensorType>(
      kernel.getArguments()[given.getTensor()].getType());
  mlir::Type element = type.getElementType();
  bool shipped = element.isInteger(32) || element.isInteger(64);
  if (given.getAssumed() || !shipped) {
    return "";
  }
  std::string name;
  switch (given.getKind()) {
  case GivenKind::Within:
    name = "validate_within";
    break;
  case GivenKind::Sorted:
  case GivenKind::Splits: // the two ends are left to the launcher
    name = "validate_sorted";
    break;
  case GivenKind::Distinct:
    name = "validate_distinct";
    break;
  }
  return element.isInteger(64) ? name + "_i64" : name;
}

static json::Array givens(KernelOp kernel, const ManifestInputs &inputs) {
  json::Array out;
  for (GivenAttr given : kernel.getGivenFacts()) {
    json::Array args;
    for (ExprAttr e : given.getExprs()) {
      args.push_back(toJson(e));
    }
    json::Object fact{
        {"fact", stringifyGivenKind(given.getKind())},
        {"tensor", kernel.getArgName(given.getTensor())},
        {"args", std::move(args)},
        {"assumed", given.getAssumed()},
        {"text", given.str(kernel.getArgText(given.getTensor()))}};
    auto validator = inputs.validators.find(validatorOf(kernel, given));
    if (validator != inputs.validators.end()) {
      fact["validator"] = json::Object{{"folder", validator->first},
                                       {"sha256", validator->second}};
    }
    out.push_back(std::move(fact));
  }
  return out;
}

static json::Array trusted(KernelOp kernel) {
  json::Array out;
  for (const checker::OptOut &o : checker::optOutsOf(kernel)) {
    out.push_back(json::fixUTF8(checker::optOutText(o)));
  }
  return out;
}

/// The entries of one kernel, each for launches that the kernel is for.
static void addVariants(json::Array &variants, const VariantInputs &of) {
  KernelOp kernel = of.kernel;
  const ManifestInputs &inputs = of.inputs;
  json::Array parameters;
  for (const Parameter &p : of.lowered.parameters) {
    parameters.push_back(parameter(kernel, p));
  }
  auto grid = kernel.getGridExprs();
  for (const EntryPlan &plan : of.lowered.plans) {
    std::vector<ComparisonAttr> when(inputs.when.begin(), inputs.when.end());
    llvm::append_range(when, plan.when);
    variants.push_back(json::Object{
        {"name", plan.entry},
        {"digest", of.verified.digest()},
        {"when", toJson(when)},
        {"requires", toJson(kernel.getRequirements())},
        {"given", givens(kernel, inputs)},
        {"grid", toJson(std::vector<ExprAttr>(grid.begin(), grid.end()))},
        {"entry", plan.entry},
        {"parameters", json::Array(parameters)},
        {"cubins", cubins(kernel, inputs)},
        {"proof", json::Object{{"file", inputs.proof.name},
                               {"sha256", inputs.proof.sha256}}},
        {"trusted", trusted(kernel)}});
  }
}

std::string manifestText(llvm::StringRef name, llvm::StringRef producer,
                         llvm::ArrayRef<VariantInputs> kernels) {
  KernelOp first = kernels.front().kernel;
  json::Array arguments, variants;
  for (mlir::BlockArgument a : first.getArguments()) {
    arguments.push_back(argument(first, a));
  }
  for (const VariantInputs &kernel : kernels) {
    addVariants(variants, kernel);
  }
  json::Object manifest{{"format", "girih.artefact"},
                        {"version", 1},
                        {"name", name},
                        {"producer", producer},
                        {"arguments", std::move(arguments)},
                        {"symbols", symbols(first)},
                        {"variants", std::move(variants)}};
  std::string text =
      llvm::formatv("{0:2}\n", json::Value(std::move(manifest))).str();
  // The seal stands before all that it covers: the brace and its line are its.
  text.erase(0, text.find('\n') + 1);
  return "{\"seal\": \"" + checker::sha256(text) + "\",\n" + text;
}

std::string proofText(const checker::Verdict &verdict) {
  const checker::VerifiedKernel &verified = *verdict.verified;
  json::Array obligations;
  for (auto [vc, judged] : llvm::zip(verdict.vcs, verified.judged())) {
    obligations.push_back(
        json::Object{{"rule", vc.obligation.rule},
                     {"label", vc.obligation.label},
                     {"hash", judged.hash},
                     {"certificate", proofs::print(judged.certificate)}});
  }
  json::Object model;
  if (verdict.model) {
    for (const auto &[name, value] : *verdict.model) {
      model[name] = value;
    }
  }
  json::Object proof{
      {"format", "girih.proof"},     {"version", 1},
      {"digest", verified.digest()}, {"kernel", verified.text()},
      {"model", std::move(model)},   {"obligations", std::move(obligations)}};
  return llvm::formatv("{0:2}\n", json::Value(std::move(proof))).str();
}

} // namespace girih::tileir
