use super::*;
use std::os::unix::fs::symlink;

struct Yard {
    _dir: tempfile::TempDir,
    root: PathBuf,
}

fn yard() -> Yard {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().canonicalize().unwrap().join("repo");
    std::fs::create_dir_all(root.join("src")).unwrap();
    std::fs::write(root.join("src/a.py"), "a = 1\n").unwrap();
    std::fs::write(dir.path().join("outside.txt"), "x\n").unwrap();
    Yard { _dir: dir, root }
}

fn context(yard: &Yard, cwd: &Path, paths: &[&str]) -> Result<Vec<Packed>, String> {
    let paths: Vec<String> = paths.iter().map(|path| (*path).to_owned()).collect();
    Luggage { cwd, root: &yard.root, allowed: &Allowed::default() }
        .context(&paths, 1000)
        .map_err(|error| error.to_string())
}

#[test]
fn a_path_is_found_from_where_the_user_is_and_from_the_top() {
    let yard = yard();
    let src = yard.root.join("src");
    for (cwd, path) in [(&src, "a.py"), (&src, "src/a.py"), (&yard.root, "./src//a.py")] {
        let packed = context(&yard, cwd, &[path, "src/a.py"]).unwrap();
        assert_eq!(packed.len(), 1);
        assert_eq!(packed[0].path, "src/a.py");
    }
}

#[test]
fn what_leads_out_is_refused_by_name_and_by_link() {
    let yard = yard();
    symlink(yard.root.join("../outside.txt"), yard.root.join("link.txt")).unwrap();
    let fault = context(&yard, &yard.root, &["../outside.txt"]).unwrap_err();
    assert!(fault.contains("../"), "{fault}");
    let fault = context(&yard, &yard.root, &["link.txt"]).unwrap_err();
    assert!(fault.contains("Path resolves outside project root"), "{fault}");
    let outside = yard.root.parent().unwrap().join("outside.txt");
    let fault = context(&yard, &yard.root, &[outside.to_str().unwrap()]).unwrap_err();
    assert!(fault.contains("Path resolves outside project root"), "{fault}");
}

#[test]
fn a_secret_is_refused_by_its_name_even_where_it_does_not_exist_and_behind_a_link() {
    let yard = yard();
    let fault = context(&yard, &yard.root, &[".env"]).unwrap_err();
    assert!(fault.contains("looks like a secret"), "{fault}");
    std::fs::write(yard.root.join("server.key"), "x").unwrap();
    symlink("server.key", yard.root.join("notes.txt")).unwrap();
    let fault = context(&yard, &yard.root, &["notes.txt"]).unwrap_err();
    assert!(fault.contains("looks like a secret"), "{fault}");
}

#[test]
fn folders_missing_and_large_files_are_refused() {
    let yard = yard();
    std::fs::write(yard.root.join("big.txt"), "x ".repeat(60_000)).unwrap();
    for (path, part) in [
        ("src", "not a plain file"),
        ("none.py", "can't be read"),
        ("big.txt", "File exceeds 100KB limit"),
        (".git/config", "can't be read"),
    ] {
        let fault = context(&yard, &yard.root, &[path]).unwrap_err();
        assert!(fault.contains(part) && fault.contains("hint:"), "{fault}");
    }
}

#[test]
fn a_folder_of_tests_stands_for_its_files() {
    let yard = yard();
    std::fs::create_dir_all(yard.root.join("tests/deep/__pycache__")).unwrap();
    std::fs::write(yard.root.join("tests/test_a.py"), "1").unwrap();
    std::fs::write(yard.root.join("tests/deep/test_b.py"), "2").unwrap();
    std::fs::write(yard.root.join("tests/deep/__pycache__/x.pyc"), "3").unwrap();
    let luggage = Luggage { cwd: &yard.root, root: &yard.root, allowed: &Allowed::default() };
    let packed = luggage.tests(&["tests".to_owned()]).unwrap();
    let paths: Vec<&str> = packed.iter().map(|file| file.path.as_str()).collect();
    assert_eq!(paths, ["tests/deep/test_b.py", "tests/test_a.py"]);
}

#[test]
fn pipes_and_endless_files_are_refused_without_being_read() {
    let yard = yard();
    rustix::fs::mknodat(
        rustix::fs::CWD,
        yard.root.join("pipe.txt"),
        rustix::fs::FileType::Fifo,
        rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR,
        0,
    )
    .unwrap();
    let fault = context(&yard, &yard.root, &["pipe.txt"]).unwrap_err();
    assert!(fault.contains("not a plain file"), "{fault}");
    let huge = std::fs::File::create(yard.root.join("huge.txt")).unwrap();
    huge.set_len(10 * 1024 * 1024 * 1024).unwrap();
    let fault = context(&yard, &yard.root, &["huge.txt"]).unwrap_err();
    assert!(fault.contains("File exceeds 100KB limit (it has 10737418240 bytes"), "{fault}");
}

#[test]
fn a_file_that_the_configuration_allows_may_look_like_a_secret() {
    let yard = yard();
    let token = ["ghp_", "aB3dE5gH1jK7mN9pQ2sT4vW6yZ8bC0dF2hJ4"].concat();
    std::fs::write(yard.root.join("src/fixture.py"), format!("T = '{token}'\n")).unwrap();
    let fault = context(&yard, &yard.root, &["src/fixture.py"]).unwrap_err();
    assert!(fault.contains("line 1 looks like a secret (GitHub token)"), "{fault}");
    assert!(!fault.contains(&token[..12]) && fault.contains("[secrets] allow"), "{fault}");
    let allowed = Allowed::new(vec!["src/fixture.py: GitHub token".to_owned()]).unwrap();
    let luggage = Luggage { cwd: &yard.root, root: &yard.root, allowed: &allowed };
    assert_eq!(luggage.context(&["src/fixture.py".to_owned()], 1000).unwrap().len(), 1);
}
