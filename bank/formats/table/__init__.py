"""Tables, from CSV and spreadsheets, read; and CSV written."""
