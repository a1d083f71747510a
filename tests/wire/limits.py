"""Discord's limits that its OpenAPI document does not hold: what a request breaks, in words.

Pure: a request goes in, sentences come out. What depends on the server is an argument.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from tests.wire.record import Request

LONGEST_CONTENT = 2000
LONGEST_TEXTS = 4000
LONGEST_EMBEDS = 6000
LONGEST_CUSTOM_ID = 100
LONGEST_LABEL = 80
LONGEST_NONCE = 25
MOST_IN_A_ROW = 5
MOST_COMPONENTS = 40
MOST_CHOICES = 25
LONGEST_CHOICE = 100
LONGEST_PLACEHOLDER = 150
LARGEST_FILE = 10 * 2**20

_MESSAGE = re.compile(r"/channels/\d+/messages(/\d+)?|/webhooks/\d+/[^/]+(/messages/[^/]+)?")
_IN_ROOM = re.compile(r"/channels/(?P<room>\d+)/messages")
_CALLBACK = re.compile(r"/interactions/\d+/[^/]+/callback")
_COMMANDS = re.compile(r"/applications/\d+(/guilds/\d+)?/commands")
_COMMAND_NAME = re.compile(r"[-_'\w]{1,32}")
_ACTION_ROW, _BUTTON, _MENU, _TEXT = 1, 2, 3, 10
_REPLY, _UPDATE, _CHOICES = 4, 7, 8
_REFERENCE = "attachment://"

May = Callable[[str], bool]


def units(text: str) -> int:
    """A text's length as Discord counts it."""
    return len(text.encode("utf-16-le")) // 2


def breaches(request: Request, may: May, pingable: frozenset[str]) -> list[str]:
    """What a request breaks. `may(permission)` is of the bot in the room that the path names."""
    body = request.body
    found: list[str] = []
    if request.content_type not in ("", "application/json", "multipart/form-data"):
        found.append(f"its content type is {request.content_type!r}")
    if request.method in ("POST", "PATCH") and _MESSAGE.fullmatch(request.path):
        # An edit in a room pings nobody. One of a deferred reply is the first that is seen of it.
        edit = request.method == "PATCH" and request.path.startswith("/channels/")
        found += of_message(body or {}, pingable, silent=edit)
    if _IN_ROOM.fullmatch(request.path) and request.method == "POST":
        found += _without_permission(request, may)
    if _CALLBACK.fullmatch(request.path):
        found += _of_callback(body or {}, pingable)
    if request.method == "PUT" and _COMMANDS.fullmatch(request.path):
        found += [fault for command in body for fault in of_command(command)]
    found += [f"the file {name} is too large" for name, data in request.files if _large(data)]
    found += _of_uploads(request)
    return found


def _of_uploads(request: Request) -> Iterator[str]:
    """The files of a request are those that its body lists by their number."""
    message = (request.body or {}) if isinstance(request.body, dict) else {}
    message = message.get("data") or message  # a callback has its message inside
    listed = {str(each["id"]): each.get("filename") for each in message.get("attachments") or []}
    for number, (name, _) in enumerate(request.files):
        if listed.get(str(number)) != name:
            yield f"the file {name}, which its body does not list"


def _large(data: bytes) -> bool:
    return len(data) > LARGEST_FILE


def _without_permission(request: Request, may: May) -> Iterator[str]:
    if request.files and not may("attach_files"):
        yield "files without the permission attach_files"
    if (request.body or {}).get("embeds") and not may("embed_links"):
        yield "embeds without the permission embed_links"


def _of_callback(body: dict[str, Any], pingable: frozenset[str]) -> list[str]:
    data = body.get("data") or {}
    if body.get("type") in (_REPLY, _UPDATE):
        return of_message(data, pingable)
    if body.get("type") == _CHOICES:
        return list(_of_choices(data.get("choices") or []))
    return []


def _of_choices(choices: list[dict[str, Any]]) -> Iterator[str]:
    if len(choices) > MOST_CHOICES:
        yield f"{len(choices)} choices"
    for choice in choices:
        if not 1 <= units(str(choice["name"])) <= LONGEST_CHOICE:
            yield f"a choice's name of {units(str(choice['name']))} characters"
        if isinstance(choice["value"], str) and units(choice["value"]) > LONGEST_CHOICE:
            yield f"a choice's value of {units(choice['value'])} characters"


def of_message(
    body: dict[str, Any], pingable: frozenset[str], *, silent: bool = False
) -> list[str]:
    """What a message breaks; a silent one need not say whom it may ping."""
    found = []
    if units(body.get("content") or "") > LONGEST_CONTENT:
        found.append(f"content of {units(body['content'])} characters")
    embeds = sum(map(_embed_units, body.get("embeds") or []))
    if embeds > LONGEST_EMBEDS:
        found.append(f"embeds of {embeds} characters in all")
    if units(str(body.get("nonce") or "")) > LONGEST_NONCE:
        found.append(f"a nonce of {units(str(body['nonce']))} characters")
    found += _of_components(body.get("components") or [])
    found += _of_references(body)
    if not silent or "allowed_mentions" in body:
        found += _of_mentions(body, pingable)
    return found


def _embed_units(embed: dict[str, Any]) -> int:
    texts = [embed.get("title"), embed.get("description")]
    texts += [(embed.get("footer") or {}).get("text"), (embed.get("author") or {}).get("name")]
    texts += [text for each in embed.get("fields") or [] for text in (each["name"], each["value"])]
    return sum(units(text or "") for text in texts)


def walk(components: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Every component of a message, outer ones first."""
    for component in components:
        yield component
        yield from walk(component.get("components") or [])
        if "accessory" in component:
            yield from walk([component["accessory"]])


def _of_components(components: list[dict[str, Any]]) -> Iterator[str]:
    every = list(walk(components))
    if len(every) > MOST_COMPONENTS:
        yield f"{len(every)} components"
    texts = sum(units(each["content"]) for each in every if each["type"] == _TEXT)
    if texts > LONGEST_TEXTS:
        yield f"texts of {texts} characters in all"
    ids = Counter(each["custom_id"] for each in every if each.get("custom_id"))
    yield from (f"the custom id {each!r} {n} times" for each, n in ids.items() if n > 1)
    yield from (f"a custom id of {units(each)} characters" for each in ids if _long_id(each))
    for each in every:
        if units(each.get("label") or "") > LONGEST_LABEL:
            yield f"a label of {units(each['label'])} characters"
        if each["type"] == _ACTION_ROW:
            yield from _of_row(each["components"])
        if each["type"] == _MENU:
            yield from _of_menu(each)


def _of_row(row: list[dict[str, Any]]) -> Iterator[str]:
    buttons = sum(each["type"] == _BUTTON for each in row)
    if buttons > MOST_IN_A_ROW:
        yield f"{buttons} buttons in a row"
    if any(each["type"] == _MENU for each in row) and len(row) > 1:
        yield "a menu with something beside it"


def _of_menu(menu: dict[str, Any]) -> Iterator[str]:
    """Discord: 1 to 25 options of 100 characters, and a choice that they allow."""
    options = menu.get("options") or []
    if not 1 <= len(options) <= MOST_CHOICES:
        yield f"a menu with {len(options)} options"
    if not 0 <= menu.get("min_values", 1) <= menu.get("max_values", 1) <= len(options):
        yield f"a menu of {len(options)} options to choose {menu.get('max_values', 1)} from"
    values = Counter(each["value"] for each in options)
    yield from (f"the value {each!r} {n} times" for each, n in values.items() if n > 1)
    for text in (*(each["label"] for each in options), *values):
        if not 1 <= units(text) <= LONGEST_CHOICE:
            yield f"an option of {units(text)} characters in a menu"
    if units(menu.get("placeholder") or "") > LONGEST_PLACEHOLDER:
        yield f"a placeholder of {units(menu['placeholder'])} characters"


def _of_references(body: dict[str, Any]) -> Iterator[str]:
    """A view names files only that its own request lists, new ones and kept ones alike.

    Of one that is kept, the id alone is not enough: Discord then answers
    UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND.
    """
    listed = {each.get("filename") for each in body.get("attachments") or []}
    for url in _media(body.get("components") or []):
        if url.startswith(_REFERENCE) and url.removeprefix(_REFERENCE) not in listed:
            yield f"{url}, which its request does not list"


def _media(components: list[dict[str, Any]]) -> Iterator[str]:
    """The address of every picture and file that components show."""
    for each in walk(components):
        for holder in (each, *(each.get("items") or [])):
            for key in ("media", "file"):
                if isinstance(media := holder.get(key), dict):
                    yield media["url"]


def _long_id(custom_id: str) -> bool:
    return units(custom_id) > LONGEST_CUSTOM_ID


def _of_mentions(body: dict[str, Any], pingable: frozenset[str]) -> Iterator[str]:
    """Whatever a text says, only the roles that were set up may be pinged."""
    if not any(body.get(part) for part in ("content", "embeds", "components")):
        return
    allowed = body.get("allowed_mentions")
    if allowed is None:
        yield "no allowed_mentions"
        return
    if allowed.get("parse"):
        yield f"allowed_mentions parses {', '.join(allowed['parse'])}"
    if allowed.get("users"):
        yield "allowed_mentions names users"
    roles = {str(role) for role in allowed.get("roles") or []} - pingable
    if roles:
        yield f"allowed_mentions names the roles {', '.join(sorted(roles))}"


def of_command(command: dict[str, Any]) -> Iterator[str]:
    """What a command breaks, with its subcommands and options."""
    name = command["name"]
    if command.get("type", 1) != 1:
        if not 1 <= units(name) <= 32:
            yield f"a command's name of {units(name)} characters"
        return
    yield from _of_named(name, command)
    options = command.get("options") or []
    yield from _of_options(name, options)
    total = sum(map(_words, [command]))
    if total > 8000:
        yield f"the command {name} has {total} characters in all"


def _words(part: dict[str, Any]) -> int:
    own = units(part["name"]) + units(part.get("description") or "")
    choices = part.get("choices") or []
    own += sum(units(str(each["name"])) + units(str(each["value"])) for each in choices)
    return own + sum(map(_words, part.get("options") or []))


def _of_named(where: str, part: dict[str, Any]) -> Iterator[str]:
    name = part["name"]
    if not _COMMAND_NAME.fullmatch(name) or name != name.lower():
        yield f"the name {name!r} in {where}"
    if not 1 <= units(part.get("description") or "") <= 100:
        yield f"a description of {units(part.get('description') or '')} characters in {where}"


def _of_options(where: str, options: list[dict[str, Any]]) -> Iterator[str]:
    if len(options) > MOST_CHOICES:
        yield f"{len(options)} options in {where}"
    names = Counter(option["name"] for option in options)
    yield from (f"the option {name} {n} times in {where}" for name, n in names.items() if n > 1)
    asked = [bool(option.get("required")) for option in options]
    if asked != sorted(asked, reverse=True):
        yield f"a required option after an optional one in {where}"
    for option in options:
        inside = f"{where} {option['name']}"
        yield from _of_named(inside, option)
        yield from _of_choices(option.get("choices") or [])
        yield from _of_options(inside, option.get("options") or [])
