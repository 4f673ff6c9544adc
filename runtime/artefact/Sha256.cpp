// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one-shot functions of libcrypto, which link statically in a few
// kilobytes; the EVP interface would bring its providers along.

#define OPENSSL_SUPPRESS_DEPRECATED

#include "runtime/artefact/Sha256.h"

#include <openssl/sha.h>

namespace girih::runtime {

std::string sha256(std::string_view bytes) {
  unsigned char digest[SHA256_DIGEST_LENGTH];
  SHA256_CTX context;
  SHA256_Init(&context);
  SHA256_Update(&context, bytes.data(), bytes.size());
  SHA256_Final(digest, &context);
  std::string text;
  for (unsigned char byte : digest) {
    text += "0123456789abcdef"[byte >> 4];
    text += "0123456789abcdef"[byte & 15];
  }
  return text;
}

} // namespace girih::runtime
