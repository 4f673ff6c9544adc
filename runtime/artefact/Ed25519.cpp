// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/artefact/Ed25519.h"

#include <fmt/format.h>
#include <limits>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <vector>

namespace girih::runtime {

using Bytes = std::vector<unsigned char>;

namespace {
struct Free {
  void operator()(BIO *p) const { BIO_free(p); }
  void operator()(EVP_PKEY *p) const { EVP_PKEY_free(p); }
  void operator()(EVP_MD_CTX *p) const { EVP_MD_CTX_free(p); }
};
template <typename T> using Owned = std::unique_ptr<T, Free>;
} // namespace

static constexpr size_t keyBytes = 32, signatureBytes = 64;

/// What a configuration file of this machine says of algorithms is not asked:
/// it could name code to load.
static void prepareLibrary() {
  OPENSSL_init_crypto(OPENSSL_INIT_NO_LOAD_CONFIG, nullptr);
}

static std::string hexOf(const Bytes &bytes) {
  std::string text;
  for (unsigned char byte : bytes) {
    text += fmt::format("{:02x}", byte);
  }
  return text;
}

static std::optional<Bytes> bytesOf(std::string_view hex, size_t count) {
  constexpr std::string_view digits = "0123456789abcdef";
  if (hex.size() != 2 * count || hex.find_first_not_of(digits) != hex.npos) {
    return std::nullopt;
  }
  Bytes out;
  for (size_t i = 0; i < hex.size(); i += 2) {
    out.push_back(static_cast<unsigned char>(digits.find(hex[i]) * 16 +
                                             digits.find(hex[i + 1])));
  }
  return out;
}

static Owned<BIO> readerOf(std::string_view text) {
  if (text.size() > size_t(std::numeric_limits<int>::max())) {
    return nullptr;
  }
  return Owned<BIO>(
      BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
}

static std::string publicHalf(EVP_PKEY *key) {
  Bytes raw(keyBytes);
  size_t size = raw.size();
  EVP_PKEY_get_raw_public_key(key, raw.data(), &size);
  return hexOf(raw);
}

/// No terminal is asked for a password.
static int noPassword(char *, int, int, void *) { return -1; }

SecretKey::SecretKey(evp_pkey_st *key) : key(key, EVP_PKEY_free) {}

std::optional<SecretKey> SecretKey::parse(std::string_view pem) {
  prepareLibrary();
  Owned<BIO> reader = readerOf(pem);
  Owned<EVP_PKEY> key(reader ? PEM_read_bio_PrivateKey(reader.get(), nullptr,
                                                       noPassword, nullptr)
                             : nullptr);
  if (!key || EVP_PKEY_get_id(key.get()) != EVP_PKEY_ED25519) {
    return std::nullopt;
  }
  return SecretKey(key.release());
}

std::string SecretKey::publicKey() const { return publicHalf(key.get()); }

std::string SecretKey::sign(std::string_view message) const {
  Owned<EVP_MD_CTX> context(EVP_MD_CTX_new());
  Bytes out(signatureBytes);
  size_t size = out.size();
  if (!context ||
      EVP_DigestSignInit(context.get(), nullptr, nullptr, nullptr, key.get()) !=
          1 ||
      EVP_DigestSign(context.get(), out.data(), &size,
                     reinterpret_cast<const unsigned char *>(message.data()),
                     message.size()) != 1) {
    return "";
  }
  return hexOf(out);
}

std::optional<std::string> parsePublicKey(std::string_view text) {
  prepareLibrary();
  size_t last = text.find_last_not_of(" \t\r\n");
  std::string_view line = text.substr(0, last == text.npos ? 0 : last + 1);
  if (bytesOf(line, keyBytes)) {
    return std::string(line);
  }
  Owned<BIO> reader = readerOf(text);
  Owned<EVP_PKEY> key(
      reader ? PEM_read_bio_PUBKEY(reader.get(), nullptr, noPassword, nullptr)
             : nullptr);
  if (!key || EVP_PKEY_get_id(key.get()) != EVP_PKEY_ED25519) {
    return std::nullopt;
  }
  return publicHalf(key.get());
}

bool verifies(const std::string &publicKey, std::string_view message,
              const std::string &signature) {
  prepareLibrary();
  std::optional<Bytes> raw = bytesOf(publicKey, keyBytes),
                       claimed = bytesOf(signature, signatureBytes);
  if (!raw || !claimed) {
    return false;
  }
  Owned<EVP_PKEY> key(EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nullptr,
                                                  raw->data(), raw->size()));
  Owned<EVP_MD_CTX> context(EVP_MD_CTX_new());
  return key && context &&
         EVP_DigestVerifyInit(context.get(), nullptr, nullptr, nullptr,
                              key.get()) == 1 &&
         EVP_DigestVerify(
             context.get(), claimed->data(), claimed->size(),
             reinterpret_cast<const unsigned char *>(message.data()),
             message.size()) == 1;
}

std::string signedMessage(std::string_view manifest) {
  return "girih.signature 1\n" + std::string(manifest);
}

std::string signatureText(const SecretKey &key, std::string_view manifest) {
  return fmt::format(R"({{
  "format": "girih.signature",
  "signatures": [
    {{
      "algorithm": "ed25519",
      "key": "{}",
      "signature": "{}"
    }}
  ],
  "version": 1
}}
)",
                     key.publicKey(), key.sign(signedMessage(manifest)));
}

} // namespace girih::runtime
