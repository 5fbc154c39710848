//! What the sandbox costs a child: `true` under a keeper without bounds, and within bounds at each strong level that works
//! here, in turn.

use super::Bench;
use super::figures::{Chapter, Role, Unit};
use anyhow::{Context, Result, bail};
use proctor_world::child::{Cancel, End, Keeper, Launch, Stdin};
use proctor_world::sandbox::toolchains::Seat;
use proctor_world::sandbox::{Bounds, Caps, Level, Network, Otherwise, Private, Wish, probe};
use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

const ROUNDS: usize = 100;
const WARM_UP: usize = 5;
const GOAL_MS: f64 = 15.0;

pub fn measure(bench: &Bench) -> Result<Chapter> {
    let keeper = Keeper { program: bench.proctor.clone(), args: vec!["keep".into()] };
    let folder = bench.scratch.join("sandbox");
    for name in ["own", "temp"] {
        let path = folder.join(name);
        std::fs::create_dir_all(&path).with_context(|| path.display().to_string())?;
    }
    let folder = folder.canonicalize().context("the scratch folder")?;
    let mut levels = vec![None];
    for wish in [Wish::Bubblewrap, Wish::Namespaces] {
        let found = probe(&keeper, wish, &folder);
        if found.level != Level::None {
            levels.push(Some(found.level));
        }
    }
    let mut taken: Vec<Vec<f64>> = vec![Vec::new(); levels.len()];
    for _ in 0..WARM_UP + ROUNDS {
        for (level, times) in levels.iter().zip(&mut taken) {
            times.push(one(&keeper, &folder, level.as_ref())?);
        }
    }
    let mut chapter = Chapter::new("sandbox", ROUNDS);
    let mut bare = None;
    for (level, times) in levels.iter().zip(&taken) {
        let times = &times[WARM_UP..];
        match level {
            None => {
                bare = chapter.add("a child without bounds", Role::Yardstick, Unit::Millis, times);
            }
            Some(level) => {
                let name = level.name();
                let own =
                    chapter.add(&format!("a child within {name}"), Role::Ours, Unit::Millis, times);
                let over = own.zip(bare).map(|(own, bare)| own - bare);
                chapter.goal(&format!("{name} adds"), Unit::Millis, over, GOAL_MS);
            }
        }
    }
    Ok(chapter)
}

fn one(keeper: &Keeper, folder: &Path, level: Option<&Level>) -> Result<f64> {
    let env: BTreeMap<_, _> = std::env::vars_os().collect();
    let bounds = level.map(|level| Bounds {
        level: level.clone(),
        write: vec![folder.join("own")],
        sealed: Vec::new(),
        read: Seat { env: &env, guarded: &[] }.readable(),
        hide: Vec::new(),
        hollow: Vec::new(),
        private: vec![Private { at: "/tmp".into(), from: folder.join("temp") }],
        network: Network::Loopback,
        caps: Caps::default(),
        otherwise: Otherwise::default(),
    });
    let launch = Launch {
        argv: vec!["/bin/true".into()],
        cwd: folder.join("own"),
        env: BTreeMap::new(),
        stdin: Stdin::Empty,
        limit: Duration::from_secs(20),
        logs: folder.join("logs"),
        name: "child".to_owned(),
        bounds,
    };
    let began = Instant::now();
    let ended = keeper.run(&launch, &Cancel::new())?;
    let took = began.elapsed().as_secs_f64() * 1000.0;
    // The next keeper is started aside; without a pause it would be waited for.
    std::thread::sleep(Duration::from_millis(20));
    match ended.how {
        End::Exited(0) => Ok(took),
        how => bail!("a child ended with {how:?}"),
    }
}
