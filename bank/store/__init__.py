"""The only place that knows SQL. `Store` opens the file; each other module is one table family.

The modules take a Database and give models back; transactions belong to the caller:

    with store.writing() as db:
        answers.record(db, answer)
"""

from bank.store.connection import Store

__all__ = ["Store"]
