"""Anki packages, read and written."""
