#!/usr/bin/env python3
# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The command qwen3 as a process, on the fake engine: what it prints, its exit
codes, its messages without a traceback, and Ctrl-C.

  cli_test.py PACKAGES FAKE_ENGINE
"""

import json
import os
import pathlib
import pty
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.request

import fake
from qwen3.text import Tokenizer

TOKENIZER = Tokenizer(fake.TINY)
STOPS = [2047, 2045]


def command(*arguments):
    """Of this Python, with the wheels of the tree."""
    return [sys.executable, "-B", str(fake.COMMAND), *map(str, arguments)]


def run(*arguments, model=fake.TINY, stdin=b"", **environment):
    """(exit code, output, messages)"""
    model = ["--model", str(model)] if model else []
    done = subprocess.run(command(*arguments, *model), input=stdin,
                          capture_output=True, timeout=60,
                          env=fake.environment(**environment))
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def expected(prompt, count, stop=None):
    tokens, _ = fake.answer(TOKENIZER.encode(prompt), count, stops=STOPS)
    text = fake.text_of(TOKENIZER, tokens)
    return text[:text.index(stop)] if stop else text


class Generate(unittest.TestCase):
    def test_answers(self):
        chat = TOKENIZER.chat([{"role": "user", "content": "hello"}])
        self.assertEqual(run("generate", "hello", "--temperature=0", "--max-tokens=20"),
                         (0, expected(chat, 20) + "\n", ""))
        raw = expected("def f", 40)
        arguments = ("generate", "-", "--raw", "--temperature=0", "--max-tokens=40")
        self.assertEqual(run(*arguments, stdin=b"def f"), (0, raw + "\n", ""))
        stop = raw[12:15]
        self.assertEqual(run(*arguments, "--stop", "\x01", "--stop", stop,
                             stdin=b"def f"),
                         (0, expected("def f", 40, stop) + "\n", ""))
        drawn = ("generate", "x", "--seed=3", "--max-tokens=9", "--temperature=1")
        self.assertEqual(run(*drawn), run(*drawn))

    def test_ctrl_c(self):
        process = subprocess.Popen(
            command("generate", "x", "--model", fake.TINY, "--max-tokens=2000",
                    "--temperature=0"), stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, env=fake.environment(FAKE_ENGINE_DELAY_US="20000"))
        process.stdout.read(1)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=20)
        self.assertEqual((process.returncode, err), (130, b""))

    def test_nobody_reads(self):
        process = subprocess.Popen(
            command("generate", "x", "--model", fake.TINY, "--max-tokens=2000"),
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env=fake.environment(FAKE_ENGINE_DELAY_US="1000"))
        process.stdout.close()
        err = process.stderr.read().decode()
        process.stderr.close()
        self.assertEqual(process.wait(20), 3)
        self.assertNotIn("Traceback", err)


class Refusals(unittest.TestCase):
    def check(self, message, *arguments, code=3, **others):
        found, out, err = run(*arguments, **others)
        self.assertEqual((found, out), (code, ""), err)
        self.assertIn("qwen3: error: ", err)
        self.assertIn(message, err)
        self.assertNotIn("Traceback", err)

    def test_arguments(self):
        for message, *arguments in [
                ("COMMAND",), ("invalid choice: 'nope'", "nope"),
                ("prompt", "generate"), ("unrecognized arguments: --x", "chat", "--x"),
                ("--max-tokens is 0", "generate", "x", "--max-tokens=0"),
                ("invalid int value", "generate", "x", "--max-tokens=a"),
                ("--temperature is -1", "generate", "x", "--temperature=-1"),
                ("--temperature is nan", "generate", "x", "--temperature=nan"),
                ("--top-p is 0", "chat", "--top-p=0"),
                ("--top-k is -1", "chat", "--top-k=-1"),
                ("--seed is -1", "chat", "--seed=-1"),
                ("--stop is empty", "generate", "x", "--stop="),
                ("--port is 65536", "serve", "--port=65536"),
                ("--clients is 0", "serve", "--clients=0"),
                ("--repeat is 0", "bench", "--repeat=0"),
                ("--device is -1", "bench", "--device=-1"),
                ("invalid choice: 'f9'", "generate", "x", "--weights=f9"),
                ("invalid ordinals value", "bench", "--devices=0,x")]:
            self.check(message, *arguments, model=fake.TINY if arguments else None)
        self.check("required: --model", "chat", model=None)

    def test_inputs(self):
        generate = ("generate", "x")
        self.check("is not a folder", *generate, model="/nonexistent")
        self.check("cannot be loaded", *generate, QWEN3_LIBRARY="/nonexistent")
        self.check("is not a folder", *generate, QWEN3_KERNELS="/nonexistent")
        self.check("the model has 2048", *generate, "--positions=4096")
        self.check("3 devices", *generate, "--devices=0,1,2")
        self.check("devices is -1", *generate, "--devices=-1")
        self.check("positions for prompt and answer", *generate, "--positions=5")
        self.check("positions", "bench", "--prompt-tokens=2000")
        self.check("no token", "generate", "--raw", "")
        self.check("not UTF-8", "generate", "-", stdin=b"\xff")
        with tempfile.TemporaryDirectory() as name:
            self.check("tokenizer.json: cannot be read", *generate, model=name)
            folder = pathlib.Path(name)
            for file in ("tokenizer.json", "tokenizer_config.json"):
                shutil.copy(fake.TINY / file, folder)
            self.check("config.json: cannot be read", *generate, model=name)
            (folder / "config.json").write_text("{")
            self.check("config.json: is no JSON", *generate, model=name)

    def test_broken(self):
        code, _, err = run("generate", "x", FAKE_ENGINE_BREAK_AT="0")
        self.assertEqual(
            (code, err), (4, "qwen3: error: the engine broke, as it was asked to\n"))

    def test_help(self):
        for arguments in [(), ("chat",), ("generate",), ("bench",), ("serve",)]:
            code, out, err = run(*arguments, "--help", model=None)
            self.assertEqual((code, err), (0, ""))
            self.assertIn("usage: qwen3", out)


class Chat(unittest.TestCase):
    def test_lines(self):
        """Each question comes with all before it."""
        messages, said = [], ""
        for question in ("one", "two"):
            messages.append({"role": "user", "content": question})
            text = expected(TOKENIZER.chat(messages), 8)
            messages.append({"role": "assistant", "content": text})
            said += text + "\n"
        self.assertEqual(run("chat", "--temperature=0", "--max-tokens=8",
                             stdin=b"one\n\ntwo\n"), (0, said, ""))

    def test_a_question_that_is_refused(self):
        code, out, err = run("chat", "--temperature=0", "--max-tokens=4",
                             "--positions=60", stdin=b"x y " * 99 + b"\nhi\n")
        chat = TOKENIZER.chat([{"role": "user", "content": "hi"}])
        self.assertEqual((code, out), (0, expected(chat, 4) + "\n"))
        self.assertIn("positions", err)

    def test_terminal(self):
        """Ctrl-C ends an answer, then the talk goes on; Ctrl-D ends it."""
        with tempfile.TemporaryDirectory() as name:
            history = pathlib.Path(name, "history")
            ours, theirs = pty.openpty()
            process = subprocess.Popen(
                command("chat", "--model", fake.TINY, "--history", history,
                        "--temperature=0", "--max-tokens=400"),
                stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True,
                env=fake.environment(FAKE_ENGINE_DELAY_US="20000", TERM="dumb"),
                preexec_fn=lambda: __import__("fcntl").ioctl(
                    0, __import__("termios").TIOCSCTTY, 0))
            os.close(theirs)
            self.seen = b""
            self.until(ours, b"> ")
            os.write(ours, b"hello\n")
            self.until(ours, b"hello\r\n")
            self.until(ours, b"", more=20)
            os.write(ours, b"\x03")
            self.until(ours, b"[cancelled]")
            self.until(ours, b"> ")
            os.write(ours, b"\x04")
            self.assertEqual(process.wait(20), 0, self.seen)
            os.close(ours)
            self.assertEqual(history.read_text(), "hello\n")

    def until(self, terminal, text, more=1):
        """Reads until text comes, and at least so many bytes."""
        got, end = b"", time.monotonic() + 20
        while text not in got or len(got) < more:
            self.assertLess(time.monotonic(), end, self.seen)
            got += os.read(terminal, 1)
            self.seen += got[-1:]


class Others(unittest.TestCase):
    def test_bench(self):
        code, out, _ = run("bench", "--json", "--prompt-tokens=10", "--max-tokens=5")
        found = json.loads(out)
        self.assertEqual((code, found["prompt_tokens"], found["runs"]), (0, 10, 3))
        self.assertGreater(found["answer_tokens_per_s"], 0)
        code, out, _ = run("bench", "--max-tokens=1", "--repeat=1")
        self.assertIn("first_token_s", out)

    def test_serve(self):
        process = subprocess.Popen(
            command("serve", "--model", fake.TINY, "--port=0"),
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=fake.environment())
        try:
            address = process.stdout.readline().decode().split(": ")[0]
            with urllib.request.urlopen(f"{address}/health", timeout=20) as response:
                self.assertEqual(response.status, 200)
        finally:
            process.send_signal(signal.SIGTERM)
            _, err = process.communicate(timeout=20)
        self.assertEqual((process.returncode, err), (0, b""))

    def test_a_port_that_is_taken(self):
        with socket.create_server(("127.0.0.1", 0)) as taken:
            code, out, err = run("serve", f"--port={taken.getsockname()[1]}")
        self.assertEqual((code, out), (3, ""))
        self.assertIn("Address already in use", err)
        self.assertNotIn("Traceback", err)


if __name__ == "__main__":
    unittest.main()
