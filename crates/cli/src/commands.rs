//! The commands, one file each: what was typed becomes an ask to the desk, its answer text or JSON.

pub mod abort;
pub mod agent_shell;
pub mod agent_try;
pub mod approve;
pub mod attest;
pub mod bugs;
pub mod cancel;
pub mod diff;
pub mod doctor;
pub mod evidence;
pub mod gc;
pub mod guard;
pub mod hunt;
pub mod init;
pub mod list;
pub mod log;
pub mod prompts;
pub mod publish;
pub mod resume;
pub mod run;
pub mod send_back;
pub mod serve;
pub mod show;
pub mod start;
pub mod verify;
pub mod watch;
