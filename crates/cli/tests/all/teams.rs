//! Where teams work: cleaning up, being told, signed evidence, requests on hosts, trackers.

mod attest;
mod cache;
mod comment;
pub(crate) mod forge;
mod gc;
mod notify;
mod publish;
mod requests;
mod reviews;
mod trackers;
