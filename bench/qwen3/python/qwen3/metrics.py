# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What Prometheus reads of the server and of its engine."""

import contextlib
import time

import prometheus_client
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily

CONTENT_TYPE = prometheus_client.CONTENT_TYPE_LATEST
#: Of the engine's counters, those that also fall.
GAUGES = {"active", "queued", "held"}
SECONDS = (0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100)


class EngineCounters:
    """qwen3_counters, each time that it is read."""

    def __init__(self, engine):
        self._engine = engine

    def collect(self):
        for name, value in self._engine.counters().items():
            family = GaugeMetricFamily if name in GAUGES else CounterMetricFamily
            yield family(f"qwen3_engine_{name}", f"{name} of the engine", value)


class Timer:
    """Of one answer: `first` is called with its first text, and later ones."""

    def __init__(self, began, histogram):
        self._began, self._histogram = began, histogram

    def first(self):
        if self._histogram is not None:
            self._histogram.observe(time.monotonic() - self._began)
            self._histogram = None


class Metrics:
    def __init__(self, engine):
        self._registry = prometheus_client.CollectorRegistry()
        self._registry.register(EngineCounters(engine))
        self._requests = prometheus_client.Counter(
            "qwen3_http_requests", "answers by path and status", ["path", "status"],
            registry=self._registry)
        self._first = prometheus_client.Histogram(
            "qwen3_first_text_seconds", "until the first text of an answer",
            buckets=SECONDS, registry=self._registry)
        self._whole = prometheus_client.Histogram(
            "qwen3_answer_seconds", "until an answer ends", buckets=SECONDS,
            registry=self._registry)

    def count(self, path, status):
        self._requests.labels(path, status).inc()

    @contextlib.contextmanager
    def timed(self, began):
        """began: of time.monotonic()."""
        try:
            yield Timer(began, self._first)
        finally:
            self._whole.observe(time.monotonic() - began)

    def text(self):
        return prometheus_client.generate_latest(self._registry)
