"""Renders templates as Home Assistant does: Jinja2, sandboxed, with the payload as `value` and, when it is JSON, as `value_json`.

Reads a JSON array of [template, payload] from the standard input, writes one of {"text"} or {"error"} for each."""

import json
import sys

from jinja2 import TemplateError
from jinja2.sandbox import ImmutableSandboxedEnvironment

environment = ImmutableSandboxedEnvironment()
environment.filters["to_json"] = json.dumps


def render(template, payload):
    variables = {"value": payload}
    try:
        variables["value_json"] = json.loads(payload)
    except ValueError:
        pass
    try:
        return {"text": environment.from_string(template).render(variables).strip()}
    except TemplateError as error:
        return {"error": str(error)}


json.dump([render(*given) for given in json.load(sys.stdin)], sys.stdout)
