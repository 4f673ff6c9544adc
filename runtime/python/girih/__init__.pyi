# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from girih.cpp import Module as Module
from girih.cpp import load_module as load_module
from girih.cpp import record as record
from girih.errors import Error as Error
from girih.errors import Malformed as Malformed
from girih.errors import NotVerified as NotVerified
from girih.errors import Refused as Refused
from girih.kernels import ExecuteOptions as ExecuteOptions
from girih.kernels import KernelFile as KernelFile
from girih.kernels import architectures as architectures
from girih.kernels import compile as compile
from girih.kernels import execute as execute
from girih.kernels import read as read
from girih.kernels import replay as replay
from girih.kernels import tile_ir as tile_ir
from girih.kernels import verify as verify
from girih.launch import Kernel as Kernel
from girih.launch import Launch as Launch
from girih.launch import load as load
from girih.launch import validated as validated
from girih.launch import vouched as vouched
from girih.results import Argument as Argument
from girih.results import Artefact as Artefact
from girih.results import Counterexample as Counterexample
from girih.results import Diagnostic as Diagnostic
from girih.results import Execution as Execution
from girih.results import Fault as Fault
from girih.results import KernelVerdict as KernelVerdict
from girih.results import Note as Note
from girih.results import Obligation as Obligation
from girih.results import OptOut as OptOut
from girih.results import Signature as Signature
from girih.results import SourceRange as SourceRange
from girih.results import Status as Status
from girih.results import Symbol as Symbol
from girih.results import TensorResult as TensorResult
from girih.results import TileIr as TileIr
from girih.results import Verdict as Verdict
from girih.results import Verification as Verification
from girih.torch_ops import TorchOp as TorchOp
from girih.torch_ops import torch_op as torch_op

__version__: str
__all__: list[str]
