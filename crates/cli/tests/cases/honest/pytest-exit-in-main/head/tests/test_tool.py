import pytest
from tool import main


def test_words_are_printed(capsys):
    main(["a", "b"])
    assert capsys.readouterr().out == "a b\n"


def test_no_words_is_wrong_usage(capsys):
    with pytest.raises(SystemExit) as left:
        main([])
    assert left.value.code == 2
    assert capsys.readouterr().err == "usage: tool WORD...\n"
