from clock import Clock


class TestText:
    def test_morning(self):
        assert Clock(8 * 60).text() == "08:00"
