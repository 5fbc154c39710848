//! The guard with the programs of Codex and Gemini, as a person starts them in a checkout, and a played model: what their
//! tools do to a sealed test, and how they end.

mod slow {
    use crate::guard::standing;
    use crate::repos::place::{Place, SUB, SUB_TEST};
    use proctor_testkit::{ModelServer, Script, coding_agent};
    use std::fs;
    use std::path::Path;
    use std::process::Command;

    /// The program in this checkout, with the variables of a clean environment and `proctor` on its PATH.
    fn program(place: &Place, program: &Path) -> Command {
        let mut command = Command::new(program);
        command.env_clear().envs(place.env.vars().iter().map(|(name, value)| (name, value)));
        let path = std::env::var_os("PATH").expect("a PATH");
        let own = Path::new(env!("CARGO_BIN_EXE_proctor")).parent().expect("its folder").to_owned();
        let path = std::iter::once(own).chain(std::env::split_paths(&path));
        let path = std::env::join_paths(path).expect("a PATH");
        // Codex's shells are those of a login, and begin with a PATH of their own.
        let profile = format!("export PATH='{}'\n", path.display());
        fs::write(place.env.user_home().join(".bash_profile"), profile).expect("a profile");
        command.env("PATH", path).current_dir(place.path());
        command
    }

    fn codex(place: &Place, file: &Path, model: &ModelServer) -> Command {
        let mut codex = program(place, file);
        let home = place.env.user_home().join(".codex");
        fs::create_dir_all(&home).expect("its home");
        let settings = format!(
            "model = \"gpt-5.5\"\nmodel_provider = \"played\"\n[analytics]\nenabled = false\n[model_providers.played]\nname = \"played\"\nbase_url = \"{}/v1\"\nenv_key = \"OPENAI_API_KEY\"\nwire_api = \"responses\"\n[projects.\"{}\"]\ntrust_level = \"trusted\"\n",
            model.url(),
            place.path().display()
        );
        fs::write(home.join("config.toml"), settings).expect("its settings");
        codex.env("CODEX_HOME", home).env("OPENAI_API_KEY", "no-real-key");
        // A person says yes to the hooks in `/hooks`, which there is no terminal for here.
        codex.args([
            "exec",
            "--dangerously-bypass-approvals-and-sandbox",
            "--dangerously-bypass-hook-trust",
        ]);
        codex.args(["--disable", "plugins", "do the task"]);
        codex
    }

    fn gemini(place: &Place, file: &Path, model: &ModelServer) -> Command {
        let mut gemini = program(place, file);
        let home = place.env.user_home().join(".gemini");
        fs::create_dir_all(&home).expect("its home");
        let settings = "{\"security\": {\"auth\": {\"selectedType\": \"gemini-api-key\"}}, \"privacy\": {\"usageStatisticsEnabled\": false}, \"general\": {\"enableAutoUpdate\": false, \"maxAttempts\": 2}}";
        fs::write(home.join("settings.json"), settings).expect("its settings");
        gemini.env("GEMINI_CLI_HOME", place.env.user_home()).env("GEMINI_CLI_NO_RELAUNCH", "true");
        gemini.env("GEMINI_API_KEY", "no-real-key").env("GOOGLE_GEMINI_BASE_URL", model.url());
        let trusted = serde_json::json!({place.path().display().to_string(): "TRUST_FOLDER"});
        fs::write(home.join("trustedFolders.json"), trusted.to_string()).expect("its folders");
        gemini.args(["--approval-mode", "yolo", "-m", "gemini-2.5-pro"]);
        gemini.args(["-p", "do the task"]);
        gemini
    }

    /// Code before tests, a sealed test by the edit tool, by `sed` and by a script, an end without a proof: none gets through.
    fn held(agent: &str, start: fn(&Place, &Path, &ModelServer) -> Command) {
        let Some(file) = coding_agent(agent) else { return };
        let Some(place) = Place::python() else { return };
        place.proctor(&["guard", "install", "--agent", agent]).expect_code(0);
        place.proctor(&["guard", "begin", "a sub function"]).expect_code(0);
        let test = place.path().join("tests/test_sub.py");
        let cheat = SUB_TEST.replace("== 2", "!= 2");
        let script = Script::new()
            .write("sub.py", "def sub(a, b):\n    return 2\n")
            .write("tests/test_sub.py", SUB_TEST)
            .shell(concat!(env!("CARGO_BIN_EXE_proctor"), " guard red"))
            .write("tests/test_sub.py", &cheat)
            .shell("sed -i 's/== 2/!= 2/' tests/test_sub.py")
            .shell("printf 'import pathlib\\np = pathlib.Path(\"tests/test_sub.py\")\\np.write_text(p.read_text().replace(\"== 2\", \"!= 2\"))\\n' > cheat.py; python3 cheat.py; rm cheat.py")
            .say("It is done.")
            .shell(&format!("cat >> calc.py <<'END'\n{SUB}END"))
            .say("Now it is done.");
        let model = ModelServer::start(script, place.path());
        let ran = start(&place, &file, &model).stdin(std::process::Stdio::null()).output();
        let ran = ran.expect("the program");
        let said = String::from_utf8_lossy(&[ran.stdout, ran.stderr].concat()).into_owned();
        let told = model.asked().last().map(ToString::to_string).unwrap_or_default();
        assert_eq!(model.left(), 0, "the whole script was played\n{said}\n{told}");
        for text in ["tests come first", "is sealed: red was proven", "green is not proven"] {
            assert!(told.contains(text), "{text}\n{said}\n{told}");
        }
        assert_eq!(told.matches("Proctor put sealed files back").count(), 2, "{said}\n{told}");
        assert_eq!(fs::read_to_string(&test).expect("the test"), SUB_TEST);
        assert!(!place.path().join("sub.py").exists(), "what was refused is not there");
        assert_eq!(standing(&place)["guarded"]["stage"], "green", "{said}\n{told}");
    }

    #[test]
    fn codex_can_not_change_a_sealed_test_by_any_tool_and_ends_when_green_is_proven() {
        held("codex", codex);
    }

    #[test]
    fn gemini_can_not_change_a_sealed_test_by_any_tool_and_ends_when_green_is_proven() {
        held("gemini", gemini);
    }
}
