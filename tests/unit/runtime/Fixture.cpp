// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tests/unit/runtime/Fixture.h"

#include "runtime/artefact/Sha256.h"
#include "tests/unit/runtime/CubinFile.h"

#include <cstdlib>
#include <dlfcn.h>
#include <fstream>
#include <sstream>

namespace girih::tests {

Json sumManifest() {
  return Json::parse(R"json({
    "format": "girih.artefact",
    "version": 1,
    "name": "sum",
    "producer": "a test",
    "arguments": [
      {"kind": "tensor", "name": "x", "dtype": "f32", "mode": "shared",
       "partial": false, "dims": [{"symbol": "N"}], "strides": [1],
       "align": 16},
      {"kind": "tensor", "name": "y", "dtype": "f32", "mode": "shared",
       "partial": false, "dims": [{"symbol": "N"}], "strides": [1],
       "align": 16},
      {"kind": "tensor", "name": "z", "dtype": "f32", "mode": "out",
       "partial": false, "dims": [{"symbol": "N"}], "strides": [1],
       "align": 16}
    ],
    "symbols": [{"name": "N", "type": "index", "source": "extent"}],
    "variants": [{
      "name": "sum",
      "digest": "",
      "when": [],
      "requires": [
        {"op": "<=", "args": [{"symbol": "N"}, 1000], "text": "N <= 1000"}],
      "given": [],
      "grid": [{"op": "ceildiv", "args": [{"symbol": "N"}, 128]}],
      "entry": "sum",
      "parameters": [
        {"kind": "pointer", "argument": "x"},
        {"kind": "pointer", "argument": "y"},
        {"kind": "pointer", "argument": "z"},
        {"kind": "integer", "type": "i64", "value": {"symbol": "N"}}
      ],
      "cubins": {"sm_90": {"file": "sm_90.cubin", "sha256": ""},
                 "sm_100": {"file": "sm_100.cubin", "sha256": ""}},
      "proof": {"file": "proof.json", "sha256": ""},
      "trusted": []
    }]
  })json");
}

std::string sealed(const Json &manifest) {
  // The opening brace is on the line of the seal.
  std::string rest = manifest.dump(1).substr(1);
  return "{\"seal\": \"" + runtime::sha256(rest) + "\",\n" + rest;
}

std::string cubinOfGpu() {
  const char *path = std::getenv("GIRIH_GPU_CUBIN");
  std::ifstream file(path ? path : "", std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string fakeCubin(const std::string &text, const std::string &entry) {
  if (std::string cubin = cubinOfGpu(); !cubin.empty()) {
    return cubin;
  }
  size_t parameters = 0;
  std::istringstream words(text);
  for (std::string word; words >> word && word != ";";) {
    parameters += word != "fake";
  }
  return cubinFile(text, parameters, {entry});
}

std::string proofOf(const std::string &kernel) {
  return Json{{"format", "girih.proof"}, {"version", 1}, {"kernel", kernel}}
      .dump();
}

std::map<std::string, std::string> artefactFiles(const std::string &behaviour,
                                                 Json manifest,
                                                 const std::string &sizes) {
  std::map<std::string, std::string> files;
  std::string kernel = "tile.kernel @sum";
  Json &variant = manifest["variants"][0];
  if (!cubinOfGpu().empty()) {
    variant["entry"] = behaviour; // all of them are in one cubin
  }
  std::string entry = variant["entry"];
  files["sm_90.cubin"] = fakeCubin("fake " + sizes + " ; " + behaviour, entry);
  files["sm_100.cubin"] = fakeCubin("fake 8 8 8 8 ; nothing", entry);
  variant["digest"] = runtime::sha256(kernel);
  files["proof.json"] = proofOf(kernel);
  for (auto &cubin : variant["cubins"]) {
    cubin["sha256"] = runtime::sha256(files[cubin["file"]]);
  }
  variant["proof"]["sha256"] = runtime::sha256(files["proof.json"]);
  files["manifest.json"] = sealed(manifest);
  return files;
}

Folder::Folder() {
  std::string name =
      (std::filesystem::temp_directory_path() / "girih.XXXXXX").string();
  root = mkdtemp(name.data());
}

Folder::Folder(const std::map<std::string, std::string> &files) : Folder() {
  for (const auto &[name, bytes] : files) {
    write(name, bytes);
  }
}

Folder::~Folder() {
  std::error_code ignored;
  std::filesystem::remove_all(root, ignored);
}

std::string Folder::write(const std::string &name,
                          const std::string &bytes) const {
  std::filesystem::create_directories((root / name).parent_path());
  std::ofstream(root / name, std::ios::binary) << bytes;
  return file(name);
}

runtime::Array floats(const std::vector<float> &values) {
  runtime::Array array{
      runtime::Element::F32, {static_cast<int64_t>(values.size())}, {}};
  for (float value : values) {
    array.bytes.append(reinterpret_cast<const char *>(&value), 4);
  }
  return array;
}

template <typename Function> static Function *ofDriver(const char *name) {
  void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  return reinterpret_cast<Function *>(dlsym(library, name));
}

FakeState &driverState() { return *ofDriver<FakeState *()>("fakeState")(); }

void *driverContext(int device, int number) {
  return ofDriver<void *(int, int)>("fakeContext")(device, number);
}

void *currentContext() {
  void *context = nullptr;
  ofDriver<int(void **)>("cuCtxGetCurrent")(&context);
  return context;
}

void setContext(void *context) {
  ofDriver<int(void *)>("cuCtxSetCurrent")(context);
}

SumArguments::SumArguments() {
  static constexpr const char *names[] = {"x", "y", "z"};
  for (int k = 0; k < 3; ++k) {
    for (int i = 0; i < 8; ++i) {
      memory[k][i] = static_cast<float>(k + i);
    }
    list.push_back({names[k], "f32", reinterpret_cast<uint64_t>(memory[k]), 1,
                    &extents[k], &strides[k], 0, GIRIH_NOTHING, nullptr});
  }
}

int SumArguments::prepare(girih_kernel *kernel, girih_launch **launch) const {
  return girih_prepare(kernel, list.data(), list.size(), symbols.data(),
                       symbols.size(), launch);
}

Json fact(const std::string &name, Json args) {
  std::string text = name + "(%ids";
  for (const Json &arg : args) {
    text += ", " +
            (arg.is_object() ? arg["symbol"].get<std::string>() : arg.dump());
  }
  return {{"fact", name},
          {"tensor", "ids"},
          {"args", std::move(args)},
          {"assumed", false},
          {"text", text + ")"}};
}

Json manifestWith(Json given, const char *element) {
  Json manifest = sumManifest();
  Json ids = manifest["arguments"][0];
  ids["name"] = "ids";
  ids["dtype"] = element;
  ids["align"] = 4;
  manifest["arguments"].push_back(ids);
  manifest["variants"][0]["given"] = Json::array({std::move(given)});
  return manifest;
}

void addValidator(std::map<std::string, std::string> &files, Json &manifest,
                  const std::string &behaviour) {
  Json inner = sumManifest();
  bool within = manifest["variants"][0]["given"][0]["fact"] == "within";
  inner["arguments"] = {{{"kind", "tensor"},
                         {"name", "t"},
                         {"dtype", "i32"},
                         {"mode", "shared"},
                         {"partial", false},
                         {"dims", {Json{{"symbol", "N"}}}},
                         {"strides", {1}},
                         {"align", 4}},
                        {{"kind", "tensor"},
                         {"name", "found"},
                         {"dtype", "i64"},
                         {"mode", "out"},
                         {"partial", false},
                         {"dims", {{{"symbol", "P"}}}},
                         {"strides", {1}},
                         {"align", 16}}};
  inner["symbols"].push_back(
      {{"name", "P"}, {"type", "index"}, {"source", "extent"}});
  Json &variant = inner["variants"][0];
  variant["requires"] = Json::array();
  variant["grid"] = {{{"symbol", "P"}}};
  variant["parameters"] = {{{"kind", "pointer"}, {"argument", "t"}},
                           {{"kind", "pointer"}, {"argument", "found"}}};
  std::vector<std::string> symbols = {"N", "P"};
  if (within) {
    for (const char *name : {"least", "most"}) {
      inner["symbols"].push_back(
          {{"name", name}, {"type", "i64"}, {"source", "caller"}});
      symbols.emplace_back(name);
    }
  }
  for (const std::string &name : symbols) {
    variant["parameters"].push_back(
        {{"kind", "integer"}, {"type", "i64"}, {"value", {{"symbol", name}}}});
  }
  auto written =
      artefactFiles(behaviour, inner, within ? "8 8 8 8 8 8" : "8 8 8 8");
  for (const auto &[name, bytes] : written) {
    files["look/" + name] = bytes;
  }
  manifest["variants"][0]["given"][0]["validator"] = {
      {"folder", "look"},
      {"sha256", runtime::sha256(written["manifest.json"])}};
}

} // namespace girih::tests
