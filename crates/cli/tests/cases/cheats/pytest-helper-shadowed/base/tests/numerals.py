def check(got, wanted):
    assert got == wanted, f"{got} is not {wanted}"
