# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds the wheel from a build of the tree, as `pip wheel .` does, and installs
it into a fresh virtual environment: no index, nothing compiled but the
extension.

  wheel.py BUILD_DIR OUT_DIR PYTHON     leaves OUT_DIR/dist and OUT_DIR/venv
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
LARGEST = 60_000_000
# What the loader may take from the system: the C and C++ libraries.
SYSTEM = re.compile(r"(ld-linux-x86-64|libc|libm|libdl|libpthread|librt|"
                    r"libstdc\+\+|libgcc_s)\.so(\.\d+)*$|linux-vdso")
TOOLS = {"tile-compile", "tile-exec", "tile-fuzz", "tile-import", "tile-opt",
         "tile-run", "tile-tune", "tile-verify"}


def run(*command, **options):
    done = subprocess.run([str(c) for c in command], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          encoding="utf-8", errors="replace", **options)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}: exit code "
                 f"{done.returncode}:\n{done.stdout}")
    return done.stdout


def check(holds, what):
    if not holds:
        sys.exit(f"FAILED: {what}")


def clean():
    """The environment of somebody who has nothing of Girih."""
    return {"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8",
            "HOME": os.environ.get("HOME", "/"), "PYTHONNOUSERSITE": "1"}


def make(build, out, python):
    """The wheel, alone in OUT/dist."""
    dist = out / "dist"
    shutil.rmtree(dist, ignore_errors=True)
    run(python, "-m", "pip", "wheel", ROOT, "--no-build-isolation", "--no-deps",
        "--no-index", "--wheel-dir", dist,
        "--config-settings", f"build-dir={out}/build",
        "--config-settings", f"cmake.define.GIRIH_BUILD_DIR={build}",
        env={**clean(), "PYTHONPATH": str(ROOT / ".tools"),
             "PYTHONDONTWRITEBYTECODE": "1"}, cwd=out)
    [wheel] = dist.glob("*.whl")
    return wheel


def contains(wheel, python):
    """The right things, and not much."""
    tag = run(python, "-c", "import sys; print('cp%d%d' % sys.version_info[:2])"
              ).strip()
    check(re.fullmatch(rf"girih-0\.1-{tag}-{tag}-\w+\.whl", wheel.name),
          wheel.name)
    size = wheel.stat().st_size
    print(f"{wheel.name}: {size / 1e6:.1f} MB")
    check(size < LARGEST, f"{size} bytes are more than {LARGEST}")
    with zipfile.ZipFile(wheel) as file:
        names = set(file.namelist())
    modules = [n for n in names
               if re.fullmatch(r"girih/_(core|launch)\..*\.so", n)]
    check(len(modules) == 2, modules)
    for name in ("girih/py.typed", "girih/__init__.pyi", "girih/_core.pyi",
                 "girih/_launch.pyi", "girih/include/girih/kernel.h",
                 "girih/lib/libgirih_search.so", "girih/lib/libz3.so.4",
                 "girih/share/girih/kernels/gemm/gemm.cert"):
        check(name in names, f"{name} is not in the wheel")
    programs = {n.removeprefix("girih/bin/") for n in names
                if n.startswith("girih/bin/")}
    check(programs == TOOLS, programs)
    # But for what a file with kernels in C++ is compiled against.
    sources = [n for n in names if n.endswith((".cpp", ".h", ".a", ".pyc"))
               and not re.fullmatch(
                   r"girih/include/girih/kernel(/\w+)?\.h|"
                   r"girih/lib/libgirih_(kernel|record_main)\.a", n)]
    check(not sources, sources)


def install(wheel, out, python):
    """The wheel in a virtual environment; NumPy is the system's."""
    venv = out / "venv"
    shutil.rmtree(venv, ignore_errors=True)
    run(python, "-m", "venv", "--system-site-packages", venv, env=clean())
    run(venv / "bin/python", "-m", "pip", "install", "--no-index", "--no-deps",
        wheel, env=clean())
    return venv


def needs_nothing(venv):
    """Every library that is loaded is in the wheel or the C library's."""
    [package] = venv.glob("lib/python*/site-packages/girih")
    found = 0
    for file in sorted(package.rglob("*")):
        if not file.is_file() or file.read_bytes()[:4] != b"\x7fELF":
            continue
        found += 1
        for line in run("ldd", file, env=clean()).splitlines():
            name, _, place = line.strip().partition(" => ")
            path = pathlib.Path((place or name).split(" (")[0].strip())
            check("not found" not in line, f"{file}: {line}")
            check(package in path.resolve().parents or
                  SYSTEM.match(path.name), f"{file} loads {line}")
    # Seven tools, the libraries, Z3, the part of MLIR, the extensions.
    check(found == 14, f"{found} programs and libraries")


def main():
    build, out = (pathlib.Path(a).resolve() for a in sys.argv[1:3])
    python = sys.argv[3]
    out.mkdir(parents=True, exist_ok=True)
    wheel = make(build, out, python)
    contains(wheel, python)
    needs_nothing(install(wheel, out, python))


if __name__ == "__main__":
    main()
