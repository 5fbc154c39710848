from numerals.parse import from_roman

__all__ = ["from_roman"]
