from status import reason


def test_known_codes():
    assert reason(200) == "OK"
    assert reason(404) == "Not Found"
    assert reason(500) == "Internal Server Error"


def test_a_code_that_nobody_knows():
    assert reason(799) == "Unknown"
