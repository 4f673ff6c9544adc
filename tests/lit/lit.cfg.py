# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Tests whose first lines say how to run them. %source is the root of the
# source tree, %python an interpreter.
import os
import shutil

import lit.formats

config.name = "girih"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.excludes = ["Inputs"]
config.test_source_root = os.path.dirname(__file__)
config.substitutions.append(("%source", config.girih_source))
config.substitutions.append(("%python", config.python))
# What tests compile is not kept with what the user does.
config.environment["XDG_CACHE_HOME"] = os.path.join(
    config.test_exec_root, "cache")
config.environment["PATH"] = os.pathsep.join(
    [config.girih_tools, config.llvm_tools, os.environ["PATH"]]
)
# What reads man pages and completion, where it is installed.
for reader in ("groff", "mandoc", "zsh"):
    if shutil.which(reader):
        config.available_features.add(reader)
