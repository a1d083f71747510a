"""The fault table: what goes wrong at Discord, at each place, and what comes of it.

All rows are played at once by one process, each in a server of its own, so that a row whose faults
reached beyond its server would spoil the others.
"""
