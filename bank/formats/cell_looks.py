"""A number or a date of a spreadsheet -> the text that its cell shows, by its number format.

Of the formats it knows what quizzes have: decimals, thousands, per cent, currency, dates and times.
"""

from __future__ import annotations

import re
from datetime import date, datetime, time, timedelta

_NUMBER = re.compile(
    r"(?P<before>[^#0?@]*)(?P<whole>[#0,]+)(?:\.(?P<decimals>0+))?(?P<percent>%?)(?P<after>[^#0?@]*)"
)
_QUOTED = re.compile(r'"([^"]*)"|\\(.)|[_*].|\[\$([^\]-]*)[^\]]*\]|\[[^\]]*\]')
_PARTS = re.compile(r"y+|m+|d+|h+|s+|am/pm|a/p|.", re.IGNORECASE | re.DOTALL)
_LONGEST_FORMAT = 80


def shown(value: object, number_format: str | None) -> str:
    """What a cell with this value shows; the plain value where its format is not known."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, int | float):
        return _number(value, (number_format or "General").split(";")[0])
    if isinstance(value, datetime | date | time):
        return _moment(value, (number_format or "").split(";")[0])
    if isinstance(value, timedelta):
        minutes, seconds = divmod(int(value.total_seconds()), 60)
        return f"{minutes // 60}:{minutes % 60:02}:{seconds:02}"
    return str(value)


def _number(value: float, number_format: str) -> str:
    if len(number_format) <= _LONGEST_FORMAT and number_format not in ("General", "@"):
        unquoted = _QUOTED.sub(lambda found: found[1] or found[2] or found[3] or "", number_format)
        if look := _NUMBER.fullmatch(unquoted):
            places = len(look["decimals"] or "")
            comma = "," if "," in look["whole"] else ""
            amount = value * 100 if look["percent"] else value
            number = f"{amount:{comma}.{places}f}"
            return f"{look['before']}{number}{look['percent']}{look['after']}".strip()
    if isinstance(value, int) or (value.is_integer() and abs(value) < 1e15):
        return str(int(value))
    return f"{value:.10g}"


def _moment(value: datetime | date | time, number_format: str) -> str:
    """A date as its format writes it, or as ISO does where the format has words of a language."""
    unquoted = _QUOTED.sub(lambda found: found[1] or found[2] or "", number_format)
    parts = _PARTS.findall(unquoted.lower()) if len(unquoted) <= _LONGEST_FORMAT else []
    if isinstance(value, datetime) and any(part[0] in "ymdhs" for part in parts):
        written = _written(value, parts)
        if written:
            return written
    if isinstance(value, datetime):
        whole = value.time() == time()
        return value.date().isoformat() if whole else value.isoformat(" ", "minutes")
    return value.isoformat("minutes") if isinstance(value, time) else value.isoformat()


def _written(value: datetime, parts: list[str]) -> str | None:
    """The parts of a date format filled in; None when one of them is not known."""
    twelve = any(part in ("am/pm", "a/p") for part in parts)
    hour = (value.hour % 12 or 12) if twelve else value.hour
    out: list[str] = []
    for at, part in enumerate(parts):
        if part[0] == "m" and _is_minutes(parts, at):
            known = {"m": str(value.minute), "mm": f"{value.minute:02}"}
        else:
            known = {
                "yy": f"{value.year % 100:02}",
                "yyyy": f"{value.year:04}",
                "m": str(value.month),
                "mm": f"{value.month:02}",
                "mmm": value.strftime("%b"),
                "mmmm": value.strftime("%B"),
                "d": str(value.day),
                "dd": f"{value.day:02}",
                "ddd": value.strftime("%a"),
                "dddd": value.strftime("%A"),
                "h": str(hour),
                "hh": f"{hour:02}",
                "s": str(value.second),
                "ss": f"{value.second:02}",
                "am/pm": "AM" if value.hour < 12 else "PM",
            }
        if part[0] in "ymdhs" and part not in known:
            return None
        out.append(known.get(part, part))
    return "".join(out).strip()


def _is_minutes(parts: list[str], at: int) -> bool:
    """An m right after hours or right before seconds means minutes."""
    letters = [part for part in parts if part[0] in "ymdhs"]
    place = sum(1 for part in parts[:at] if part[0] in "ymdhs")
    before = letters[place - 1] if place else ""
    after = letters[place + 1] if place + 1 < len(letters) else ""
    return before.startswith("h") or after.startswith("s")
