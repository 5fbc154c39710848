def costs(got, wanted):
    assert got == wanted
