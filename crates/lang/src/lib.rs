//! Sources: which language a file is in, what stands in it, whose it is, and edits of its text. Knows no test tool and
//! starts nothing; what it reads is a [`Tree`], and nothing is written.

mod by_hand;
pub mod child_file;
mod cut;
pub mod deciding;
mod dependencies;
pub mod edit;
mod entrances;
pub mod go;
pub mod java;
pub mod js;
mod language;
pub mod literal;
pub mod python;
mod rewriting;
pub mod rust;
mod shape;
mod switch;
pub mod syntax;
mod test_at;
mod test_model;
pub mod tree;
mod words;
pub mod zone;

pub use by_hand::by_hand;
pub use cut::without_tests;
pub use deciding::deciding_part;
pub use dependencies::{dependency_changes, names_dependencies};
pub use edit::{Change, Edit};
pub use entrances::{Entrance, entrances, is_code, is_source};
pub use language::{Dialect, Language, is_script_declaration, is_stub};
pub use rewriting::rewrites_code;
pub use rust::modules::{RustModule, rust_modules};
pub use rust::split::{RustSplit, join_rust, split_rust};
pub use switch::{SWITCH, Switched, blamed, switched};
pub use test_at::{readable, test_at};
pub use test_model::{Role, TestModel};
pub use tree::{FolderTree, MemoryTree, Tree, joined, parent};
pub use words::Words;
pub use zone::{Zone, is_manifest, zone};
