//! Work in a lab of its own, outside of any run: its lines are heard while it works, ctrl-c cancels it, and nothing of it
//! stays.

use crate::{Halt, Lab, Masks, Setting, Shop, SlotKind};
use proctor_core::words::RunId;
use proctor_world::child::Cancel;
use proctor_world::tree::remove_tree;
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

const BEAT: Duration = Duration::from_millis(100);

/// The work broke, which is a bug in Proctor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Broke;

/// Does some work. `what` begins the names of its folders; `left_ms` bounds it, where it is bounded.
pub fn attended<T: Send + 'static>(
    shop: &Shop,
    (what, setting, left_ms): (&str, Setting, Option<u64>),
    tell: &mut dyn FnMut(&str),
    work: impl FnOnce(&Lab) -> Result<T, Halt> + Send + 'static,
) -> Result<Result<T, Halt>, Broke> {
    let (sender, lines) = mpsc::channel::<String>();
    let cancel = Cancel::new();
    let lab = Lab {
        shop: shop.clone(),
        id: RunId::new(format!("{what}-{}-{}", shop.now().0, std::process::id())),
        no: 0,
        base: setting.repo.base.clone(),
        settled: Vec::new(),
        left_ms,
        masks: Masks::of(shop, &setting.repo, std::iter::empty()),
        setting,
        cancel: cancel.clone(),
        slot: SlotKind::Tools,
        // Nobody listens any more when the process is on its way out.
        tell: Arc::new(move |text| {
            let _ = sender.send(text);
        }),
    };
    let id = lab.id.clone();
    let worker = std::thread::spawn(move || work(&lab));
    loop {
        match lines.recv_timeout(BEAT) {
            Ok(text) => tell(&text),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break,
        }
        if shop.signals.asked_to_stop() {
            cancel.cancel();
        }
    }
    let done = worker.join().map_err(|_| Broke);
    for folder in [shop.home.gate(&id), shop.home.run(&id)] {
        // What can't be removed now is no harm: its name is used once.
        let _ = remove_tree(&folder);
    }
    done
}
