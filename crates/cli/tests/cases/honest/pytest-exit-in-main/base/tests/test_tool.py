from tool import main


def test_words_are_printed(capsys):
    main(["a", "b"])
    assert capsys.readouterr().out == "a b\n"
