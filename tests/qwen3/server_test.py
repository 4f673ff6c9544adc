#!/usr/bin/env python3
# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The server over real sockets, on the fake engine: OpenAI's objects and streams,
mistakes of clients, clients that go away, and 64 at once.

  server_test.py PACKAGES FAKE_ENGINE
"""

import asyncio
import json
import os
import random
import re
import threading
import time
import unittest

import fake
import aiohttp
from aiohttp import web
from qwen3.model import Model
from qwen3.server import Server

SEED, DRAWS, CLIENTS = 7, 400, 64
CHAT, TEXT = "/v1/chat/completions", "/v1/completions"
HELLO = [{"role": "user", "content": "hello"}]


def events(data):
    """The objects of a stream; the last event is [DONE]."""
    parts = data.decode().split("\n\n")
    assert parts[-2:] == ["data: [DONE]", ""], parts[-2:]
    return [json.loads(part.removeprefix("data: ")) for part in parts[:-2]]


class Case(unittest.IsolatedAsyncioTestCase):
    delay_us, sequences, clients = 0, 8, 128

    async def asyncSetUp(self):
        asyncio.get_running_loop().slow_callback_duration = 10
        os.environ["FAKE_ENGINE_DELAY_US"] = str(self.delay_us)
        self.model = Model(fake.TINY, fake.LIBRARY, fake.TINY, sequences=self.sequences)
        self.server = Server(self.model, self.clients)
        self.runner = web.AppRunner(self.server.app(), handler_cancellation=True)
        await self.runner.setup()
        site = web.TCPSite(self.runner, "127.0.0.1", 0)
        await site.start()
        self.port = self.runner.addresses[0][1]
        self.client = aiohttp.ClientSession(
            f"http://127.0.0.1:{self.port}",
            connector=aiohttp.TCPConnector(limit=0))

    async def asyncTearDown(self):
        await self.client.close()
        # Whatever a test did, nothing is left behind.
        await self.quiet()
        await self.runner.cleanup()
        self.model.close()
        left = [thread.name for thread in threading.enumerate()
                if thread.name.startswith("answer")]
        self.assertEqual(left, [])

    async def quiet(self):
        """Until no request is held."""
        end = time.monotonic() + 10
        while self.model.engine.counters()["held"] or self.server._taken:
            self.assertLess(time.monotonic(), end, self.model.engine.counters())
            await asyncio.sleep(0.01)

    async def post(self, path, body, status=200):
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        async with self.client.post(path, data=data) as response:
            text = await response.read()
            self.assertEqual(response.status, status, text)
            return text if status == 200 and b"data: " in text[:6] else json.loads(text)

    async def get(self, path):
        async with self.client.get(path) as response:
            self.assertEqual(response.status, 200)
            return await response.text()

    def greedy(self, prompt, count):
        """(text, count, reason) of the fake engine's greedy answer to tokens."""
        tokens, reason = fake.answer(prompt, count, stops=self.model.stop_tokens)
        return fake.text_of(self.model.tokenizer, tokens), len(tokens), reason


class Objects(Case):
    async def test_chat(self):
        tokenizer = self.model.tokenizer
        prompt = tokenizer.encode(tokenizer.chat(HELLO))
        text, count, reason = self.greedy(prompt, 30)
        body = {"model": "tiny", "messages": HELLO, "temperature": 0, "max_tokens": 30}
        whole = await self.post(CHAT, body)
        self.assertEqual(whole["object"], "chat.completion")
        self.assertEqual(whole["choices"], [
            {"index": 0, "message": {"role": "assistant", "content": text},
             "logprobs": None, "finish_reason": reason}])
        usage = {"prompt_tokens": len(prompt), "completion_tokens": count,
                 "total_tokens": len(prompt) + count}
        self.assertEqual(whole["usage"], usage)
        parts = [{"type": "text", "text": "hel"}, {"type": "text", "text": "lo"}]
        again = await self.post(CHAT, {**body, "messages": [
            {"role": "user", "content": parts}], "max_completion_tokens": 90})
        self.assertEqual(again["choices"], whole["choices"])

        chunks = events(await self.post(CHAT, {
            **body, "stream": True, "stream_options": {"include_usage": True}}))
        self.assertEqual({c["object"] for c in chunks}, {"chat.completion.chunk"})
        self.assertEqual(len({c["id"] for c in chunks}), 1)
        self.assertEqual(chunks[0]["choices"][0]["delta"],
                         {"role": "assistant", "content": ""})
        self.assertEqual((chunks[-1]["choices"], chunks[-1]["usage"]), ([], usage))
        self.assertEqual(chunks[-2]["choices"][0]["finish_reason"], reason)
        self.assertEqual("".join(c["choices"][0]["delta"].get("content", "")
                                 for c in chunks[:-1]), text)

    async def test_completion(self):
        prompt = self.model.tokenizer.encode("def f(x):")
        for count in (1, 16):
            text, used, reason = self.greedy(prompt, count)
            body = {"model": "tiny", "temperature": 0, "max_tokens": count}
            for same in ("def f(x):", ["def f(x):"], prompt, [prompt]):
                whole = await self.post(TEXT, {**body, "prompt": same})
                self.assertEqual(whole["choices"][0], {
                    "index": 0, "text": text, "logprobs": None,
                    "finish_reason": reason})
                self.assertEqual(whole["usage"]["completion_tokens"], used)
            chunks = events(await self.post(TEXT, {**body, "prompt": prompt,
                                                   "stream": True}))
            self.assertEqual("".join(c["choices"][0]["text"] for c in chunks), text)
            self.assertNotIn("usage", chunks[0])

    async def test_stop(self):
        prompt = self.model.tokenizer.encode("x")
        text, _, _ = self.greedy(prompt, 60)
        stop = text[20:24]
        body = {"model": "tiny", "prompt": "x", "temperature": 0, "max_tokens": 60}
        for stops in (stop, [stop, "\x00"]):
            whole = await self.post(TEXT, {**body, "stop": stops})
            self.assertEqual(whole["choices"][0]["text"], text[:text.index(stop)])
            self.assertEqual(whole["choices"][0]["finish_reason"], "stop")

    async def test_seed(self):
        body = {"model": "tiny", "prompt": "x", "temperature": 1, "max_tokens": 9}
        async def text(seed):
            return (await self.post(TEXT, {**body, "seed": seed}))["choices"][0]["text"]
        self.assertEqual(await text(1), await text(1))
        self.assertNotEqual(await text(1), await text(-1))
        self.assertNotEqual(await text(None), await text(None))

    async def test_others(self):
        models = json.loads(await self.get("/v1/models"))
        self.assertEqual([m["id"] for m in models["data"]], ["tiny"])
        self.assertEqual(json.loads(await self.get("/health")), {"status": "ok"})
        self.assertEqual(len(json.loads(await self.get("/report"))["kernels"]), 2)
        self.assertIn("<title>", await self.get("/"))
        await self.post(TEXT, {"model": "tiny", "prompt": "x"})
        await self.post(TEXT, b"{", 400)
        metrics = await self.get("/metrics")
        for line in ("qwen3_engine_requests_total 1.0", "qwen3_engine_held 0.0",
                     'qwen3_http_requests_total{path="/v1/completions",status="400"} 1',
                     "qwen3_first_text_seconds_count 1.0"):
            self.assertIn(line, metrics)


class Mistakes(Case):
    async def refused(self, path, body, field=None, status=400):
        error = (await self.post(path, body, status))["error"]
        self.assertEqual(set(error), {"message", "type", "param", "code"})
        self.assertEqual(error["type"], "invalid_request_error")
        if field:
            self.assertEqual(error["param"], field, body)
        return error

    async def test_fields(self):
        fine = {"model": "tiny", "messages": HELLO, "max_tokens": 1}
        for field, values in {
                "model": [None, 1, "other", ["tiny"]],
                "messages": [None, [], {}, "x", 1],
                "messages[0]": [["x"]], "messages[0].role": [
                    [{}], [{"role": 1}], [{"role": "tool", "content": "x"}]],
                "messages[0].content": [[{"role": "user"}],
                                        [{"role": "user", "content": 1}],
                                        [{"role": "user", "content": [{"type": "image"}]}],
                                        [{"role": "user", "content": "\ud800"}]],
                "max_tokens": [0, -1, 1.5, "1", True, 2**31, 10**30],
                "temperature": [-0.1, 2.1, "1", True, [], 10**400],
                "top_p": [0, -1, 1.01, "1"], "top_k": [-1, 0.5, 2**31],
                "seed": [0.5, 2**64, "1"], "stream": [0, 1, "true"],
                "stop": [1, [1], [""], "", ["a"] * 17, "x" * 1025, {}],
                "stream_options": [1, {}, {"include_usage": True}],
                "n": [0, 2, True, "1"], "tools": [[{}]], "logprobs": [True],
                "frequency_penalty": [0.1], "response_format": [{"type": "json_object"}],
                "chat_template_kwargs": [[1], {"messages": 1}, {"a": []}],
                "nonsense": [1], "prompt": ["x"]}.items():
            for value in values:
                key = field.split("[")[0]
                await self.refused(CHAT, {**fine, key: value}, field)
        for value in [None, 1, [], [[]], ["a", "b"], [[1], [2]], [1, "a"], [-1], [2**31],
                      [1.0], [True], {}]:
            await self.refused(TEXT, {"model": "tiny", "prompt": value}, "prompt")
        await self.refused(TEXT, {"model": "tiny", "prompt": ""}, "prompt")
        await self.refused(TEXT, {"model": "tiny", "prompt": [2048]})
        error = await self.refused(CHAT, {**fine, "model": "gpt"})
        self.assertEqual(error["code"], "model_not_found")
        self.assertEqual(self.model.engine.counters()["requests"], 0)
        # What asks for nothing is taken.
        await self.post(CHAT, {**fine, "n": 1, "user": "me", "frequency_penalty": 0.0,
                               "tools": [], "stop": None, "top_p": 1, "logprobs": False})

    async def test_too_long(self):
        for path, body, field in [
                (TEXT, {"prompt": [1] * 2048}, "prompt"),
                (TEXT, {"prompt": "x y" * 3000}, "prompt"),
                (CHAT, {"messages": [{"role": "user", "content": "x y" * 3000}]},
                 "messages")]:
            error = await self.refused(path, {"model": "tiny", **body}, field)
            self.assertEqual(error["code"], "context_length_exceeded")
        await self.refused(TEXT, b" " * (1 << 20) + b"{}", status=413)
        whole = await self.post(TEXT, {"model": "tiny", "prompt": [1] * 2047,
                                       "max_tokens": 9, "temperature": 0})
        self.assertLessEqual(whole["usage"]["total_tokens"], 2048)

    async def test_bodies(self):
        for body in [b"", b"{", b"[]", b"1", b"null", b"\xff", b'{"model": NaN}',
                     b'{"seed": ' + b"1" * 5000 + b"}", b"[" * 200000,
                     b'{"a":' * 100000, '{"model": "tiny"}'.encode("utf-16")]:
            await self.refused(CHAT, body)
        for path, method, status in [("/nope", "GET", 404), (CHAT, "GET", 405),
                                     ("/", "POST", 405), ("/../etc/passwd", "GET", 404)]:
            async with self.client.request(method, path) as response:
                self.assertEqual(response.status, status)
                self.assertIn("error", await response.json())

    async def test_drawn_bodies(self):
        """Whatever comes, the answer is 200 or 400 with the object of an error."""
        source, seen = random.Random(SEED), {200: 0, 400: 0}
        honest = json.dumps({"model": "tiny", "messages": HELLO, "max_tokens": 2,
                             "stop": ["a"], "temperature": 0.5, "stream": False}).encode()
        odd = [None, True, 0, -1, 1, 1.5, "", "tiny", "\ud800", [], {}, [[]], 2**70,
               {"role": "user", "content": "x"}]
        for _ in range(int(os.environ.get("GIRIH_DRAWS", DRAWS))):
            if source.random() < 0.5:
                data = bytearray(honest)
                for _ in range(source.randint(1, 3)):
                    at = source.randrange(len(data))
                    data[at:at + source.randint(0, 2)] = bytes(
                        source.choice([*b"{}[]:,\"0-e\\", source.randrange(256)])
                        for _ in range(source.randint(0, 2)))
                data = bytes(data)
            else:
                body = json.loads(honest)
                for _ in range(source.randint(1, 2)):
                    body[source.choice([*body, "seed", "top_p", "n"])] = source.choice(odd)
                data = json.dumps(body).encode()
            async with self.client.post(CHAT, data=data) as response:
                text = await response.read()
                self.assertIn(response.status, seen, (data, text))
                seen[response.status] += 1
                if response.status == 400:
                    self.assertEqual(json.loads(text)["error"]["type"],
                                     "invalid_request_error", data)
        self.assertGreater(min(seen.values()), 10)


class Leaving(Case):
    delay_us, sequences = 2000, 2

    async def counters(self, **wanted):
        end = time.monotonic() + 10
        while True:
            counters = self.model.engine.counters()
            if all(counters[key] == value for key, value in wanted.items()):
                return
            self.assertLess(time.monotonic(), end, counters)
            await asyncio.sleep(0.01)

    def body(self, stream):
        return json.dumps({"model": "tiny", "prompt": "x", "max_tokens": 2000,
                           "seed": 1, "temperature": 1, "stream": stream,
                           "stop": []}).encode()

    async def leave(self, stream):
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        data = self.body(stream)
        writer.write(b"POST /v1/completions HTTP/1.1\r\nHost: a\r\nContent-Length: "
                     + str(len(data)).encode() + b"\r\n\r\n" + data)
        await writer.drain()
        if stream:
            await reader.readuntil(b"data: ")
        else:
            await self.counters(active=1)
        writer.close()
        await writer.wait_closed()

    async def test_a_stream_that_is_left(self):
        await self.leave(True)
        await self.counters(cancelled=1, held=0)

    async def test_a_client_that_waits_and_leaves(self):
        await self.leave(False)
        await self.counters(cancelled=1, held=0)

    async def test_the_server_ends(self):
        task = asyncio.ensure_future(self.client.post(TEXT, data=self.body(True)))
        await self.counters(active=1)
        began = time.monotonic()
        await self.runner.cleanup()
        self.assertLess(time.monotonic() - began, 5)
        response = await task
        self.assertEqual(events(await response.read())[-1]["error"]["message"],
                         "the answer was cancelled")
        await self.counters(held=0)


class Broken(Case):
    async def asyncSetUp(self):
        os.environ["FAKE_ENGINE_BREAK_AT"] = "4"
        await super().asyncSetUp()
        del os.environ["FAKE_ENGINE_BREAK_AT"]

    async def test_broken(self):
        body = {"model": "tiny", "prompt": "x", "max_tokens": 100, "temperature": 0}
        chunks = events(await self.post(TEXT, {**body, "stream": True}))
        self.assertEqual(chunks[-1]["error"]["type"], "server_error")
        error = (await self.post(TEXT, body, 500))["error"]
        self.assertEqual(error["message"], "the engine is broken")


class Busy(Case):
    delay_us, sequences, clients = 1000, 1, 2

    async def test_too_many(self):
        body = {"model": "tiny", "prompt": "x", "max_tokens": 150, "stop": ["\x00"]}
        async def status():
            async with self.client.post(TEXT, data=json.dumps(body)) as response:
                await response.read()
                return response.status
        counts = await asyncio.gather(*(status() for _ in range(6)))
        self.assertEqual(sorted(counts), [200] * 2 + [503] * 4)
        self.assertEqual(await status(), 200)


class Crowd(Case):
    delay_us, sequences = 200, 16

    async def test_clients_at_once(self):
        """Each gets its own answer, and a third leaves in the middle."""
        async def one(number):
            source = random.Random(SEED + number)
            for _ in range(6):
                prompt = source.choices(range(2000), k=source.randint(1, 20))
                count = source.randint(1, 60)
                body = {"model": "tiny", "prompt": prompt, "max_tokens": count,
                        "temperature": 0, "stream": True}
                async with self.client.post(TEXT, data=json.dumps(body)) as response:
                    self.assertEqual(response.status, 200)
                    if source.random() < 0.3:
                        await response.content.readany()
                        response.close()
                        continue
                    chunks = events(await response.read())
                said = "".join(c["choices"][0]["text"] for c in chunks)
                text, _, reason = self.greedy(prompt, count)
                self.assertEqual((said, chunks[-1]["choices"][0]["finish_reason"]),
                                 (text, reason))
        await asyncio.gather(*(one(number) for number in range(CLIENTS)))
        await self.quiet()
        counters = self.model.engine.counters()
        self.assertEqual(counters["requests"], 6 * CLIENTS)
        self.assertEqual(counters["finished"] + counters["cancelled"], 6 * CLIENTS)
        metrics = await self.get("/metrics")
        counted = re.findall(r'qwen3_http_requests_total\{path="/v1/completions",'
                             r'status="\d+"\} (\d+)', metrics)
        self.assertEqual(sum(map(int, counted)), 6 * CLIENTS)


if __name__ == "__main__":
    unittest.main()
