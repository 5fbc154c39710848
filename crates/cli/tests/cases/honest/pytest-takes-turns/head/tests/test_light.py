from light import Light


def test_colours_take_turns():
    light = Light(lambda: 0)
    assert light.turn() == 'red'
    assert light.turn() == 'green'
    assert light.turn() == 'amber'
    assert light.turn() == 'red'


def test_a_colour_has_an_age():
    now = [10]
    light = Light(lambda: now[0])
    now[0] = 14
    assert light.age() == 4
    light.turn()
    assert light.age() == 0
