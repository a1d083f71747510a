"""Letters in prose, pure: explanations that name options by letter become text with references.

No text is lost: what cannot be placed at an option stays, and what is doubtful is left as it is.
"""

from bank.prose.naming import Naming, namings
from bank.prose.reasoning import Reasons, reasons
from bank.prose.referring import with_references

__all__ = ["Naming", "Reasons", "namings", "reasons", "with_references"]
