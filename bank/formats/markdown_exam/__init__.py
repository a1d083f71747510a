"""Practice exams in Markdown, as found on GitHub, read."""
