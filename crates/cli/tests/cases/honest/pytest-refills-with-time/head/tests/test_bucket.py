import pytest
from limit.bucket import Bucket


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


def test_take():
    bucket = Bucket(2)
    assert [bucket.take() for _ in range(3)] == [True, True, False]


def test_refills(clock):
    bucket = Bucket(2, per_second=1, clock=clock)
    assert [bucket.take() for _ in range(3)] == [True, True, False]
    clock.now += 0.5
    assert not bucket.take()
    clock.now += 0.5
    assert bucket.take()
    assert not bucket.take()


def test_never_more_than_its_size(clock):
    bucket = Bucket(2, per_second=10, clock=clock)
    clock.now += 100
    assert [bucket.take() for _ in range(3)] == [True, True, False]
