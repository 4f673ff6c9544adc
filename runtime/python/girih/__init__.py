# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Verifies GPU tile kernels, runs them on the reference executor, compiles and
launches them.

    import girih, numpy as np
    print(girih.verify("add.mlir"))                  # VERIFIED add.mlir: ...
    z = np.empty(512, np.float32)
    girih.execute("add.mlir", x=x, y=y, z=z)         # no GPU needed
    add = girih.load(girih.compile("add.mlir", "build/add"))
    add(x=x, y=y, z=z)                               # on a GPU

Verifying, executing and compiling are in an extension that the wheel has.
Launching needs libgirih_runtime.so alone, and works from the source tree too.
"""

import importlib

from girih.errors import Error, Malformed, NotVerified, Refused

# What is loaded once somebody asks for it: a machine that only launches has no
# extension, and one that only verifies need not have the runtime's library.
_PARTS = {
    "girih.cpp": ["Module", "load_module", "record"],
    "girih.kernels": ["ExecuteOptions", "KernelFile", "architectures",
                      "compile", "execute", "read", "replay", "tile_ir",
                      "verify", "__version__"],
    "girih.launch": ["Kernel", "Launch", "load", "validated", "vouched"],
    "girih.results": ["Argument", "Artefact", "Counterexample", "Diagnostic",
                      "Execution", "Fault", "KernelVerdict", "Note",
                      "Obligation", "OptOut", "Signature", "SourceRange",
                      "Status", "Symbol", "TensorResult", "TileIr", "Verdict",
                      "Verification"],
    "girih.torch_ops": ["TorchOp", "torch_op"],
}
_PART = {name: part for part, names in _PARTS.items() for name in names}

__all__ = ["Error", "Malformed", "NotVerified", "Refused",
           *(name for name in _PART if not name.startswith("_"))]


def __getattr__(name):
    if name not in _PART:
        raise AttributeError(f"module 'girih' has no attribute {name!r}")
    value = getattr(importlib.import_module(_PART[name]), name)
    globals()[name] = value
    return value


def __dir__():
    return sorted({*globals(), *_PART})
