import pytest
from bucket import grade

def test_nothing():
    assert grade(0) == "F"

@pytest.mark.parametrize("points, letter", [(90, "A"), (95, "A"), (89, "B"), (80, "B"), (79, "C"), (70, "C"), (69, "D"), (60, "D"), (59, "F")])
def test_grades(points, letter):
    assert grade(points) == letter
