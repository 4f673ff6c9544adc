# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The command qwen3: chat, generate, bench, serve. Exit codes: 0, 3 for bad input,
4 for a broken engine, 130 for Ctrl-C."""

import argparse
import os
import pathlib
import sys

from .errors import Error

ROOT = pathlib.Path(__file__).resolve().parents[4]


class Parser(argparse.ArgumentParser):
    """Which ends with this tool's exit code for bad input."""

    def error(self, message):
        self.print_usage(sys.stderr)
        self.exit(3, f"qwen3: error: {message}\n")


def parser():
    out = Parser(prog="qwen3", description="Qwen3 on verified kernels.")
    commands = out.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def command(name, run, text):
        made = commands.add_parser(name, help=text, description=text)
        made.set_defaults(run=run)
        add_engine(made)
        return made

    chat = command("chat", run_chat, "talk with the model; Ctrl-C ends an answer, "
                   "Ctrl-D the talk")
    chat.add_argument("--system", help="what the model is told first")
    chat.add_argument("--history", type=pathlib.Path, metavar="FILE",
                      default=pathlib.Path("~/.qwen3_history").expanduser(),
                      help="lines that were typed (default: %(default)s)")
    add_sampling(chat)
    generate = command("generate", run_generate, "answer one prompt")
    generate.add_argument("prompt", help="the text, or - for standard input")
    generate.add_argument("--raw", action="store_true",
                          help="continue the prompt, without the chat template")
    add_sampling(generate)
    bench = command("bench", run_bench, "tokens a second of prompt and answer")
    bench.add_argument("--prompt-tokens", type=int, default=128, metavar="N")
    bench.add_argument("--max-tokens", type=int, default=128, metavar="N")
    bench.add_argument("--repeat", type=int, default=3, metavar="N")
    bench.add_argument("--json", action="store_true", help="print one object")
    serve = command("serve", run_serve, "serve OpenAI's interface over HTTP")
    serve.add_argument("--host", default="127.0.0.1", help="default: %(default)s")
    serve.add_argument("--port", type=int, default=8000, help="default: %(default)s")
    serve.add_argument("--sequences", type=int, default=8, metavar="N",
                       help="that the engine serves at once (default: %(default)s)")
    serve.add_argument("--chunk", type=int, default=4096, metavar="N",
                       help="tokens of prompts between two tokens of answers "
                       "(default: %(default)s)")
    serve.add_argument("--invariant", action="store_true",
                       help="answers are the same bits whoever else is served")
    serve.add_argument("--clients", type=int, default=128, metavar="N",
                       help="answers in the making, those that wait included "
                       "(default: %(default)s)")
    return out


def add_engine(command):
    command.add_argument("--model", required=True, metavar="FOLDER",
                         help="as Hugging Face has it")
    command.add_argument("--kernels", metavar="FOLDER",
                         default=os.environ.get("QWEN3_KERNELS",
                                                ROOT / "build/default/qwen3"),
                         help="artefacts (default: QWEN3_KERNELS, or those of the "
                         "build)")
    command.add_argument("--library", metavar="FILE",
                         default=os.environ.get(
                             "QWEN3_LIBRARY", ROOT / "build/default/lib/libqwen3.so"),
                         help="the engine (default: QWEN3_LIBRARY, or that of the "
                         "build)")
    command.add_argument("--device", type=int, default=0, metavar="N",
                         help="of the GPU (default: 0)")
    command.add_argument("--devices", type=ordinals, default=(), metavar="N,N",
                         help="of GPUs over which the model is cut, in place of "
                         "--device")
    command.add_argument("--positions", type=int, default=0, metavar="N",
                         help="of prompt and answer (default: 4096, or what the "
                         "model has)")
    command.add_argument("--weights", choices=["bf16", "f8", "int4"], default="bf16",
                         help="what matrices are of on the device; f8: rounded to "
                         "nearest, a scale a row; int4: a scale a group of 128, "
                         "the head in f8 (default: %(default)s)")


def ordinals(text):
    """The numbers of `0,1`."""
    return [int(number) for number in text.split(",")]


def add_sampling(command):
    command.add_argument("--max-tokens", type=int, metavar="N",
                         help="of an answer (default: all positions)")
    for name, kind, text in (
            ("temperature", float, "0: the likeliest token"),
            ("top-k", int, "0: among all tokens"),
            ("top-p", float, "1: among all tokens")):
        command.add_argument(f"--{name}", type=kind, metavar="X",
                             help=f"{text} (default: as the model's folder says)")
    command.add_argument("--seed", type=int, metavar="N", help="default: drawn")
    command.add_argument("--stop", action="append", default=[], metavar="TEXT",
                         help="where an answer ends; may be repeated")


def check(arguments):
    """What no engine is needed to refuse."""
    for name, low in (("max_tokens", 1), ("prompt_tokens", 1), ("repeat", 1),
                      ("clients", 1), ("sequences", 1), ("chunk", 1), ("device", 0),
                      ("positions", 0), ("top_k", 0), ("temperature", 0), ("seed", 0)):
        value = getattr(arguments, name, None)
        if value is not None and not low <= value < (2**64 if name == "seed"
                                                     else 2**31):
            raise Error(f"--{name.replace('_', '-')} is {value}, not at least {low}")
    top_p = getattr(arguments, "top_p", None)
    if top_p is not None and not 0 < top_p <= 1:
        raise Error(f"--top-p is {top_p}, not above 0 and at most 1")
    if not all(getattr(arguments, "stop", [])):
        raise Error("--stop is empty")
    if not 0 <= getattr(arguments, "port", 0) < 2**16:
        raise Error(f"--port is {arguments.port}")


def opened(arguments, **options):
    """The Model of the arguments; a bar on a terminal while it is loaded."""
    import tqdm
    from .model import Model
    with tqdm.tqdm(desc="loading", unit="B", unit_scale=True, unit_divisor=1024,
                   disable=None, leave=False) as bar:
        def tell(done, total):
            bar.total = total
            bar.update(done - bar.n)
        return Model(arguments.model, arguments.library, arguments.kernels,
                     device=arguments.device, devices=arguments.devices,
                     positions=arguments.positions, weights=arguments.weights,
                     progress=tell, **options)


def sampling_of(model, arguments):
    return model.sampling(arguments.temperature, arguments.top_k, arguments.top_p,
                          arguments.seed)


def run_generate(arguments):
    prompt = arguments.prompt
    if prompt == "-":
        try:
            prompt = sys.stdin.buffer.read().decode("utf-8")
        except UnicodeDecodeError as error:
            raise Error(f"standard input is not UTF-8: {error}") from None
    with opened(arguments) as model:
        if not arguments.raw:
            prompt = model.tokenizer.chat([{"role": "user", "content": prompt}])
        answer = model.start(model.tokenizer.encode(prompt), arguments.max_tokens,
                             sampling_of(model, arguments), arguments.stop)
        for piece in answer.pieces():
            print(piece, end="", flush=True)
        print()


def run_chat(arguments):
    from .chat import talk
    with opened(arguments) as model:
        talk(model, sampling_of(model, arguments), arguments)


def run_bench(arguments):
    from .bench import measure
    with opened(arguments) as model:
        measure(model, arguments)


def run_serve(arguments):
    from .server import listen, serve
    with (listen(arguments.host, arguments.port) as listening,
          opened(arguments, sequences=arguments.sequences,
                 invariant=arguments.invariant,
                 chunk=arguments.chunk) as model):
        serve(model, listening, arguments.clients)


def main(argv=None):
    try:
        arguments = parser().parse_args(argv)
        check(arguments)
        arguments.run(arguments)
        return 0
    except Error as error:
        print(f"qwen3: error: {error}", file=sys.stderr)
        return error.code
    except OSError as error:
        # An address that is taken, a file that cannot be written.
        if isinstance(error, BrokenPipeError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        print(f"qwen3: error: {error}", file=sys.stderr)
        return 3
    except KeyboardInterrupt:
        return 130
