"""Moodle GIFT, read as Moodle reads it, and written."""
