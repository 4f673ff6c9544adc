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

VERSION = 2
_SCHEMA = ("""
create table context (
  number integer primary key,
  id text unique not null,  -- digest of what follows
  device text not null,     -- JSON: name, processors, memory, driver, ...
  tools text not null,      -- JSON: tile-compile, assembler, runtime, method
  first text not null)      -- when it was measured first, UTC
""", """
create table kernel (
  number integer primary key,
  id text unique not null,  -- digest of what follows
  text text not null, proof text not null, manifest text not null)
""", """
create table launch (
  number integer primary key,
  symbols text unique not null) -- JSON with sorted keys
""", """
create table sample (
  context integer not null references context(number),
  launch integer not null references launch(number),
  kernel integer not null references kernel(number),
  round integer not null, batch integer not null,
  microseconds real not null,
  beside real not null,     -- the incumbent's in the same batch
  repeats integer not null,
  primary key (context, launch, kernel, round, batch)) without rowid
""", """
create table verified (
  context integer not null references context(number),
  launch integer not null references launch(number),
  kernel integer not null references kernel(number),
  against integer not null references kernel(number), -- the incumbent's
  wrong integer not null,   -- elements unlike the incumbent's
  message text not null,
  primary key (context, launch, kernel, against)) without rowid
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

    def _number(self, table, key, value):
        """Of a row of another table, or None."""
        row = self.db.execute(f"select number from {table} where {key} = ?",
                              (value,)).fetchone()
        return row and row[0]

    def _launch(self, values):
        self.db.execute("insert or ignore into launch (symbols) values (?)",
                        (canonical(values),))
        return self._number("launch", "symbols", canonical(values))

    def _kernel(self, candidate):
        self.db.execute(
            "insert or ignore into kernel (id, text, proof, manifest) values "
            "(?, ?, ?, ?)", [candidate[k] for k in (
                "kernel", "text", "proof", "manifest")])
        return self._number("kernel", "id", candidate["kernel"])

    def context(self, device, tools, now):
        """The id of a context, which is added where it is new."""
        name = context_id(device, tools)
        self.db.execute(
            "insert or ignore into context (id, device, tools, first) values "
            "(?, ?, ?, ?)", (name, canonical(device), canonical(tools), now))
        return name

    def contexts(self):
        """Device and tools by id."""
        return {i: (json.loads(d), json.loads(t)) for i, d, t in
                self.db.execute("select id, device, tools from context "
                                "order by first, id")}

    def add(self, context, launch, rows):
        """One batch, whole or not at all. rows: (candidate, round, batch,
        microseconds, beside, repeats); a candidate has digests by name."""
        self.db.execute("begin immediate")
        where = self._number("context", "id", context), self._launch(launch)
        self.db.executemany(
            "insert or ignore into sample values (?, ?, ?, ?, ?, ?, ?, ?)",
            [(*where, self._kernel(c), *measured) for c, *measured in rows])
        self.db.execute("commit")

    def samples(self, context, kernels, launch):
        """{(kernel, round, batch): time over the incumbent's} of these
        kernels."""
        return {(k, r, n): ratio for k, r, n, ratio in self.db.execute(
            "select kernel.id, round, batch, microseconds / beside from sample "
            "join kernel on kernel.number = kernel where context = ? and "
            "launch = ?", (
                self._number("context", "id", context),
                self._number("launch", "symbols", canonical(launch))))
            if k in kernels}

    def add_check(self, context, candidate, launch, against, wrong, message):
        """against: the incumbent."""
        self.db.execute("begin immediate")
        self.db.execute(
            "insert or replace into verified values (?, ?, ?, ?, ?, ?)",
            (self._number("context", "id", context), self._launch(launch),
             self._kernel(candidate), self._kernel(against), wrong, message))
        self.db.execute("commit")

    def checks(self, context, launch, against):
        """{kernel: (wrong, message)} as compared with the incumbent."""
        return {k: (w, m) for k, w, m in self.db.execute(
            "select kernel.id, wrong, message from verified join kernel on "
            "kernel.number = kernel where context = ? and launch = ? and "
            "against = ?", (
                self._number("context", "id", context),
                self._number("launch", "symbols", canonical(launch)),
                self._number("kernel", "id", against["kernel"])))}

    def wrong(self, context):
        """(text, launch, message) of all that was wrong."""
        return list(self.db.execute(
            "select text, symbols, message from verified join kernel on "
            "kernel.number = kernel join launch on launch.number = launch "
            "where context = ? and wrong > 0 order by symbols",
            (self._number("context", "id", context),)))

    def kernels(self, context):
        """{kernel: (text, proof, manifest)} of all that was measured."""
        return {k: (t, p, m) for k, t, p, m in self.db.execute(
            "select id, text, proof, manifest from kernel where number in "
            "(select kernel from sample where context = ?)",
            (self._number("context", "id", context),))}

    def count(self):
        return self.db.execute("select count(*) from sample").fetchone()[0]

    def count_of(self, context, kernels):
        return sum(count for k, count in self.db.execute(
            "select kernel.id, count(*) from sample join kernel on "
            "kernel.number = kernel where context = ? group by kernel",
            (self._number("context", "id", context),)) if k in kernels)
