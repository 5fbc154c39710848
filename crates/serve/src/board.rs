//! The board as it is now, read by one thread and told to everybody who looks on.

use anyhow::Result;
use proctor_core::words::RunId;
use proctor_desk::run::board::{Board, Card};
use proctor_desk::surroundings::Surroundings;
use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;
use tokio::sync::watch;

const BEAT: Duration = Duration::from_millis(40);

/// All cards, each with the number of the look at which it last changed.
#[derive(Clone, Default)]
pub struct Cards {
    pub version: u64,
    pub all: Vec<Card>,
    changed: BTreeMap<RunId, u64>,
}

impl Cards {
    /// Those that changed after a look.
    pub fn since(&self, version: u64) -> impl Iterator<Item = &Card> {
        let newer = move |card: &&Card| self.changed.get(&card.run).is_some_and(|at| *at > version);
        self.all.iter().filter(newer)
    }

    pub fn find(&self, id: &str) -> Option<&Card> {
        self.all.iter().find(|card| card.run.as_str() == id)
    }
}

pub struct Live {
    cards: Arc<RwLock<Cards>>,
    news: watch::Receiver<u64>,
}

impl Live {
    pub fn begin(around: &Surroundings) -> Result<Self> {
        let mut board = Board::open(&around.home)?;
        let mut first = Cards { version: 1, ..Cards::default() };
        first.all = board.cards().into_iter().cloned().collect();
        first.changed = first.all.iter().map(|card| (card.run.clone(), 1)).collect();
        let cards = Arc::new(RwLock::new(first));
        let (sender, news) = watch::channel(1);
        let shared = Arc::clone(&cards);
        std::thread::spawn(move || {
            while !sender.is_closed() {
                // What can't be read now is read the next time.
                let told = board.refresh().unwrap_or_default();
                if !told.is_empty() {
                    let mut cards = shared.write().unwrap_or_else(PoisonError::into_inner);
                    cards.version += 1;
                    let version = cards.version;
                    cards.all = board.cards().into_iter().cloned().collect();
                    for id in told {
                        cards.changed.insert(id, version);
                    }
                    drop(cards);
                    let _ = sender.send(version);
                }
                std::thread::sleep(BEAT);
            }
        });
        Ok(Self { cards, news })
    }

    pub fn now(&self) -> Cards {
        self.cards.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub fn look<T>(&self, at: impl FnOnce(&Cards) -> T) -> T {
        at(&self.cards.read().unwrap_or_else(PoisonError::into_inner))
    }

    pub fn news(&self) -> watch::Receiver<u64> {
        self.news.clone()
    }
}
