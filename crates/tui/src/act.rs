//! What a person decides here: approve, abort, send back, resume. The same requests as from any other face, posted by the
//! desk; where nobody drives the run, a process of its own does.

use proctor_core::concern::Raised;
use proctor_core::event::{OnRebase, Raise, Request};
use proctor_core::run::{Run, Stage};
use proctor_core::words::{RunId, Status, TreeId};
use proctor_desk::start::drive_away;
use proctor_desk::steer::{Driver, Steering, acceptance, objection};
use proctor_desk::surroundings::Surroundings;
use proctor_engine::Shop;
use std::sync::mpsc::{self, Receiver, TryRecvError};

pub enum Act {
    /// The tree is what the person was looking at when it was asked.
    Approve {
        shown: Option<TreeId>,
        open: Vec<Raised>,
    },
    Abort,
    SendBack,
    Resume,
}

/// What an act needs before it is done.
pub enum Asked {
    Typed { act: Act, question: String },
    AtOnce(Act),
    Refused(String),
}

impl Act {
    pub fn approve() -> Self {
        Self::Approve { shown: None, open: Vec::new() }
    }

    pub fn prepare(self, state: Option<&Run>) -> Asked {
        let Some(run) = state else { return Asked::Refused("There is no such run.".to_owned()) };
        let closed = matches!(run.stage, Stage::Closed { .. });
        match self {
            Self::Approve { .. } => {
                let (Status::AwaitingApproval, Some(green)) = (run.status(), run.stage.green())
                else {
                    return Asked::Refused(format!(
                        "It is {} ({}): nothing waits for an approval.",
                        run.status(),
                        run.stage.name()
                    ));
                };
                let open = run.raised.open();
                let shown = green.at().tree.clone();
                let question = if open.is_empty() {
                    format!("Tree {} lands. Type approve: ", shown.short())
                } else {
                    let kinds: Vec<String> =
                        Raised::kinds(&open).iter().map(ToString::to_string).collect();
                    format!("A person must look at: {}. Type accept and why: ", kinds.join(", "))
                };
                Asked::Typed { act: Self::Approve { shown: Some(shown), open }, question }
            }
            Self::Abort if closed && run.rescue.is_some() => {
                Asked::Refused("It has ended.".to_owned())
            }
            Self::Abort => Asked::Typed {
                act: Self::Abort,
                question: "It is thrown away, its work saved as a rescue ref. Type abort: "
                    .to_owned(),
            },
            Self::SendBack => Asked::Typed {
                act: Self::SendBack,
                question: "What the coder is told: ".to_owned(),
            },
            Self::Resume => Asked::AtOnce(Self::Resume),
        }
    }

    /// The request, where what was typed is the word.
    pub fn request(self, text: &str) -> Result<Request, String> {
        match self {
            Self::Approve { shown: Some(shown), open } if open.is_empty() => match text {
                "approve" => Ok(Request::Approve { shown, rebase: OnRebase::Ask, accept: None }),
                _ => Err("Not approved: only the word approve is an approval.".to_owned()),
            },
            Self::Approve { shown: Some(shown), open } => {
                let why = text.strip_prefix("accept ").unwrap_or_default();
                let accept = acceptance(Raised::kinds(&open), why).map_err(|_| {
                    "Not approved: it needs the word accept and a reason.".to_owned()
                })?;
                Ok(Request::Approve { shown, rebase: OnRebase::Ask, accept: Some(accept) })
            }
            Self::Approve { shown: None, .. } => Err("Not approved.".to_owned()),
            Self::Abort if text == "abort" => Ok(Request::Abort),
            Self::Abort => Err("Not aborted: only the word abort aborts.".to_owned()),
            Self::SendBack => {
                objection(text).map_err(|_| "Not sent back: it needs a reason.".to_owned())
            }
            Self::Resume => Ok(Request::Resume { raise: Raise::default() }),
        }
    }
}

/// A request that is under way.
pub struct Doing {
    answer: Receiver<String>,
    over: bool,
}

impl Doing {
    /// Asks aside: whoever drives the run may take a moment to answer.
    pub fn ask(around: &Surroundings, shop: &Shop, run: RunId, request: Request) -> Self {
        let (sender, answer) = mpsc::channel();
        let (home, shop) = (around.home.clone(), shop.clone());
        std::thread::spawn(move || {
            let steering = Steering { shop, id: run };
            let done = steering.ask(&request).and_then(|driver| {
                if driver == Driver::Here {
                    drive_away(&home, &steering.id)?;
                }
                Ok(())
            });
            let id = &steering.id;
            let said = match done {
                Ok(()) => format!("{id}: done as asked."),
                Err(why) => format!("{id}: {}", format!("{why:#}").replace('\n', " ")),
            };
            // Nobody may listen any more; then nobody needs the answer.
            let _ = sender.send(said);
        });
        Self { answer, over: false }
    }

    pub fn answer(&mut self) -> Option<String> {
        match self.answer.try_recv() {
            Ok(said) => {
                self.over = true;
                Some(said)
            }
            Err(TryRecvError::Disconnected) => {
                self.over = true;
                None
            }
            Err(TryRecvError::Empty) => None,
        }
    }

    pub fn is_over(&self) -> bool {
        self.over
    }
}
