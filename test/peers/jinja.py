"""Renders templates as Home Assistant does: Jinja2, sandboxed, with the payload as `value` and, when it is JSON, as `value_json`.

Reads a JSON array of [template, payload] from the standard input, writes one of {"text"} or {"error"} for each."""

import json
import sys
from functools import cache

from jinja2 import TemplateError
from jinja2.sandbox import ImmutableSandboxedEnvironment

environment = ImmutableSandboxedEnvironment()
environment.filters["to_json"] = json.dumps


# Each of the few templates is compiled once, and each payload parsed once: the sandbox lets no template change it.
compiled = cache(environment.from_string)


@cache
def variables(payload):
    try:
        return {"value": payload, "value_json": json.loads(payload)}
    except ValueError:
        return {"value": payload}


def render(template, payload):
    try:
        return {"text": compiled(template).render(variables(payload)).strip()}
    except TemplateError as error:
        return {"error": str(error)}


json.dump([render(*given) for given in json.load(sys.stdin)], sys.stdout)
