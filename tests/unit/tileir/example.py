# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The example of a manifest meets its schema and its seal."""

import pathlib

import artefacts
from girih import Report

report = Report()
path = pathlib.Path(__file__).parent / "example_manifest.json"
artefacts.check_schema(report, "manifest", artefacts.sealed(report, path))
report.finish()
