# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds, installs and tests the wheel for the Pythons of this machine beside the
system's, where they have what an extension needs. Says which of 3.11 to 3.13 were
found; exit code 77 if there is none. What needs NumPy is left out where a Python
lacks it.

  versions.py BUILD_DIR OUT_DIR
"""

import os
import pathlib
import subprocess
import sys

import wheel

WANTED = ("3.11", "3.12", "3.13")
PARTS = ("verify_test", "compile_test", "package_test", "tools_test")
PROBE = """
import os, pip, sys, sysconfig, venv, ensurepip
assert os.path.exists(sysconfig.get_path("include") + "/Python.h")
print("%d.%d" % sys.version_info[:2])
"""


def candidates():
    """Programs that may be a Python: on PATH, and those that pyenv built."""
    for version in WANTED:
        for folder in os.environ.get("PATH", "").split(os.pathsep):
            yield pathlib.Path(folder) / f"python{version}"
    pyenv = os.environ.get("PYENV_ROOT") or pathlib.Path.home() / ".pyenv"
    yield from sorted(pathlib.Path(pyenv).glob("versions/3.1*/bin/python3"))


def found():
    """By version the first Python that can build an extension."""
    pythons = {"%d.%d" % sys.version_info[:2]: sys.executable}
    for path in candidates():
        # Shims of pyenv stand for a program of their own choice.
        if not path.exists() or "shims" in path.parts:
            continue
        said = subprocess.run([path, "-c", PROBE], capture_output=True,
                              text=True, stdin=subprocess.DEVNULL)
        if said.returncode == 0 and said.stdout.strip() in WANTED:
            pythons.setdefault(said.stdout.strip(), str(path))
    return pythons


def main():
    build, out = (pathlib.Path(a).resolve() for a in sys.argv[1:3])
    pythons = found()
    for version in WANTED:
        print(f"{version}: {pythons.get(version, 'not on this machine')}")
    pythons.pop("%d.%d" % sys.version_info[:2])
    for version, python in sorted(pythons.items()):
        folder = out / version
        folder.mkdir(parents=True, exist_ok=True)
        made = wheel.make(build, folder, python)
        wheel.contains(made, python)
        venv = wheel.install(made, folder, python)
        wheel.needs_nothing(venv)
        program = venv / "bin/python"
        numpy = not subprocess.run([program, "-c", "import numpy"],
                                   capture_output=True).returncode
        print(wheel.run(program, "-B", "-I",
                        wheel.ROOT / "tests/python/outside.py", build, *PARTS,
                        *(("execute_test", "launch_test") if numpy else ()),
                        env=wheel.clean()))
        print(f"{version}: tested" + ("" if numpy else ", without NumPy"))
    sys.exit(0 if pythons else 77)


if __name__ == "__main__":
    main()
