from days import name


def test_an_eighth_day_is_a_number():
    assert name(7) == "7"


def test_the_week():
    names = [name(number) for number in range(7)]
    assert names == ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]


def test_before_the_week():
    assert name(-1) == "-1"
