"""Renders templates as Home Assistant does: Jinja2, sandboxed, with the payload as `value` and, when it is JSON, as `value_json`.

For each line of the standard input, a JSON array of [template, payload], writes a line with an array of one {"text"} or {"error"} for each."""

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


for line in sys.stdin:
    print(json.dumps([render(*given) for given in json.loads(line)]), flush=True)
