import os
def double(x):
    return x*2
