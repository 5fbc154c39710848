import json
from pathlib import Path


class FileStore:
    def __init__(self, root):
        self._root = Path(root)
        self._root.mkdir(parents=True, exist_ok=True)

    def _path(self, key):
        return self._root / f"{key}.json"

    def put(self, key, value):
        self._path(key).write_text(json.dumps(value))

    def get(self, key):
        try:
            return json.loads(self._path(key).read_text())
        except FileNotFoundError:
            raise KeyError(key) from None

    def keys(self):
        return sorted(path.stem for path in self._root.glob("*.json"))
