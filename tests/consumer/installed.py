# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Installs the build into a folder, moves the folder and uses what is there,
as somebody does who has never seen the source. project/ is what they have.

  installed.py BUILD_DIR CXX PART     PART: tree, headers, consumer, launches,
                                      embedded, documented or deb
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

PROJECT = pathlib.Path(__file__).resolve().parent / "project"
SOURCE = PROJECT.parents[2]


def run(*command, code=0, **options):
    """Runs a command, which has to exit with `code`; returns what it said."""
    done = subprocess.run([str(c) for c in command], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          encoding="utf-8", errors="replace", **options)
    if code is not None and (done.returncode != 0) != (code != 0):
        sys.exit(f"{' '.join(map(str, command))}: exit code "
                 f"{done.returncode}, expected {code}:\n{done.stdout}")
    return done.stdout


def check(holds, what):
    if not holds:
        sys.exit(f"FAILED: {what}")


def contains(text, part):
    check(part in text, f"{part!r} is not in:\n{text}")


def install(build, scratch):
    """An installation that was moved after it was made."""
    first, moved = scratch / "first", scratch / "moved"
    run("cmake", "--install", build, "--prefix", first)
    first.rename(moved)
    return moved


def library_exports(library):
    said = run("nm", "-D", "--defined-only", "--demangle", library)
    return [line.split(maxsplit=2)[2] for line in said.splitlines()]


def tree(build, prefix, _cxx):
    """Tools run, find each other's parts, and libraries show little."""
    exports = {
        "libgirih.so": r"girih::",
        "libgirih_runtime.so": r"girih_\w+$",
        "libgirih_runtime_cxx.so":
            r"((vtable|typeinfo|typeinfo name) for )?girih::",
        "libgirih_search.so": r"girihSearchApi$",
    }
    for name, form in exports.items():
        names = library_exports(prefix / "lib" / name)
        check(names, f"{name} exports nothing")
        foreign = [n for n in names if not re.match(form, n)]
        check(not foreign, f"{name} exports {foreign}")
    inside = r"girih::(checker|exec|tile|tileir|lower|proofs|search|api)::"
    names = set(library_exports(prefix / "lib/libgirih.so"))
    check(not [n for n in names if re.match(inside, n)], names)
    launches = set(library_exports(prefix / "lib/libgirih_runtime_cxx.so"))
    check(not [n for n in launches if "girih::runtime::" in n.split("(")[0]],
          launches)
    # A program may link both.
    check(not names & launches, names & launches)
    for name in ("libgirih.so", "libgirih_runtime.so",
                 "libgirih_runtime_cxx.so"):
        said = run("readelf", "-d", prefix / "lib" / name)
        contains(said, f"soname: [{name}.0.1]")
    tools = sorted(p.name for p in (prefix / "bin").iterdir())
    check(tools == ["tile-compile", "tile-exec", "tile-fuzz", "tile-import",
                    "tile-opt", "tile-run", "tile-tune", "tile-verify"], tools)
    for tool in tools:
        contains(run(prefix / "bin" / tool, "--version"), "(Girih) 0.1")
    for file in ("include/girih.h", "share/girih/kernels/gemm/gemm.cert",
                 "share/bash-completion/completions/tile-exec",
                 "share/zsh/site-functions/_girih",
                 "share/man/man1/tile-verify.1",
                 "share/doc/girih/copyright"):
        check((prefix / file).is_file(), f"{file} is not installed")
    headers_are_whole(prefix / "include")
    proves_with_search(prefix)
    compiles_validators(prefix)


def headers_are_whole(folder):
    """What a header includes by its path is there; `headers` compiles them."""
    for header in sorted(folder.rglob("*.h")):
        for name in re.findall(r'#include "([^"]+)"', header.read_text()):
            check((folder / name).is_file(),
                  f"{header.relative_to(folder)} includes {name}, which is not "
                  "installed")


def proves_with_search(prefix):
    """A kernel without certificates: the search beside the tools, no other."""
    verify, kernel = prefix / "bin/tile-verify", PROJECT / "good.mlir"
    contains(run(verify, kernel), "VERIFIED ")
    library = prefix / "lib/libgirih_search.so"
    library.rename(library.with_suffix(".away"))
    said = run(verify, kernel, code=3)
    contains(said, f"libgirih_search.so is neither in {prefix}/lib nor in "
                   f"{prefix}/bin")
    contains(run(verify, prefix / "share/girih/kernels/gemm"), "VERIFIED ")
    library.with_suffix(".away").rename(library)


def compiles_validators(prefix):
    """tile-compile takes the shipped kernels from share/, and only from
    there."""
    kernel = SOURCE / "tests/corpus/girih/contents/given_splits.good.mlir"
    command = [prefix / "bin/tile-compile", kernel, "--arch=sm_90",
               "--no-cache", f"--tileiras={SOURCE}/tests/tileir/assembler.sh"]
    out = prefix.parent / "artefact"
    run(*command, "-o", out)
    check((out / "validate_sorted/manifest.json").is_file(), "no validator")
    shipped = prefix / "share/girih/kernels/validate_sorted"
    shipped.rename(shipped.with_name("away"))
    said = run(*command, "-o", prefix.parent / "none", code=3)
    contains(said, f"{shipped}/validate_sorted.mlir: no validator")
    shipped.with_name("away").rename(shipped)


def headers(_build, prefix, cxx):
    """Each header compiles alone, with nothing of MLIR, LLVM or Z3."""
    include = prefix / "include"
    found = sorted(include.rglob("*.h"))
    names = sorted(str(p.relative_to(include)) for p in found)
    rooms = [n for n in names
             if n.startswith(("girih/collective/", "girih/execution/",
                              "girih/graph/", "girih/host/", "girih/kernel/"))]
    for name in ("girih/host/Tensor.h", "girih/execution/Kernel.h",
                 "girih/graph/Graph.h", "girih/kernel/Tile.h"):
        check(name in rooms, rooms)
    for inner in ("States.h", "Record.h", "KernelState.h", "KernelOfFile.h",
                  "GraphState.h", "Nccl.h"):
        check(not [n for n in rooms if n.endswith(f"/{inner}")], rooms)
    check([n for n in names if n not in rooms] ==
          ["girih.h", "girih/checker.h", "girih/compiler.h",
                    "girih/execute.h", "girih/executor.h", "girih/expected.h",
                    "girih/kernel.h", "girih/launch.h", "girih/runtime.h",
                    "girih/source.h", "girih/verify.h"], names)
    for name in names:
        for language in ("c", "c++") if name in ("girih/runtime.h", "girih.h") \
                else ("c++",):
            standard = "c++20" if language == "c++" else "c11"
            needs = prefix.parent / "needs.d"
            # Twice, and as the file itself, of which more warnings are given.
            said = subprocess.run(
                [cxx, "-x", language, f"-std={standard}", "-Wall", "-Wextra",
                 "-Werror", "-pedantic", f"-I{include}", "-include", name,
                 "-fsyntax-only", "-MD", "-MF", needs, include / name],
                capture_output=True, encoding="utf-8")
            check(said.returncode == 0, f"{name}: {said.stderr}")
            foreign = re.findall(r"\S*/(?:mlir|llvm|mlir-c|llvm-c)/\S*|\S*/z3\S*",
                                 needs.read_text())
            check(not foreign, f"{name} includes {foreign}")


def consumer(_build, prefix, cxx):
    """The project of this folder against the installation alone."""
    scratch = prefix.parent
    project, built = scratch / "project", scratch / "built"
    shutil.copytree(PROJECT, project)
    # No search path of the source tree, no assembler but what is passed.
    away = {"PATH": "/usr/bin:/bin", "HOME": str(scratch), "LC_ALL": "C"}
    configure = ["cmake", "-S", project, "-B", built, "-G", "Ninja",
                 f"-DCMAKE_CXX_COMPILER={cxx}", f"-DCMAKE_PREFIX_PATH={prefix}"]

    def build(*targets, code=0):
        return run("cmake", "--build", built, "--target", *targets, code=code,
                   env=away)

    run(*configure, env=away)
    build("consumer", "from_c", "recorded", "good", "tolerated")
    said = run(built / "consumer", project, env=away)
    contains(said, "0 surprises")
    run(built / "from_c", env=away)
    check("cxx" not in run("readelf", "-d", built / "from_c"), "C needs C++")
    check("girih" not in run("readelf", "-d", built / "recorded"),
          "a kernel in C++ needs a library of the compiler")
    text = scratch / "twice.mlir"
    text.write_text(run(built / "recorded", env=away))
    contains(run(prefix / "bin/tile-verify", text, env=away),
             "for all N")
    needed = run("readelf", "-d", built / "consumer")
    contains(needed, "[libgirih.so.0.1]")
    check("MLIR" not in needed, needed)
    contains(build("refuted", code=1),
             "error: two blocks claim element [0] of %z [claim.disjoint]")
    contains(build("unknown", code=1), "unknown, and girih_verify")
    contains(build("malformed", code=1), "malformed.mlir:2:24: error:")
    check("Verifying" not in build("good"), "verified again for nothing")
    (project / "good.mlir").write_text(
        "// changed\n" + (project / "good.mlir").read_text())
    contains(build("good"), "Verifying good.mlir")

    contains(run(*configure, "-DADD_KERNEL=ON", code=1, env=away),
             "tileiras is missing")
    run(*configure, "-DADD_KERNEL=ON",
        f"-DGIRIH_TILEIRAS={SOURCE}/tests/tileir/assembler.sh", env=away)
    build("consumer")
    check((built / "good/manifest.json").is_file(), "no artefact")
    shutil.copy(PROJECT / "race.mlir", project / "good.mlir")
    contains(build("consumer", code=1), "REFUTED ")

    for wanted in ("0.1 REQUIRED COMPONENTS painter", "0.2 REQUIRED"):
        other = scratch / "other"
        shutil.rmtree(other, ignore_errors=True)
        other.mkdir()
        (other / "CMakeLists.txt").write_text(
            "cmake_minimum_required(VERSION 3.20)\nproject(other CXX)\n"
            f"find_package(Girih {wanted})\n")
        said = run("cmake", "-S", other, "-B", other / "built", *configure[5:],
                   code=1, env=away)
        contains(said, "has no component painter" if "painter" in wanted
                 else "requested version \"0.2\"")


def launches(build, prefix, cxx):
    """A C++ program with a generated header: its launches run on the simulated
    driver, whichever compiler it is built with. C programs need no C++."""
    scratch = prefix.parent
    project = scratch / "launches"
    shutil.copytree(PROJECT.with_name("launches"), project)
    shutil.copy(PROJECT / "good.mlir", project / "double.mlir")
    simulated = {"PATH": "/usr/bin:/bin", "HOME": "/nowhere", "LC_ALL": "C",
                 "LD_LIBRARY_PATH": str(build / "tests/simulated/driver")}
    for compiler in (cxx, "g++"):
        built = scratch / pathlib.Path(compiler).name
        run("cmake", "-S", project, "-B", built, "-G", "Ninja",
            f"-DCMAKE_CXX_COMPILER={compiler}", f"-DCMAKE_PREFIX_PATH={prefix}",
            f"-DGIRIH_TILEIRAS={SOURCE}/tests/tileir/assembler.sh")
        run("cmake", "--build", built)
        run(sys.executable, "-B",
            SOURCE / "tests/unit/execution/simulate.py", built / "double",
            "copy")
        said = run(built / "launches", SOURCE / "tests/tileir/assembler.sh",
                   cwd=PROJECT, env=simulated)
        contains(said, "double\n1 race.mlir: tile-compile: refuted")
        contains(said, "error: two blocks claim element [0] of %z [claim.disjoint]")
        said = said[said.index("\n1 2 3") + 1:]
        check(said == "1 2 3 2\n3 double: contract: N is 3 for axis 0 of %x and "
              "4 for axis 0 of %z\n0\n", said)
        needed = run("readelf", "-d", built / "launches")
        contains(needed, "[libgirih_runtime_cxx.so.0.1]")


def embedded(build, prefix, cxx):
    """Kernels in C++ inside of a program, from either compiler: it runs on the
    simulated driver where there is no tool. What is not VERIFIED and a file
    without kernels fail the build."""
    scratch = prefix.parent
    project = scratch / "embedded"
    shutil.copytree(PROJECT.with_name("embedded"), project)
    away = {"PATH": "/usr/bin:/bin", "HOME": "/nowhere", "LC_ALL": "C",
            "LD_LIBRARY_PATH": str(build / "tests/simulated/driver")}
    for compiler in (cxx, "g++"):
        built = scratch / pathlib.Path(compiler).name
        run("cmake", "-S", project, "-B", built, "-G", "Ninja",
            f"-DCMAKE_CXX_COMPILER={compiler}", f"-DCMAKE_PREFIX_PATH={prefix}",
            f"-DGIRIH_TILEIRAS={SOURCE}/tests/unit/execution/assembler.py")
        run("cmake", "--build", built)
        contains(run("cmake", "--build", built), "no work to do")
        said = run(built / "checked", env=away)
        check(re.fullmatch(r"VERIFIED copy.mlir: .*\n0 5\n", said), said)
        tools = prefix / "bin"
        tools.rename(prefix / "away")
        said = run(built / "embedded", env=away)
        (prefix / "away").rename(tools)
        check(re.fullmatch(r"2 4 6 3 axpy_256.mlir: there is no tile-compile: .*\n",
                           said), said)

    def fails(text, part):
        (project / "kernels.cpp").write_text(text)
        contains(run("cmake", "--build", built, code=1), part)

    fails('#include "kernels.h"\n', "no kernel is listed: template struct")
    fails('#include "kernels.h"\nusing namespace app;\n'
          "struct race {\n  Out<f32, N> z;\n  void operator()() {\n"
          "    grid(2), store(z, {0}, zeros<f32, 8>());\n  }\n};\n"
          "template struct girih::kernel::Listed<race>;\n", "REFUTED ")


def documented(_build, prefix, cxx):
    """The project that cmake/README.md shows."""
    text = (SOURCE / "cmake/README.md").read_text()
    project = prefix.parent / "project"
    project.mkdir()
    for language, file in (("cmake", "CMakeLists.txt"), ("cpp", "main.cpp")):
        [block] = re.findall(rf"^```{language}\n(.*?)^```", text, re.M | re.S)
        (project / file).write_text(block)
    built = project / "built"
    run("cmake", "-S", project, "-B", built, "-G", "Ninja",
        f"-DCMAKE_CXX_COMPILER={cxx}", f"-DCMAKE_PREFIX_PATH={prefix}")
    run("cmake", "--build", built)
    said = run(built / "example").splitlines()
    check(re.match(r"VERIFIED .*/saxpy.mlir: (\d+) of \1 obligations", said[0]),
          said)
    check(said[1:] == ["12", "24", "36"], said)


def deb(build, _prefix, _cxx):
    """A package with name, version and dependencies that installs the same."""
    scratch = pathlib.Path(tempfile.mkdtemp(prefix="girih-deb-"))
    try:
        run("cpack", "-G", "DEB", "-B", scratch, "--config",
            build / "CPackConfig.cmake", cwd=scratch)
        packages = list(scratch.glob("*.deb"))
        check(len(packages) == 1, packages)
        check(re.fullmatch(r"girih_0\.1_\w+\.deb", packages[0].name),
              packages[0].name)
        fields = run("dpkg-deb", "-I", packages[0])
        contains(fields, " Package: girih\n")
        contains(fields, " Version: 0.1\n")
        depends = re.search(r" Depends: (.*)", fields)[1]
        for library in ("libmlir-22", "libz3-4"):
            contains(depends, library)
        run("dpkg-deb", "-x", packages[0], scratch / "root")
        usr = scratch / "root/usr"
        contains(run(usr / "bin/tile-verify", PROJECT / "good.mlir"), "VERIFIED ")
        for file in ("lib/libgirih.so.0.1", "lib/cmake/Girih/GirihConfig.cmake",
                     "include/girih/checker.h"):
            check((usr / file).is_file(), f"{file} is not in the package")
    finally:
        shutil.rmtree(scratch)


def main():
    build, cxx, part = pathlib.Path(sys.argv[1]).resolve(), *sys.argv[2:4]
    with tempfile.TemporaryDirectory(prefix="girih-installed-") as scratch:
        os.environ.pop("GIRIH_TILEIRAS", None)
        prefix = None if part == "deb" else install(
            build, pathlib.Path(scratch).resolve())
        {"tree": tree, "headers": headers, "consumer": consumer,
         "launches": launches, "embedded": embedded, "documented": documented,
         "deb": deb}[part](build, prefix, cxx)


if __name__ == "__main__":
    main()
