"""HTML of question banks -> Discord's Markdown."""
