"""Sums of an office."""
