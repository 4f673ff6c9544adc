# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Between text and tokens: the tokenizer and the chat template of a model's folder,
and the text of an answer as its tokens come."""

import codecs
import datetime
import json
import pathlib

import jinja2
import jinja2.ext
import jinja2.sandbox
import tokenizers

from .errors import Error

#: A template of a model is a few kB.
MAX_FILE = 64 << 20


def read_json(path, missing=None):
    """The object of a file; `missing` where there is no file and it is given."""
    try:
        if missing is not None and not path.exists():
            return missing
        if path.stat().st_size > MAX_FILE:
            raise Error(f"{path}: has more than {MAX_FILE} bytes")
        value = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise Error(f"{path}: cannot be read: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        raise Error(f"{path}: is no JSON: {error}") from None
    if not isinstance(value, dict):
        raise Error(f"{path}: is not an object")
    return value


def byte_alphabet():
    """The byte of each character in which a byte-level tokenizer writes bytes."""
    plain = [*range(ord("!"), ord("~") + 1), *range(ord("¡"), ord("¬") + 1),
             *range(ord("®"), ord("ÿ") + 1)]
    out = {chr(byte): byte for byte in plain}
    others = (byte for byte in range(256) if byte not in plain)
    out.update({chr(256 + k): byte for k, byte in enumerate(others)})
    return out


class Tokenizer:
    """Of a folder as Hugging Face has it: tokenizer.json, tokenizer_config.json."""

    def __init__(self, folder):
        folder = pathlib.Path(folder)
        path = folder / "tokenizer.json"
        stored = read_json(path)
        try:
            self._tokenizer = tokenizers.Tokenizer.from_str(json.dumps(stored))
        except Exception as error:  # the package has no narrower one
            raise Error(f"{path}: {error}") from None
        decoder = (stored.get("decoder") or {}).get("type")
        if decoder != "ByteLevel":
            raise Error(f"{path}: the decoder is {decoder}, not ByteLevel")
        self.vocabulary = self._tokenizer.get_vocab_size(with_added_tokens=True)
        added = self._tokenizer.get_added_tokens_decoder()
        self.special = {k for k, token in added.items() if token.special}
        self._added = {k: token.content for k, token in added.items()}
        self._bytes = byte_alphabet()
        self._config = read_json(folder / "tokenizer_config.json", missing={})
        self._template = self._template_of(folder)

    def _template_of(self, folder):
        path = folder / "chat_template.jinja"
        source = self._config.get("chat_template")
        try:
            if path.exists():
                source = path.read_text(encoding="utf-8")
        except (OSError, ValueError) as error:
            raise Error(f"{path}: cannot be read: {error}") from None
        if source is None:
            return None
        if not isinstance(source, str):
            raise Error(f"{folder}/tokenizer_config.json: chat_template is not a text")
        try:
            return template_environment().from_string(source)
        except (jinja2.TemplateError, RecursionError) as error:
            raise Error(f"the chat template of {folder}: {error}") from None

    def encode(self, text):
        """Tokens of text; special tokens are those that stand in it."""
        try:
            text.encode()
        except UnicodeEncodeError:
            raise Error("the text has half a surrogate pair") from None
        return self._tokenizer.encode(text, add_special_tokens=False).ids

    def chat(self, messages, **variables):
        """The prompt of messages, {"role", "content"} each, up to where the model
        answers. variables: others that the template has, like enable_thinking."""
        if self._template is None:
            raise Error("the model has no chat template")
        special = {name: self._config.get(name) for name in ("bos_token", "eos_token",
                                                             "pad_token")}
        special = {name: value["content"] if isinstance(value, dict) else value
                   for name, value in special.items() if value}
        try:
            return self._template.render(**{
                **special, "messages": messages, "add_generation_prompt": True,
                **variables})
        except (jinja2.TemplateError, ArithmeticError, LookupError, RecursionError,
                TypeError, ValueError) as error:
            raise Error(f"the chat template: {error}") from None

    def bytes_of(self, token):
        """What a token stands for; nothing for a special one, and for one that only
        the embedding has."""
        if token in self.special:
            return b""
        if token in self._added:
            return self._added[token].encode()
        text = self._tokenizer.id_to_token(token) or ""
        return b"".join(bytes([self._bytes[c]]) if c in self._bytes else c.encode()
                        for c in text)


def template_environment():
    """In which Hugging Face renders chat templates, and nothing of Python is seen."""
    environment = jinja2.sandbox.ImmutableSandboxedEnvironment(
        trim_blocks=True, lstrip_blocks=True, extensions=[jinja2.ext.loopcontrols])

    def refuse(message):
        raise jinja2.TemplateError(message)

    def to_json(value, ensure_ascii=False, indent=None, separators=None,
                sort_keys=False):
        return json.dumps(value, ensure_ascii=ensure_ascii, indent=indent,
                          separators=separators, sort_keys=sort_keys)

    environment.filters["tojson"] = to_json
    environment.globals["raise_exception"] = refuse
    environment.globals["strftime_now"] = (
        lambda form: datetime.datetime.now().strftime(form))
    return environment


class TextStream:
    """The text of tokens that come one by one: whole characters, up to the first
    stop string that is complete. What may become a stop string is kept back."""

    def __init__(self, tokenizer, stops=()):
        if not all(stops):
            raise Error("a stop string is empty")
        self._tokenizer, self._stops = tokenizer, tuple(stops)
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._kept = ""
        self.stopped = None  # the stop string that was found

    def add(self, token):
        """What is certain with one token more."""
        return self._take(self._decoder.decode(self._tokenizer.bytes_of(token)))

    def finish(self):
        """The rest, where no token follows. Half a character is U+FFFD."""
        out = self._take(self._decoder.decode(b"", final=True))
        if self.stopped is None:
            out, self._kept = out + self._kept, ""
        return out

    def _take(self, text):
        if self.stopped is not None:
            return ""
        self._kept += text
        found = [(at + len(stop), at, stop) for stop in self._stops
                 if (at := self._kept.find(stop)) >= 0]
        if found:
            _, at, self.stopped = min(found)
            out, self._kept = self._kept[:at], ""
            return out
        keep = max((beginning(self._kept, stop) for stop in self._stops), default=0)
        cut = len(self._kept) - keep
        out, self._kept = self._kept[:cut], self._kept[cut:]
        return out


def beginning(text, stop):
    """How many characters at the end of text are the beginning of stop."""
    for count in range(min(len(text), len(stop) - 1), 0, -1):
        if text.endswith(stop[:count]):
            return count
    return 0
