use super::*;

/// Keys are put together here so that no scanner takes this file for a leak.
fn key(parts: &[&str]) -> String {
    parts.concat()
}

fn rules(text: &str) -> Vec<&'static str> {
    scan(text.as_bytes()).into_iter().map(|f| f.rule).collect()
}

#[test]
fn the_automaton_is_built() {
    assert!(search::can_search());
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

/// Letters and digits without an order, always the same.
fn chance(letters: &str, count: usize) -> String {
    let letters = letters.as_bytes();
    let mut state = 0x9e37_79b9_u32;
    (0..count)
        .map(|_| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            char::from(letters[(state >> 8) as usize % letters.len()])
        })
        .collect()
}

const HEX: &str = "0123456789abcdef";
const ALNUM: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

#[test]
fn every_service_is_found_at_its_shortest_and_named() {
    for service in issuer::ISSUERS {
        let letters = match service.body {
            issuer::Body::Hex => HEX,
            issuer::Body::Upper => "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789",
            _ => "a1B2c3D4e5F6g7H8k9",
        };
        for begins in service.begins {
            let text = key(&["use ", begins, &chance(letters, service.length.0), ";\n"]);
            let found = rules(&text);
            assert_eq!(found, [service.name], "{begins}");
            let row = key(&["use ", begins, &"x".repeat(service.length.0), ";\n"]);
            assert!(rules(&row).is_empty(), "{begins} and a row of one letter");
        }
    }
}

#[test]
fn keys_that_begin_in_no_way_of_their_own_are_found_by_what_stands_around() {
    let (alnum, hex) = (|n| chance(ALNUM, n), |n| chance(HEX, n));
    for (rule, text) in [
        ("Azure key", key(&["AccountName=x;AccountKey=", &alnum(86), "==;End=y"])),
        ("Azure key", key(&["Endpoint=sb://x/;SharedAccessKey=", &alnum(43), "="])),
        ("Azure client secret", key(&["a = '", "aB1", "8Q~", &alnum(34), "'"])),
        ("Telegram bot token", key(&["bot ", "1234567890:", "AA", &alnum(33)])),
        ("bearer token", key(&["-H 'Authorization: Bearer ", &alnum(32), "'"])),
        (CONNECTION, key(&["Server=db1;Database=x;User Id=app;Password=", "k9Xv-2mQz7", ";"])),
        ("assigned secret", key(&["aws_secret_access_key = ", &alnum(40), "\n"])),
        ("assigned secret", key(&["const API_KEY: &str = \"", &alnum(32), "\";"])),
        ("assigned secret", key(&["db_password = 'Xk9", "!mPq2#vLz'"])),
        ("assigned secret", key(&["\"client_secret\": \"", &hex(40), "\","])),
        ("assigned secret", key(&["  password: \"", &alnum(24), "\""])),
        ("assigned secret", key(&["ENV AUTH_TOKEN=", &alnum(24)])),
        ("assigned secret", key(&["config['api_key'] = '", &alnum(24), "'"])),
    ] {
        assert_eq!(rules(&text), [rule], "{text}");
    }
}

const CONNECTION: &str = "connection string with a password";

#[test]
fn code_about_secrets_raises_no_alarm() {
    for text in [
        "token = \"refreshTokenExpiresIn30Days\"",
        "token_sha256 = \"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08\"",
        "secret_name: \"prod/app1/db-secret-v2\"",
        "token = \"550e8400-e29b-41d4-a716-446655440000\"",
        "const token = await getTokenFor(user1, scope2, base64url);",
        "password = getpass.getpass(prompt1)",
        "tokens = sha256HashForUrlOfV2",
        "let secret = secrets.get(\"kv/data/app1\").await?;",
        "PASSWORD=$(cat /run/secrets/password1)",
        "SECRET_KEY=abcdefghijklmnopqrstuvwxyz0123456789",
        "access_key_id: ${AWS_ACCESS_KEY_ID_FOR_STAGE_2}",
        "password: 'Enter your password (min 8 chars)!'",
        "error.password = 'Must-have-8-Characters!'",
        "api_key == \"aB3dE5gH1jK7mN9pQ2sT4vW6\"",
        "task-sk-1, disk-usage-2024-01-02-report-3",
        "npm_config_registry_url_and_more_names_here",
        "hf_hub_download_with_progress_bar_2024_1",
        "v1.0-beta.2+build",
        "SKU 1234567890123456789012345678901234",
        "eyJ and eyJ.eyJ and eyJhb.eyJ9.x",
        "Authorization: Bearer <token>",
        "Authorization: Bearer ${{ secrets.GITHUB_TOKEN_2 }}",
        "https://user@host:8080/path and ssh://git@host:22/x",
        "time 12:34:56 and 10:AA",
    ] {
        assert_eq!(rules(text), [] as [&str; 0], "{text}");
    }
}

#[test]
fn a_stream_hides_the_same_wherever_it_is_cut() {
    let token = key(&["ghp_", "aB3dE5gH1jK7mN9pQ2sT4vW6yZ8bC0dF2hJ4"]);
    let head = key(&["-----BEGIN RSA ", "PRIVATE KEY-----"]);
    let tail = key(&["-----END RSA ", "PRIVATE KEY-----"]);
    let block = format!("{head}\nMIIEpAIBAAKCAQEA7\nAAAABBBBCCCCDDDD=\n{tail}");
    let known = [
        Known { name: "MY_KEY".to_owned(), value: b"open sesame".to_vec() },
        Known { name: "TWO_LINES".to_owned(), value: b"first half\nsecond half".to_vec() },
    ];
    let redactor = Redactor::knowing(&known);
    let text = format!(
        "a {token} b\n{block}\nsay open sesame twice open sesame\nfirst half\nsecond half end\nfirst half\nof nothing\nb3BlbiBzZXNhbWU=\nlast"
    );
    let whole = redactor.text(&text);
    for hidden in [token.as_str(), "MIIE", "open sesame", "half\nsecond", "b3BlbiBzZXNh"] {
        assert!(!whole.contains(hidden), "{hidden} in {whole}");
    }
    assert!(
        whole.contains("[redacted: value of MY_KEY]") && whole.contains("of nothing"),
        "{whole}"
    );
    for size in [1, 2, 3, 7, 16, 61, 1000] {
        let mut stream = redactor.stream();
        let mut out = Vec::new();
        for piece in text.as_bytes().chunks(size) {
            out.extend(stream.push(piece));
        }
        out.extend(stream.finish().rest);
        assert_eq!(String::from_utf8(out).unwrap(), whole, "in pieces of {size}");
    }
}

#[test]
fn a_line_without_end_is_passed_on_in_parts_and_still_hides_what_it_holds() {
    let token = key(&["ghp_", "aB3dE5gH1jK7mN9pQ2sT4vW6yZ8bC0dF2hJ4"]);
    let text = format!("{}{token} ", "lorem ".repeat(9_999)).repeat(5);
    let mut stream = Redactor::default().stream();
    let mut out = Vec::new();
    for piece in text.as_bytes().chunks(4093) {
        out.extend(stream.push(piece));
    }
    assert!(text.len() - out.len() < 100_000, "it holds back {} bytes", text.len() - out.len());
    out.extend(stream.finish().rest);
    let out = String::from_utf8(out).unwrap();
    assert!(!out.contains(&token[..20]));
    assert_eq!(out.matches("[redacted: GitHub token]").count(), 5);
}

#[test]
fn known_values_are_never_shown_and_short_ones_are_left_alone() {
    let known = [Known { name: "PIN".to_owned(), value: b"1234".to_vec() }];
    assert_eq!(Redactor::knowing(&known).text("1234 is 1234"), "1234 is 1234");
    assert!(!format!("{known:?}").contains("1234"));
    assert!(telling_variable("OPENAI_API_KEY") && telling_variable("db_password"));
    assert!(!telling_variable("LANG") && !telling_variable("EDITOR"));
    // The folder that a shell stands in, and the one before.
    assert!(!telling_variable("PWD") && !telling_variable("OLDPWD"));
    assert!(telling_variable("DB_PWD"));
}

#[test]
fn what_the_configuration_allows_is_allowed_there_and_nowhere_else() {
    let token = key(&["ghp_", "aB3dE5gH1jK7mN9pQ2sT4vW6yZ8bC0dF2hJ4"]);
    let allowed = Allowed::new(vec![
        "tests/fixtures/**".to_owned(),
        "docs/*.md: GitHub token".to_owned(),
        "config/.env.sample".to_owned(),
    ])
    .unwrap();
    assert!(allowed.scan("tests/fixtures/a/b.txt", token.as_bytes()).is_empty());
    assert!(allowed.scan("docs/api.md", token.as_bytes()).is_empty());
    assert!(!allowed.allows("docs/api.md", "private key"));
    assert!(!allowed.allows("docs/deep/api.md", "GitHub token"));
    assert!(!allowed.allows("src/main.rs", "GitHub token"));
    assert!(allowed.allows("config/.env.sample", ".env*"));
    for wide in ["**", "*", "*/**", "."] {
        assert!(Allowed::new(vec![wide.to_owned()]).is_err(), "{wide}");
    }
    let redactor = Redactor::default().allowing(token.as_bytes());
    assert_eq!(redactor.text(&token), token);
    assert!(redactor.scan(token.as_bytes()).is_empty());
}

#[test]
fn hostile_text_takes_no_longer_than_plain_text() {
    let head = key(&["-----BEGIN ", "PRIVATE KEY-----\n"]);
    for piece in [head.as_str(), "eyJ.", "-eyJ", "sk-", "://a:", "password=\"", "bearer ", "Q~"] {
        let text = piece.repeat(400_000 / piece.len());
        // Each would take minutes if its cost grew with the square.
        let _ = scan(text.as_bytes());
    }
}
