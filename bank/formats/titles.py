"""The formats by name, as members and admins pick them, without the weight of their readers."""

from __future__ import annotations

READ = {
    "deck": "quizdrop deck",
    "anki": "Anki package",
    "spreadsheet": "Spreadsheet (xlsx, Kahoot)",
    "qti": "QTI 1.2 (Canvas)",
    "moodle-xml": "Moodle XML",
    "opentdb": "Open Trivia DB",
    "aiken": "Aiken",
    "gift": "Moodle GIFT",
    "csv": "CSV table",
    "markdown": "Markdown exam",
    "text": "Page text",
}
WRITTEN = {name: READ[name] for name in ("deck", "gift", "moodle-xml", "csv", "anki")}
