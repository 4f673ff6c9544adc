// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ed25519 (RFC 8032), by which an artefact is signed: the functions of
// libcrypto. Keys and signatures are lower-case hex digits where they are text.

#ifndef GIRIH_RUNTIME_ARTEFACT_ED25519_H
#define GIRIH_RUNTIME_ARTEFACT_ED25519_H

#include <memory>
#include <optional>
#include <string>
#include <string_view>

struct evp_pkey_st;

namespace girih::runtime {

/// A key that signs.
class SecretKey {
public:
  /// Reads what `openssl genpkey -algorithm ed25519` writes: PKCS #8 as PEM,
  /// without a password. Nothing where it is anything else.
  static std::optional<SecretKey> parse(std::string_view pem);

  /// 64 digits.
  std::string publicKey() const;
  /// 128 digits.
  std::string sign(std::string_view message) const;

private:
  explicit SecretKey(evp_pkey_st *key);
  std::shared_ptr<evp_pkey_st> key;
};

/// The key in a text: 64 hex digits, or PEM as `openssl pkey -pubout` writes
/// it; 64 digits. Nothing where there is none.
std::optional<std::string> parsePublicKey(std::string_view text);

/// Whether the key, 64 digits, made this signature of the message, 128 digits.
bool verifies(const std::string &publicKey, std::string_view message,
              const std::string &signature);

/// The text of `signature.json` for a manifest.
std::string signatureText(const SecretKey &key, std::string_view manifest);

/// What is signed: never the bytes of another kind of document.
std::string signedMessage(std::string_view manifest);

} // namespace girih::runtime

#endif // GIRIH_RUNTIME_ARTEFACT_ED25519_H
