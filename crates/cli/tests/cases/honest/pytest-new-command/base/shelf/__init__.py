"""Shelves."""
