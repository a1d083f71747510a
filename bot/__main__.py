"""`python -m bot` is `quizdrop`."""

from bot.cli import main

if __name__ == "__main__":
    main()
