//! What is kept by its content, with what went wrong in words.

use proctor_core::words::BlobId;
use proctor_journal::Blobs;
use proctor_lab::{Halt, Lab};
use serde::Serialize;
use serde::de::DeserializeOwned;

pub(crate) struct Store(Blobs);

impl Store {
    pub(crate) fn of(lab: &Lab) -> Result<Self, Halt> {
        let blobs = Blobs::open(lab.shop.home.root());
        blobs.map(Self).map_err(|error| Halt::lasting(error.to_string()))
    }

    pub(crate) fn get(&self, id: &BlobId) -> Result<Vec<u8>, Halt> {
        self.0.get(id).map_err(|error| Halt::lasting(error.to_string()))
    }

    pub(crate) fn put_json<T: Serialize>(&self, value: &T) -> Result<BlobId, Halt> {
        self.0.put_json(value).map_err(|error| Halt::lasting(error.to_string()))
    }

    pub(crate) fn get_json<T: DeserializeOwned>(&self, id: &BlobId) -> Result<T, Halt> {
        self.0.get_json(id).map_err(|error| Halt::lasting(error.to_string()))
    }
}
