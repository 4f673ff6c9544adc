// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/artefact/Policy.h"

#include "runtime/artefact/Artefact.h"
#include "runtime/artefact/Ed25519.h"
#include "runtime/artefact/Json.h"

namespace girih::runtime {

static Error misused(std::string reason) {
  return {ErrorKind::Usage, std::move(reason)};
}

static Error refusePolicy(std::string reason) {
  return {ErrorKind::Artefact, std::move(reason)};
}

static void readKey(JsonCursor at, Policy &policy) {
  at.keys({"name", "ed25519"});
  std::optional<std::string> key = parsePublicKey(at["ed25519"].string());
  if (!key) {
    at["ed25519"].fail("is no public key of Ed25519");
    return;
  }
  if (!policy.keys.emplace(*key, at["name"].string()).second) {
    at["ed25519"].fail("is listed twice");
  }
}

Expected<Policy> readPolicy(const std::string &path) {
  std::optional<std::string> text = readFile(path);
  if (!text) {
    return misused(path + " cannot be read");
  }
  Policy policy;
  std::string error;
  readJson(*text, error, [&](JsonCursor root) {
    root.document("girih.policy", 1);
    root.keys({"format", "version", "keys", "opt_outs"}, {"opt_outs"});
    root["keys"].list<int>([&](JsonCursor at) {
      readKey(at, policy);
      return 0;
    });
    if (root.has("opt_outs")) {
      std::string word = root["opt_outs"].string();
      if (word != "allowed" && word != "refused") {
        root["opt_outs"].fail("is neither allowed nor refused");
      }
      policy.allowsOptOuts = word == "allowed";
    }
  });
  if (!error.empty()) {
    return misused(path + ": " + error);
  }
  return policy;
}

std::optional<Error> addKey(Policy &policy, const std::string &path) {
  std::optional<std::string> text = readFile(path);
  if (!text) {
    return misused(path + " cannot be read");
  }
  std::optional<std::string> key = parsePublicKey(*text);
  if (!key) {
    return misused(path + ": no public key of Ed25519, neither as PEM nor as "
                          "64 hex digits");
  }
  policy.keys.emplace(*key, path);
  return std::nullopt;
}

namespace {
struct Signature {
  std::string key, signature;
};
} // namespace

static Expected<std::vector<Signature>>
readSignatures(const std::string &text) {
  std::vector<Signature> out;
  std::string error;
  readJson(text, error, [&](JsonCursor root) {
    root.document("girih.signature", 1);
    root.keys({"format", "version", "signatures"});
    out = root["signatures"].list<Signature>([](JsonCursor at) {
      at.keys({"algorithm", "key", "signature"});
      if (at["algorithm"].string() != "ed25519") {
        at["algorithm"].fail("is not ed25519");
      }
      return Signature{at["key"].string(), at["signature"].string()};
    });
  });
  if (!error.empty()) {
    return refusePolicy("signature.json: " + error);
  }
  return out;
}

/// Why no key of the policy has signed the manifest.
static std::optional<Error> refuseUnsigned(const Policy &policy,
                                           const std::string &folder,
                                           std::string_view manifest) {
  std::optional<std::string> text = readFile(folder + "/signature.json");
  if (!text) {
    return refusePolicy(
        "the policy asks for a signature: signature.json cannot be "
        "read");
  }
  Expected<std::vector<Signature>> signatures = readSignatures(*text);
  if (!signatures) {
    return signatures.error();
  }
  std::string message = signedMessage(manifest), strangers;
  for (const Signature &s : *signatures) {
    if (!policy.keys.contains(s.key)) {
      strangers += (strangers.empty() ? "" : ", ") + s.key;
    } else if (verifies(s.key, message, s.signature)) {
      return std::nullopt;
    } else {
      return refusePolicy("signature.json: " + policy.keys.at(s.key) +
                          " did not sign this manifest");
    }
  }
  return refusePolicy(
      "no key of the policy has signed the artefact" +
      (strangers.empty() ? "" : ": it is signed by " + strangers));
}

static std::optional<Error> refuseOptOuts(const Manifest &manifest) {
  for (const Variant &v : manifest.variants) {
    if (!v.trusted.empty()) {
      return refusePolicy("the policy refuses opt-outs: " + v.name +
                          " rests on '" + v.trusted.front() + "'");
    }
    for (const Precondition &given : v.givens) {
      if (given.assumed) {
        return refusePolicy("the policy refuses opt-outs: " + v.name +
                            " assumes " + given.text);
      }
    }
  }
  return std::nullopt;
}

std::optional<Error> refuseByPolicy(const Policy &policy,
                                    const std::string &folder,
                                    std::string_view text,
                                    const Manifest &manifest) {
  if (auto error = refuseUnsigned(policy, folder, text)) {
    return error;
  }
  return policy.allowsOptOuts ? std::nullopt : refuseOptOuts(manifest);
}

} // namespace girih::runtime
