"""The native deck: a folder of question files, read and written."""
