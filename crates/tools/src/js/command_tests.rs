use super::*;

fn known(text: &str) -> Result<UserCommand, UnknownCommand> {
    let words: Vec<&str> = text.split_whitespace().collect();
    understood(&words).unwrap_or_else(|| Err(UnknownCommand::Unknown { command: text.to_owned() }))
}

fn script(test: &str) -> Option<(&'static str, Given)> {
    let package =
        serde_json::json!({ "scripts": { "test": test, "unit": "vitest run --config u.ts" } });
    script_of(&package.to_string())
}

#[test]
fn a_users_command_keeps_what_can_not_leave_out_tests() {
    for (text, runner, kept) in [
        ("vitest run", "vitest", ""),
        ("npx vitest run --config v.ts --reporter verbose", "vitest", "--config v.ts"),
        ("node_modules/.bin/vitest --root=a", "vitest", "--root=a"),
        ("jest --ci --runInBand -c j.json", "jest", "-c j.json"),
        ("yarn jest --maxWorkers=2", "jest", "--maxWorkers=2"),
        (
            "node --experimental-vm-modules node_modules/jest/bin/jest.js -c j.json",
            "jest",
            "--experimental-vm-modules -c j.json",
        ),
        ("node --import tsx --test test/*.ts", "node", "--import tsx test/*.ts"),
        ("node --test", "node", ""),
        ("mocha -r ts-node/register 'a' --bail --reporter dot", "mocha", "-r ts-node/register 'a'"),
        ("npx playwright test --project=api --retries=2", "playwright", "--project=api"),
        ("tape -r ./setup.js test/*.js", "tape", "-r ./setup.js test/*.js"),
    ] {
        let given = known(text).unwrap();
        assert_eq!((given.runner, given.extra_args.join(" ").as_str()), (runner, kept), "{text}");
    }
    assert_eq!(known("/opt/node --test").unwrap().program, Some("/opt/node".into()));
}

#[test]
fn what_would_leave_out_tests_is_refused_with_what_is_accepted() {
    for text in [
        "vitest run some.test.ts",
        "vitest run -t adds",
        "vitest run --shard=1/2",
        "vitest related a.ts",
        "jest tests/a",
        "jest --onlyChanged",
        "jest -t adds",
        "mocha --grep adds",
        "ava --match adds",
        "jasmine --filter=adds",
        "playwright test --grep adds",
        "node --test --test-name-pattern=a",
        "node --test --test-only",
    ] {
        let said = known(text).unwrap_err().to_string();
        assert!(said.contains("not accepted") && said.contains("accepted"), "{text}: {said}");
    }
    for text in ["npm test", "node script.js", "qunit"] {
        assert!(matches!(known(text), Err(UnknownCommand::Unknown { .. })), "{text}");
    }
}

#[test]
fn the_projects_own_script_says_the_tool_and_its_configuration() {
    let (runner, given) = script(
        "tsc && NODE_OPTIONS='--experimental-vm-modules --evil' TZ=UTC PATH=x jest -c j.json some",
    )
    .unwrap();
    assert_eq!(
        (runner, given.node, given.args),
        (
            "jest",
            vec!["--experimental-vm-modules".to_owned()],
            vec!["-c".to_owned(), "j.json".to_owned()]
        )
    );
    assert_eq!(given.env.into_keys().collect::<Vec<_>>(), ["TZ"]);
    let (runner, given) = script("node --import tsx --test 'src/**/*.spec.ts'").unwrap();
    assert_eq!(
        (runner, given.node.join(" ").as_str(), given.args.join(" ").as_str()),
        ("node", "--import tsx", "src/**/*.spec.ts")
    );
    let (runner, given) = script("npm run lint && npm run unit").unwrap();
    assert_eq!((runner, given.args.join(" ").as_str()), ("vitest", "--config u.ts"));
    assert_eq!(script("qunit"), None);
    assert_eq!(script("mocha").map(|(runner, _)| runner), Some("mocha"));
    assert_eq!(script("npm run test"), None);
}
