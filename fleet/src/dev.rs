//! Everything on one machine: the service with a file of its own, a worker, and this machine's list in step with both.

use crate::args::DevArgs;
use crate::follow::Follower;
use crate::keeping::Keeping;
use crate::out::talk;
use crate::worker::work;
use anyhow::{Context, Result, bail};
use proctor_engine::{Home, Shop};
use proctor_world::child::{Cancel, Launch, Stdin};
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::{Duration, Instant};

const UP_WITHIN: Duration = Duration::from_mins(1);
/// A service has no end of its own.
const FOR_EVER: Duration = Duration::from_hours(365 * 24);

pub async fn dev(shop: Shop, args: &DevArgs) -> Result<()> {
    let folder = shop.home.root().join("fleet");
    std::fs::create_dir_all(&folder)
        .with_context(|| format!("{} can't be made", folder.display()))?;
    let db = args.db.clone().unwrap_or_else(|| folder.join("temporal.db"));
    let cancel = Cancel::new();
    let service = serve(&shop, (&db, args.port), &cancel)?;
    let reached = reach(args.port).await?;
    talk(&format!("the service is up: TEMPORAL_ADDRESS=127.0.0.1:{}", args.port));
    let worker = Shop { home: Home::at(folder.join("worker")), ..shop.clone() };
    let follow = tokio::spawn(Follower::new(reached.clone(), shop).follow());
    let ended = work(&reached, worker, &args.worker).await;
    follow.abort();
    cancel.cancel();
    // It ends when it is told to.
    let _ = tokio::task::spawn_blocking(move || service.join()).await;
    ended
}

/// The service under a keeper: whatever becomes of this process, it ends with it.
fn serve(
    shop: &Shop,
    (db, port): (&std::path::Path, u16),
    cancel: &Cancel,
) -> Result<std::thread::JoinHandle<()>> {
    let program = temporal()?;
    let words = ["server", "start-dev", "--headless", "--ip", "127.0.0.1", "--log-level", "warn"];
    let mut argv = vec![program.into_os_string()];
    argv.extend(words.map(OsString::from));
    argv.extend(["--port".into(), port.to_string().into()]);
    argv.extend(["--db-filename".into(), db.as_os_str().to_owned()]);
    let launch = Launch {
        argv,
        cwd: shop.home.root().join("fleet"),
        env: shop.env.clone(),
        stdin: Stdin::Empty,
        limit: FOR_EVER,
        logs: shop.home.root().join("fleet"),
        name: "service".to_owned(),
        bounds: None,
    };
    let (keeper, cancel) = (shop.keeper(), cancel.clone());
    Ok(std::thread::spawn(move || match keeper.run(&launch, &cancel) {
        Ok(ended) => talk(&format!("the service has ended: {:?}", ended.how)),
        Err(error) => talk(&error.to_string()),
    }))
}

/// `PROCTOR_TEMPORAL`, else on the PATH.
pub fn temporal() -> Result<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let named = std::env::var_os("PROCTOR_TEMPORAL").map(PathBuf::from);
    let on_path =
        || std::env::split_paths(&path).map(|dir| dir.join("temporal")).find(|at| at.is_file());
    match named.filter(|at| at.is_file()).or_else(on_path) {
        Some(program) => Ok(std::path::absolute(program)?),
        None => bail!(
            "there is no program `temporal` on the PATH\nhint: scripts/setup-fleet makes an environment with it; or name it as PROCTOR_TEMPORAL"
        ),
    }
}

async fn reach(port: u16) -> Result<Keeping> {
    let until = Instant::now() + UP_WITHIN;
    loop {
        match Keeping::reach_at(&format!("127.0.0.1:{port}")).await {
            Ok(service) => return Ok(service),
            Err(error) if Instant::now() >= until => return Err(error),
            Err(_) => tokio::time::sleep(Duration::from_millis(200)).await,
        }
    }
}
