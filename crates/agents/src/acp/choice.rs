//! Modes and models that an agent offers when a session is opened, and how one of them is chosen.

use crate::stream::text;
use serde_json::{Value, json};

/// A request that chooses; none where it is chosen already.
type Choice = Option<(&'static str, Value)>;

pub(super) fn mode(session: &str, mode: &str, opened: &Value) -> Result<Choice, String> {
    let modes = &opened["modes"];
    if modes.is_object() {
        let offered = names(&modes["availableModes"], "id");
        let params = json!({"sessionId": session, "modeId": mode});
        let current = text(modes, "currentModeId");
        return pick("mode", mode, current, &offered, ("session/set_mode", params));
    }
    option("mode", session, mode, opened)
}

/// Whether anything is offered.
pub(super) fn offers(opened: &Value) -> bool {
    ["modes", "models", "configOptions"].iter().any(|key| !opened[*key].is_null())
}

/// A mode that was chosen before.
pub(super) fn mode_unseen(session: &str, mode: &str) -> (&'static str, Value) {
    ("session/set_mode", json!({"sessionId": session, "modeId": mode}))
}

pub(super) fn model(session: &str, model: &str, opened: &Value) -> Result<Choice, String> {
    let models = &opened["models"];
    if models.is_object() {
        let offered = names(&models["availableModels"], "modelId");
        let params = json!({"sessionId": session, "modelId": model});
        let current = text(models, "currentModelId");
        return pick("model", model, current, &offered, ("session/set_model", params));
    }
    option("model", session, model, opened)
}

/// By the general list of options.
fn option(what: &str, session: &str, wanted: &str, opened: &Value) -> Result<Choice, String> {
    let options = opened["configOptions"].as_array().into_iter().flatten();
    let mut options =
        options.filter(|option| text(option, "category") == what || text(option, "id") == what);
    let Some(option) = options.next() else {
        return Err(format!(
            "it offers no choice of a {what}\nhint: leave out `{what}` of this agent, and set it by the program's own arguments or variables"
        ));
    };
    // They come plain or in groups.
    let values = option["options"].as_array().into_iter().flatten();
    let offered: Vec<String> = values
        .flat_map(|value| match value["options"].as_array() {
            Some(group) => group.iter().map(|value| text(value, "value").to_owned()).collect(),
            None => vec![text(value, "value").to_owned()],
        })
        .collect();
    let params = json!({"sessionId": session, "configId": text(option, "id"), "value": wanted});
    let current = text(option, "currentValue");
    pick(what, wanted, current, &offered, ("session/set_config_option", params))
}

fn pick(
    what: &str,
    wanted: &str,
    current: &str,
    offered: &[String],
    choice: (&'static str, Value),
) -> Result<Choice, String> {
    if current == wanted {
        return Ok(None);
    }
    if offered.iter().any(|name| name == wanted) {
        return Ok(Some(choice));
    }
    Err(format!("it has no {what} `{wanted}`\nhint: it offers {}", offered.join(", ")))
}

fn names(list: &Value, key: &str) -> Vec<String> {
    let list = list.as_array().into_iter().flatten();
    list.map(|entry| text(entry, key).to_owned()).collect()
}
