from greet.__main__ import main


def test_main(capsys):
    assert main([]) == 0
    assert capsys.readouterr().out == "hello\n"
