//! The product from outside: the real binary, real git, real test tools.

// The setting for tests reaches test functions alone, not what they share.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout)]

mod accepting;
mod agents;
mod audit;
mod batch;
mod book;
mod cases;
mod containment;
mod crash;
mod cycle;
mod day;
mod demo;
mod evidence;
mod faces;
mod guard;
mod guard_programs;
mod held_out;
mod hostile;
mod hosts;
mod hunt;
mod issue_tasks;
mod kept;
mod logged;
mod mcp;
mod newcomers;
mod pre_push;
mod repos;
mod rows;
mod rows_green;
mod rows_people;
mod rows_red;
mod rows_turns;
mod scenarios;
mod secrets;
mod steering;
mod surroundings;
mod task_files;
mod teams;
mod tidied;
mod tools;
mod trials;
mod tripwire;
mod verify;

/// What takes long: `--ignore-default-filter` runs it too.
mod slow {
    mod mounted;
    mod products;
    mod replays;
}
