"""Bringing questions: files that came -> a deck's folder, all or nothing.

`gathering` reads the files, `fitting` makes each draft fit for a drop or says what it lacks,
`merging` gives names and domains, `placing` puts the deck's new folder in the place of the old, and
`bring` is the way through all of them; `report` tells it.
"""
