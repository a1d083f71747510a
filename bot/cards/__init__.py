"""Cards, pure: models -> what a member sees. One module per kind of message."""

from bot.cards.layout import Card

__all__ = ["Card"]
