//! Whether an object fits a schema, as far as the schemas of phases go: types, allowed values, fields that must be there.
//! The exact reading is done again by the one who asked; this only lets the model mend its answer at once.

use serde_json::Value;

/// What is wrong, each with its field; nothing where it fits.
pub(crate) fn faults(schema: &Value, value: &Value) -> Vec<String> {
    let mut found = Vec::new();
    look(schema, value, "the answer", &mut found);
    found
}

fn look(schema: &Value, value: &Value, at: &str, found: &mut Vec<String>) {
    if let Some(allowed) = schema["enum"].as_array()
        && !allowed.contains(value)
    {
        let words: Vec<String> = allowed.iter().map(Value::to_string).collect();
        found.push(format!("{at} must be {}", words.join(" or ")));
        return;
    }
    let types: Vec<&str> = match &schema["type"] {
        Value::String(one) => vec![one],
        Value::Array(several) => several.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    if !types.is_empty() && !types.iter().any(|name| is_of(name, value)) {
        found.push(format!("{at} must be of type {}", types.join(" or ")));
        return;
    }
    if let Value::Object(fields) = value {
        for name in schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
            if !fields.contains_key(name) {
                found.push(format!("`{name}` is missing"));
            }
        }
        for (name, of) in schema["properties"].as_object().into_iter().flatten() {
            if let Some(field) = fields.get(name) {
                look(of, field, &format!("`{name}`"), found);
            }
        }
    }
    if let Value::Array(entries) = value
        && schema["items"].is_object()
    {
        for entry in entries {
            look(&schema["items"], entry, &format!("each of {at}"), found);
        }
    }
}

fn is_of(name: &str, value: &Value) -> bool {
    match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proctor_core::turn::schema;
    use proctor_core::words::{Phase, TaskType};
    use serde_json::json;

    #[test]
    fn what_does_not_fit_is_named_with_its_field() {
        let schema = schema(Phase::Review, TaskType::BugFix);
        let good = json!({"status": "SUCCESS", "reason": null, "notes": "n", "more": 1});
        assert_eq!(faults(&schema, &good), [""; 0]);
        let bad = json!({"status": "MAYBE", "reason": 3});
        let told = faults(&schema, &bad).join("; ");
        assert!(told.contains("`notes` is missing"), "{told}");
        assert!(told.contains("`status` must be \"SUCCESS\" or \"REJECTED\""), "{told}");
        assert!(told.contains("`reason` must be of type string or null"), "{told}");
        assert_eq!(faults(&schema, &json!([])), ["the answer must be of type object"]);
    }
}
