//! What is on the screen: which runs, which one is chosen, what is being typed. It draws nothing.

use crate::act::{Act, Asked, Doing};
use crate::detail::{Detail, Tab};
use anyhow::Result;
use proctor_core::words::RunId;
use proctor_desk::run::board::{Board, Card, Column};
use proctor_desk::surroundings::Surroundings;

pub struct App<'a> {
    pub around: &'a Surroundings,
    pub board: Board,
    pub colour: bool,
    /// The chosen run; it stays chosen where others come and go.
    pub chosen: Option<RunId>,
    /// The first row that is shown.
    pub top: usize,
    pub open: Option<Detail>,
    pub typing: Option<Typing>,
    pub help: bool,
    /// What became of the last act.
    pub said: String,
    doing: Vec<Doing>,
    shop: proctor_engine::Shop,
    over: bool,
}

/// A word or a reason that is being typed.
pub struct Typing {
    pub act: Act,
    pub run: RunId,
    pub question: String,
    pub text: String,
}

impl<'a> App<'a> {
    pub fn new(
        around: &'a Surroundings,
        board: Board,
        opened: Option<&RunId>,
        colour: bool,
    ) -> Result<Self> {
        let chosen = opened.cloned().or_else(|| board.cards().first().map(|card| card.run.clone()));
        let mut app = Self {
            around,
            shop: around.shop()?,
            board,
            colour,
            chosen,
            top: 0,
            open: None,
            typing: None,
            help: false,
            said: String::new(),
            doing: Vec::new(),
            over: false,
        };
        if opened.is_some() {
            app.open_chosen();
        }
        Ok(app)
    }

    pub fn is_over(&self) -> bool {
        self.over || self.shop.signals.asked_to_stop()
    }

    pub fn quit(&mut self) {
        self.over = true;
    }

    /// Reads what is new; whether anything is.
    pub fn refresh(&mut self) -> Result<bool> {
        let told = self.board.refresh()?;
        let ended: Vec<String> = self.doing.iter_mut().filter_map(Doing::answer).collect();
        self.doing.retain(|doing| !doing.is_over());
        let news = !told.is_empty() || !ended.is_empty();
        if let Some(said) = ended.into_iter().next_back() {
            self.said = said;
        }
        if let Some(open) = &mut self.open
            && told.contains(&open.run)
        {
            open.read(&self.around.home, &self.board);
        }
        if self.chosen_card().is_none() {
            self.chosen = self.board.cards().first().map(|card| card.run.clone());
        }
        Ok(news)
    }

    pub fn chosen_card(&self) -> Option<&Card> {
        self.chosen.as_ref().and_then(|id| self.board.card(id))
    }

    /// Where the chosen run stands in the list.
    pub fn place(&self) -> usize {
        let cards = self.board.cards();
        cards.iter().position(|card| Some(&card.run) == self.chosen.as_ref()).unwrap_or(0)
    }

    pub fn choose(&mut self, place: usize) {
        let cards = self.board.cards();
        let last = cards.len().saturating_sub(1);
        self.chosen = cards.get(place.min(last)).map(|card| card.run.clone());
    }

    /// The next run that waits for a person, after the chosen one and around.
    pub fn next_that_waits(&mut self) {
        let cards = self.board.cards();
        let from = self.place() + 1;
        let around = (0..cards.len()).map(|n| (from + n) % cards.len());
        let next = around.into_iter().find(|at| cards[*at].column == Column::NeedsYou);
        match next {
            Some(at) => {
                self.choose(at);
                if self.open.is_some() {
                    self.open_chosen();
                }
            }
            None => "Nothing waits for you.".clone_into(&mut self.said),
        }
    }

    pub fn open_chosen(&mut self) {
        let tab = self.open.as_ref().map_or(Tab::History, |open| open.tab);
        if let Some(run) = self.chosen.clone() {
            let mut detail = Detail::of(run, tab);
            detail.read(&self.around.home, &self.board);
            self.open = Some(detail);
        }
    }

    /// Asks for the word or the reason that an act needs; what needs none is done at once.
    pub fn begin(&mut self, act: Act) {
        let Some(run) = self.chosen.clone() else { return };
        let state = self.board.run(&run);
        match act.prepare(state) {
            Asked::Refused(why) => self.said = why,
            Asked::AtOnce(act) => self.carry_out(act, run, ""),
            Asked::Typed { act, question } => {
                self.typing = Some(Typing { act, run, question, text: String::new() });
            }
        }
    }

    pub fn typed(&mut self) {
        if let Some(typing) = self.typing.take() {
            self.carry_out(typing.act, typing.run, typing.text.trim());
        }
    }

    fn carry_out(&mut self, act: Act, run: RunId, text: &str) {
        match act.request(text) {
            Ok(request) => {
                self.said = format!("{run}: asked …");
                self.doing.push(Doing::ask(self.around, &self.shop, run, request));
            }
            Err(why) => self.said = why,
        }
    }
}
