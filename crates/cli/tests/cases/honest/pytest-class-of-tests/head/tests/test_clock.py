from clock import Clock


class TestText:
    def test_morning(self):
        assert Clock(8 * 60).text() == "08:00"


class TestAdd:
    def setup_method(self):
        self.clock = Clock(23 * 60 + 30)

    def test_over_midnight(self):
        assert self.clock.add(45).text() == "00:15"

    def test_before_midnight(self):
        assert self.clock.add(29).text() == "23:59"

    def test_to_midnight(self):
        assert self.clock.add(30).text() == "00:00"
