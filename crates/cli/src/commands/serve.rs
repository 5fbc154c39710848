//! `proctor serve`: the board in the browser.

use crate::args::ServeArgs;
use crate::out;
use anyhow::Result;
use proctor_desk::surroundings::Surroundings;
use proctor_desk::told::usage;
use proctor_serve::ServeAsk;

const OPEN_TO_OTHERS: &str = "! Whoever can reach this address and has the link can approve what lands here; it is not encrypted. An address of this machine alone (127.0.0.1) with a tunnel (ssh -L) is safer.";

pub fn serve(around: Surroundings, args: &ServeArgs) -> Result<u8> {
    if !args.bind.is_loopback() && !args.let_others_in {
        return Err(usage(format!(
            "--bind {}: other machines could reach the board there, and it is not encrypted\nhint: leave --bind out and use `ssh -L`, or say --let-others-in too",
            args.bind
        )));
    }
    let ask = ServeAsk { bind: args.bind, port: args.port };
    proctor_serve::serve(around, &ask, |link| {
        if !args.bind.is_loopback() {
            out::talk(OPEN_TO_OTHERS);
        }
        out::talk(
            "The board is open at this link, for whoever has it; Ctrl-C closes it. Runs go on without it.",
        );
        out::data(link);
    })
}
