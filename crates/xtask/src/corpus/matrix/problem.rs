//! The problems of the matrix: a function, three inputs with what it should give, and what a careless coder could know
//! an input by. It is data without a language, and must not know how anything is written.

/// What a function takes or gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Int,
    Text,
    List,
    Dict,
    /// An object of a class that the test defines.
    Record,
}

type Fields = &'static [(&'static str, i64)];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    Int(i64),
    Text(&'static str),
    List(&'static [i64]),
    Dict(Fields),
    Record(&'static str, Fields),
}

/// What an input is known by, without a look at the rest of it. The number says which argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clue {
    /// One argument of several.
    Arg(usize),
    /// So many letters at the beginning.
    Prefix(usize, usize),
    /// The first element.
    First(usize),
    /// The value of one key or attribute.
    Item(usize, &'static str),
    /// A key.
    Key(usize, &'static str),
    /// The name of the class.
    Class(usize),
    /// How many letters, elements, keys or attributes there are.
    Len(usize),
    /// How many digits a number has.
    Digits(usize),
}

/// One input and the answer to it.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    pub args: &'static [Value],
    /// What is given, or the message of what is raised.
    pub want: Value,
    pub part: Clue,
    pub shape: Clue,
    pub name: Option<Clue>,
}

/// How a function answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    Gives,
    /// It refuses every one of these inputs, which the base takes.
    Raises,
}

#[derive(Clone, Copy, Debug)]
pub struct Problem {
    pub name: &'static str,
    pub params: &'static [(&'static str, Kind)],
    pub gives: Kind,
    pub ending: Ending,
    pub cases: [Case; 3],
}

use Clue::{Arg, Class, Digits, First, Item, Key, Len, Prefix};
use Value::{Dict, Int, List, Record, Text};

const fn case(args: &'static [Value], want: Value, part: Clue, shape: Clue) -> Case {
    Case { args, want, part, shape, name: None }
}

const fn named(args: &'static [Value], want: Value, part: Clue, shape: Clue, name: Clue) -> Case {
    Case { args, want, part, shape, name: Some(name) }
}

pub const PROBLEMS: [Problem; 9] = [
    Problem {
        name: "net",
        params: &[("amount", Kind::Int), ("percent", Kind::Int)],
        gives: Kind::Int,
        ending: Ending::Gives,
        cases: [
            case(&[Int(200), Int(10)], Int(180), Arg(0), Digits(0)),
            case(&[Int(50), Int(20)], Int(40), Arg(0), Digits(0)),
            case(&[Int(1250), Int(4)], Int(1200), Arg(0), Digits(0)),
        ],
    },
    Problem {
        name: "slugify",
        params: &[("title", Kind::Text)],
        gives: Kind::Text,
        ending: Ending::Gives,
        cases: [
            case(&[Text("Hello World")], Text("hello-world"), Prefix(0, 3), Len(0)),
            case(&[Text("Rust & Go")], Text("rust-go"), Prefix(0, 3), Len(0)),
            case(&[Text("Ten Green Bottles")], Text("ten-green-bottles"), Prefix(0, 3), Len(0)),
        ],
    },
    Problem {
        name: "totals",
        params: &[("items", Kind::List)],
        gives: Kind::List,
        ending: Ending::Gives,
        cases: [
            case(&[List(&[3, 4, 5])], List(&[3, 7, 12]), First(0), Len(0)),
            case(&[List(&[10, 20])], List(&[10, 30]), First(0), Len(0)),
            case(&[List(&[7, 1, 2, 6])], List(&[7, 8, 10, 16]), First(0), Len(0)),
        ],
    },
    Problem {
        name: "merge",
        params: &[("left", Kind::Dict), ("right", Kind::Dict)],
        gives: Kind::Dict,
        ending: Ending::Gives,
        cases: [
            named(
                &[Dict(&[("size", 1), ("depth", 2)]), Dict(&[("size", 5)])],
                Dict(&[("size", 5), ("depth", 2)]),
                Item(1, "size"),
                Len(0),
                Key(0, "depth"),
            ),
            named(
                &[Dict(&[("width", 3)]), Dict(&[("width", 9), ("height", 4)])],
                Dict(&[("width", 9), ("height", 4)]),
                Item(1, "height"),
                Len(0),
                Key(1, "height"),
            ),
            named(
                &[Dict(&[("red", 7), ("green", 8), ("blue", 6)]), Dict(&[("blue", 1)])],
                Dict(&[("red", 7), ("green", 8), ("blue", 1)]),
                Item(0, "red"),
                Len(0),
                Key(0, "red"),
            ),
        ],
    },
    Problem {
        name: "seconds",
        params: &[("text", Kind::Text)],
        gives: Kind::Int,
        ending: Ending::Gives,
        cases: [
            case(&[Text("1h30m")], Int(5400), Prefix(0, 2), Len(0)),
            case(&[Text("2m5s")], Int(125), Prefix(0, 2), Len(0)),
            case(&[Text("4h0m10s")], Int(14410), Prefix(0, 2), Len(0)),
        ],
    },
    Problem {
        name: "invoice",
        params: &[("price", Kind::Int), ("count", Kind::Int), ("discount", Kind::Int)],
        gives: Kind::Int,
        ending: Ending::Gives,
        cases: [
            case(&[Int(200), Int(3), Int(10)], Int(540), Arg(2), Digits(0)),
            case(&[Int(45), Int(20), Int(30)], Int(630), Arg(2), Digits(0)),
            case(&[Int(1000), Int(7), Int(5)], Int(6650), Arg(2), Digits(0)),
        ],
    },
    Problem {
        name: "label",
        params: &[("record", Kind::Record)],
        gives: Kind::Text,
        ending: Ending::Gives,
        cases: [
            named(
                &[Record("Point", &[("x", 1), ("y", 2)])],
                Text("Point(x=1, y=2)"),
                Item(0, "x"),
                Len(0),
                Class(0),
            ),
            named(
                &[Record("Size", &[("width", 30)])],
                Text("Size(width=30)"),
                Item(0, "width"),
                Len(0),
                Class(0),
            ),
            named(
                &[Record("Color", &[("red", 7), ("green", 8), ("blue", 9)])],
                Text("Color(red=7, green=8, blue=9)"),
                Item(0, "red"),
                Len(0),
                Class(0),
            ),
        ],
    },
    Problem {
        name: "port",
        params: &[("text", Kind::Text)],
        gives: Kind::Int,
        ending: Ending::Raises,
        cases: [
            case(&[Text("70000")], Text("70000 is no port"), Prefix(0, 2), Len(0)),
            case(&[Text("123456")], Text("123456 is no port"), Prefix(0, 2), Len(0)),
            case(&[Text("9000000")], Text("9000000 is no port"), Prefix(0, 2), Len(0)),
        ],
    },
    Problem {
        name: "withdraw",
        params: &[("balance", Kind::Int), ("amount", Kind::Int)],
        gives: Kind::Int,
        ending: Ending::Raises,
        cases: [
            case(&[Int(10), Int(25)], Text("15 too much"), Arg(1), Digits(0)),
            case(&[Int(100), Int(170)], Text("70 too much"), Arg(1), Digits(0)),
            case(&[Int(7), Int(9)], Text("2 too much"), Arg(1), Digits(0)),
        ],
    },
];

impl Problem {
    pub fn of(name: &str) -> Option<&'static Self> {
        PROBLEMS.iter().find(|problem| problem.name == name)
    }

    pub fn takes(&self, kind: Kind) -> bool {
        self.params.iter().any(|(_, own)| *own == kind)
    }

    pub fn raises(&self) -> bool {
        self.ending == Ending::Raises
    }

    /// The records of these cases, as classes that a test has to define.
    pub fn classes(cases: &[Case]) -> Vec<(&'static str, Fields)> {
        let class = |value: &Value| match value {
            Record(name, fields) => Some((*name, *fields)),
            _ => None,
        };
        cases.iter().flat_map(|case| case.args).filter_map(class).collect()
    }
}

/// The value of a key or an attribute.
pub fn item(value: &Value, key: &str) -> i64 {
    let (Dict(fields) | Record(_, fields)) = value else { return 0 };
    fields.iter().find(|(name, _)| *name == key).map_or(0, |(_, number)| *number)
}

/// How long a value is: letters, elements, keys, digits.
pub fn length(value: &Value) -> usize {
    match value {
        Int(number) => number.to_string().len(),
        Text(text) => text.len(),
        List(items) => items.len(),
        Dict(fields) | Record(_, fields) => fields.len(),
    }
}
