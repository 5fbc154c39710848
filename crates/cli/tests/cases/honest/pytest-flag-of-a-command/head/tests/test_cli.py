import pytest
from wordtool.cli import main


def test_counts_words(tmp_path, capsys):
    path = tmp_path / "a.txt"
    path.write_text("one two three")
    assert main([str(path)]) == 0
    assert capsys.readouterr().out == "3\n"


@pytest.mark.parametrize("flag", ["-l", "--lines"])
def test_counts_lines(tmp_path, capsys, flag):
    path = tmp_path / "a.txt"
    path.write_text("one two\nthree\n")
    assert main([flag, str(path)]) == 0
    assert capsys.readouterr().out == "2\n"


def test_missing_file(tmp_path, capsys):
    path = tmp_path / "none.txt"
    assert main([str(path)]) == 1
    assert "no such file" in capsys.readouterr().err
