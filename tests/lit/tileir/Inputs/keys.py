# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes PREFIX.pem and PREFIX.pub, the keys of test 1 of RFC 8032, and
PREFIX.json, a policy that names the public one."""

import base64
import json
import sys

SECRET = "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60"
PUBLIC = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"


def pem(what, header, key):
    text = base64.b64encode(bytes.fromhex(header + key)).decode()
    return f"-----BEGIN {what} KEY-----\n{text}\n-----END {what} KEY-----\n"


prefix = sys.argv[1]
for suffix, text in {
        "pem": pem("PRIVATE", "302e020100300506032b657004220420", SECRET),
        "pub": pem("PUBLIC", "302a300506032b6570032100", PUBLIC),
        "json": json.dumps({"format": "girih.policy", "version": 1,
                            "keys": [{"name": "ours",
                                      "ed25519": PUBLIC}]})}.items():
    with open(f"{prefix}.{suffix}", "w") as file:
        file.write(text)
