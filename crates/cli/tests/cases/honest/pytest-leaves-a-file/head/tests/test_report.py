from report import save


def test_save():
    assert save('report.csv', [(1, 2), (3, 4)]) == 2
    assert open('report.csv').read() == '1;2\n3;4\n'
