"""The gateway: sessions over a websocket, which resume where they broke off.

An event goes to every session whose intents ask for it. A session without a socket keeps what it
missed, and replays it on RESUME.
"""

from __future__ import annotations

import asyncio
import json
import zlib
from collections.abc import Callable
from typing import Any

import discord
from aiohttp import WSMsgType, web

HEARTBEAT_MILLISECONDS = 10_000

_DISPATCH, _HEARTBEAT, _IDENTIFY, _RESUME = 0, 1, 2, 6
_RECONNECT, _INVALID, _HELLO, _ACKNOWLEDGED = 7, 9, 10, 11
_AUTHENTICATION_FAILED = 4004

Payload = dict[str, Any]


class Socket:
    """One websocket; frames are compressed when the client asks for zlib."""

    def __init__(
        self,
        response: web.WebSocketResponse,
        transport: asyncio.Transport | None,
        compress: str | None,
    ) -> None:
        self._response = response
        self._transport = transport
        self._compressor = zlib.compressobj() if compress == "zlib-stream" else None

    async def send(self, frame: str) -> None:
        if self._response.closed:
            return
        if self._compressor is None:
            await self._response.send_str(frame)
            return
        packed = self._compressor.compress(frame.encode())
        await self._response.send_bytes(packed + self._compressor.flush(zlib.Z_SYNC_FLUSH))

    def drop(self) -> None:
        """Break the connection off, without a closing handshake."""
        if self._transport is not None:
            self._transport.abort()


class Session:
    """What one identified client gets, in order, whether its socket is there or not."""

    def __init__(self, name: str, bot: str, token: str, intents: int) -> None:
        self.name = name
        self.bot = bot
        self.token = token
        self.intents = discord.Intents.none()
        self.intents.value = intents
        self.sent: list[tuple[int, str]] = []
        self.socket: Socket | None = None
        self.resumed = 0
        self._waiting: asyncio.Queue[str] = asyncio.Queue()
        self._writer: asyncio.Task[None] | None = None

    def asked_for(self, intent: str | None) -> bool:
        return intent is None or bool(getattr(self.intents, intent))

    def dispatch(self, event: str, payload: Payload) -> None:
        number = len(self.sent) + 1
        whole = {"op": _DISPATCH, "t": event, "s": number, "d": payload}
        frame = json.dumps(whole, default=int)
        self.sent.append((number, frame))
        if self.socket is not None:
            self._waiting.put_nowait(frame)

    def attach(self, socket: Socket, after: int) -> None:
        """Go on over a socket, with all that came after a sequence number."""
        self.detach()
        self.socket = socket
        self._waiting = asyncio.Queue()
        for number, frame in self.sent:
            if number > after:
                self._waiting.put_nowait(frame)
        self._writer = asyncio.create_task(self._write(socket, self._waiting))

    def detach(self) -> None:
        self.socket = None
        if self._writer is not None:
            self._writer.cancel()

    @staticmethod
    async def _write(socket: Socket, waiting: asyncio.Queue[str]) -> None:
        try:
            while True:
                await socket.send(await waiting.get())
        except ConnectionError:
            return  # the client is gone; the session keeps everything


class Gateway:
    """All sessions.

    `ready(session)` makes the READY payload, `arrivals()` the servers that follow it, and
    `bot_of(token)` says which process a token was given to, if any.
    """

    def __init__(
        self,
        ready: Callable[[str], Payload],
        arrivals: Callable[[], list[Payload]],
        bot_of: Callable[[str], str | None],
    ) -> None:
        self._ready = ready
        self._arrivals = arrivals
        self._bot_of = bot_of
        self.sessions: list[Session] = []
        self.identities: list[Payload] = []  # what each client identified itself with
        self.heartbeats = 0

    def emit(self, event: str, payload: Payload, intent: str | None = None) -> None:
        """Send an event to all who asked for its intent; None goes to everybody."""
        for session in self.sessions:
            if session.asked_for(intent):
                session.dispatch(event, payload)

    def session_of(self, bot: str) -> Session | None:
        """The latest session of a process."""
        return next((each for each in reversed(self.sessions) if each.bot == bot), None)

    def end(self, bot: str) -> None:
        """A process is gone for good: nothing is kept for it any more."""
        for session in self.sessions:
            if session.bot == bot:
                session.detach()
        self.sessions = [session for session in self.sessions if session.bot != bot]

    async def serve(self, request: web.Request) -> web.WebSocketResponse:
        response = web.WebSocketResponse()
        await response.prepare(request)
        socket = Socket(response, request.transport, request.query.get("compress"))
        await socket.send(
            json.dumps({"op": _HELLO, "d": {"heartbeat_interval": HEARTBEAT_MILLISECONDS}})
        )
        try:
            async for message in response:
                if message.type is WSMsgType.TEXT:
                    await self._received(response, socket, json.loads(message.data))
        finally:
            for session in self.sessions:
                if session.socket is socket:
                    session.detach()
        return response

    async def _received(
        self, response: web.WebSocketResponse, socket: Socket, frame: Payload
    ) -> None:
        if frame["op"] == _HEARTBEAT:
            self.heartbeats += 1
            await socket.send(json.dumps({"op": _ACKNOWLEDGED}))
        elif frame["op"] == _IDENTIFY:
            bot = self._bot_of(frame["d"]["token"])
            if bot is None:
                await response.close(code=_AUTHENTICATION_FAILED)
            else:
                self._identified(socket, bot, frame["d"])
        elif frame["op"] == _RESUME:
            await self._resumed(socket, frame["d"])

    def _identified(self, socket: Socket, bot: str, identity: Payload) -> None:
        self.identities.append(identity)
        name = f"session-{len(self.identities)}"
        session = Session(name, bot, identity["token"], identity["intents"])
        self.sessions.append(session)
        session.attach(socket, 0)
        session.dispatch("READY", self._ready(name))
        for arrival in self._arrivals():
            session.dispatch("GUILD_CREATE", arrival)

    async def _resumed(self, socket: Socket, asked: Payload) -> None:
        session = next(
            (each for each in self.sessions if each.name == asked["session_id"]),
            None,
        )
        if session is None or session.token != asked["token"]:
            await socket.send(json.dumps({"op": _INVALID, "d": False}))
            return
        session.resumed += 1
        session.attach(socket, asked["seq"] or 0)
        session.dispatch("RESUMED", {})

    async def drop(self, bot: str) -> None:
        """Break off a process's websocket; it may resume."""
        session = self.session_of(bot)
        if session is not None and session.socket is not None:
            socket = session.socket
            session.detach()
            socket.drop()

    async def ask_to_reconnect(self, bot: str) -> None:
        """What Discord sends before it restarts a gateway node."""
        session = self.session_of(bot)
        if session is not None and session.socket is not None:
            await session.socket.send(json.dumps({"op": _RECONNECT, "d": None}))

    async def invalidate(self, bot: str) -> None:
        """Forget a session: the process must identify itself anew."""
        session = self.session_of(bot)
        if session is not None and session.socket is not None:
            socket = session.socket
            self.sessions.remove(session)
            session.detach()
            await socket.send(json.dumps({"op": _INVALID, "d": False}))
