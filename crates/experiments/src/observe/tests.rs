//! What observing tests look like, and what their channel says.

use super::*;

fn sample(line: u32, copies: usize) -> Sample {
    Sample { number: 3, line, copies: vec![Vec::new(); copies] }
}

#[test]
fn the_channel_is_read_case_by_case() {
    let said = b"{\"t\":3,\"v\":0,\"b\":1}\n{\"t\":3,\"v\":0,\"s\":0,\"ok\":true,\"l\":[\"1\",\"2\"]}\nnoise\n\
        {\"t\":3,\"v\":0,\"s\":0,\"ok\":false,\"x\":\"E: no\"}\n{\"t\":3,\"v\":0,\"b\":1}\n{\"t\":3,\"v\":0,\"s\":-1,\"ok\":true}\n";
    let rows = &read_channel(said)[&(3, 0)];
    let keys: Vec<_> = rows.iter().map(Row::key).collect();
    assert_eq!(keys, [(1, 0, 0), (1, 0, 1), (2, END, 0)]);
    assert_eq!(rows[0].sides, ["1", "2"]);
    assert_eq!(rows[1].raised.as_deref(), Some("E: no"));
}

#[test]
fn a_python_test_stands_there_once_a_copy_with_its_assertions_recorded() {
    let text = "import shop\nfrom shop import net, gross as g\n\n\nclass TestNet:\n    @mark(1)\n    def test_net(self):\n        with pytest.raises(ValueError, match='x') as e:\n            net(-1)\n        assert net(200, 10) == 180, 'no'\n        assert not (g(1))\n        self.assertEqual(g(2), 3)\n        for n in [1]:\n            assert n in (\n                1,\n            )\n";
    let made = observing("test_a.py", text, &[sample(7, 2)], &Channel("c1".into())).unwrap();
    let own = made.text.split("return ()").nth(1).unwrap();
    insta::assert_snapshot!(own);
    assert_eq!(made.lines.len(), 2);
}
