"""Measured, not timed: ratios against a reference of the same run. `python -m tests.bench`."""
