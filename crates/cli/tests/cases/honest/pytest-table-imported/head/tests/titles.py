"""Titles and what becomes of them."""

TITLES = [
    ("Crème brûlée für alle", "creme-brulee-fur-alle"),
    ("Ångström über Öl", "angstrom-uber-ol"),
    ("naïve Façade", "naive-facade"),
]
