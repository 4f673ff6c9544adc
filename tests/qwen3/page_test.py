#!/usr/bin/env python3
# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The server's page: nothing comes from elsewhere; in a headless Chromium, on the
fake engine, a prompt is answered as it comes and stopped, and each kernel has its
row. Without Chromium that part is reported as not run, exit code 77.

  page_test.py PACKAGES FAKE_ENGINE
"""

import asyncio
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

import fake
import aiohttp
from aiohttp import web
from qwen3.model import Model
from qwen3.server import PAGE, POLICY, Server

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")
BROWSER = next(filter(None, map(shutil.which, BROWSERS)), None)
SECONDS = 60


class Text(unittest.TestCase):
    def test_nothing_from_elsewhere(self):
        text = PAGE.read_text()
        for pattern in (r"https?://", r"\bsrc\s*=", r"\bhref\s*=", "@import", r"url\(",
                        "innerHTML", r"\beval\("):
            self.assertIsNone(re.search(pattern, text), pattern)
        self.assertIn("default-src 'none'", POLICY)


class Tab:
    """One page of a browser, by the protocol of its developer tools."""

    def __init__(self, socket):
        self.socket, self.number = socket, 0

    async def call(self, method, **parameters):
        self.number += 1
        await self.socket.send_json({"id": self.number, "method": method,
                                     "params": parameters})
        while True:
            message = await self.socket.receive_json(timeout=SECONDS)
            if message.get("id") == self.number:
                return message["result"]

    async def value(self, expression):
        result = await self.call("Runtime.evaluate", expression=expression,
                                 returnByValue=True)
        if "exceptionDetails" in result:
            raise AssertionError(f"{expression}: {result['exceptionDetails']}")
        return result["result"].get("value")

    async def until(self, expression):
        end = time.monotonic() + SECONDS
        while not (found := await self.value(expression)):
            if time.monotonic() > end:
                raise AssertionError(f"{expression}: {await self.value(STATUS)}")
            await asyncio.sleep(0.05)
        return found


STATUS = "document.getElementById('status').textContent"
ANSWER = "document.getElementById('answer').textContent"
ROWS = ("[...document.querySelectorAll('#kernels tr')].map("
        "row => [...row.cells].map(cell => cell.textContent))")


def ask(prompt, limit):
    return (f"document.getElementById('prompt').value = {json.dumps(prompt)};"
            f"document.getElementById('limit').value = {limit};"
            "document.getElementById('send').click()")


@unittest.skipUnless(BROWSER, "there is no Chromium")
class Browser(unittest.IsolatedAsyncioTestCase):
    async def asyncSetUp(self):
        asyncio.get_running_loop().slow_callback_duration = 10
        os.environ["FAKE_ENGINE_DELAY_US"] = "3000"
        self.model = Model(fake.TINY, fake.LIBRARY, fake.TINY, sequences=2)
        self.model.defaults = {}  # greedy
        self.runner = web.AppRunner(Server(self.model).app(), handler_cancellation=True)
        await self.runner.setup()
        await web.TCPSite(self.runner, "127.0.0.1", 0).start()
        self.address = f"http://127.0.0.1:{self.runner.addresses[0][1]}/"
        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.process = subprocess.Popen(
            [BROWSER, "--headless", "--no-sandbox", "--disable-gpu",
             "--disable-dev-shm-usage", "--remote-debugging-port=0",
             f"--user-data-dir={self.folder.name}", "about:blank"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.client = aiohttp.ClientSession()
        self.tab = await self.opened()

    async def asyncTearDown(self):
        await self.tab.socket.close()
        await self.client.close()
        self.process.terminate()
        await asyncio.to_thread(self.process.wait)
        self.folder.cleanup()
        await self.runner.cleanup()
        self.model.close()

    async def opened(self):
        file = pathlib.Path(self.folder.name, "DevToolsActivePort")
        end = time.monotonic() + SECONDS
        while not (file.exists() and file.read_text().count("\n")):
            self.assertLess(time.monotonic(), end, "the browser does not start")
            await asyncio.sleep(0.1)
        port = file.read_text().split("\n")[0]
        async with self.client.get(f"http://127.0.0.1:{port}/json") as response:
            page = next(p for p in await response.json() if p["type"] == "page")
        tab = Tab(await self.client.ws_connect(page["webSocketDebuggerUrl"],
                                               max_msg_size=0))
        await tab.call("Page.navigate", url=self.address)
        await tab.until("document.readyState === 'complete'")
        await tab.until("document.querySelectorAll('#kernels tr').length === 2")
        return tab

    async def test_page(self):
        tab = self.tab
        rows = await tab.value(ROWS)
        self.assertEqual(rows, [["gemv", "VERIFIED", "fake", "12", "1"],
                                ["<b>&attention", "VERIFIED", "fake", "34", "2"]])
        self.assertEqual(await tab.value("document.title"), "Qwen3 on verified kernels")

        tokenizer = self.model.tokenizer
        prompt = tokenizer.encode(tokenizer.chat([{"role": "user", "content": "<hi> é"}]))
        tokens, reason = fake.answer(prompt, 60, stops=self.model.stop_tokens)
        await tab.value(ask("<hi> é", 60))
        await tab.until(f"{ANSWER}.length > 0")  # before it is whole
        await tab.until(f"{STATUS}.startsWith('ended')")
        self.assertIn(f"ended: {reason}, {len(tokens)} tokens", await tab.value(STATUS))
        self.assertEqual(await tab.value(ANSWER), fake.text_of(tokenizer, tokens))

        await tab.value(ask("x", 2000))
        await tab.until(f"{STATUS} === 'answers'")
        await tab.value("document.getElementById('stop').click()")
        await tab.until(f"{STATUS} === 'stopped'")
        end = time.monotonic() + SECONDS
        # Whoever let go of the request is before the engine's thread that counts.
        while (self.model.engine.counters()["held"]
               or not self.model.engine.counters()["cancelled"]):
            self.assertLess(time.monotonic(), end)
            await asyncio.sleep(0.05)
        self.assertEqual(self.model.engine.counters()["cancelled"], 1)

        await tab.value(ask("x y" * 3000, 1))
        await tab.until(f"{STATUS}.startsWith('error: the prompt has')")
        origins = await tab.value("performance.getEntriesByType('resource').map("
                                  "entry => new URL(entry.name).origin + '/')")
        self.assertEqual(set(origins), {self.address})


if __name__ == "__main__":
    done = unittest.main(exit=False).result
    sys.exit(1 if not done.wasSuccessful() else 77 if done.skipped else 0)
