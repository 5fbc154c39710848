import os


def port():
    return int(os.environ.get("APP_PORT", "8000"))
