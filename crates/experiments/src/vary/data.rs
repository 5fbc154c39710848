//! Files of cases that tests read: the same files with other values in them. Keys and structure stay.

use super::other;
use serde_json::Value;

/// A file of cases with other values, in one of two ways; none where it is no such file or has nothing to vary.
pub fn other_data(path: &str, text: &str, way: usize) -> Option<String> {
    let ending = path.rsplit('.').next()?.to_lowercase();
    let new = match ending.as_str() {
        // Some hold a value a line, whatever they are called.
        "json" if serde_json::from_str::<Value>(text).is_ok() => {
            let value: Value = serde_json::from_str(text).ok()?;
            serde_json::to_string_pretty(&varied(value, way)).ok()?
        }
        "json" | "jsonl" | "ndjson" => {
            let line = |line: &str| -> Option<String> {
                serde_json::to_string(&varied(serde_json::from_str(line).ok()?, way)).ok()
            };
            let lines: Option<Vec<String>> = text.lines().map(line).collect();
            lines?.join("\n")
        }
        "csv" | "tsv" => {
            let mut lines = text.lines();
            // The first line names the columns.
            let head = lines.next()?.to_owned();
            let sign = if ending == "csv" { "," } else { "\t" };
            let line = |line: &str| -> String {
                line.split(sign).map(|cell| other::part(cell, way)).collect::<Vec<_>>().join(sign)
            };
            let rest = lines.map(line);
            std::iter::once(head).chain(rest).collect::<Vec<_>>().join("\n")
        }
        _ => return None,
    };
    (new != text).then_some(new)
}

fn varied(value: Value, way: usize) -> Value {
    match value {
        Value::Number(number) => {
            let whole = number.as_i64().map(i128::from);
            let next = whole.and_then(|n| other::numbers(n).get(way).map(|(_, m)| *m));
            match next.and_then(|n| i64::try_from(n).ok()) {
                Some(next) => Value::from(next),
                None => {
                    number.as_f64().map_or(Value::Number(number), |x| Value::from(x * 3.0 + 0.5))
                }
            }
        }
        Value::String(text) => Value::String(other::part(&text, way)),
        Value::Array(items) => Value::Array(items.into_iter().map(|v| varied(v, way)).collect()),
        Value::Object(map) => {
            Value::Object(map.into_iter().map(|(key, v)| (key, varied(v, way))).collect())
        }
        same => same,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_a_file_of_cases_become_others_and_its_keys_stay() {
        let made =
            other_data("a/cases.json", r#"[{"given": [12, "ab"], "none": null}]"#, 0).unwrap();
        let value: Value = serde_json::from_str(&made).unwrap();
        assert_eq!(value[0]["given"][0], 13);
        assert_ne!(value[0]["given"][1], "ab");
        assert!(value[0]["none"].is_null());
        assert_eq!(other_data("a.csv", "name,n\nab,12\n", 0).unwrap(), "name,n\nec,23");
        assert_eq!(other_data("a.py", "x = 1", 0), None);
    }
}
