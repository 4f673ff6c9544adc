// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lower/ptx/Module.h"

namespace girih::ptx {

static std::string list(const std::vector<Operand> &parts, const char *comma);

static std::string print(const Operand &o) {
  auto plus = [](int64_t value) {
    return value == 0  ? ""
           : value > 0 ? "+" + std::to_string(value)
                       : std::to_string(value);
  };
  switch (o.kind) {
  case Operand::Kind::Integer:
    return std::to_string(o.value);
  case Operand::Kind::Symbol:
    return o.name + plus(o.value);
  case Operand::Kind::Vector:
    return "{" + list(o.parts, ", ") + "}";
  case Operand::Kind::Pair:
    return list(o.parts, "|");
  case Operand::Kind::Address:
    return "[" + list(o.parts, "") + plus(o.value) + "]";
  case Operand::Kind::Sink:
    return "_";
  default:
    return o.name;
  }
}

static std::string list(const std::vector<Operand> &parts, const char *comma) {
  std::string out;
  for (const Operand &part : parts) {
    out += (out.empty() ? "" : comma) + print(part);
  }
  return out;
}

std::string print(const Instruction &i) {
  std::string out;
  if (!i.guard.empty()) {
    out = std::string("@") + (i.guardNegated ? "!" : "") + i.guard + " ";
  }
  out += i.opcode;
  return out + (i.operands.empty() ? "" : " ") + list(i.operands, ", ");
}

static std::string print(const SharedVariable &v) {
  return "shared " + v.name + " align " + std::to_string(v.align) +
         (v.dynamic ? " dynamic" : " bytes " + std::to_string(v.bytes)) + "\n";
}

static std::string threads(const char *what, const std::vector<uint64_t> &n) {
  std::string out;
  for (uint64_t one : n) {
    out += " " + std::to_string(one);
  }
  return out.empty() ? "" : what + out + "\n";
}

std::string print(const Module &module) {
  std::string out =
      "version " + module.version + "\ntarget " + module.target + "\n";
  for (const SharedVariable &v : module.shared) {
    out += print(v);
  }
  for (const Entry &e : module.entries) {
    out += "entry " + e.name + "\n";
    for (const Parameter &p : e.parameters) {
      out += "param " + p.type.name + " " + p.name + "\n";
    }
    out += threads("maxntid", e.maxThreads);
    out += threads("reqntid", e.requiredThreads);
    for (const SharedVariable &v : e.shared) {
      out += print(v);
    }
    for (size_t i = 0; i < e.instructions.size(); ++i) {
      for (const auto &[label, at] : e.labels) {
        out += at == i ? label + ":\n" : "";
      }
      out += "  " + print(e.instructions[i]) + "\n";
    }
    out += "end\n";
  }
  return out;
}

} // namespace girih::ptx
