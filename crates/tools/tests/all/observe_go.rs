//! Observing tests of Go, compiled and run by each Go that is there.

use crate::go_stage::toolchains;
use proctor_core::observation::{END, Row};
use proctor_experiments::{
    Channel, Helping, Sample, helpers, observing, observing_with, read_channel, span,
};
use proctor_lang::Edit;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

type Tables = BTreeMap<(usize, usize), Vec<Row>>;

const SHOP: &str = r#"package shop

import "errors"

type Item struct {
	Name  string
	price uint8
	Next  *Item
	tags  [2]interface{}
}

type Money int64

var ErrNone = errors.New("none")

func Net(gross, percent int) (int, error) {
	if gross < 0 {
		return 0, ErrNone
	}
	return gross - gross*percent/100, nil
}

func Small(n uint8) uint8 { return n + 1 }
func Half(x float32) float32 { return x / 2 }
func Worth(n int) Money { return Money(n) }
func Find(name string) *Item {
	if name == "" {
		return nil
	}
	item := &Item{Name: name, price: 3, tags: [2]interface{}{Money(1), nil}}
	item.Next = item
	return item
}

var Calls int

func Count() int { Calls++; return Calls }
"#;

const INSIDE: &str = r#"package shop

import (
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"
)

// TestPlain asks in the ways that people ask.
func TestPlain(t *testing.T) {
	t.Parallel()
	got, err := Net(200, 10)
	if err != nil {
		t.Fatal(err)
	}
	if got != 180 {
		t.Errorf("Net = %d", got)
	}
	if got := Small(7); got != 8 {
		t.Errorf("Small = %d", got)
	}
	if Small(7) != 8 || 2*Half(3) != 3 || Worth(2) != 2 {
		t.Error("no")
	}
	if !reflect.DeepEqual([]string{"a", "b"}, strings.Split("a,b", ",")) {
		t.Error("no")
	}
	if _, err := Net(-1, 10); !errors.Is(err, ErrNone) || err.Error() != "none" {
		t.Fatalf("err = %v", err)
	}
	if uint64(math.MaxUint64) != math.MaxUint64 || uint64(18446744073709551615) != 18446744073709551615 {
		t.Fail()
	}
	if time.Duration(2)*time.Second != 2*time.Second {
		t.FailNow()
	}
	if strings.Contains("abc", "b") {
		_ = t
	} else {
		t.Fatal("no")
	}
	switch {
	case got < 3, len(strings.Fields("a b")) != 2:
		t.Fatal("no")
	}
}

func TestTable(t *testing.T) {
	for _, tt := range []struct {
		gross, want int
		bad         bool
	}{{200, 180, false}, {-1, 0, true}, {100, 91, false}} {
		t.Run("row", func(t *testing.T) {
			t.Parallel()
			got, err := Net(tt.gross, 10)
			if (err != nil) != tt.bad {
				t.Fatalf("err = %v", err)
			}
			if got != tt.want {
				t.Errorf("got %d, want %d", got, tt.want)
			}
		})
	}
}

func TestBreaks(t *testing.T) {
	item := Find("")
	if item == nil {
		t.Fatal("nothing")
	}
	t.Run("inner", func(t *testing.T) { panic("inner") })
	if item.Name != "a" {
		t.Error("no")
	}
}

func TestValues(t *testing.T) {
	if all := map[string]*Item{"b": Find("b"), "a": nil}; len(all) != 2 {
		t.Error(all)
	}
	if item := Find("pen"); item == nil || item.Next == nil || *item.Next != *Find("pen").Next {
		t.Error(item)
	}
	defer func() {
		if r := recover(); r == nil {
			t.Error("no panic")
		}
	}()
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
		panic("again")
	}()
	panic("once")
}

func TestOnce(t *testing.T) {
	Calls = 0
	if Count() != 1 {
		t.Error("no")
	}
	if n := Count(); n != 2 || Count() != 3 {
		t.Error("no")
	}
	checkSame(t, Count(), 4)
	checkSame(t, Count(), 6)
	checkSame(t, Count(), 6)
	for {
		if Count() > 0 {
			t.Fatal("without end")
		}
	}
}

func checkSame(t *testing.T, got, want int) {
	t.Helper()
	if got != want {
		t.Fatalf("%d is not %d", got, want)
	}
}
"#;

const OUTSIDE: &str = r#"package shop_test

import (
	"testing"

	"example.com/demo"
)

func TestOutside(t *testing.T) {
	if n, _ := shop.Net(100, 5); n != 95 {
		t.Error(n)
	}
	fails(t)
}

func fails(t *testing.T) { t.Fatal("outside") }
"#;

/// The line of a test, as its runner says.
fn line(text: &str, name: &str) -> u32 {
    let at = text.lines().position(|l| l.starts_with(&format!("func {name}("))).unwrap();
    u32::try_from(at + 1).unwrap()
}

/// What is put into a test's span in the place of something.
fn other(text: &str, line: u32, was: &str, now: &str) -> Edit {
    let span = span("a_test.go", text, line).unwrap();
    let from = text[span].find(was).unwrap();
    Edit { line: 0, from, to: from + was.len(), text: now.to_owned(), what: String::new() }
}

/// Writes a file of tests that observe, and what stands beside it.
fn observe(folder: &Path, file: &str, text: &str, samples: &[Sample]) {
    let made = observing(file, text, samples, &Channel("seen".into())).unwrap();
    assert_eq!(made.samples.len(), samples.len());
    std::fs::write(folder.join(file), made.text).unwrap();
    for (path, text) in made.beside {
        std::fs::write(folder.join(path), text).unwrap();
    }
}

/// The rows that are left with each of these.
fn run(goes: Vec<PathBuf>, version: &str, samples: &[(&str, &str, Vec<Sample>)]) -> Vec<Tables> {
    run_written(goes, version, &|folder| {
        for (file, text, samples) in samples {
            observe(folder, file, text, samples);
        }
    })
}

fn run_written(goes: Vec<PathBuf>, version: &str, write: &dyn Fn(&Path)) -> Vec<Tables> {
    let one = |go: PathBuf| {
        let home = tempfile::tempdir().unwrap();
        let folder = home.path().join("demo");
        let temp = home.path().join("temp");
        std::fs::create_dir(&folder).unwrap();
        std::fs::create_dir(&temp).unwrap();
        std::fs::write(folder.join("go.mod"), format!("module example.com/demo\n\ngo {version}\n"))
            .unwrap();
        std::fs::write(folder.join("shop.go"), SHOP).unwrap();
        write(&folder);
        let cache = Path::new(env!("CARGO_TARGET_TMPDIR")).join("go-cache");
        let out = Command::new(go)
            .args(["test", "."])
            .current_dir(&folder)
            .envs([("HOME", home.path()), ("GOCACHE", &cache), ("TMPDIR", &temp)])
            .envs([("GOFLAGS", "-mod=mod"), ("GOPROXY", "off"), ("GOTOOLCHAIN", "local")])
            .output()
            .unwrap();
        let seen = std::fs::read(temp.join("seen")).unwrap_or_default();
        assert!(!seen.is_empty(), "{}", String::from_utf8_lossy(&out.stderr));
        read_channel(&seen)
    };
    goes.into_iter().map(one).collect()
}

fn shown(rows: &[Row]) -> String {
    let one = |row: &Row| {
        let word = if row.holds { "holds" } else { "fails" };
        let raised = row.raised.as_deref().unwrap_or_default();
        format!("{} {} {word} {:?} {raised}", row.site, row.nth, row.sides).trim_end().to_owned()
    };
    rows.iter().map(one).collect::<Vec<_>>().join("\n")
}

fn samples(text: &str, names: &[&str], first: usize) -> Vec<Sample> {
    let one = |(n, name): (usize, &&str)| Sample {
        number: first + n,
        line: line(text, name),
        copies: vec![Vec::new(); 2],
    };
    names.iter().enumerate().map(one).collect()
}

const HELPED: &str = r#"package shop

import "testing"

func TestHelped(t *testing.T) {
	list{{"ten", first(Net(200, 10)), 180}, {"five", first(Net(100, 5)), 94}}.validate(t)
	t.Run("inner", func(t *testing.T) { expectNet(t, 200, 20, 160) })
	t.Run("apart", func(t *testing.T) {
		t.Parallel()
		expectNet(t, -1, 20, 160)
	})
	assertTrue(t, func() bool { return true }, "said %d", 1)
}

func TestNotObserved(t *testing.T) {
	expectNet(t, 200, 20, 160)
}

func first(n int, _ error) int { return n }
"#;

const HELPS: &str = r#"package shop

import "testing"

type list []struct {
	name      string
	got, want int
}

func (all list) validate(t *testing.T) {
	t.Helper()
	for _, one := range all {
		if one.got != one.want {
			t.Errorf("%s: %d", one.name, one.got)
		}
	}
}

func expectNet(t testing.TB, gross, percent, want int) {
	got, err := Net(gross, percent)
	if err != nil {
		t.Fatalf("err = %v", err)
	}
	if got != want {
		t.Error("no")
	}
}

func assertTrue(t *testing.T, ask func() bool, format string, args ...interface{}) {
	if !ask() {
		t.Fatalf(format, args...)
	}
}

func unused(t *testing.T) {
	t.Parallel()
	defer func() {
		if recover() == nil {
			t.Error("no")
		}
	}()
	go func() { t.Log("a") }()
}
"#;

#[test]
fn functions_that_help_tell_what_they_see_of_the_copy_that_runs() {
    let samples = [Sample { number: 2, line: 5, copies: vec![Vec::new(); 2] }];
    let files = BTreeMap::from([
        ("a_test.go".to_owned(), HELPED.to_owned()),
        ("b_test.go".to_owned(), HELPS.to_owned()),
    ]);
    let helping = Helping { files: &files, left_out: &std::collections::BTreeSet::new() };
    let channel = Channel("seen".into());
    let made = observing_with("a_test.go", HELPED, &samples, (&channel, &helping)).unwrap();
    let helps = helpers("b_test.go", HELPS, (&channel, &helping)).unwrap();
    let mut written: Vec<(String, String)> = made.beside.into_iter().collect();
    written.extend([("a_test.go".into(), made.text), ("b_test.go".into(), helps.text)]);
    for tables in run_written(toolchains(), "1.13", &|folder| {
        for (path, text) in &written {
            std::fs::write(folder.join(path), text).unwrap();
        }
    }) {
        assert_eq!(tables.keys().collect::<Vec<_>>(), [&(2, 0), &(2, 1)]);
        assert_eq!(tables[&(2, 0)], tables[&(2, 1)]);
        let told: Vec<(i32, bool)> =
            tables[&(2, 0)].iter().map(|row| (row.site, row.holds)).collect();
        let wanted = [
            (11000, true),
            (11000, false),
            (11001, false),
            (11002, true),
            (11004, true),
            (11002, false),
            (11003, false),
            (11004, false),
            (11005, false),
            (11006, true),
            (END, true),
        ];
        assert_eq!(told, wanted, "{}", shown(&tables[&(2, 0)]));
        assert_eq!(tables[&(2, 0)][1].sides, ["95", "94"]);
    }
}

#[test]
fn tests_of_go_tell_what_they_see_with_every_go() {
    let names = ["TestPlain", "TestTable", "TestBreaks", "TestValues", "TestOnce"];
    let mut inside = samples(INSIDE, &names, 0);
    let table = &mut inside[1];
    let edits = vec![
        other(INSIDE, table.line, "200, 180", "300, 270"),
        other(INSIDE, table.line, "-1", "-2"),
    ];
    table.copies.push(edits);
    let outside = samples(OUTSIDE, &["TestOutside"], 9);
    // Without generics too.
    for version in ["1.13", "1.19"] {
        let files =
            [("a_test.go", INSIDE, inside.clone()), ("b_test.go", OUTSIDE, outside.clone())];
        for tables in run(toolchains(), version, &files) {
            for (number, name) in names.iter().enumerate() {
                assert_eq!(tables[&(number, 0)], tables[&(number, 1)], "{name}");
            }
            let once = &tables[&(4, 0)];
            assert_eq!(once.last().unwrap().site, END);
            assert_eq!(once.last().unwrap().raised.as_deref(), Some("it takes too long"));
            let of = |key: (usize, usize)| shown(&tables[&key]);
            let all = [
                of((0, 0)),
                of((1, 0)),
                of((1, 2)),
                of((2, 0)),
                of((3, 0)),
                shown(&once[..10]),
                of((9, 0)),
            ];
            insta::assert_snapshot!("observed_go", all.join("\n\n"));
        }
    }
}

#[test]
fn a_test_of_go_that_takes_too_long_is_told_and_not_tried_for_ever() {
    let text = "package shop\n\nimport (\n\t\"testing\"\n\t\"time\"\n)\n\nfunc TestSlow(t *testing.T) {\n\tfor n := 0; n < 100; n++ {\n\t\ttime.Sleep(100 * time.Millisecond)\n\t\tif n < 0 {\n\t\t\tt.Error(n)\n\t\t}\n\t}\n}\n";
    let slow = vec![Sample { number: 0, line: 8, copies: vec![Vec::new(); 3] }];
    let one = toolchains().into_iter().take(1).collect();
    for tables in run(one, "1.19", &[("a_test.go", text, slow)]) {
        for copy in 0..3 {
            let last = tables[&(0, copy)].last().unwrap();
            assert_eq!((last.site, last.raised.as_deref()), (END, Some("it takes too long")));
        }
        assert_eq!(tables[&(0, 2)].len(), 1);
    }
}
