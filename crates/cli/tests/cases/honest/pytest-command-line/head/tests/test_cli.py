import pytest

from cli import main


def test_prints_the_double(capsys):
    assert main(["21"]) == 0
    assert capsys.readouterr().out == "42\n"


def test_more_than_once(capsys):
    main(["3", "--times", "3"])
    assert capsys.readouterr().out == "24\n"


def test_no_number():
    with pytest.raises(SystemExit) as ended:
        main(["many"])
    assert ended.value.code == 2
