"""Request bodies against Discord's own OpenAPI document, where it lies beside the project."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from jsonschema import Draft202012Validator, FormatChecker, ValidationError

DOCUMENT = Path(__file__).parents[3] / "shared" / "discord-openapi.json"

# The document has ids as strings alone; Discord takes numbers too, and discord.py sends them.
_ID = {
    "anyOf": [{"type": "string", "pattern": "^[0-9]+$"}, {"type": "integer", "minimum": 0}],
}
_SCHEMES = {"http", "https", "attachment"}

_formats = FormatChecker(formats=[])


@_formats.checks("uri", raises=ValueError)
def _is_address(value: object) -> bool:
    if not isinstance(value, str):
        return True
    parts = urlsplit(value)
    return parts.scheme in _SCHEMES and bool(parts.netloc)


class Document:
    """The document, read once; a validator is made when its route is first used."""

    def __init__(self, path: Path) -> None:
        self._whole = json.loads(path.read_text("utf-8"))
        self._whole["components"]["schemas"]["SnowflakeType"] = _ID
        self._routes = [(_expression(path), path) for path in self._whole["paths"]]
        self._validators: dict[tuple[str, str], Draft202012Validator | None] = {}
        self._known: dict[tuple[str, str, str], list[str]] = {}

    def breaches(self, method: str, path: str, body: Any) -> list[str]:
        """What a body breaks, each with its place. Equal bodies are looked at once."""
        route = self._route(method.lower(), path)
        if route is None:
            return [f"Discord has no route {method} {path}"]
        if body is None:
            return []
        key = (method, route, json.dumps(body, sort_keys=True))
        if key not in self._known:
            self._known[key] = self._look(method.lower(), route, body)
        return self._known[key]

    def _route(self, method: str, path: str) -> str | None:
        """The route with the fewest parameters among those that fit."""
        fitting = [
            route
            for expression, route in self._routes
            if method in self._whole["paths"][route] and expression.fullmatch(path)
        ]
        return min(fitting, key=lambda route: route.count("{"), default=None)

    def _look(self, method: str, route: str, body: Any) -> list[str]:
        if (method, route) not in self._validators:
            self._validators[method, route] = self._validator(method, route)
        validator = self._validators[method, route]
        if validator is None:
            return [f"{method.upper()} {route} takes no JSON body"]
        return [
            f"{'/'.join(map(str, cause.absolute_path))}: {cause.message[:200]}"
            for error in validator.iter_errors(body)
            for cause in _causes(error)
        ]

    def _validator(self, method: str, route: str) -> Draft202012Validator | None:
        content = self._whole["paths"][route][method].get("requestBody", {}).get("content", {})
        if "application/json" not in content:
            return None
        schema = {
            "components": self._whole["components"],
            **content["application/json"]["schema"],
        }
        return Draft202012Validator(schema, format_checker=_formats)


@cache
def document() -> Document | None:
    """The document, or None where it is absent: then nothing is checked against it."""
    return Document(DOCUMENT) if DOCUMENT.is_file() else None


def _expression(route: str) -> re.Pattern[str]:
    return re.compile(re.sub(r"\\\{[^}]+\\\}", "[^/]+", re.escape(route)))


def _causes(error: ValidationError) -> Iterator[ValidationError]:
    """What is really wrong: of a choice between schemas, the one whose `type` fits the body."""
    branches: dict[Any, list[ValidationError]] = {}
    for inner in error.context or ():
        branches.setdefault(inner.schema_path[0], []).append(inner)
    if not branches:
        yield error
        return
    fitting = [branch for branch in branches.values() if not any(map(_is_other_kind, branch))]
    closest = min(fitting or branches.values(), key=len)
    for inner in closest:
        yield from _causes(inner)


def _is_other_kind(error: ValidationError) -> bool:
    """The body is no null, or a component of another type: this branch was not meant."""
    if error.validator == "type" and error.validator_value == "null" and not error.relative_path:
        return True
    return list(error.relative_path) == ["type"] and error.validator in ("enum", "const")
