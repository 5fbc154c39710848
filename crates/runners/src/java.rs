//! Java with Maven, and any tool that writes `JUnit` XML.

mod cases;
pub(crate) mod detect;
mod items;
mod javac;
pub(crate) mod junit;
pub(crate) mod maven;
mod reports;
mod shape;
mod stack;
mod surefire;
