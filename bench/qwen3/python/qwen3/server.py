# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""OpenAI's interface over HTTP. Each answer has a thread of a bounded pool that
waits for the engine; a client that goes away cancels its request."""

import asyncio
import concurrent.futures
import json
import pathlib
import socket
import threading
import time
import uuid

from aiohttp import web

from .bodies import BadRequest, parse
from .errors import FAILED, Error
from .metrics import CONTENT_TYPE, Metrics

MAX_BODY = 1 << 20  # bytes
POLL_MS = 100  # in which a thread sees that it is to end
PAGE = pathlib.Path(__file__).with_name("page.html")
POLICY = ("default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; "
          "connect-src 'self'; base-uri 'none'; form-action 'none'")


def error_body(message, kind="invalid_request_error", field=None, code=None):
    return {"error": {"message": message, "type": kind, "param": field, "code": code}}


def error_response(status, *arguments, headers=None, **named):
    return web.json_response(error_body(*arguments, **named), status=status,
                             headers=headers)


class Feed:
    """What a thread reads of an answer, for a coroutine: pieces of text, then None
    or what was raised."""

    def __init__(self, answer, loop):
        self.answer, self._loop = answer, loop
        self._queue = asyncio.Queue()
        self._ended = threading.Event()

    def run(self):
        last = None
        try:
            while self.answer.reason is None and not self._ended.is_set():
                if piece := self.answer.poll(POLL_MS):
                    self._put(piece)
            if self.answer.reason in (None, "cancelled"):
                last = Error("the answer was cancelled", FAILED)
        except Error as error:
            last = error
        finally:
            self.answer.release()
            self._put(last)

    def _put(self, item):
        try:
            self._loop.call_soon_threadsafe(self._queue.put_nowait, item)
        except RuntimeError:
            self._ended.set()  # the loop is closed: nobody reads any more

    def end(self):
        self._ended.set()
        self.answer.cancel()

    async def pieces(self):
        while (item := await self._queue.get()) is not None:
            if isinstance(item, Error):
                raise item
            yield item


class Server:
    """Of one Model, for at most `clients` answers at once."""

    def __init__(self, model, clients=128):
        self.model, self.clients = model, clients
        self.metrics = Metrics(model.engine)
        self._pool = concurrent.futures.ThreadPoolExecutor(clients, "answer")
        self._feeds, self._taken = set(), 0
        self._began = int(time.time())

    def app(self):
        app = web.Application(client_max_size=MAX_BODY, middlewares=[self._shape])
        app.add_routes([
            web.post("/v1/chat/completions", self._chat),
            web.post("/v1/completions", self._complete),
            web.get("/v1/models", self._models), web.get("/health", self._health),
            web.get("/metrics", self._metrics), web.get("/report", self._report),
            web.get("/", self._page)])
        app.on_shutdown.append(self._end_feeds)
        app.on_cleanup.append(self._close)
        return app

    @web.middleware
    async def _shape(self, request, handler):
        """Errors as OpenAI has them, and each request counted."""
        path = request.match_info.route.resource
        path = path.canonical if path else "other"
        status = 499  # as others count a client that went away
        try:
            response = await self._answered(request, handler)
            status = response.status
            return response
        finally:
            self.metrics.count(path, status)

    async def _answered(self, request, handler):
        try:
            return await handler(request)
        except BadRequest as error:
            return error_response(400, str(error), field=error.field, code=error.code)
        except Error as error:
            if error.code == FAILED:
                return error_response(500, str(error), "server_error")
            return error_response(400, str(error))
        except web.HTTPException as error:
            if error.status < 400:
                raise
            return error_response(error.status, error.reason, headers={
                key: value for key, value in error.headers.items() if key == "Allow"})

    async def _chat(self, request):
        return await self._serve(request, is_chat=True)

    async def _complete(self, request):
        return await self._serve(request, is_chat=False)

    async def _serve(self, request, is_chat):
        call = parse(await request.read(), self.model.name, is_chat)
        if self._taken >= self.clients:
            return error_response(
                503, f"{self.clients} answers are in the making", "overloaded_error",
                headers={"Retry-After": "1"})
        self._taken += 1
        try:
            return await self._serve_call(request, call, is_chat)
        finally:
            self._taken -= 1

    async def _serve_call(self, request, call, is_chat):
        loop = asyncio.get_running_loop()
        began = time.monotonic()
        # A prompt of a megabyte takes its time to become tokens. What is begun is
        # waited for, even by one who goes away: it is an answer to be given back.
        start = asyncio.ensure_future(
            loop.run_in_executor(self._pool, self._start, call))
        try:
            answer = await asyncio.shield(start)
        except asyncio.CancelledError:
            start.add_done_callback(release_answer)
            raise
        feed = Feed(answer, loop)
        self._feeds.add(feed)
        running = loop.run_in_executor(self._pool, feed.run)
        try:
            with self.metrics.timed(began) as timer:
                reply = Reply(self.model.name, is_chat, call.include_usage)
                if call.stream:
                    return await stream(request, feed, reply, timer)
                pieces = []
                async for piece in feed.pieces():
                    timer.first()
                    pieces.append(piece)
                return web.json_response(reply.whole("".join(pieces), answer))
        finally:
            feed.end()
            self._feeds.discard(feed)
            # The thread is this client's until it ends.
            await asyncio.shield(running)

    def _start(self, call):
        """In a thread: the answer of the engine to a call."""
        model = self.model
        tokens = call.tokens
        if call.messages is not None:
            tokens = model.tokenizer.encode(
                model.tokenizer.chat(call.messages, **call.variables))
        elif call.prompt is not None:
            tokens = model.tokenizer.encode(call.prompt)
        if not tokens:
            raise BadRequest("the prompt has no token", "prompt")
        if len(tokens) >= model.sizes["positions"]:
            raise BadRequest(
                f"the prompt has {len(tokens)} tokens, and prompt and answer have "
                f"{model.sizes['positions']} positions",
                "prompt" if call.messages is None else "messages",
                "context_length_exceeded")
        return model.start(
            tokens, call.max_tokens,
            model.sampling(call.temperature, call.top_k, call.top_p, call.seed),
            call.stops)

    async def _models(self, _):
        return web.json_response({"object": "list", "data": [
            {"id": self.model.name, "object": "model", "created": self._began,
             "owned_by": "girih"}]})

    async def _health(self, _):
        return web.json_response({"status": "ok"})

    async def _metrics(self, _):
        return web.Response(body=self.metrics.text(),
                            headers={"Content-Type": CONTENT_TYPE})

    async def _report(self, _):
        return web.json_response({**self.model.engine.report(),
                                  "name": self.model.name})

    async def _page(self, _):
        return web.Response(text=PAGE.read_text(encoding="utf-8"),
                            content_type="text/html",
                            headers={"Content-Security-Policy": POLICY})

    async def _end_feeds(self, _):
        for feed in self._feeds:
            feed.end()

    async def _close(self, _):
        await asyncio.get_running_loop().run_in_executor(None, self._pool.shutdown)


def release_answer(start):
    if not start.cancelled() and start.exception() is None:
        start.result().release()


class Reply:
    """The objects of one answer."""

    def __init__(self, model, is_chat, include_usage):
        self._is_chat, self._include_usage = is_chat, include_usage
        self._head = {"id": f"{'chatcmpl' if is_chat else 'cmpl'}-{uuid.uuid4().hex}",
                      "created": int(time.time()), "model": model}
        self._kind = "chat.completion" if is_chat else "text_completion"

    def _object(self, kind, choices, **others):
        return {**self._head, "object": kind, "choices": choices, **others}

    def whole(self, text, answer):
        body = ({"message": {"role": "assistant", "content": text}} if self._is_chat
                else {"text": text})
        return self._object(self._kind, [
            {"index": 0, **body, "logprobs": None, "finish_reason": answer.reason}],
            usage=usage(answer))

    def chunk(self, text=None, role=None, reason=None):
        delta = {"role": role} if role else {}
        delta |= {} if text is None else {"content": text}
        body = {"delta": delta} if self._is_chat else {"text": text or ""}
        # Where usage comes at the end, each chunk has the field.
        others = {"usage": None} if self._include_usage else {}
        return self._object(self._chunk_kind(), [
            {"index": 0, **body, "logprobs": None, "finish_reason": reason}], **others)

    def first(self):
        return [self.chunk("", "assistant")] if self._is_chat else []

    def last(self, answer):
        out = [self.chunk(reason=answer.reason)]
        if self._include_usage:
            out.append(self._object(self._chunk_kind(), [], usage=usage(answer)))
        return out

    def _chunk_kind(self):
        return "chat.completion.chunk" if self._is_chat else self._kind


def usage(answer):
    return {"prompt_tokens": answer.prompt_tokens,
            "completion_tokens": answer.answer_tokens,
            "total_tokens": answer.prompt_tokens + answer.answer_tokens}


def event_of(value):
    return b"data: " + json.dumps(value, ensure_ascii=False).encode() + b"\n\n"


async def stream(request, feed, reply, timer):
    """An answer as server-sent events."""
    response = web.StreamResponse(headers={
        "Content-Type": "text/event-stream; charset=utf-8",
        "Cache-Control": "no-store", "X-Accel-Buffering": "no"})
    try:
        await response.prepare(request)
        for chunk in reply.first():
            await response.write(event_of(chunk))
        try:
            async for piece in feed.pieces():
                timer.first()
                await response.write(event_of(reply.chunk(piece)))
            for chunk in reply.last(feed.answer):
                await response.write(event_of(chunk))
        except Error as error:
            await response.write(event_of(error_body(str(error), "server_error")))
        await response.write(b"data: [DONE]\n\n")
        await response.write_eof()
    except ConnectionError:
        pass  # the client is gone: what is left is cancelled by the caller
    return response


def listen(host, port):
    """A socket; port 0 is one that is free. Raises Error."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=128)
    except OSError as error:
        raise Error(f"{host}:{port}: {error.strerror}") from None


def serve(model, listening, clients):
    """On a socket until SIGINT or SIGTERM."""
    host, port = listening.getsockname()[:2]
    host = f"[{host}]" if ":" in host else host
    web.run_app(Server(model, clients).app(), sock=listening,
                handler_cancellation=True, shutdown_timeout=5, access_log=None,
                print=lambda _: print(f"http://{host}:{port}: {model.name}",
                                      flush=True))
