from wordtool.cli import main


def test_counts_words(tmp_path, capsys):
    path = tmp_path / "a.txt"
    path.write_text("one two three")
    assert main([str(path)]) == 0
    assert capsys.readouterr().out == "3\n"
