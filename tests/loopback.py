"""The least of Discord on a loopback port: enough for a bot process to log in, or to be refused.

Run as a program it starts `quizdrop` with its arguments, pointed at the address in LOOPBACK.
"""

from __future__ import annotations

import json
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from aiohttp import WSMsgType, web

_BOT = {"id": "4004", "username": "quizdrop", "discriminator": "0", "avatar": None, "bot": True}
_IDENTIFIED: web.AppKey[list[dict[str, Any]]] = web.AppKey("identified")


def _answer(data: Any, status: int = 200) -> web.Response:
    # discord.py compares the content type to exactly this.
    headers = {"Content-Type": "application/json"}
    return web.Response(body=json.dumps(data).encode(), status=status, headers=headers)


async def _request(request: web.Request) -> web.Response:
    path = request.match_info["path"]
    if request.headers.get("Authorization") != "Bot good-token":
        return _answer({"message": "401: Unauthorized", "code": 0}, 401)
    if path == "users/@me":
        return _answer(_BOT)
    if path.endswith("applications/@me"):
        application = {
            "id": "4004",
            "name": "quizdrop",
            "description": "",
            "icon": None,
            "bot_public": True,
            "bot_require_code_grant": False,
            "verify_key": "",
            "flags": 0,
            "owner": _BOT,
        }
        return _answer(application)
    return _answer([])  # the synced commands


async def _gateway(request: web.Request) -> web.WebSocketResponse:
    socket = web.WebSocketResponse()
    await socket.prepare(request)
    await socket.send_json({"op": 10, "d": {"heartbeat_interval": 41250}})
    async for message in socket:
        if message.type is not WSMsgType.TEXT:
            continue
        sent = json.loads(message.data)
        if sent["op"] == 1:
            await socket.send_json({"op": 11})
        elif sent["op"] == 2:
            request.app[_IDENTIFIED].append(sent["d"])
            ready = {
                "v": 10,
                "user": _BOT,
                "guilds": [],
                "session_id": "s",
                "resume_gateway_url": "ws://127.0.0.1",
                "application": {"id": "4004", "flags": 0},
            }
            await socket.send_json({"op": 0, "t": "READY", "s": 1, "d": ready})
    return socket


@asynccontextmanager
async def loopback() -> AsyncIterator[tuple[str, list[dict[str, Any]]]]:
    """The address for LOOPBACK, and what each client identified itself with."""
    app = web.Application()
    app[_IDENTIFIED] = []
    app.router.add_get("/gateway/", _gateway)
    app.router.add_route("*", "/api/{path:.*}", _request)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    address = f"127.0.0.1:{runner.addresses[0][1]}"
    try:
        yield address, app[_IDENTIFIED]
    finally:
        await runner.cleanup()


def main() -> None:
    import yarl
    from discord import gateway, http

    from bot.cli import main as quizdrop

    http.Route.BASE = f"http://{os.environ['LOOPBACK']}/api"
    gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(f"ws://{os.environ['LOOPBACK']}/gateway/")
    quizdrop()


if __name__ == "__main__":
    main()
