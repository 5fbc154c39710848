//! Java with Maven, and any tool that writes `JUnit` XML.

mod cases;
pub(crate) mod detect;
mod javac;
pub(crate) mod junit;
pub(crate) mod maven;
mod reports;
mod stack;
mod surefire;
