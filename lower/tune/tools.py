# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The other tools, as child processes."""

import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess

from .errors import Failed, Malformed


def digest(data):
    return hashlib.sha256(data).hexdigest()


def file_digest(path):
    with open(path, "rb") as file:
        return digest(file.read())


class Tools:
    """Where they are: beside tile-tune, or on PATH."""

    def __init__(self, folders=()):
        self.folders = [pathlib.Path(f) for f in folders]

    def path(self, name):
        for folder in self.folders:
            if (folder / name).exists():
                return str(folder / name)
        found = shutil.which(name)
        if not found:
            raise Failed(f"tile-tune: error: no {name} beside it or on PATH")
        return found

    def run(self, name, *arguments):
        try:
            return subprocess.run([self.path(name), *map(str, arguments)],
                                  stdin=subprocess.DEVNULL, capture_output=True,
                                  encoding="utf-8", errors="replace")
        except OSError as error:
            raise Failed(f"tile-tune: error: {name}: {error.strerror}"
                         ) from None

    def version(self):
        """Of all tools: "0.1"."""
        text = self.run("tile-run", "--version").stdout
        return re.search(r"\(Girih\) (\S+)", text)[1]

    def hashes(self):
        """What is behind a verdict and a cubin, by its contents."""
        found = {name: file_digest(os.path.realpath(self.path(name)))
                 for name in ("tile-verify", "tile-compile")}
        said = self.run("tile-compile", "--version").stdout
        found["assembler"] = said.strip().splitlines()[-1]
        return found

    def canonical(self, path):
        """The kernel as tile-opt prints it."""
        done = self.run("tile-opt", path)
        if done.returncode:
            raise Malformed(done.stderr.strip() or f"{path}: error: tile-opt "
                            f"exits with {done.returncode}")
        return done.stdout

    def verdict(self, path):
        """What tile-verify says of a file: its JSON object."""
        done = self.run("tile-verify", "--format=jsonl", "--suggest=false", path)
        try:
            return json.loads(done.stdout.splitlines()[0])
        except (IndexError, ValueError):
            raise Malformed(done.stderr.strip() or f"{path}: error: tile-verify "
                            f"exits with {done.returncode}") from None


def write(path, text):
    """Writes a file whole or not at all."""
    path = pathlib.Path(path)
    part = path.with_name(f".{path.name}.{os.getpid()}")
    part.write_text(text)
    os.replace(part, path)


def write_json(path, value):
    write(path, json.dumps(value, indent=1, sort_keys=True) + "\n")
