// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tests/simulated/Artefacts.h"

#include "runtime/artefact/Sha256.h"

#include <dlfcn.h>
#include <stdexcept>

namespace girih::tests {

namespace {

struct Tensor {
  std::string name, mode;
  std::vector<std::string> dims;
  std::string stride = ""; ///< symbol of the distance of rows
};

struct Shape {
  std::vector<std::string> scalars;
  std::vector<Tensor> tensors;
  std::vector<std::string> order;    ///< arguments, as the kernel takes them
  std::vector<std::string> integers; ///< symbols behind them
};

const std::map<std::string, Shape> &shapes() {
  static const std::map<std::string, Shape> all = {
      {"add",
       {{},
        {{"x", "shared", {"N"}}, {"y", "shared", {"N"}}, {"z", "out", {"N"}}},
        {"x", "y", "z"},
        {"N"}}},
      {"fill", {{"value"}, {{"z", "out", {"N"}}}, {"z", "value"}, {"N"}}},
      {"copy",
       {{}, {{"x", "shared", {"N"}}, {"z", "out", {"N"}}}, {"x", "z"}, {"N"}}},
      {"scale", {{"alpha"}, {{"x", "own", {"N"}}}, {"alpha", "x"}, {"N"}}},
      {"axpy",
       {{"alpha"},
        {{"x", "shared", {"N"}}, {"y", "own", {"N"}}},
        {"alpha", "x", "y"},
        {"N"}}},
      {"gemm",
       {{},
        {{"a", "shared", {"M", "K"}},
         {"b", "shared", {"K", "N"}},
         {"c", "out", {"M", "N"}}},
        {"a", "b", "c"},
        {"M", "N", "K"}}},
      {"gemm_strided",
       {{},
        {{"a", "shared", {"M", "K"}, "lda"},
         {"b", "shared", {"K", "N"}, "ldb"},
         {"c", "out", {"M", "N"}, "ldc"}},
        {"a", "b", "c"},
        {"M", "N", "K", "lda", "ldb", "ldc"}}},
      {"fill_rows",
       {{"value"},
        {{"z", "out", {"M", "N"}, "ldz"}},
        {"z", "value"},
        {"M", "N", "ldz"}}},
      {"reduce",
       {{},
        {{"x", "shared", {"N"}}, {"sum", "out", {"1"}}},
        {"x", "sum"},
        {"N"}}},
      {"accumulate",
       {{},
        {{"x", "shared", {"N"}}, {"sum", "atomic<add>", {"1"}}},
        {"x", "sum"},
        {"N"}}},
  };
  return all;
}

const Shape &shapeOf(const std::string &kernel) {
  auto found = shapes().find(kernel);
  if (found == shapes().end()) {
    throw std::invalid_argument("no kernel " + kernel);
  }
  return found->second;
}

Json expression(const std::string &text) {
  return text == "1" ? Json(1) : Json{{"symbol", text}};
}

Json argumentOf(const Tensor &tensor) {
  Json dims = Json::array(), strides = Json::array();
  for (const std::string &dim : tensor.dims) {
    dims.push_back(expression(dim));
  }
  if (tensor.dims.size() == 2) {
    strides.push_back(
        expression(tensor.stride.empty() ? tensor.dims[1] : tensor.stride));
  }
  strides.push_back(1);
  return {{"kind", "tensor"},    {"name", tensor.name}, {"dtype", "f32"},
          {"mode", tensor.mode}, {"partial", false},    {"dims", dims},
          {"strides", strides},  {"align", 4}};
}

bool isScalar(const Shape &shape, const std::string &name) {
  for (const std::string &scalar : shape.scalars) {
    if (scalar == name) {
      return true;
    }
  }
  return false;
}

} // namespace

std::vector<std::string> Simulated::errors(int first) const {
  std::vector<std::string> out;
  for (int k = first; k < simErrors(); ++k) {
    out.emplace_back(simError(k));
  }
  return out;
}

namespace {

template <typename Function> struct Missing;
template <typename Result, typename... Parameters>
struct Missing<Result (*)(Parameters...)> {
  static Result call(Parameters...) {
    throw std::runtime_error("needs the simulated driver");
  }
};

/// For a driver without the interface.
Simulated missing() {
  Simulated s;
#define GIRIH_SIMULATED_MISSING(result, name, parameters)                      \
  s.name = Missing<decltype(s.name)>::call;
  GIRIH_SIMULATED_FUNCTIONS(GIRIH_SIMULATED_MISSING)
#undef GIRIH_SIMULATED_MISSING
  s.simSeed = [] { return uint64_t(1); };
  s.simDelay = [](unsigned) {};
  s.simStopFailing = [] {};
  s.simSpare = [](const char *) {};
  s.simErrors = [] { return 0; };
  s.simLiveHandles = [] { return 0; };
  return s;
}

} // namespace

const Simulated &simulated() {
  static const Simulated loaded = [] {
    Simulated s;
    if (void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL)) {
#define GIRIH_SIMULATED_TAKE(result, name, parameters)                         \
  s.name = reinterpret_cast<result(*) parameters>(dlsym(library, #name));
      GIRIH_SIMULATED_FUNCTIONS(GIRIH_SIMULATED_TAKE)
#undef GIRIH_SIMULATED_TAKE
    }
    return s.simReset ? s : missing();
  }();
  return loaded;
}

Json simulatedManifest(const std::string &kernel) {
  const Shape &shape = shapeOf(kernel);
  Json manifest = sumManifest();
  manifest["name"] = kernel;
  Json arguments = Json::array();
  for (const std::string &scalar : shape.scalars) {
    arguments.push_back(
        {{"kind", "scalar"}, {"name", scalar}, {"dtype", "f32"}});
  }
  std::string extents;
  for (const Tensor &tensor : shape.tensors) {
    arguments.push_back(argumentOf(tensor));
    for (const std::string &dim : tensor.dims) {
      extents += " " + dim + " ";
    }
  }
  manifest["arguments"] = arguments;
  Json symbols = Json::array(), parameters = Json::array();
  for (const std::string &name : shape.order) {
    parameters.push_back(
        {{"kind", isScalar(shape, name) ? "scalar" : "pointer"},
         {"argument", name}});
  }
  for (const std::string &name : shape.integers) {
    bool isExtent = extents.find(" " + name + " ") != std::string::npos;
    symbols.push_back({{"name", name},
                       {"type", "index"},
                       {"source", isExtent ? "extent" : "caller"}});
    parameters.push_back(
        {{"kind", "integer"}, {"type", "i64"}, {"value", expression(name)}});
  }
  manifest["symbols"] = symbols;
  Json &variant = manifest["variants"][0];
  variant["name"] = kernel;
  variant["entry"] = kernel;
  variant["requires"] = Json::array();
  variant["parameters"] = parameters;
  Json grid = Json::array();
  for (const std::string &dim : shape.tensors.front().dims) {
    grid.push_back(
        {{"op", "ceildiv"}, {"args", Json::array({expression(dim), 128})}});
  }
  variant["grid"] = grid;
  variant["cubins"] = {{"sm_90", {{"file", "sm_90.cubin"}, {"sha256", ""}}}};
  return manifest;
}

std::string simulatedCubin(const std::string &kernel, const std::string &sizes,
                           const std::string &words) {
  if (!words.empty() && !cubinOfGpu().empty()) {
    throw std::runtime_error("needs the simulated driver");
  }
  return fakeCubin("fake " + sizes + " ; " + words + " " + kernel, kernel);
}

std::map<std::string, std::string> simulatedArtefact(const std::string &kernel,
                                                     const std::string &words) {
  const Shape &shape = shapeOf(kernel);
  Json manifest = simulatedManifest(kernel);
  std::string sizes;
  for (const std::string &name : shape.order) {
    sizes += isScalar(shape, name) ? "4 " : "8 ";
  }
  for (size_t k = 0; k < shape.integers.size(); ++k) {
    sizes += "8 ";
  }
  std::map<std::string, std::string> files;
  std::string text = "tile.kernel @" + kernel;
  Json &variant = manifest["variants"][0];
  variant["digest"] = runtime::sha256(text);
  files["sm_90.cubin"] = simulatedCubin(kernel, sizes, words);
  files["proof.json"] = proofOf(text);
  variant["cubins"]["sm_90"]["sha256"] = runtime::sha256(files["sm_90.cubin"]);
  variant["proof"]["sha256"] = runtime::sha256(files["proof.json"]);
  files["manifest.json"] = sealed(manifest);
  return files;
}

} // namespace girih::tests
