# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The command line of tile-tune."""

import argparse
import os
import sqlite3
import sys

from . import archive, journal as journal_of, plan as plan_of, retune, space
from .errors import Malformed, TuneError
from .tools import Tools

OVERVIEW = """\
OVERVIEW: Chooses kernels and hints for a GPU by measuring them, for each class
of launches.

Exit codes: 0 done, 1 a tool failed or a result is wrong, 2 not measured to the
end, 3 usage or malformed input, 77 no GPU.
"""
EXAMPLES = """
Examples, from the root of the source tree:

  tile-tune plan tests/tune/kernels/copy.json
  tile-tune measure build/tune --journal=build/tune.sqlite   # on a GPU
"""
COMMANDS = {
    "plan": ("print candidates and launches, and why others are pruned",
             "SPACE.json"),
    "compile": ("verify and compile the candidates into an archive",
                "SPACE.json --into=<ARCHIVE>"),
    "measure": ("time an archive on the GPU, into a journal",
                "ARCHIVE --journal=<FILE>"),
    "choose": ("write the winners as the variants of one kernel",
               "SPACE.json --journal=<FILE> --into=<FOLDER>"),
}
OPTIONS = {
    "plan": [("arch", "sm_90", "target (default: the one of the hints)")],
    "compile": [("arch", "sm_90", "target (default: the one of the hints)"),
                ("into", "ARCHIVE", "folder that is made, or completed"),
                ("jobs", "N", "processes at a time (default: CPUs)"),
                ("tileiras", "path", "the assembler, as of tile-compile")],
    "measure": [("journal", "FILE", "SQLite file that is made, or continued"),
                ("seconds", "N", "stop after so many; the same command goes on"),
                ("seed", "N", "of orders and data (default 1)")],
    "choose": [("arch", "sm_90", "target (default: the one of the hints)"),
               ("journal", "FILE", "what measure wrote"),
               ("into", "FOLDER", "where NAME.mlir and NAME.json go"),
               ("context", "ID", "whose records, where there are several")],
}
NEEDED = {"into", "journal"}


def help_text(command=None):
    lines = [OVERVIEW]
    if command:
        what, usage = COMMANDS[command]
        lines += [f"SUBCOMMAND '{command}': {what}\n",
                  f"USAGE: tile-tune {command} [options] {usage}\n",
                  "OPTIONS:\n"]
        options = [(f"--{n}=<{v}>", t) for n, v, t in OPTIONS[command]]
    else:
        lines += ["USAGE: tile-tune [subcommand] [options]\n",
                  "SUBCOMMANDS:\n"]
        lines += [f"  {name:8} - {what}" for name, (what, _) in
                  COMMANDS.items()]
        lines += ["", '  Type "tile-tune <subcommand> --help" to get more help '
                  "on a specific subcommand\n", "OPTIONS:\n"]
        options = [("--tools=<folder>", "where the other tools are (default: "
                    "here, then PATH)"),
                   ("--version", "Display the version of this program")]
    options.insert(0, ("--help", "Display available options"))
    width = max(len(n) for n, _ in options)
    lines += [f"  {name:{width}} - {text}" for name, text in options]
    return "\n".join(lines) + "\n" + EXAMPLES


class _Parser(argparse.ArgumentParser):
    def error(self, message):
        raise Malformed(f"tile-tune: error: {message}; see tile-tune --help")


def _positive(kind):
    def read(text):
        value = kind(text)
        if not 0 < value < 1e9:
            raise ValueError(text)
        return value
    read.__name__ = "number"
    return read


def parse(arguments):
    command = arguments[0]
    parser = _Parser(prog="tile-tune", add_help=False, allow_abbrev=False)
    parser.add_argument("what")
    kinds = {"jobs": _positive(int), "seconds": _positive(float), "seed": int}
    for name, _, _ in OPTIONS[command]:
        parser.add_argument("--" + name, type=kinds.get(name, str),
                            required=name in NEEDED)
    found, rest = parser.parse_known_args(arguments[1:])
    for word in rest:
        if word.startswith("-"):
            raise Malformed(f"tile-tune: error: unknown option {word}")
        raise Malformed(f"tile-tune: error: one argument too many: {word}")
    return found


def _planned(options, tools):
    return plan_of.make(space.read(options.what), tools, options.arch)


def run_plan(options, tools):
    print("\n".join(plan_of.report(_planned(options, tools))))


def run_compile(options, tools):
    plan = _planned(options, tools)
    extra = [f"--tileiras={options.tileiras}"] if options.tileiras else []
    written = archive.make(plan, tools, options.into,
                           options.jobs or os.cpu_count() or 1, extra)
    print(f"{options.into}: {len(written['candidates'])} candidates for "
          f"{plan.arch}, {len(plan.pruned)} pruned, {len(written['failed'])} "
          "failed")
    for row in written["failed"]:
        print(f"  failed {row['id']}: {row['why']}")


def run_measure(options, tools):
    from . import bench, measure
    plan = archive.read(options.what)
    device = bench.Bench(plan, options.seed if options.seed is not None else 1)
    found = journal_of.Journal(options.journal)
    work = measure.Measurement(
        plan, options.what, found, device, device.runtime(),
        seed=options.seed if options.seed is not None else 1,
        seconds=options.seconds)
    if work.foreign():
        print(f"{work.foreign()} records of {options.journal} are of another "
              "device, source or tool and are not used")
    work.run()
    print(f"{options.journal}: {len(plan['launches'])} launches measured on "
          f"{device.device()['name']}")


def run_choose(options, tools):
    plan = _planned(options, tools)
    found = journal_of.Journal(options.journal, read_only=True)
    for line in retune.run(plan, tools, found, options.into, options.context):
        print(line)


def main(arguments, folders):
    """The exit code. folders: where the other tools are looked for first."""
    options = None
    try:
        given = [a for a in arguments if a.startswith("--tools=")]
        arguments = [a for a in arguments if a not in given]
        tools = Tools([*(a.split("=", 1)[1] for a in given), *folders])
        if not arguments or arguments[0] in ("-h", "--help"):
            print(help_text(), end="")
            return 0 if arguments else 3
        if arguments[0] == "--version":
            print(f"tile-tune (Girih) {tools.version()}")
            return 0
        if arguments[0] not in COMMANDS:
            what = "option" if arguments[0].startswith("-") else "subcommand"
            raise Malformed(f"tile-tune: error: unknown {what} {arguments[0]}")
        if {"-h", "--help"} & set(arguments[1:]):
            print(help_text(arguments[0]), end="")
            return 0
        options = parse(arguments)
        {"plan": run_plan, "compile": run_compile, "measure": run_measure,
         "choose": run_choose}[arguments[0]](options, tools)
        return 0
    except TuneError as error:
        sys.stdout.flush()
        print(error, file=sys.stderr)
        return error.code
    except sqlite3.Error as error:
        print(f"{getattr(options, 'journal', 'tile-tune')}: error: {error}",
              file=sys.stderr)
        return 1
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 1
    except OSError as error:
        print(f"{error.filename or 'tile-tune'}: error: {error.strerror}",
              file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\ntile-tune: stopped; the same command goes on", file=sys.stderr)
        return 130
