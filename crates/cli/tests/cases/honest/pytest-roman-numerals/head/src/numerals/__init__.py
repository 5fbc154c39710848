from numerals.format import to_roman
from numerals.parse import from_roman

__all__ = ["from_roman", "to_roman"]
