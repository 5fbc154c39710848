//! The arguments of JavaScript tools that a test command may have: none that can leave out tests.

/// A tool's arguments.
pub(crate) struct Known {
    pub(crate) alone: &'static [&'static str],
    /// Take the word that follows, or a value after `=`.
    pub(crate) valued: &'static [&'static str],
    /// Only change what is shown or are ours to say.
    dropped: &'static [&'static str],
    dropped_valued: &'static [&'static str],
    pub(crate) accepted: &'static str,
}

pub(crate) const VITEST: Known = Known {
    alone: &["--globals", "--dom"],
    valued: &[
        "-c",
        "--config",
        "-r",
        "--root",
        "--project",
        "--environment",
        "--pool",
        "--mode",
        "--testTimeout",
        "--hookTimeout",
    ],
    dropped: &[
        "run",
        "--run",
        "--coverage",
        "--silent",
        "--no-color",
        "--color",
        "--passWithNoTests",
        "--no-watch",
        "--watch=false",
        "--allowOnly",
        "--hideSkippedTests",
        "--disable-console-intercept",
    ],
    dropped_valued: &[
        "--reporter",
        "--outputFile",
        "--bail",
        "--retry",
        "--maxWorkers",
        "--minWorkers",
    ],
    accepted: "the configuration (--config, --root, --project, --mode), --environment, --pool, --globals, --dom and \
               time limits (--testTimeout, --hookTimeout)",
};

pub(crate) const JEST: Known = Known {
    alone: &[],
    valued: &[
        "-c",
        "--config",
        "--rootDir",
        "--projects",
        "--env",
        "--testEnvironment",
        "--preset",
        "--testTimeout",
        "--maxWorkers",
        "-w",
    ],
    // In jest's own process tests could reach our reporter, so `--runInBand` is not kept.
    dropped: &[
        "--ci",
        "--runInBand",
        "-i",
        "--silent",
        "--verbose",
        "--colors",
        "--color",
        "--no-color",
        "--coverage",
        "--collectCoverage",
        "--no-cache",
        "--passWithNoTests",
        "--forceExit",
        "--detectOpenHandles",
        "--no-watchman",
        "--watchAll=false",
        "--watch=false",
        "--expand",
        "--logHeapUsage",
        "--errorOnDeprecated",
    ],
    dropped_valued: &[
        "--reporters",
        "--outputFile",
        "--bail",
        "--cacheDirectory",
        "--coverageReporters",
        "--coverageDirectory",
    ],
    accepted: "the configuration (--config, --rootDir, --projects, --preset), --testEnvironment, --testTimeout and --maxWorkers",
};

pub(crate) const MOCHA: Known = Known {
    alone: &[
        "--recursive",
        "--delay",
        "--check-leaks",
        "--sort",
        "-S",
        "--async-only",
        "-A",
        "--inline-diffs",
    ],
    valued: &[
        "--config",
        "--package",
        "--require",
        "-r",
        "--import",
        "--loader",
        "--ui",
        "-u",
        "--extension",
        "--timeout",
        "-t",
        "--slow",
        "-s",
        "--file",
        "--spec",
        "--ignore",
        "--exclude",
        "--global",
        "--globals",
        "--node-option",
        "-n",
    ],
    dropped: &[
        "--exit",
        "--bail",
        "-b",
        "--colors",
        "--color",
        "-c",
        "--no-colors",
        "--no-color",
        "-C",
        "--full-trace",
        "--diff",
        "--no-diff",
        "--parallel",
        "-p",
        "--forbid-only",
        "--forbid-pending",
        "--fail-zero",
        "--growl",
        "--no-warnings",
        "--allow-uncaught",
    ],
    dropped_valued: &[
        "--reporter",
        "-R",
        "--reporter-option",
        "--reporter-options",
        "-O",
        "--retries",
        "--jobs",
        "-j",
    ],
    accepted: "files and patterns, the configuration (--config, --package), what loads modules (--require, --import, --loader), \
               --ui, --extension, --ignore, --recursive, --file and --timeout",
};

pub(crate) const JASMINE: Known = Known {
    alone: &[],
    valued: &["--config", "--helper", "--require", "--env"],
    dropped: &["--color", "--no-color", "--verbose", "--fail-fast", "--stop-on-failure=true"],
    dropped_valued: &["--reporter", "--random", "--seed", "--parallel"],
    accepted: "files and patterns, the configuration (--config), --helper and --require",
};

pub(crate) const AVA: Known = Known {
    alone: &["--serial", "-s", "--no-worker-threads"],
    valued: &["--config", "--node-arguments", "--timeout", "-T", "--concurrency", "-c"],
    dropped: &[
        "--tap",
        "-t",
        "--verbose",
        "-v",
        "--fail-fast",
        "--color",
        "--no-color",
        "--no-cache",
    ],
    dropped_valued: &[],
    accepted: "files and patterns, the configuration (--config), --serial, --timeout, --node-arguments and --concurrency",
};

pub(crate) const TAP: Known = Known {
    alone: &[
        "--no-check-coverage",
        "--disable-coverage",
        "--allow-incomplete-coverage",
        "--allow-empty-coverage",
    ],
    valued: &[
        "--timeout",
        "-t",
        "--jobs",
        "-j",
        "--node-arg",
        "--test-arg",
        "--test-env",
        "--test-regex",
        "--include",
        "--exclude",
        "--plugin",
        "--tsconfig",
        "--before",
        "--after",
    ],
    dropped: &[
        "run",
        "--bail",
        "-b",
        "--no-bail",
        "--no-coverage",
        "--coverage",
        "--color",
        "--no-color",
        "--100",
        "--show-full-coverage",
        "--no-coverage-report",
        "--browser",
        "--no-browser",
    ],
    dropped_valued: &["--reporter", "-R", "--coverage-report", "--reporter-file"],
    accepted: "files and patterns, --timeout, --jobs, --node-arg, --test-env, --include, --exclude and --plugin",
};

pub(crate) const TAPE: Known = Known {
    alone: &["--strict"],
    valued: &["-r", "--require", "-i", "--ignore", "--ignore-pattern"],
    dropped: &["--no-only"],
    dropped_valued: &[],
    accepted: "files and patterns, --require and --ignore",
};

pub(crate) const UVU: Known = Known {
    alone: &[],
    valued: &["-r", "--require", "-i", "--ignore", "-C", "--cwd"],
    dropped: &["-b", "--bail", "-c", "--color", "--no-color"],
    dropped_valued: &[],
    accepted: "a folder, a pattern, --require, --ignore and --cwd",
};

pub(crate) const PLAYWRIGHT: Known = Known {
    alone: &["--fully-parallel"],
    valued: &["-c", "--config", "--project", "--workers", "-j", "--timeout", "--tsconfig"],
    dropped: &["test", "--quiet", "-x", "--headed", "--pass-with-no-tests", "--forbid-only"],
    dropped_valued: &["--reporter", "--retries", "--max-failures", "--trace", "--output"],
    accepted: "the configuration (--config, --project), --workers and --timeout",
};

pub(crate) const BUN: Known = Known {
    alone: &[],
    valued: &["--preload", "-r", "--timeout", "--conditions", "--define", "--tsconfig-override"],
    dropped: &["test", "--bail", "--coverage", "--only-failures"],
    dropped_valued: &["--reporter", "--reporter-outfile", "--coverage-reporter", "--rerun-each"],
    accepted: "files and patterns, --preload, --conditions, --define and --timeout",
};

pub(crate) const DENO: Known = Known {
    alone: &[
        "-A",
        "--allow-all",
        "--allow-read",
        "--allow-write",
        "--allow-net",
        "--allow-env",
        "--allow-run",
        "--allow-sys",
        "--allow-ffi",
        "--allow-import",
        "--no-lock",
        "--unstable-kv",
        "--trace-leaks",
    ],
    valued: &[
        "--allow-read",
        "--allow-write",
        "--allow-net",
        "--allow-env",
        "--allow-run",
        "--allow-sys",
        "--config",
        "--import-map",
        "--preload",
        "--ignore",
    ],
    dropped: &[
        "test",
        "--parallel",
        "--check",
        "--no-check",
        "--doc",
        "--fail-fast",
        "--coverage",
        "--clean",
    ],
    dropped_valued: &["--reporter", "--junit-path", "--coverage", "--fail-fast", "--shuffle"],
    accepted: "files and patterns, permissions (--allow-…), --config, --import-map, --preload and --ignore",
};

pub(crate) const NODE: Known = Known {
    alone: &[
        "--experimental-vm-modules",
        "--experimental-strip-types",
        "--experimental-transform-types",
        "--experimental-test-module-mocks",
        "--experimental-sqlite",
        "--experimental-specifier-resolution=node",
        "--enable-source-maps",
        "--no-warnings",
        "--no-deprecation",
        "--expose-gc",
        "--throw-deprecation",
    ],
    valued: &[
        "--import",
        "-r",
        "--require",
        "--loader",
        "--experimental-loader",
        "-C",
        "--conditions",
        "--env-file",
        "--max-old-space-size",
        "--test-timeout",
        "--test-concurrency",
        "--stack-size",
    ],
    dropped: &[
        "--test",
        "--experimental-test-coverage",
        "--trace-warnings",
        "--trace-deprecation",
        "--test-force-exit",
    ],
    dropped_valued: &["--test-reporter", "--test-reporter-destination"],
    accepted: "files and patterns, what loads modules (--import, --require, --loader, --conditions), --env-file, \
               --experimental-…, --enable-source-maps and --test-timeout",
};

/// Arguments that are let through, and the first that is not.
pub(crate) struct Kept {
    pub(crate) words: Vec<String>,
    pub(crate) refused: Option<String>,
}

impl Known {
    /// The options among words that were let through, without those that name files.
    pub(crate) fn options<'a>(&self, words: &'a [String]) -> impl Iterator<Item = &'a String> {
        let mut of_option = false;
        words.iter().filter(move |word| {
            let kept = of_option || word.starts_with('-');
            of_option = !of_option && self.valued.contains(&word.as_str());
            kept
        })
    }

    pub(crate) fn keep(&self, args: &[&str], plain_words: PlainWords) -> Kept {
        let mut kept = Kept { words: Vec::new(), refused: None };
        let mut rest = args.iter().peekable();
        while let Some(word) = rest.next() {
            let head = word.split('=').next().unwrap_or(word);
            let with_value = head.len() < word.len();
            if self.dropped.contains(word) || (with_value && self.dropped_valued.contains(&head)) {
                continue;
            }
            if self.dropped_valued.contains(word) {
                rest.next();
            } else if self.valued.contains(word) {
                kept.words.push((*word).to_owned());
                kept.words.extend(rest.next().map(|value| (*value).to_owned()));
            } else if self.alone.contains(word)
                || (with_value && self.valued.contains(&head))
                || (plain_words == PlainWords::Kept && !word.starts_with('-'))
            {
                kept.words.push((*word).to_owned());
            } else {
                kept.refused.get_or_insert_with(|| (*word).to_owned());
            }
        }
        kept
    }
}

/// Whether words that are no options are let through: for `node --test` they name the files.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum PlainWords {
    Kept,
    Refused,
}
