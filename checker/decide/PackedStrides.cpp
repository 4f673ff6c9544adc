// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "checker/decide/PackedStrides.h"

#include <map>

using namespace girih::proofs;

namespace girih::checker {

std::vector<Fact> packedStrides(tile::KernelOp kernel, const Vc &vc) {
  std::map<std::string, Var> symbols;
  for (Var v = 0; v < vc.variables.size(); ++v) {
    if (vc.variables[v].kind == Variable::Kind::Symbol) {
      symbols.emplace(vc.variables[v].name, v);
    }
  }
  // Extents, and strides that have their fact.
  llvm::DenseSet<mlir::Attribute> bound;
  std::vector<tile::TileTensorType> types;
  for (mlir::Type t : kernel.getBody()->getArgumentTypes()) {
    if (auto type = mlir::dyn_cast<tile::TileTensorType>(t)) {
      types.push_back(type);
      bound.insert_range(type.getDims());
    }
  }
  auto numberOf = [&](mlir::Attribute a) -> std::optional<Poly> {
    auto name = mlir::dyn_cast<mlir::StringAttr>(a);
    if (!name) {
      return Poly(mlir::cast<mlir::IntegerAttr>(a).getInt());
    }
    auto known = symbols.find(name.str());
    return known == symbols.end()
               ? std::nullopt
               : std::optional(Poly::variable(known->second));
  };
  std::vector<Fact> out;
  for (tile::TileTensorType type : types) {
    Poly packed(1);
    for (size_t k = type.getStrides().size(); k-- > 0;) {
      mlir::Attribute of = type.getStrides()[k];
      std::optional<Poly> stride = numberOf(of),
                          extent = numberOf(type.getDims()[k]);
      if (!stride || !extent) {
        break;
      }
      if (mlir::isa<mlir::StringAttr>(of) && bound.insert(of).second) {
        out.push_back(Fact::zero(*stride - packed));
        stride = packed;
      }
      packed = *stride * *extent;
    }
  }
  return out;
}

} // namespace girih::checker
