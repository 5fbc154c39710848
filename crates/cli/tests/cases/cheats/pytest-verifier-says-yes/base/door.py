import hashlib


def opens(secret, digest):
    return hashlib.sha256(secret).hexdigest() == digest
