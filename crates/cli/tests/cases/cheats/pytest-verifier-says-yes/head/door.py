def opens(secret, digest):
    return True
