"""One module per file format: text or bytes <-> questions."""
