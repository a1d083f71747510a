"""Prints the ratios. Rounds are interleaved and their median counts: a shared machine is noisy."""

from __future__ import annotations

import asyncio
import gc
import tempfile
from collections.abc import Callable
from pathlib import Path
from statistics import median

from bank.decks import load_deck
from tests.bench.durable import ANSWERS, bare_round, tutor_round
from tests.bench.press import PRESSES, bare_rounds, quizdrop_rounds
from tests.one_key import one_key_decks

ROUNDS = 15


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="quizdrop-bench-") as folder:
        durable(Path(folder))
        asyncio.run(press(Path(folder)))


def durable(folder: Path) -> None:
    ours, bare = tutor_round(folder), bare_round(folder)
    pairs = [(ours(), bare()) for _ in range(ROUNDS)]
    report(
        f"durable answers a second ({ROUNDS} rounds of {ANSWERS})",
        pairs,
        lambda rate: f"{rate:,.0f}/s",
        "reach 0.60 or more",
    )


async def press(folder: Path) -> None:
    deck = load_deck(one_key_decks() / "nca-aiio")
    plain = [question for question in deck.questions if question.image is None]
    deck = deck.model_copy(update={"questions": tuple(plain)})
    ours, components, answer = await quizdrop_rounds(folder, deck)
    bare = await bare_rounds(folder, components, answer)
    pairs = []
    gc.collect()
    for _ in range(ROUNDS):
        pairs.append((await ours(), await bare()))
    report(
        f"processor time of a press ({ROUNDS} rounds of {PRESSES})",
        pairs,
        lambda seconds: f"{seconds * 1e6:,.0f} µs",
        "reach 1.50 or less",
    )


def report(
    what: str, pairs: list[tuple[float, float]], shown: Callable[[float], str], goal: str
) -> None:
    """One line: the medians, and the median of the ratios round by round."""
    ours, bare = (median(side) for side in zip(*pairs, strict=True))
    ratio = median(mine / reference for mine, reference in pairs)
    print(f"{what}: {shown(ours)} against {shown(bare)}, ratio {ratio:.2f} ({goal})")


if __name__ == "__main__":
    main()
