"""The HTTP side: each request is recorded, checked, held against limits and faults, then done."""

from __future__ import annotations

import asyncio
import io
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from time import monotonic
from typing import Any

from aiohttp import web

from tests.wire import faults, limits
from tests.wire.rates import Headers, Rates, Wait
from tests.wire.record import Request
from tests.wire.replies import Replies
from tests.wire.simulated import NotSimulated, Refused, Simulated, Upload

# No token is sent with these: the path carries one.
_OPEN = ("/interactions/", "/webhooks/", "/gateway")


@dataclass
class Server:
    """What its requests go through. `bot_of(token)` names the process a token was given to."""

    simulated: Simulated
    replies: Replies
    faults: faults.Faults
    rates: Rates
    bot_of: Callable[[str], str | None]
    gateway_address: Callable[[], str]
    requests: list[Request] = field(default_factory=list)
    breaches: list[str] = field(default_factory=list)
    pingable: set[str] = field(default_factory=set)
    _later: set[asyncio.Task[None]] = field(default_factory=set)

    async def serve(self, http: web.Request) -> web.StreamResponse:
        try:
            return await self._serve(http)
        except Exception as error:  # a fault of the loopback itself must not look like the bot's
            self.breaches.append(f"the loopback failed on {http.method} {http.path}: {error!r}")
            raise

    async def _serve(self, http: web.Request) -> web.StreamResponse:
        request, uploads = await self._read(http)
        self.requests.append(request)
        if request.bot is None and not request.path.startswith(_OPEN):
            return self._reply(request, 401, {"message": "401: Unauthorized", "code": 0}, {})
        self._check(request)
        wait, headers = self.rates.take(request.bot, request.method, request.path, request.at)
        if wait is not None:
            return self._too_soon(request, wait, headers)
        return await self._with_faults(http, request, uploads, headers)

    async def close(self) -> None:
        for task in self._later:
            task.cancel()
        await asyncio.gather(*self._later, return_exceptions=True)

    async def _read(self, http: web.Request) -> tuple[Request, list[Upload]]:
        kind, token = http.content_type, http.headers.get("Authorization", "")
        body, parts = None, []
        if kind == "multipart/form-data":
            async for part in await http.multipart():
                if part.name == "payload_json":  # type: ignore[union-attr]
                    body = json.loads(await part.text())  # type: ignore[union-attr]
                else:
                    parts.append((part.filename or "", bytes(await part.read())))  # type: ignore[union-attr]
        elif http.can_read_body:
            body = json.loads(await http.text())
            kind = http.headers["Content-Type"]
        request = Request(
            at=monotonic(),
            method=http.method,
            path="/" + http.match_info["path"],
            query=dict(http.query),
            body=body,
            files=parts,
            bot=self.bot_of(token.removeprefix("Bot ")),
            content_type=kind if body is not None else "",
        )
        return request, _uploads(body, parts)

    def _check(self, request: Request) -> None:
        room = request.path.split("/")[2] if request.path.startswith("/channels/") else "0"
        for breach in limits.breaches(
            request, lambda name: self.simulated.may(int(room), name), frozenset(self.pingable)
        ):
            self.breaches.append(f"{request.method} {request.path}: {breach}")

    async def _with_faults(
        self, http: web.Request, request: Request, uploads: list[Upload], headers: Headers
    ) -> web.StreamResponse:
        effect = self.faults.of(request)
        if isinstance(effect, faults.Refuse):
            return self._injected(request, effect)
        if await self._is_lost(effect):
            return _cut(http)
        status, payload = self._do(request, uploads)
        if isinstance(effect, faults.Truncated):
            return await _break_off(http, payload, effect.then)
        if await self._is_unanswered(effect):
            return _cut(http)
        return self._reply(request, status, payload, headers)

    async def _is_lost(self, effect: faults.Effect | None) -> bool:
        """What happens before a request is done; whether it never is."""
        match effect:
            case faults.Held():
                await effect.until.wait()
            case faults.Before():
                await faults.call(effect.call)
                return effect.drop
            case faults.Closed():
                return not effect.applied
        return False

    async def _is_unanswered(self, effect: faults.Effect | None) -> bool:
        """What happens after a request has been done; whether its answer never comes."""
        match effect:
            case faults.Late():
                await asyncio.sleep(effect.seconds)
            case faults.After():
                await faults.call(effect.call)
                return effect.drop
            case faults.Closed():
                return True
            case faults.Answered():
                self._call_later(effect)
        return False

    def _do(self, request: Request, uploads: list[Upload]) -> tuple[int, Any]:
        if request.path.startswith("/gateway"):
            return 200, _gateway(self.gateway_address())
        try:
            answer = self.simulated.answer(
                request.method, request.path, request.body, request.query, uploads
            )
        except Refused as refused:
            self.replies.saw(request, refused.body["code"])
            return refused.status, refused.body
        except NotSimulated as gap:
            self.breaches.append(f"{request.method} {request.path}: {gap}")
            return 501, {"message": str(gap), "code": 0}
        request.done_at = monotonic()
        request.answer = answer
        self.replies.saw(request, None)
        return (204, None) if answer is None else (200, answer)

    def _injected(self, request: Request, refuse: faults.Refuse) -> web.Response:
        body: dict[str, Any] = {"message": refuse.message, "code": refuse.code}
        headers: Headers = {"Via": "1.1 google"} if refuse.via else {}
        if refuse.retry_after is not None:
            body |= {"retry_after": refuse.retry_after, "global": False}
            headers["Retry-After"] = str(refuse.retry_after)
            headers["X-RateLimit-Scope"] = "shared" if refuse.shared else "user"
        self.replies.saw(request, refuse.code)
        return self._reply(request, refuse.status, body, headers)

    def _too_soon(self, request: Request, wait: Wait, headers: Headers) -> web.Response:
        body = {
            "message": "You are being rate limited.",
            "retry_after": round(wait.seconds, 3),
            "global": wait.everywhere,
        }
        more = {"Via": "1.1 google", "Retry-After": str(wait.seconds)}
        return self._reply(request, 429, body, {**headers, **more})

    def _reply(self, request: Request, status: int, body: Any, headers: Headers) -> web.Response:
        request.status = status
        if body is None:
            return web.Response(status=status, headers=headers)
        # discord.py compares the content type to exactly this.
        kind = {"Content-Type": "application/json"}
        return web.Response(
            status=status, body=json.dumps(body, default=int).encode(), headers={**headers, **kind}
        )

    def _call_later(self, effect: faults.Answered) -> None:
        async def wait_and_call() -> None:
            await asyncio.sleep(effect.seconds)
            await faults.call(effect.call)

        task = asyncio.create_task(wait_and_call())
        self._later.add(task)
        task.add_done_callback(self._later.discard)


def _uploads(body: Any, parts: list[tuple[str, bytes]]) -> list[Upload]:
    if not parts:
        return []
    message = body.get("data") or body  # a callback has its message inside
    told = message.get("attachments") or []
    descriptions = {each.get("filename"): each.get("description") for each in told}
    return [Upload(name, io.BytesIO(data), descriptions.get(name)) for name, data in parts]


def _gateway(address: str) -> dict[str, Any]:
    starts = {"total": 1000, "remaining": 1000, "reset_after": 0, "max_concurrency": 1}
    return {"url": address, "shards": 1, "session_start_limit": starts}


def _cut(http: web.Request) -> web.Response:
    """Close the connection without a word."""
    if http.transport is not None:
        http.transport.abort()
    return web.Response()  # which finds the connection closed


async def _break_off(http: web.Request, answer: Any, then: faults.Call | None) -> web.Response:
    """Send half of an answer, and close the connection."""
    transport = http.transport  # which the request forgets when the other side is gone
    if transport is not None:
        whole = json.dumps(answer).encode()
        head = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(whole)}"
        transport.write(f"{head}\r\n\r\n".encode() + whole[: len(whole) // 2])
        if then is not None:
            await asyncio.sleep(0.05)  # the half arrives first
            await faults.call(then)
        transport.close()
    return web.Response()  # which finds the connection closed
