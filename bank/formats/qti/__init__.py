"""QTI 1.2, as Canvas exports it, read."""
