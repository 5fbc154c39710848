use super::*;

/// Keys are put together here so that no scanner takes this file for a leak.
fn key(parts: &[&str]) -> String {
    parts.concat()
}

fn rules(text: &str) -> Vec<&'static str> {
    scan(text.as_bytes()).into_iter().map(|f| f.rule).collect()
}

#[test]
fn every_pattern_compiles() {
    assert!(FIRST_LOOK.is_some());
    for (rule, search) in SEARCHES.iter() {
        assert!(search.is_some(), "{} does not compile", rule.name);
    }
}

#[test]
fn s1_22_secret_names_are_known_whatever_their_case() {
    for (path, pattern) in [
        (".env", ".env*"),
        ("app/.env.local", ".env*"),
        ("deploy/Server.PEM", "*.pem"),
        ("tls/site.key", "*.key"),
        ("a.p12", "*.p12"),
        ("a.pfx", "*.pfx"),
        ("keys/id_rsa", "id_rsa*"),
        ("id_ed25519.pub", "id_ed25519*"),
        ("config/my_SECRETS.yaml", "*secret*"),
        ("gcp-Credentials.json", "*credential*"),
        (".npmrc", ".npmrc"),
        ("x/.pypirc", ".pypirc"),
        (".netrc", ".netrc"),
        ("home/.ssh/config", ".ssh"),
        (".aws/config", ".aws"),
        ("win\\.gnupg\\ring", ".gnupg"),
    ] {
        assert_eq!(secret_name(path).map(NameRule::pattern), Some(pattern), "{path}");
    }
}

#[test]
fn ordinary_names_are_no_secrets() {
    for path in [
        "src/environment.py",
        "src/keyboard.rs",
        "key.rs",
        "secrets/readme.md",
        "docs/ssh.md",
        "npmrc",
        "",
        "/",
    ] {
        assert_eq!(secret_name(path), None, "{path}");
    }
}

#[test]
fn each_kind_of_key_is_found() {
    let letters = "aB3dE5gH1jK7mN9pQ2sT4vW6yZ8bC0dF2hJ4";
    for (rule, text) in [
        ("AWS access key id", key(&["AKIA", "2E4GQZ7XWVUT3MNO"])),
        ("GitHub token", key(&["ghp_", letters])),
        ("GitHub token", key(&["gho_", letters])),
        ("GitHub token", key(&["ghs_", letters])),
        ("GitHub token", key(&["github_pat_", letters, "_", letters])),
        ("GitLab token", key(&["glpat-", &letters[..20]])),
        ("Slack token", key(&["xoxb-", "123456789012-abcDEF123"])),
        (
            "Slack webhook",
            key(&["https://hooks.slack.com/services/", "T0123ABCD/B0123ABCD/", &letters[..24]]),
        ),
        ("Google API key", key(&["AIza", &letters[..35]])),
        ("Stripe key", key(&["sk_live_", &letters[..24]])),
        ("Anthropic key", key(&["sk-ant-", "api03-", letters])),
        ("OpenAI key", key(&["sk-", "proj-", letters])),
        ("npm token", key(&["npm_", &letters[..36]])),
        ("PyPI token", key(&["pypi-AgE", "IcHlwaS5vcmc", letters])),
        (
            "JSON web token",
            key(&["eyJ", "hbGciOiJIUzI1NiJ9.", "eyJzdWIiOiIxMjM0NTY3ODkwIn0.", letters]),
        ),
        (
            "connection string with a password",
            key(&["postgres://app:", "hunter2@db.internal:5432/app"]),
        ),
        (
            "connection string with a password",
            key(&["mongodb+srv://app:", "Tr0ub4dor&3@cluster0.mongodb.net"]),
        ),
        ("assigned secret", key(&["api_key = \"", &letters[..24], "\""])),
        ("assigned secret", key(&["\"clientSecret\": \"", letters, "\""])),
        ("assigned secret", key(&["export API_TOKEN=", letters])),
    ] {
        assert_eq!(rules(&text), [rule], "{text}");
        let within = format!("first\nuse({text:?})\n");
        let found = scan(within.as_bytes());
        if rule != "assigned secret" {
            assert_eq!(found, [Finding { line: 2, rule }], "{within}");
        }
    }
}

#[test]
fn a_private_key_block_is_found_and_wholly_redacted() {
    let head = key(&["-----BEGIN RSA ", "PRIVATE KEY-----"]);
    let tail = key(&["-----END RSA ", "PRIVATE KEY-----"]);
    let text = format!("a\n{head}\nMIIEpAIBAAKCAQEA7\nAAAABBBBCCCCDDDD=\n{tail}\nb\n");
    assert_eq!(scan(text.as_bytes()), [Finding { line: 2, rule: "private key" }]);
    assert_eq!(redact(&text), "a\n[redacted: private key]\nb\n");
    // Cut off, and as one line of JSON.
    assert_eq!(rules(&format!("{head}\nMIIEpAIBAAKCAQEA7abcdef")), ["private key"]);
    assert_eq!(rules(&format!("{{\"k\": \"{head}\\nMIIE\\n{tail}\"}}")), ["private key"]);
    // Code that only speaks of it.
    assert!(rules(&format!("if text.startswith(\"{head}\"):")).is_empty());
}

#[test]
fn what_only_stands_for_a_secret_raises_no_alarm() {
    for text in [
        "postgres://user:password@localhost/db",
        "postgres://app:app@localhost/db",
        "postgres://user:${DB_PASSWORD}@host/db",
        "postgres://user:<password>@host/db",
        "postgres://user:xxx@host/db",
        "mysql://root:hunter2@db.example.com/x",
        "postgresql://{user}:{pw}@{host}/db",
        "http://localhost:8080/a@b",
        "https://example.com/path:with@signs",
        "git@github.com:org/repo.git",
        "AKIAIOSFODNN7EXAMPLE",
        "api_key = \"your-api-key-goes-here-1\"",
        "api_key = os.environ[\"API_KEY\"]",
        "token = \"aaaaaaaaaaaaaaaaaaaaaaaa\"",
        "password = \"correct horse battery\"",
        "secret_name = \"projects/app/settings\"",
        "class=\"sk-toggleable-label-arrow-estimator\"",
        "the sk-learn-like-style-of-things-here",
        "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
        "tokens: 200000",
        "let token = tokenizer.next_token_or_end_of_input();",
        "sha256 = \"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08\"",
    ] {
        assert_eq!(rules(text), [] as [&str; 0], "{text}");
    }
}

#[test]
fn redaction_keeps_everything_but_the_value() {
    let secret = key(&["hunt", "er2"]);
    let text = format!("é DB=postgres://app:{secret}@db.internal/app ü\n");
    assert_eq!(
        redact(&text),
        "é DB=postgres://app:[redacted: connection string with a password]@db.internal/app ü\n"
    );
    let plain = "nothing to see: größe = 3\r\n";
    assert_eq!(redact(plain), plain);
}

#[test]
fn a_redacted_text_is_clean() {
    let token = key(&["ghp_", "aB3dE5gH1jK7mN9pQ2sT4vW6yZ8bC0dF2hJ4"]);
    let text = format!("GITHUB_TOKEN={token}\napi_key: \"{token}\"\n{token}\n");
    let redacted = redact(&text);
    assert!(!redacted.contains(&token));
    assert!(scan(redacted.as_bytes()).is_empty(), "{redacted}");
}

#[test]
fn bytes_that_are_no_text_are_searched_too() {
    let mut bytes = vec![0xff, 0xfe, b'\n'];
    bytes.extend(key(&["AKIA", "2E4GQZ7XWVUT3MNO"]).bytes());
    assert_eq!(scan(&bytes)[0].line, 2);
}
