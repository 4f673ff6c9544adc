# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How far it is: a bar on a terminal, a line for each step elsewhere."""

import sys
import threading
import time


class Progress:
    """`step` may be called in any thread. Lines go to the standard error."""

    WIDTH = 30

    def __init__(self, what, total, out=None):
        self.what, self.total, self.done = what, total, 0
        self.out = out or sys.stderr
        self.bar = self.out.isatty()
        self.lock, self.begin = threading.Lock(), time.monotonic()

    def step(self, text, count=1, line=True):
        """line: whether it is a line, too, where there is no terminal."""
        with self.lock:
            self.done = min(self.done + count, self.total)
            if not self.bar and not line:
                return
            if not self.bar:
                print(f"{self.what} {self.done}/{self.total} {text}",
                      file=self.out, flush=True)
                return
            full = self.WIDTH * self.done // max(self.total, 1)
            seconds = time.monotonic() - self.begin
            left = seconds / max(self.done, 1) * (self.total - self.done)
            print(f"\r\x1b[K{self.what} [{'#' * full:{self.WIDTH}}] "
                  f"{self.done}/{self.total} {left:.0f} s left {text[:40]}",
                  end="", file=self.out, flush=True)

    def say(self, text):
        """A line that stays."""
        with self.lock:
            print(("\r\x1b[K" if self.bar else "") + text, file=self.out,
                  flush=True)

    def end(self):
        if self.bar:
            print(file=self.out, flush=True)
