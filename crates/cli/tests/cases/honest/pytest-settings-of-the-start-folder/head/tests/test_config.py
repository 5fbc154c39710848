from shop import config


def test_found_above(tmp_path, monkeypatch):
    (tmp_path / 'shop.ini').write_text('x')
    (tmp_path / 'a').mkdir()
    monkeypatch.chdir(tmp_path / 'a')
    assert config.find() == tmp_path / 'shop.ini'


def test_none(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert config.find('other.ini') is None
