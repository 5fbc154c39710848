//! What the binary is made of, in the words of `CycloneDX`: each package that is compiled into it, with its licence and the
//! digest of the lock file. Reads what cargo says; judges nothing.

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

pub fn sbom(root: &Path, triple: &str) -> Result<String> {
    let out = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args(["metadata", "--format-version", "1", "--locked", "--filter-platform", triple])
        .current_dir(root)
        .output()
        .context("cargo did not start")?;
    if !out.status.success() {
        bail!("cargo metadata failed: {}", String::from_utf8_lossy(&out.stderr).trim());
    }
    let metadata = serde_json::from_slice(&out.stdout).context("cargo metadata is not JSON")?;
    let lock =
        std::fs::read_to_string(root.join("Cargo.lock")).context("Cargo.lock can't be read")?;
    let lock = toml::from_str(&lock).context("Cargo.lock is not TOML")?;
    Ok(serde_json::to_string_pretty(&told(&metadata, &digests(&lock))?)? + "\n")
}

/// The digest of each package of a registry, by name and version.
fn digests(lock: &toml::Table) -> BTreeMap<String, String> {
    let packages = lock.get("package").and_then(toml::Value::as_array).into_iter().flatten();
    let one = |package: &toml::Value| {
        let text = |name: &str| Some(package.get(name)?.as_str()?.to_owned());
        Some((format!("{}@{}", text("name")?, text("version")?), text("checksum")?))
    };
    packages.filter_map(one).collect()
}

fn told(metadata: &Value, digests: &BTreeMap<String, String>) -> Result<Value> {
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let packages: BTreeMap<String, Value> = list(&metadata["packages"])
        .into_iter()
        .map(|package| (text(&package["id"]), package))
        .collect();
    // What is only there for tests is not in the binary.
    let uses: BTreeMap<String, Vec<String>> = list(&metadata["resolve"]["nodes"])
        .iter()
        .map(|node| {
            let used = list(&node["deps"])
                .into_iter()
                .filter(|used| list(&used["dep_kinds"]).iter().any(|kind| kind["kind"] != "dev"));
            (text(&node["id"]), used.map(|used| text(&used["pkg"])).collect())
        })
        .collect();
    let named = |id: &String| packages.get(id).is_some_and(|package| package["name"] == "proctor");
    let own = packages.keys().find(|id| named(id)).context("cargo does not know proctor")?;
    let (mut seen, mut open) = (BTreeSet::new(), vec![own]);
    while let Some(id) = open.pop() {
        if seen.insert(id) {
            open.extend(uses.get(id).into_iter().flatten());
        }
    }
    let url = |id: &String| {
        let package = packages.get(id).unwrap_or(&Value::Null);
        format!("pkg:cargo/{}@{}", text(&package["name"]), text(&package["version"]))
    };
    let part = |id: &String, kind: &str| {
        let package = packages.get(id).unwrap_or(&Value::Null);
        let (name, version) = (text(&package["name"]), text(&package["version"]));
        let mut part = json!({ "type": kind, "bom-ref": url(id), "name": name, "version": version, "purl": url(id) });
        if let Some(licence) = package["license"].as_str() {
            part["licenses"] = json!([{ "expression": licence.replace('/', " OR ") }]);
        }
        if let Some(digest) = digests.get(&format!("{name}@{version}")) {
            part["hashes"] = json!([{ "alg": "SHA-256", "content": digest }]);
        }
        part
    };
    let rest = || seen.iter().filter(|id| **id != own);
    let edges = seen.iter().map(|id| {
        let below: BTreeSet<String> = uses.get(*id).into_iter().flatten().map(url).collect();
        json!({ "ref": url(id), "dependsOn": below })
    });
    Ok(json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": { "component": part(own, "application") },
        "components": rest().map(|id| part(id, "library")).collect::<Vec<_>>(),
        "dependencies": edges.collect::<Vec<_>>(),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_only_for_tests_is_not_in_the_binary() {
        let metadata = json!({
            "packages": [
                { "id": "p", "name": "proctor", "version": "1.0.0", "license": "MIT OR Apache-2.0" },
                { "id": "a", "name": "anyhow", "version": "1.0.9", "license": "MIT/Apache-2.0" },
                { "id": "t", "name": "tempfile", "version": "3.0.0", "license": "MIT" },
            ],
            "resolve": { "nodes": [{ "id": "p", "deps": [
                { "pkg": "a", "dep_kinds": [{ "kind": null }] },
                { "pkg": "t", "dep_kinds": [{ "kind": "dev" }] },
            ] }, { "id": "a", "deps": [] }] },
        });
        let lock = toml::from_str(
            "[[package]]\nname = \"anyhow\"\nversion = \"1.0.9\"\nchecksum = \"abc\"\n",
        );
        let told = told(&metadata, &digests(&lock.unwrap())).unwrap();
        assert_eq!(told["metadata"]["component"]["purl"], "pkg:cargo/proctor@1.0.0");
        let parts = told["components"].as_array().unwrap();
        assert_eq!(parts.len(), 1, "{told:#}");
        assert_eq!(parts[0]["hashes"][0]["content"], "abc");
        assert_eq!(parts[0]["licenses"][0]["expression"], "MIT OR Apache-2.0");
        assert_eq!(told["dependencies"].as_array().unwrap().len(), 2);
    }
}
