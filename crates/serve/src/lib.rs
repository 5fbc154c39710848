//! `proctor serve`: the board in the browser, and the hands behind it. Pages are made on this machine and load nothing from
//! elsewhere; what is asked goes to the desk as from any other face. The only room where there is async.

mod acts;
mod board;
mod door;
mod pages;
mod routes;
mod run;
mod verify;

use anyhow::{Context, Result};
use proctor_desk::surroundings::Surroundings;
use proctor_engine::Shop;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

/// What is served, and where.
#[derive(Clone, Debug)]
pub struct ServeAsk {
    pub bind: IpAddr,
    /// 0 for one that is free.
    pub port: u16,
}

/// All that a request needs.
pub(crate) struct Room {
    around: Surroundings,
    shop: Shop,
    door: door::Door,
    board: board::Live,
    jobs: verify::Jobs,
}

/// Serves until somebody stops it; `ready` hears the link once the door is open.
pub fn serve(around: Surroundings, ask: &ServeAsk, ready: impl FnOnce(&str)) -> Result<u8> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .max_blocking_threads(16)
        .build()
        .context("the server can't be set up")?;
    runtime.block_on(async {
        let address = SocketAddr::new(ask.bind, ask.port);
        let listener = tokio::net::TcpListener::bind(address).await.with_context(|| {
            format!("{address} can't be listened on\nhint: name another with --port, or --port 0")
        })?;
        let address = listener.local_addr()?;
        let room = Arc::new(Room {
            shop: around.shop()?,
            door: door::Door::new(address)?,
            board: board::Live::begin(&around)?,
            jobs: verify::Jobs::default(),
            around,
        });
        ready(&room.door.link());
        let stop = room.shop.signals.clone();
        let stopped = async move {
            while !stop.asked_to_stop() {
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        };
        let served = axum::serve(listener, routes::router(Arc::clone(&room)));
        // Watchers hold their connections for as long as they look: they are cut, not waited for.
        tokio::select! {
            ended = async { served.await } => ended.context("the server broke")?,
            () = stopped => {}
        }
        Ok(0)
    })
}
