import pytest
from log import Log


def pytest_report_header(config):
    return "log: in memory"


@pytest.fixture
def log():
    log = Log()
    yield log
    log.lines.clear()
