"""Text as it is copied from exam-practice pages, read."""
