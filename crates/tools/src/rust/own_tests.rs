use super::*;

const BUILD: &str = r#"{"reason":"compiler-artifact","package_id":"registry+https://index#itoa@1.0.18","target":{"name":"itoa"},"filenames":["/t/debug/deps/libitoa-0123456789abcdef.rlib","/t/debug/deps/libitoa-0123456789abcdef.rmeta"]}
{"reason":"compiler-artifact","package_id":"registry+https://index#libz-sys@1.0.0","target":{"name":"libz_sys"},"filenames":["/t/debug/deps/liblibz_sys-1123456789abcdef.rlib"]}
{"reason":"compiler-artifact","package_id":"registry+https://index#libz-sys@1.0.0","target":{"name":"build-script-build"},"filenames":["/t/debug/build/libz-sys-2123456789abcdef/build-script-build"]}
{"reason":"build-script-executed","package_id":"registry+https://index#libz-sys@1.0.0","out_dir":"/t/debug/build/libz-sys-3123456789abcdef/out"}
{"reason":"compiler-artifact","package_id":"git+https://host/dep?rev=1#dep@2.0.0","target":{"name":"dep"},"filenames":["/t/debug/deps/libdep-4123456789abcdef.rlib"]}
{"reason":"compiler-artifact","package_id":"path+file:///w/my-app#0.1.0","target":{"name":"my_app"},"filenames":["/t/debug/deps/my_app-5123456789abcdef"]}
{"reason":"compiler-artifact","package_id":"path+file:///w/my-app#0.1.0","target":{"name":"dep"},"filenames":["/t/debug/deps/dep-6123456789abcdef"]}
{"reason":"build-finished","success":true}
"#;

#[test]
fn only_what_the_build_named_as_third_party_is_not_own() {
    let artifacts = OwnArtifacts::read(BUILD.as_bytes());
    for path in [
        "debug",
        "debug/deps",
        "debug/deps/libitoa-0123456789abcdef.rlib",
        "debug/deps/itoa-0123456789abcdef.d",
        "debug/.fingerprint/itoa-0123456789abcdef/dep-lib-itoa",
        "debug/deps/liblibz_sys-1123456789abcdef.rlib",
        "debug/deps/libz_sys-1123456789abcdef.d",
        "debug/build/libz-sys-2123456789abcdef/build-script-build",
        "debug/build/libz-sys-3123456789abcdef/out/made.rs",
        "x86_64-unknown-linux-gnu/debug/deps/libitoa-0123456789abcdef.rmeta",
    ] {
        assert!(!artifacts.is_own(Path::new(path)), "{path}");
    }
    for path in [
        ".rustc_info.json",
        "CACHEDIR.TAG",
        "tmp",
        "debug/my-app",
        "debug/my-app.d",
        "debug/libmy_app.rlib",
        "debug/.cargo-lock",
        "debug/examples/show",
        "debug/incremental/itoa-0123456789abcdef",
        "debug/deps/my_app-5123456789abcdef",
        "debug/.fingerprint/my-app-5123456789abcdef",
        "debug/build/my-app-5123456789abcdef",
        // Another hash than the build named.
        "debug/deps/libitoa-f123456789abcdef.rlib",
        // A test target of the project has this name too.
        "debug/deps/libdep-4123456789abcdef.rlib",
        "debug/deps/plain",
        "../debug/deps/libitoa-0123456789abcdef.rlib",
        "/debug/deps/libitoa-0123456789abcdef.rlib",
    ] {
        assert!(artifacts.is_own(Path::new(path)), "{path}");
    }
    assert!(OwnArtifacts::read(b"").is_own(Path::new("debug/deps/libitoa-0123456789abcdef.rlib")));
}
