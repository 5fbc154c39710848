//! Whole fleets, each with a service, machines and a remote of its own, all on this computer.

mod faults;
mod fleet;
mod landing;
