// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tests/unit/runtime/Fixture.h"

#include "runtime/Sha256.h"

#include <cstdlib>
#include <dlfcn.h>
#include <fstream>

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

std::map<std::string, std::string> artefactFiles(const std::string &behaviour,
                                                 Json manifest,
                                                 const std::string &sizes) {
  std::map<std::string, std::string> files;
  std::string kernel = "tile.kernel @sum";
  files["sm_90.cubin"] = "fake " + sizes + " ; " + behaviour;
  files["sm_100.cubin"] = "fake 8 8 8 8 ; nothing";
  Json &variant = manifest["variants"][0];
  variant["digest"] = runtime::sha256(kernel);
  files["proof.json"] = Json{{"kernel", kernel}}.dump();
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

FakeState &driverState() {
  void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  auto state = reinterpret_cast<FakeState *(*)()>(dlsym(library, "fakeState"));
  return *state();
}

} // namespace girih::tests
