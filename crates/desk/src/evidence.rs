//! What a run rests on, for people and for programs, in one piece that can be carried elsewhere; and the replay of such a
//! pack. Nothing here judges a run: the pack tells what was recorded.

mod bundle;
mod compare;
mod html;
mod make;
pub mod pack;
mod parcel;
mod replay;
mod scratch;
mod summary;
pub(crate) mod tar;
mod versions;
mod wash;

pub use make::Made;
pub use replay::verify_pack;

use anyhow::Result;
use proctor_core::words::RunId;
use proctor_engine::Shop;
use proctor_journal::Journal;

/// What a pack says, where it is whole. Nothing is run.
pub fn read_pack(bytes: &[u8]) -> Result<pack::Pack, String> {
    replay::read_whole(bytes)
}

/// What a run rests on, put together.
pub fn of_run(shop: &Shop, journal: &Journal, id: &RunId) -> Result<Made> {
    make::make(shop, journal, id)
}

impl Made {
    /// All of it, with the commits, to be replayed elsewhere.
    pub fn to_tar(&self, shop: &Shop) -> Result<Vec<u8>> {
        parcel::Parcel::of(shop, self)?.to_tar()
    }

    /// One page for a browser.
    pub fn to_html(&self) -> String {
        html::render(&self.pack)
    }

    pub fn to_json(&self) -> Result<String> {
        pack::json(&self.pack)
    }

    /// A summary for people.
    pub fn to_text(&self) -> String {
        summary::render(&self.pack)
    }
}

/// A pack as it would be read from a stranger.
#[cfg(test)]
pub(crate) fn pack_from(bytes: &[u8]) -> Option<pack::Pack> {
    replay::read(bytes).ok()
}

/// What is shown of it.
#[cfg(test)]
pub(crate) fn pack_texts(pack: &pack::Pack) -> String {
    html::render(pack) + &summary::render(pack)
}
