"""Names made of text: what a file calls a question becomes the name that a deck can hold."""

from __future__ import annotations

import re
import unicodedata

LONGEST = 40  # as in bank.models.Name

_OTHER = re.compile(r"[^a-z0-9]+")
# Of a long text only the start can stand in a name. Not all of it is folded: it may be a megabyte.
_ENOUGH = 4 * LONGEST


def slug_of(text: str) -> str | None:
    """`text` as a Name: lower case, without accents, words joined by hyphens, 40 letters at most.

    It is cut between two words where that leaves at least half of it. None when no letter of the
    Latin alphabet and no digit is in it.
    """
    folded = unicodedata.normalize("NFKD", text.strip()[:_ENOUGH])
    # Marks such as accents vanish, so that “é” is “e”; every other sign parts two words.
    plain = "".join(sign for sign in folded if not unicodedata.combining(sign)).lower()
    slug = _OTHER.sub("-", plain.replace("'", "").replace("’", "")).strip("-")
    if len(slug) > LONGEST:
        between = slug.rfind("-", LONGEST // 2, LONGEST + 1)
        slug = slug[: between if between > 0 else LONGEST].strip("-")
    return slug or None
