#!/usr/bin/env python3
# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Between text and tokens: stop strings and characters across the borders of
tokens, beside a search in the whole text; chat templates beside transformers.

  text_test.py PACKAGES
"""

import json
import pathlib
import random
import shutil
import tempfile
import unittest

import fake
from qwen3.errors import Error
from qwen3.text import TextStream, Tokenizer, template_environment

SEED, DRAWS = 7, 2000


class Bytes:
    """A tokenizer whose tokens are pieces of bytes."""

    def __init__(self, pieces):
        self.pieces = pieces

    def bytes_of(self, token):
        return self.pieces[token]


def expected(text, stops):
    """(what is given out, the stop string): that which ends first, of those the
    longest."""
    found = min(((text.find(stop) + len(stop), text.find(stop), stop)
                 for stop in stops if stop in text), default=None)
    return (text[:found[1]], found[2]) if found else (text, None)


def streamed(tokenizer, tokens, stops):
    """(pieces, the stop string), and that nothing is given out too early."""
    stream, pieces = TextStream(tokenizer, stops), []
    for token in tokens:
        pieces.append(stream.add(token))
    pieces.append(stream.finish())
    return pieces, stream.stopped


def cut(source, data, most):
    out = []
    while data:
        count = source.randint(1, most)
        out.append(data[:count])
        data = data[count:]
    return out


class Streams(unittest.TestCase):
    def test_drawn_stops(self):
        source, stopped = random.Random(SEED), 0
        for _ in range(DRAWS):
            letters = source.choice(["ab", "abc", "aé€🙂"])
            text = "".join(source.choices(letters, k=source.randint(0, 30)))
            stops = ["".join(source.choices(letters, k=source.randint(1, 5)))
                     for _ in range(source.randint(0, 3))]
            pieces = cut(source, text.encode(), 5)
            said, stop = streamed(Bytes(pieces), range(len(pieces)), stops)
            with self.subTest(text=text, stops=stops, pieces=pieces):
                self.assertEqual(("".join(said), stop), expected(text, stops))
            stopped += stop is not None
        self.assertGreater(stopped, DRAWS // 5)

    def test_drawn_bytes(self):
        """Bytes that are no UTF-8 are replaced as in the whole."""
        source = random.Random(SEED)
        for _ in range(DRAWS):
            data = b"".join(source.choice([b"a", "é".encode(), "🙂".encode(),
                                           bytes([source.randrange(128, 256)])])
                            for _ in range(source.randint(0, 12)))
            pieces = cut(source, data, 3)
            said, _ = streamed(Bytes(pieces), range(len(pieces)), [])
            self.assertEqual("".join(said), data.decode("utf-8", "replace"))

    def test_text_comes_at_once(self):
        pieces = [b"ab", b"cd", b"\xc3", b"\xa9x", b"s", b"ty", b"\xf0\x9f"]
        said, stop = streamed(Bytes(pieces), range(len(pieces)), ["stop"])
        self.assertEqual(said, ["ab", "cd", "", "éx", "", "sty", "", "\ufffd"])
        self.assertIsNone(stop)

    def test_nothing_follows_a_stop(self):
        said, stop = streamed(Bytes([b"a.", b"b", b"c"]), range(3), ["."])
        self.assertEqual((said, stop), (["a", "", "", ""], "."))
        with self.assertRaises(Error):
            TextStream(Bytes([]), [""])


class Tokens(unittest.TestCase):
    def setUp(self):
        self.tokenizer = Tokenizer(fake.TINY)

    def test_drawn_tokens(self):
        """Piece by piece is what the package decodes at once."""
        source = random.Random(SEED)
        for _ in range(300):
            tokens = source.choices(range(fake.VOCABULARY), k=source.randint(0, 40))
            said, _ = streamed(self.tokenizer, tokens, [])
            self.assertEqual("".join(said), fake.text_of(self.tokenizer, tokens))

    def test_there_and_back(self):
        for text in ["", "def f(x):\n    return x  # 1234\n", "äöü € 🙂 日本", "\t \n\n "]:
            tokens = self.tokenizer.encode(text)
            self.assertEqual("".join(streamed(self.tokenizer, tokens, [])[0]), text)

    def test_special_tokens(self):
        self.assertEqual(self.tokenizer.encode("<|endoftext|><|im_start|><|im_end|>"),
                         [2045, 2046, 2047])
        self.assertEqual(self.tokenizer.bytes_of(2046), b"")
        self.assertEqual(self.tokenizer.bytes_of(2048), b"")

    def test_half_a_pair(self):
        with self.assertRaisesRegex(Error, "surrogate"):
            self.tokenizer.encode("\ud800")


class Templates(unittest.TestCase):
    def test_beside_transformers(self):
        recorded = json.loads((fake.HERE / "chat.json").read_text())
        own = Tokenizer(fake.TINY)
        config = json.loads((fake.TINY / "tokenizer_config.json").read_text())
        config["chat_template"] = recorded["features"]
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            shutil.copy(fake.TINY / "tokenizer.json", folder)
            (folder / "tokenizer_config.json").write_text(json.dumps(config))
            features = Tokenizer(folder)
        self.assertGreater(len(recorded["chats"]), 10)
        for chat in recorded["chats"]:
            tokenizer = own if chat["template"] == "tiny" else features
            text = tokenizer.chat(chat["messages"], **chat["variables"])
            self.assertEqual(text, chat["text"])
            self.assertEqual(tokenizer.encode(text), chat["tokens"])

    def test_nothing_of_python_is_seen(self):
        for source in ["{{ ''.__class__.__mro__ }}{{ [].append(1) }}",
                       "{{ messages.append(1) }}", "{{ cycler.__init__.__globals__ }}"]:
            with self.assertRaises(Exception, msg=source) as raised:
                template_environment().from_string(source).render(messages=[])
            self.assertEqual(type(raised.exception).__module__, "jinja2.exceptions")

    def test_refusals_of_a_template(self):
        tokenizer = Tokenizer(fake.TINY)
        for messages in [[], [{"role": "tool", "content": "x"}],
                         [{"role": "user"}], [{"role": "user", "content": None}]]:
            with self.assertRaisesRegex(Error, "the chat template"):
                tokenizer.chat(messages)


class Folders(unittest.TestCase):
    """What is wrong in a folder is said with the file."""

    def check(self, file, text, message):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            for own in ("tokenizer.json", "tokenizer_config.json"):
                shutil.copy(fake.TINY / own, folder)
            (folder / file).unlink(missing_ok=True)
            if text is not None:
                (folder / file).write_bytes(text)
            with self.assertRaisesRegex(Error, message) as raised:
                Tokenizer(folder)
            self.assertEqual(raised.exception.code, 3)

    def test_tokenizer(self):
        self.check("tokenizer.json", None, "tokenizer.json: cannot be read")
        for text in [b"", b"{", b"\xff", b"[" * 100000]:
            self.check("tokenizer.json", text, "tokenizer.json: is no JSON")
        self.check("tokenizer.json", b"[]", "tokenizer.json: is not an object")
        self.check("tokenizer.json", b"{}", "tokenizer.json: ")
        other = json.loads((fake.TINY / "tokenizer.json").read_text())
        other["decoder"] = None
        self.check("tokenizer.json", json.dumps(other).encode(), "not ByteLevel")

    def test_template(self):
        for template, message in [({"a": 1}, "is not a text"),
                                  ("{% if %}", "chat template of")]:
            self.check("tokenizer_config.json",
                       json.dumps({"chat_template": template}).encode(), message)
        self.check("chat_template.jinja", b"\xff", "cannot be read")


if __name__ == "__main__":
    unittest.main()
