"""One import in a process of its own: whatever a file does to its reader, the bot goes on.

It reads a job as JSON from standard input and writes its report as JSON to standard output.
"""

from __future__ import annotations

import asyncio
import sys
from datetime import date
from pathlib import Path

from pydantic import BaseModel

from bank.errors import QuizError
from bank.importing.report import Report, Wish

MOST_SECONDS = 120
_MOST_MEMORY = 2 * 2**30


class Job(BaseModel):
    """A file that came, under the name it came with, and the deck's folder it is meant for."""

    file: Path
    name: str
    wish: Wish
    folder: Path
    today: date


class Result(BaseModel):
    """The report, or the sentence of a refusal."""

    report: Report | None = None
    refusal: str | None = None


class Hopeless(QuizError):
    """The file cannot be read in the time and memory that are given to it."""

    def __init__(self) -> None:
        super().__init__(
            "This file takes more time or memory than I have for it. Bring it in smaller parts."
        )


async def take(job: Job) -> Report:
    """Do the job in a process of its own. Raises QuizError: a refusal, or Hopeless."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "bot.taking",
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    try:
        asked = process.communicate(job.model_dump_json().encode())
        output, _ = await asyncio.wait_for(asked, MOST_SECONDS)
    except TimeoutError:
        raise Hopeless from None
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    if process.returncode:
        raise Hopeless
    result = Result.model_validate_json(output)
    if result.report is None:
        raise QuizError(result.refusal or "The file cannot be read.")
    return result.report


def _limit_memory() -> None:
    try:
        import resource
    except ImportError:  # Windows has no such limit; the time is limited all the same
        return
    resource.setrlimit(resource.RLIMIT_AS, (_MOST_MEMORY, _MOST_MEMORY))


def main() -> None:
    """Do the job that stands on standard input."""
    from bank.formats.reading import Source
    from bank.importing.bring import bring

    _limit_memory()
    job = Job.model_validate_json(sys.stdin.buffer.read())
    source = Source(job.name, job.file.read_bytes())
    try:
        result = Result(report=bring([source], job.wish, job.folder, job.today))
    except QuizError as refusal:
        result = Result(refusal=refusal.sentence)
    sys.stdout.write(result.model_dump_json())


if __name__ == "__main__":
    main()
