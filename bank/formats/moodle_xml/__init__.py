"""Moodle XML, read as Moodle reads it, and written."""
