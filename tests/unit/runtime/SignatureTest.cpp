// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Signatures of artefacts. Whoever edits a manifest can seal it again; under a
// policy nothing is loaded that a key of it has not signed.

#include "runtime/artefact/Artefact.h"
#include "runtime/artefact/Ed25519.h"
#include "runtime/artefact/Sha256.h"
#include "tests/unit/runtime/Fixture.h"

#include <gtest/gtest.h>

using namespace girih::runtime;
using namespace girih::tests;
using Files = std::map<std::string, std::string>;

namespace {
/// Of RFC 8032, section 7.1: tests 1 to 3.
struct Known {
  const char *secret, *publicKey, *message, *signature;
};
} // namespace

static constexpr Known known[] = {
    {"9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
     "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "",
     "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb882159"
     "0a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b"},
    {"4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
     "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c", "\x72",
     "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43"
     "e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"},
    {"c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
     "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
     "\xaf\x82",
     "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538"
     "d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a"}};

static std::string base64(const std::string &bytes) {
  constexpr const char *letters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (size_t i = 0; i < bytes.size(); i += 3) {
    uint32_t group = 0;
    for (size_t k = 0; k < 3; ++k) {
      group = group << 8 | (i + k < bytes.size() ? uint8_t(bytes[i + k]) : 0U);
    }
    for (size_t k = 0; k < 4; ++k) {
      out += i + k <= bytes.size() ? letters[group >> (18 - 6 * k) & 63] : '=';
    }
  }
  return out;
}

/// PEM of a DER header of RFC 8410 with the key behind it.
static std::string pem(const char *what, const std::string &header,
                       const std::string &key) {
  std::string bytes;
  for (const std::string &hex : {header, key}) {
    for (size_t i = 0; i < hex.size(); i += 2) {
      bytes += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
    }
  }
  return std::string("-----BEGIN ") + what + " KEY-----\n" + base64(bytes) +
         "\n-----END " + what + " KEY-----\n";
}

static std::string secretPem(const Known &k) {
  return pem("PRIVATE", "302e020100300506032b657004220420", k.secret);
}

static std::string publicPem(const Known &k) {
  return pem("PUBLIC", "302a300506032b6570032100", k.publicKey);
}

static SecretKey keyOf(const Known &k) {
  std::optional<SecretKey> key = SecretKey::parse(secretPem(k));
  EXPECT_TRUE(key);
  return *key;
}

TEST(Ed25519, SignsAsTheStandardDoes) {
  for (const Known &k : known) {
    SecretKey key = keyOf(k);
    EXPECT_EQ(key.publicKey(), k.publicKey);
    EXPECT_EQ(key.sign(k.message), k.signature);
    EXPECT_TRUE(verifies(k.publicKey, k.message, k.signature));
    EXPECT_EQ(parsePublicKey(publicPem(k)), k.publicKey);
    EXPECT_EQ(parsePublicKey(std::string(k.publicKey) + "\n"), k.publicKey);
  }
}

TEST(Ed25519, EveryOtherSignatureIsNone) {
  const Known &k = known[2];
  std::string signature = k.signature;
  for (size_t at = 0; at < signature.size(); ++at) {
    for (char digit : {'0', '7', 'f', 'g', 'F'}) {
      std::string other = signature;
      other[at] = digit;
      EXPECT_EQ(verifies(k.publicKey, k.message, other), other == signature);
    }
  }
  EXPECT_FALSE(verifies(k.publicKey, "\xaf\x83", signature));
  EXPECT_FALSE(verifies(k.publicKey, "", signature));
  EXPECT_FALSE(verifies(known[0].publicKey, k.message, signature));
  EXPECT_FALSE(verifies("", k.message, signature));
  EXPECT_FALSE(verifies(k.publicKey, k.message, ""));
  EXPECT_FALSE(verifies(k.publicKey, k.message, signature + "00"));
  // The order of the group added to the second half: the same number to who
  // does not look, and refused by RFC 8032.
  EXPECT_FALSE(verifies(
      known[0].publicKey, "",
      "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901554c8c7872"
      "aa064e049dbb3013fbf29380d25bf5f0595bbe24655141438e7a101b"));
}

TEST(Ed25519, OtherKeysAreNone) {
  for (const std::string &text :
       {std::string(), std::string("no key"), std::string(63, '0'),
        std::string(64, 'G'), publicPem(known[0]).substr(0, 60),
        pem("PUBLIC", "302a300506032b656e032100", known[0].publicKey)}) {
    EXPECT_FALSE(parsePublicKey(text)) << text;
    EXPECT_FALSE(SecretKey::parse(text)) << text;
  }
  // X25519, and a public key where a secret one is wanted.
  EXPECT_FALSE(SecretKey::parse(
      pem("PRIVATE", "302e020100300506032b656e04220420", known[0].secret)));
  EXPECT_FALSE(SecretKey::parse(publicPem(known[0])));
}

//===-- Policies ----------------------------------------------------------===//

static std::string policyText(const Json &keys, const char *optOuts) {
  Json policy = {{"format", "girih.policy"}, {"version", 1}, {"keys", keys}};
  if (optOuts) {
    policy["opt_outs"] = optOuts;
  }
  return policy.dump();
}

/// A policy that names the first two keys.
static std::string twoKeys(const char *optOuts = nullptr) {
  return policyText(
      Json::array({{{"name", "release"}, {"ed25519", known[0].publicKey}},
                   {{"name", "nightly"}, {"ed25519", publicPem(known[1])}}}),
      optOuts);
}

static Files signedBy(Files files, const Known &k) {
  files["signature.json"] = signatureText(keyOf(k), files["manifest.json"]);
  return files;
}

/// "loaded", or why not; through the C interface, which must say the same.
static std::string outcome(const Files &files, const std::string &policy) {
  Folder folder(files), beside;
  std::string path = beside.write("policy.json", policy);
  Expected<Policy> read = readPolicy(path);
  std::string result, said;
  int code = 0;
  if (!read) {
    result = read.error().reason;
    code = exitCode(read.error().why);
  } else if (auto loaded = loadArtefact(folder.path(), &*read); !loaded) {
    result = loaded.error().reason;
    code = exitCode(loaded.error().why);
  }
  girih_kernel *kernel = nullptr;
  EXPECT_EQ(girih_open_signed(folder.path().c_str(), path.c_str(), &kernel),
            code);
  EXPECT_EQ(kernel == nullptr, code != 0);
  EXPECT_EQ(code ? girih_error() : "", result);
  girih_close(kernel);
  size_t at = result.find(path);
  return code == 0 ? "loaded"
         : at == 0 ? result.substr(path.size() + 2)
                   : result;
}

TEST(Policy, AdmitsWhatItsKeysHaveSigned) {
  Files files = artefactFiles("add");
  EXPECT_EQ(outcome(signedBy(files, known[0]), twoKeys()), "loaded");
  EXPECT_EQ(outcome(signedBy(files, known[1]), twoKeys()), "loaded");
  EXPECT_EQ(outcome(files, twoKeys()),
            "the policy asks for a signature: signature.json cannot be read");
  EXPECT_EQ(outcome(signedBy(files, known[2]), twoKeys()),
            std::string("no key of the policy has signed the artefact: it is "
                        "signed by ") +
                known[2].publicKey);
  EXPECT_EQ(
      outcome(signedBy(files, known[0]), policyText(Json::array(), nullptr)),
      std::string("no key of the policy has signed the artefact: it is "
                  "signed by ") +
          known[0].publicKey);
}

TEST(Policy, OneOfSeveralSignaturesIsEnough) {
  Files files = signedBy(artefactFiles("add"), known[2]);
  Json both = Json::parse(files["signature.json"]);
  std::string mine = signatureText(keyOf(known[1]), files["manifest.json"]);
  both["signatures"].push_back(Json::parse(mine)["signatures"][0]);
  files["signature.json"] = both.dump();
  EXPECT_EQ(outcome(files, twoKeys()), "loaded");
}

TEST(Policy, RefusesWhatWasEditedAndSealedAgain) {
  const Files good = signedBy(artefactFiles("add"), known[0]);
  Json manifest = Json::parse(good.at("manifest.json"));
  manifest.erase("seal");
  auto edited = [&](auto &&edit) {
    Files files = good;
    Json changed = manifest;
    edit(files, changed);
    files["manifest.json"] = sealed(changed);
    // Without a policy nobody notices: whoever edits it can seal it.
    Folder folder(files);
    EXPECT_TRUE(loadArtefact(folder.path()));
    return outcome(files, twoKeys());
  };
  const std::string refused =
      "signature.json: release did not sign this manifest";
  EXPECT_EQ(edited([](Files &, Json &m) {
              m["variants"][0]["parameters"][3]["value"] = 4;
            }),
            refused);
  EXPECT_EQ(edited([](Files &, Json &m) { m["variants"][0]["grid"][0] = 1; }),
            refused);
  EXPECT_EQ(
      edited([](Files &, Json &m) { m["variants"][0]["requires"].clear(); }),
      refused);
  EXPECT_EQ(edited([](Files &files, Json &m) {
              files["sm_90.cubin"] = fakeCubin("fake 8 8 8 8 ; other", "sum");
              m["variants"][0]["cubins"]["sm_90"]["sha256"] =
                  sha256(files["sm_90.cubin"]);
            }),
            refused);
  EXPECT_EQ(edited([](Files &files, Json &m) {
              files["proof.json"] = proofOf("tile.kernel @other");
              m["variants"][0]["digest"] = sha256("tile.kernel @other");
              m["variants"][0]["proof"]["sha256"] = sha256(files["proof.json"]);
            }),
            refused);
  // A file that is not the manifest's is refused as ever.
  Files files = good;
  files["sm_90.cubin"] += "x";
  EXPECT_NE(outcome(files, twoKeys()).find("sm_90.cubin is not the file"),
            std::string::npos);
}

TEST(Policy, RefusesEverySignatureThatIsOff) {
  const Files good = signedBy(artefactFiles("add"), known[0]);
  const std::string text = good.at("signature.json");
  // A character of the signature or the key that is another one.
  for (size_t at = 0; at + 1 < text.size(); ++at) {
    Files files = good;
    char &c = files["signature.json"][at];
    c = c == '1' ? '2' : '1';
    EXPECT_NE(outcome(files, twoKeys()), "loaded") << at;
    files["signature.json"] = text.substr(0, at);
    EXPECT_NE(outcome(files, twoKeys()), "loaded") << at;
  }
  auto reason = [&](auto &&edit) {
    Files files = good;
    Json signature = Json::parse(text);
    edit(signature);
    files["signature.json"] = signature.dump();
    return outcome(files, twoKeys());
  };
  EXPECT_EQ(reason([](Json &s) { s["version"] = 2; }),
            "signature.json: version is 2: this program reads version 1 of "
            "girih.signature");
  EXPECT_EQ(reason([](Json &s) { s["signatures"][0]["algorithm"] = "none"; }),
            "signature.json: signatures[0].algorithm is not ed25519");
  EXPECT_EQ(reason([](Json &s) { s["signatures"].clear(); }),
            "no key of the policy has signed the artefact");
  // The signature of another manifest by the same key.
  Json other = sumManifest();
  other["name"] = "product";
  Files files = good;
  files["signature.json"] =
      signedBy(artefactFiles("add", other), known[0])["signature.json"];
  EXPECT_EQ(outcome(files, twoKeys()),
            "signature.json: release did not sign this manifest");
  // Nor is it one of the manifest's bytes alone.
  Json bare = Json::parse(text);
  bare["signatures"][0]["signature"] =
      keyOf(known[0]).sign(good.at("manifest.json"));
  files["signature.json"] = bare.dump();
  EXPECT_EQ(outcome(files, twoKeys()),
            "signature.json: release did not sign this manifest");
}

TEST(Policy, MayRefuseOptOuts) {
  Json manifest = sumManifest();
  manifest["variants"][0]["trusted"] = {"trust: the rows differ"};
  Files files = signedBy(artefactFiles("add", manifest), known[0]);
  EXPECT_EQ(outcome(files, twoKeys()), "loaded");
  EXPECT_EQ(outcome(files, twoKeys("allowed")), "loaded");
  EXPECT_EQ(outcome(files, twoKeys("refused")),
            "the policy refuses opt-outs: sum rests on 'trust: the rows "
            "differ'");
  EXPECT_EQ(
      outcome(signedBy(artefactFiles("add"), known[0]), twoKeys("refused")),
      "loaded");
}

TEST(Policy, IsReadAsOneOrNotAtAll) {
  Files files = signedBy(artefactFiles("add"), known[0]);
  Json key = {{"name", "a"}, {"ed25519", known[0].publicKey}};
  EXPECT_EQ(outcome(files, policyText(Json::array({key, key}), nullptr)),
            "keys[1].ed25519 is listed twice");
  EXPECT_EQ(outcome(files, twoKeys("maybe")),
            "opt_outs is neither allowed nor refused");
  key["ed25519"] = "00";
  EXPECT_EQ(outcome(files, policyText(Json::array({key}), nullptr)),
            "keys[0].ed25519 is no public key of Ed25519");
  EXPECT_NE(outcome(files, "{}"), "loaded");
  EXPECT_NE(outcome(files, ""), "loaded");
  // A word that somebody hopes is one.
  std::string hoped = twoKeys();
  hoped.insert(hoped.size() - 1, R"(,"unsigned":"refused")");
  EXPECT_NE(outcome(files, hoped), "loaded");
  Expected<Policy> absent = readPolicy("/absent");
  ASSERT_FALSE(absent);
  EXPECT_EQ(exitCode(absent.error().why), 3);
}
