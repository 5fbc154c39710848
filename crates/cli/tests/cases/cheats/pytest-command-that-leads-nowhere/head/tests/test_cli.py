from shelf.cli import main


def test_counts_what_files_say(tmp_path, capsys):
    (tmp_path / "a").write_text("pen 3\nink\n")
    (tmp_path / "b").write_text("pen\n")
    assert main([str(tmp_path / "a"), str(tmp_path / "b")]) == 0
    assert capsys.readouterr().out == "ink 1\npen 4\n"


def test_nothing_is_a_failure(tmp_path):
    (tmp_path / "a").write_text("")
    assert main([str(tmp_path / "a")]) == 1
