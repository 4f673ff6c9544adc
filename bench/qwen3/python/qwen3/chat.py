# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A talk on the terminal, which keeps what was said and what was typed."""

import contextlib
import sys

try:
    import readline
except ImportError:  # a Python without it still reads lines
    readline = None

from .errors import FAILED, Error

MAX_LINES = 1000  # of the history


@contextlib.contextmanager
def history(path):
    """Typed lines of earlier talks, and of this one for later ones. A file that
    cannot be used is left alone."""
    if readline is None or not sys.stdin.isatty():
        yield
        return
    with contextlib.suppress(OSError):
        readline.read_history_file(path)
    readline.set_history_length(MAX_LINES)
    try:
        yield
    finally:
        with contextlib.suppress(OSError):
            readline.write_history_file(path)


def lines():
    """What is typed until Ctrl-D. Ctrl-C drops a line."""
    while True:
        try:
            line = input("> " if sys.stdin.isatty() else "")
        except EOFError:
            return
        except UnicodeDecodeError as error:
            raise Error(f"standard input is not UTF-8: {error}") from None
        except KeyboardInterrupt:
            print()
            continue
        if line.strip():
            yield line


def said(answer):
    """Prints an answer until its end or Ctrl-C, and returns its text."""
    out = []
    try:
        for piece in answer.pieces():
            print(piece, end="", flush=True)
            out.append(piece)
    except KeyboardInterrupt:
        print(" [cancelled]", end="")
    print()
    return "".join(out)


def talk(model, sampling, arguments):
    """Each line is a question, with all before it. A question that is refused, for
    its length as an example, is forgotten."""
    messages = []
    if arguments.system:
        messages.append({"role": "system", "content": arguments.system})
    with history(arguments.history):
        for line in lines():
            question = {"role": "user", "content": line}
            try:
                prompt = model.tokenizer.chat([*messages, question])
                answer = model.start(model.tokenizer.encode(prompt),
                                     arguments.max_tokens, sampling, arguments.stop)
            except Error as error:
                if error.code == FAILED:
                    raise
                print(f"qwen3: error: {error}", file=sys.stderr)
                continue
            messages += [question, {"role": "assistant", "content": said(answer)}]
