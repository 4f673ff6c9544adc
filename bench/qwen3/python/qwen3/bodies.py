# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the server takes: bodies of OpenAI's interface, checked field by field. A
field that would change the answer and is not built is refused, not ignored."""

import dataclasses
import json

MAX_STOPS, MAX_STOP = 16, 1024  # strings, characters of one
ROLES = ("system", "user", "assistant", "developer")


class BadRequest(Exception):
    """The client's mistake, with the field and, where OpenAI has one, the code."""

    def __init__(self, message, field=None, code=None):
        super().__init__(message)
        self.field, self.code = field, code


@dataclasses.dataclass(frozen=True)
class Call:
    """A body that is in order. One of messages, prompt and tokens is not None."""

    messages: list | None
    prompt: str | None
    tokens: list | None
    max_tokens: int | None
    stream: bool
    include_usage: bool
    stops: tuple
    temperature: float | None
    top_k: int | None
    top_p: float | None
    seed: int | None
    variables: dict


def parse(data, model, is_chat):
    """The Call of a body's bytes, for the model of that name."""
    body = loads(data)
    chosen = text(body, "model")
    if chosen is None:
        raise BadRequest("model is missing", "model")
    if chosen != model:
        raise BadRequest(f"the model {chosen} does not exist, only {model}", "model",
                         "model_not_found")
    messages = messages_of(body) if is_chat else None
    prompt, tokens = (None, None) if is_chat else prompt_of(body)
    stream = flag(body, "stream")
    limits = [integer(body, key, 1, 2**31)
              for key in ("max_tokens", *["max_completion_tokens"] * is_chat)]
    limits = [limit for limit in limits if limit is not None]
    seed = integer(body, "seed", -2**63, 2**64)
    call = Call(
        messages=messages, prompt=prompt, tokens=tokens, stream=stream,
        max_tokens=min(limits) if limits else None if is_chat else 16,
        include_usage=include_usage_of(body, stream), stops=stops_of(body),
        temperature=number(body, "temperature", 0, 2),
        top_k=integer(body, "top_k", 0, 2**31), top_p=top_p_of(body),
        seed=None if seed is None else seed % 2**64,
        variables=variables_of(body) if is_chat else {})
    refuse_others(body, is_chat)
    return call


def loads(data):
    """The object of a body. Its fields are taken out as they are read."""
    def refuse(name):
        raise ValueError(f"{name} is no number of JSON")
    try:
        body = json.loads(data.decode("utf-8"), parse_constant=refuse)
    except (ValueError, RecursionError) as error:
        raise BadRequest(f"the body is no JSON: {error}") from None
    if not isinstance(body, dict):
        raise BadRequest("the body is not an object")
    return body


def refuse(field, why):
    raise BadRequest(f"{field} {why}", field)


def text(body, field):
    value = body.pop(field, None)
    return None if value is None else checked_text(value, field)


def checked_text(value, field):
    if not isinstance(value, str):
        refuse(field, "is not a string")
    try:
        value.encode()
    except UnicodeEncodeError:
        refuse(field, "has half a surrogate pair")
    return value


def flag(body, field):
    value = body.pop(field, None)
    if value not in (None, True, False) or is_int(value):
        refuse(field, "is not a boolean")
    return bool(value)


def is_int(value):
    return isinstance(value, int) and not isinstance(value, bool)


def integer(body, field, low, high):
    value = body.pop(field, None)
    if value is not None and not (is_int(value) and low <= value < high):
        refuse(field, f"is not an integer from {low} to {high - 1}")
    return value


def number(body, field, low, high):
    value = body.pop(field, None)
    if value is None:
        return None
    if not (is_int(value) or isinstance(value, float)) or not low <= value <= high:
        refuse(field, f"is not a number from {low} to {high}")
    return float(value)


def top_p_of(body):
    value = number(body, "top_p", 0, 1)
    if value == 0:
        refuse("top_p", "is 0: no token is left")
    return value


def stops_of(body):
    value = body.pop("stop", None)
    values = [] if value is None else [value] if isinstance(value, str) else value
    if not isinstance(values, list) or len(values) > MAX_STOPS:
        refuse("stop", f"is not a string or a list of at most {MAX_STOPS}")
    for item in values:
        if not 0 < len(checked_text(item, "stop")) <= MAX_STOP:
            refuse("stop", f"has a string that is not of 1 to {MAX_STOP} characters")
    return tuple(values)


def include_usage_of(body, stream):
    options = body.pop("stream_options", None)
    if options is None:
        return False
    if not isinstance(options, dict) or not stream:
        refuse("stream_options", "is not an object beside stream = true")
    out = flag(options, "include_usage")
    if options:
        refuse("stream_options", f"has the unknown field {min(options)}")
    return out


def prompt_of(body):
    """(text, None) or (None, tokens)."""
    value = body.pop("prompt", None)
    if isinstance(value, list) and len(value) == 1 and isinstance(value[0], (str, list)):
        value = value[0]
    if isinstance(value, str):
        return checked_text(value, "prompt"), None
    if isinstance(value, list) and value and all(
            is_int(token) and 0 <= token < 2**31 for token in value):
        return None, value
    return refuse("prompt", "is not one string or one list of tokens")


def content_of(value, field):
    """A string, or parts of text."""
    if isinstance(value, list):
        for part in value:
            if not isinstance(part, dict) or part.get("type") != "text":
                refuse(field, "has a part that is no text")
        return "".join(checked_text(part.get("text"), field) for part in value)
    return checked_text(value, field)


def messages_of(body):
    value = body.pop("messages", None)
    if not isinstance(value, list) or not value:
        refuse("messages", "is not a list of messages")
    out = []
    for number_, message in enumerate(value):
        field = f"messages[{number_}]"
        if not isinstance(message, dict):
            refuse(field, "is not an object")
        role = message.get("role")
        if not isinstance(role, str) or role not in ROLES:
            refuse(f"{field}.role", f"is none of {', '.join(ROLES)}")
        if others := message.keys() - {"role", "content", "name"}:
            refuse(f"{field}.{checked_text(min(others), field)}", "is not known")
        out.append({"role": "system" if role == "developer" else role,
                    "content": content_of(message.get("content"), f"{field}.content")})
    return out


def variables_of(body):
    """Of the chat template, like enable_thinking; plain values alone."""
    value = body.pop("chat_template_kwargs", None) or {}
    if not isinstance(value, dict) or not all(
            isinstance(item, (str, int, float, bool)) for item in value.values()):
        refuse("chat_template_kwargs", "is not an object of plain values")
    if reserved := value.keys() & {"messages", "add_generation_prompt"}:
        refuse("chat_template_kwargs", f"has {min(reserved)}, which the server sets")
    return value


#: Fields with the values that ask for nothing that is not built.
NEUTRAL = {"n": (1,), "best_of": (1,), "echo": (False,), "logprobs": (False,),
           "frequency_penalty": (0,), "presence_penalty": (0,), "suffix": ("",),
           "logit_bias": ({},), "tools": ([],), "functions": ([],),
           "tool_choice": ("none", "auto"),
           "response_format": ({"type": "text"},)}
#: Fields that change no answer.
IGNORED = {"user", "metadata", "store", "service_tier"}


def refuse_others(body, is_chat):
    for field, value in body.items():
        if field in IGNORED or value is None:
            continue
        if field not in NEUTRAL:
            refuse(checked_text(field, "a field's name"), "is not a field of this "
                   f"interface of {'chat' if is_chat else 'text'}")
        if not any(type(value) is type(known) and value == known or
                   is_int(known) and known == value and is_number(value)
                   for known in NEUTRAL[field]):
            refuse(field, "has a value that is not built")


def is_number(value):
    return is_int(value) or isinstance(value, float)
