# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What was measured, in one SQLite file: of any device, source and tool, each
record with where it comes from. Nothing is ever changed; a record counts where
all of that is the same."""

import json
import pathlib
import sqlite3

from .errors import Malformed
from .tools import digest

VERSION = 1
_SCHEMA = ("""
create table context (
  id text primary key,      -- digest of what follows
  device text not null,     -- JSON: name, processors, memory, driver, ...
  tools text not null,      -- JSON: tile-compile, assembler, runtime, method
  first text not null)      -- when it was measured first, UTC
""", """
create table sample (
  context text not null references context(id),
  kernel text not null,     -- digest of text, proof and manifest
  text text not null, proof text not null, manifest text not null,
  launch text not null,     -- JSON with sorted keys
  round integer not null, number integer not null,
  microseconds real not null,
  beside real not null,     -- the incumbent's in the same batch
  repeats integer not null,
  primary key (context, launch, kernel, round, number))
""", """
create table verified (
  context text not null references context(id),
  kernel text not null, text text not null, launch text not null,
  wrong integer not null,   -- elements unlike the incumbent's
  against text not null,    -- the incumbent's kernel
  message text not null,
  primary key (context, kernel, launch, against))
""")


def canonical(values):
    return json.dumps(values, sort_keys=True)


def context_id(device, tools):
    return digest(canonical([device, tools]).encode())


class Journal:
    def __init__(self, path, read_only=False):
        self.path = str(path)
        try:
            if read_only:
                open(path, "rb").close()
            where = pathlib.Path(path).absolute().as_uri()
            self.db = sqlite3.connect(where + "?mode=ro" * read_only, uri=True,
                                      isolation_level=None, timeout=10)
            self.db.execute("pragma synchronous = normal")
            version = self.db.execute("pragma user_version").fetchone()[0]
            if version == 0 and not read_only:
                if self.db.execute("select count(*) from sqlite_master"
                                   ).fetchone()[0]:
                    raise Malformed(f"{path}: error: a database of others")
                self._create()
            elif version != VERSION:
                raise Malformed(f"{path}: error: version {version}: this "
                                f"program reads version {VERSION} of journals "
                                "of the tuner")
        except OSError as error:
            raise Malformed(f"{path}: error: {error.strerror}") from None
        except sqlite3.Error as error:
            raise Malformed(f"{path}: error: no journal: {error}") from None

    def _create(self):
        self.db.execute("begin immediate")
        for statement in _SCHEMA:
            self.db.execute(statement)
        self.db.execute(f"pragma user_version = {VERSION}")
        self.db.execute("commit")

    def close(self):
        self.db.close()

    def context(self, device, tools, now):
        """The id of a context, which is added where it is new."""
        name = context_id(device, tools)
        self.db.execute("insert or ignore into context values (?, ?, ?, ?)",
                        (name, canonical(device), canonical(tools), now))
        return name

    def contexts(self):
        """Device and tools by id."""
        return {i: (json.loads(d), json.loads(t)) for i, d, t in
                self.db.execute("select id, device, tools from context "
                                "order by first, id")}

    def add(self, context, launch, rows):
        """One batch, whole or not at all. rows: (candidate, round, number,
        microseconds, beside, repeats); a candidate has digests by name."""
        self.db.execute("begin immediate")
        self.db.executemany(
            "insert or ignore into sample values (?, ?, ?, ?, ?, ?, ?, ?, "
            "?, ?, ?)",
            [(context, c["kernel"], c["text"], c["proof"], c["manifest"],
              canonical(launch), r, n, us, beside, repeats)
             for c, r, n, us, beside, repeats in rows])
        self.db.execute("commit")

    def samples(self, context, kernels, launch):
        """{(kernel, round, number): time over the incumbent's} of these
        kernels."""
        return {(k, r, n): us / beside for k, r, n, us, beside in
                self.db.execute(
                    "select kernel, round, number, microseconds, beside from "
                    "sample where context = ? and launch = ?",
                    (context, canonical(launch))) if k in kernels}

    def add_check(self, context, candidate, launch, against, wrong, message):
        self.db.execute(
            "insert or replace into verified values (?, ?, ?, ?, ?, ?, ?)",
            (context, candidate["kernel"], candidate["text"],
             canonical(launch), wrong, against, message))

    def checks(self, context, launch, against):
        """{kernel: (wrong, message)} as compared with the incumbent."""
        return {k: (w, m) for k, w, m in self.db.execute(
            "select kernel, wrong, message from verified where context = ? and "
            "launch = ? and against = ?", (context, canonical(launch), against))}

    def wrong(self, context):
        """(text, launch, message) of all that was wrong."""
        return list(self.db.execute(
            "select text, launch, message from verified where context = ? and "
            "wrong > 0 order by launch", (context,)))

    def kernels(self, context):
        """{kernel: (text, proof, manifest)} of all that was measured."""
        return {k: (t, p, m) for k, t, p, m in self.db.execute(
            "select distinct kernel, text, proof, manifest from sample "
            "where context = ?", (context,))}

    def count(self):
        return self.db.execute("select count(*) from sample").fetchone()[0]

    def count_of(self, context, kernels):
        return sum(1 for (k,) in self.db.execute(
            "select kernel from sample where context = ?", (context,))
            if k in kernels)
