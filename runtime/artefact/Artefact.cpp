// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/artefact/Artefact.h"

#include "runtime/artefact/Json.h"
#include "runtime/artefact/Sha256.h"

#include <array>
#include <filesystem>
#include <fstream>

namespace girih::runtime {

std::optional<std::string> readFile(const std::string &path) {
  std::error_code ignored;
  std::filesystem::file_status status = std::filesystem::status(path, ignored);
  // A device may have no end.
  bool ends = std::filesystem::is_regular_file(status) ||
              std::filesystem::is_fifo(status);
  std::ifstream file(path, std::ios::binary);
  if (!ends || !file) {
    return std::nullopt;
  }
  std::string bytes;
  std::array<char, 65536> part;
  while (file.read(part.data(), part.size()) || file.gcount() > 0) {
    bytes.append(part.data(), static_cast<std::size_t>(file.gcount()));
  }
  return file.bad() ? std::nullopt : std::optional(std::move(bytes));
}

static Error refuseArtefact(std::string reason) {
  return {ErrorKind::Artefact, std::move(reason)};
}

static Expected<std::string> readSealed(const ReadWithin &read,
                                        const File &file) {
  std::optional<std::string> bytes = read(file.name);
  if (!bytes) {
    return refuseArtefact(file.name + " cannot be read");
  }
  std::string digest = sha256(*bytes);
  if (digest != file.sha256) {
    return refuseArtefact(file.name +
                          " is not the file that the manifest names: its "
                          "SHA-256 is " +
                          digest + ", not " + file.sha256);
  }
  return std::move(*bytes);
}

/// A proof holds the printed form of its kernel, whose digest is the
/// manifest's.
static std::optional<Error> checkProof(const Variant &variant,
                                       const std::string &bytes) {
  std::string error, kernel;
  readJson(bytes, error, [&](JsonCursor root) {
    root.document("girih.proof", 1);
    kernel = root["kernel"].string();
  });
  if (!error.empty()) {
    return refuseArtefact(variant.proof.name + ": " + error);
  }
  std::string digest = sha256(kernel);
  if (digest != variant.digest) {
    return refuseArtefact(variant.proof.name + " proves another kernel than " +
                          variant.name + ": its digest is " + digest +
                          ", not " + variant.digest);
  }
  return std::nullopt;
}

/// Loads what `read` reads, once `admit` has nothing against the manifest.
using Admit = std::function<std::optional<Error>(const std::string &text,
                                                 const Manifest &manifest)>;
static Expected<Artefact> load(const ReadWithin &read, bool within,
                               const Admit &admit);

/// Loads the validator of a fact. It is an artefact like any other, the one
/// whose manifest this one names, and nothing is given to it. Who signs this
/// manifest signs that one, too.
static std::optional<Error>
loadValidator(const ReadWithin &read, const File &validator, Artefact &into) {
  ReadWithin inner = [&](const std::string &path) {
    return read(validator.name + "/" + path);
  };
  auto because = [&](const Error &why) {
    return refuseArtefact("validator " + validator.name + ": " + why.reason);
  };
  Expected<std::string> named =
      readSealed(inner, {"manifest.json", validator.sha256});
  if (!named) {
    return because(named.error());
  }
  if (into.validators.contains(validator.name)) {
    return std::nullopt;
  }
  Expected<Artefact> loaded = load(inner, true, nullptr);
  if (!loaded) {
    return because(loaded.error());
  }
  into.validators[validator.name] =
      std::make_shared<const Artefact>(std::move(*loaded));
  return std::nullopt;
}

static Expected<Artefact> load(const ReadWithin &read, bool within,
                               const Admit &admit) {
  std::optional<std::string> text = read("manifest.json");
  if (!text) {
    return refuseArtefact("manifest.json cannot be read");
  }
  Expected<Manifest> manifest = parseManifest(*text);
  if (!manifest) {
    return manifest.error();
  }
  if (admit) {
    if (auto error = admit(*text, *manifest)) {
      return *error;
    }
  }
  Artefact artefact{std::move(*manifest), {}, {}};
  for (const Variant &variant : artefact.manifest.variants) {
    Expected<std::string> proof = readSealed(read, variant.proof);
    if (!proof) {
      return proof.error();
    }
    if (auto error = checkProof(variant, *proof)) {
      return *error;
    }
    for (const Cubin &cubin : variant.cubins) {
      Expected<std::string> bytes = readSealed(read, cubin.file);
      if (!bytes) {
        return bytes.error();
      }
      artefact.files[cubin.file.name] = std::move(*bytes);
    }
    if (within && !variant.givens.empty()) {
      return refuseArtefact("something is given to it as well");
    }
    for (const Precondition &given : variant.givens) {
      if (!given.validator) {
        continue;
      }
      if (auto error = loadValidator(read, *given.validator, artefact)) {
        return *error;
      }
    }
  }
  return artefact;
}

Expected<Artefact> loadArtefact(const std::string &folder,
                                const Policy *policy) {
  std::error_code ignored;
  if (!std::filesystem::is_directory(folder, ignored)) {
    return Error{ErrorKind::Usage, folder + " is no folder"};
  }
  if (!std::filesystem::exists(folder + "/manifest.json", ignored)) {
    return refuseArtefact(folder + "/manifest.json cannot be read");
  }
  Admit admit;
  if (policy) {
    admit = [&](const std::string &text, const Manifest &manifest) {
      return refuseByPolicy(*policy, folder, text, manifest);
    };
  }
  return load(
      [&](const std::string &path) { return readFile(folder + "/" + path); },
      false, admit);
}

Expected<Artefact> loadArtefact(const ReadWithin &read) {
  return load(read, false, nullptr);
}

Expected<std::string_view> cubinFor(const Artefact &artefact, size_t variant,
                                    const std::string &architecture) {
  std::string others, all;
  for (const Cubin &cubin : artefact.manifest.variants[variant].cubins) {
    if (cubin.architecture == architecture) {
      return std::string_view(artefact.files.at(cubin.file.name));
    }
    others += (others.empty() ? "" : ", ") + cubin.architecture;
    all += cubin.architecture + ",";
  }
  return refuseArtefact("no cubin for " + architecture + ": the artefact has " +
                        others + "; tile-compile " + artefact.manifest.name +
                        ".mlir --arch=" + all + architecture +
                        " -o FOLDER makes one that has it");
}

} // namespace girih::runtime
