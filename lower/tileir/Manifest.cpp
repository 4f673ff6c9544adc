// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lower/tileir/Manifest.h"
#include "checker/decide/OptOuts.h"
#include "lower/tileir/Context.h"

#include "proofs/Text.h"

#include "llvm/Support/JSON.h"

using namespace girih::tile;
namespace json = llvm::json;

namespace girih::tileir {

// A json::Object takes 4 KB, however little it holds, and a kernel may have
// thousands of tensors. So the texts are written as they are walked, the
// attributes of an object in the order of their names.

static void write(json::OStream &os, ExprAttr e) {
  switch (e.getKind()) {
  case ExprKind::Constant:
    os.value(e.getValue());
    return;
  case ExprKind::Symbol:
    os.object([&] { os.attribute("symbol", e.getSymbol().getValue()); });
    return;
  default:
    os.object([&] {
      os.attributeArray("args", [&] {
        write(os, e.getLhs());
        write(os, e.getRhs());
      });
      os.attribute("op", stringifyExprKind(e.getKind()));
    });
  }
}

static void write(json::OStream &os, llvm::StringRef key,
                  llvm::ArrayRef<ExprAttr> expressions) {
  os.attributeArray(key, [&] {
    for (ExprAttr e : expressions) {
      write(os, e);
    }
  });
}

static void write(json::OStream &os, llvm::StringRef key,
                  llvm::ArrayRef<ComparisonAttr> conditions) {
  os.attributeArray(key, [&] {
    for (ComparisonAttr c : conditions) {
      os.object([&] {
        write(os, "args", {c.getLhs(), c.getRhs()});
        os.attribute("op", stringifyComparisonKind(c.getKind()));
        os.attribute("text", c.str());
      });
    }
  });
}

static std::string typeName(mlir::Type type) {
  std::string name;
  llvm::raw_string_ostream(name) << type;
  return name;
}

static void writeArgument(json::OStream &os, KernelOp kernel,
                          mlir::BlockArgument a) {
  llvm::StringRef name = kernel.getArgName(a.getArgNumber());
  auto type = mlir::dyn_cast<TileTensorType>(a.getType());
  if (!type) {
    os.attribute("dtype", typeName(a.getType()));
    os.attribute("kind", "scalar");
    os.attribute("name", name);
    return;
  }
  os.attribute("align", type.getAlign());
  write(os, "dims", extentExprs(type));
  os.attribute("dtype", typeName(type.getElementType()));
  os.attribute("kind", "tensor");
  os.attribute("mode", stringifyMode(type.getMode()));
  os.attribute("name", name);
  os.attribute("partial", type.getPartial());
  write(os, "strides", strideExprs(type));
}

static void writeSymbols(json::OStream &os, KernelOp kernel) {
  llvm::DenseSet<mlir::Attribute> extents, strides;
  for (mlir::BlockArgument a : kernel.getArguments()) {
    if (auto type = mlir::dyn_cast<TileTensorType>(a.getType())) {
      extents.insert_range(type.getDims());
      strides.insert_range(type.getStrides());
    }
  }
  for (const LaunchSymbol &s : kernel.getLaunchSymbols()) {
    os.object([&] {
      os.attribute("name", s.name.getValue());
      os.attribute("source", extents.contains(s.name)   ? "extent"
                             : strides.contains(s.name) ? "stride"
                                                        : "caller");
      os.attribute("type", typeName(s.type));
    });
  }
}

static void writeParameter(json::OStream &os, KernelOp kernel,
                           const Parameter &p) {
  switch (p.kind) {
  case Parameter::Kind::Pointer:
  case Parameter::Kind::Scalar:
    os.attribute("argument", kernel.getArgName(p.argument));
    os.attribute("kind",
                 p.kind == Parameter::Kind::Pointer ? "pointer" : "scalar");
    return;
  case Parameter::Kind::Integer:
    os.attribute("kind", "integer");
    os.attribute("type", elementName(p.type));
    os.attributeBegin("value");
    write(os, p.value);
    os.attributeEnd();
  }
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
    json::Object cubin{{"file", file.name},
                       {"sha256", file.sha256},
                       {"hints", hints(kernel, target)}};
    auto launch = inputs.launches.find(target);
    if (launch != inputs.launches.end()) {
      const LaunchRecipe &recipe = launch->second;
      cubin["launch"] = json::Object{{"early", json::Array(recipe.early)},
                                     {"shared", recipe.sharedBytes},
                                     {"threads", recipe.threads},
                                     {"waits", recipe.waits}};
    }
    out[target] = std::move(cubin);
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

static void writeGiven(json::OStream &os, KernelOp kernel, GivenAttr given,
                       const ManifestInputs &inputs) {
  write(os, "args", given.getExprs());
  os.attribute("assumed", given.getAssumed());
  os.attribute("fact", stringifyGivenKind(given.getKind()));
  os.attribute("tensor", kernel.getArgName(given.getTensor()));
  os.attribute("text", given.str(kernel.getArgText(given.getTensor())));
  auto validator = inputs.validators.find(validatorOf(kernel, given));
  if (validator != inputs.validators.end()) {
    os.attribute("validator", json::Object{{"folder", validator->first},
                                           {"sha256", validator->second}});
  }
}

/// Of the entries of one kernel, one for launches that the kernel is for.
static void writeVariant(json::OStream &os, const VariantInputs &of,
                         const EntryPlan &plan) {
  KernelOp kernel = of.kernel;
  const ManifestInputs &inputs = of.inputs;
  std::vector<ComparisonAttr> when(inputs.when.begin(), inputs.when.end());
  llvm::append_range(when, plan.when);
  os.attribute("cubins", cubins(kernel, inputs));
  os.attribute("digest", of.verified.digest());
  os.attribute("entry", plan.entry);
  os.attributeArray("given", [&] {
    for (GivenAttr given : kernel.getGivenFacts()) {
      os.object([&] { writeGiven(os, kernel, given, inputs); });
    }
  });
  write(os, "grid", kernel.getGridExprs());
  os.attribute("name", plan.entry);
  os.attributeArray("parameters", [&] {
    for (const Parameter &p : of.lowered.parameters) {
      os.object([&] { writeParameter(os, kernel, p); });
    }
  });
  os.attribute("proof", json::Object{{"file", inputs.proof.name},
                                     {"sha256", inputs.proof.sha256}});
  if (!kernel.getRepack().empty()) {
    os.attributeArray("repack", [&] {
      for (RepackAttr repack : kernel.getRepack().getAsRange<RepackAttr>()) {
        os.object([&] {
          os.attribute("tensor", kernel.getArgName(repack.getTensor()));
          auto conditions = llvm::to_vector(
              repack.getConditions().getAsRange<ComparisonAttr>());
          write(os, "when", conditions);
        });
      }
    });
  }
  write(os, "requires", kernel.getRequirements());
  os.attributeArray("trusted", [&] {
    for (const checker::OptOut &o : checker::optOutsOf(kernel)) {
      os.value(json::fixUTF8(checker::optOutText(o)));
    }
  });
  write(os, "when", when);
}

std::string manifestText(llvm::StringRef name, llvm::StringRef producer,
                         llvm::ArrayRef<VariantInputs> kernels) {
  KernelOp first = kernels.front().kernel;
  std::string text;
  llvm::raw_string_ostream stream(text);
  json::OStream os(stream, /*IndentSize=*/2);
  os.object([&] {
    os.attributeArray("arguments", [&] {
      for (mlir::BlockArgument a : first.getArguments()) {
        os.object([&] { writeArgument(os, first, a); });
      }
    });
    os.attribute("format", "girih.artefact");
    os.attribute("name", name);
    os.attribute("producer", producer);
    os.attributeArray("symbols", [&] { writeSymbols(os, first); });
    os.attributeArray("variants", [&] {
      for (const VariantInputs &kernel : kernels) {
        for (const EntryPlan &plan : kernel.lowered.plans) {
          os.object([&] { writeVariant(os, kernel, plan); });
        }
      }
    });
    os.attribute("version", 1);
  });
  stream << "\n";
  // The seal stands before all that it covers: the brace and its line are its.
  text.erase(0, text.find('\n') + 1);
  return "{\"seal\": \"" + checker::sha256(text) + "\",\n" + text;
}

std::string proofText(const checker::Verdict &verdict) {
  const checker::VerifiedKernel &verified = *verdict.verified;
  json::Object model;
  if (verdict.model) {
    for (const auto &[name, value] : *verdict.model) {
      model[name] = value;
    }
  }
  std::string text;
  llvm::raw_string_ostream stream(text);
  json::OStream os(stream, /*IndentSize=*/2);
  os.object([&] {
    os.attribute("digest", verified.digest());
    os.attribute("format", "girih.proof");
    os.attribute("kernel", verified.text());
    os.attribute("model", std::move(model));
    os.attributeArray("obligations", [&] {
      for (auto [vc, judged] : llvm::zip(verdict.vcs, verified.judged())) {
        os.object([&] {
          os.attribute("certificate", proofs::print(judged.certificate));
          os.attribute("hash", judged.hash);
          os.attribute("label", vc.obligation.label);
          os.attribute("rule", vc.obligation.rule);
        });
      }
    });
    os.attribute("version", 1);
  });
  stream << "\n";
  return text;
}

} // namespace girih::tileir
