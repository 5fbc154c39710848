import time

import pytest
from days import today, week


def test_a_week_has_seven_days():
    assert week(6) == 0
    assert week(14) == 2


@pytest.mark.parametrize("now, day", [(0, 0), (86_399, 0), (86_400, 1), (864_000.5, 10)])
def test_a_day_is_long(monkeypatch, now, day):
    monkeypatch.setattr(time, "time", lambda: now)
    assert today() == day
