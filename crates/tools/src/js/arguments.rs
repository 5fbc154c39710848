//! The arguments of vitest, jest and node that a test command may have: none that can leave out tests.

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
