from limit.bucket import Bucket


def test_take():
    bucket = Bucket(2)
    assert [bucket.take() for _ in range(3)] == [True, True, False]
