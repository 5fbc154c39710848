//! The picture: a list of runs with the chosen one below, or an open run; a line for what is typed, a line for the keys. Every
//! line is cut to the width that there is, and nothing is told by colour alone.

use crate::app::App;
use crate::detail::{Detail, Tab};
use crate::keys::HELP;
use proctor_core::duration::show_duration;
use proctor_desk::run::board::{Card, Column};
use proctor_desk::run::track::{Step, StepState, in_letters};
use proctor_desk::text::amount::show_usd;
use proctor_desk::text::clock;
use ratatui_core::layout::{Constraint, Layout, Rect};
use ratatui_core::style::{Color, Modifier, Style};
use ratatui_core::terminal::Frame;
use ratatui_core::text::{Line, Span};
use ratatui_widgets::clear::Clear;
use ratatui_widgets::paragraph::{Paragraph, Wrap};

/// From this width on the steps of a track have their names.
const WIDE: u16 = 120;

/// Colours where they are wanted; weight in any case.
#[derive(Clone, Copy)]
struct Look {
    colour: bool,
}

impl Look {
    fn of(self, colour: Color) -> Style {
        if self.colour { Style::new().fg(colour) } else { Style::new() }
    }

    fn dim(self) -> Style {
        if self.colour { Style::new().fg(Color::DarkGray) } else { Style::new() }
    }

    fn column(self, column: Column) -> Style {
        match column {
            Column::NeedsYou => self.of(Color::Yellow).add_modifier(Modifier::BOLD),
            Column::Stopped => self.of(Color::Red),
            Column::Working => self.of(Color::Cyan),
            Column::Landed => self.of(Color::Green),
        }
    }

    fn step(self, state: StepState) -> Style {
        match state {
            StepState::Todo | StepState::Skipped => self.dim(),
            StepState::Here => self.of(Color::Cyan).add_modifier(Modifier::BOLD),
            StepState::Halted => self.of(Color::Yellow).add_modifier(Modifier::BOLD),
            StepState::Done => self.of(Color::Green),
            StepState::Back => self.of(Color::Red),
        }
    }
}

pub fn all(frame: &mut Frame<'_>, app: &mut App<'_>) {
    let look = Look { colour: app.colour };
    let rows =
        [Constraint::Length(1), Constraint::Min(1), Constraint::Length(1), Constraint::Length(1)];
    let [head, body, said, foot] = Layout::vertical(rows).areas(frame.area());
    frame.render_widget(heading(app, look), head);
    if let Some(open) = &app.open {
        opened(frame, body, app, open, look);
    } else {
        list(frame, body, app, look);
    }
    frame.render_widget(below(app, look), said);
    frame.render_widget(Paragraph::new(footer(app)).style(look.dim()), foot);
    if app.help {
        help(frame, look);
    }
}

fn heading(app: &App<'_>, look: Look) -> Paragraph<'static> {
    let cards = app.board.cards();
    let mut spans = vec![Span::styled("proctor watch ", Style::new().add_modifier(Modifier::BOLD))];
    for column in Column::ALL {
        let count = cards.iter().filter(|card| card.column == column).count();
        spans.push(Span::styled(format!("  {count} {}", column.name()), look.column(column)));
    }
    Paragraph::new(Line::from(spans))
}

fn footer(app: &App<'_>) -> &'static str {
    if app.typing.is_some() {
        "Enter: done   Esc: leave it"
    } else if app.open.is_some() {
        "↑↓ scroll  Tab page  a approve  b back  x abort  r resume  n next  Esc list  ?"
    } else {
        "↑↓ choose  Enter open  n next  a approve  b back  x abort  r resume  ? help  q"
    }
}

fn below(app: &App<'_>, look: Look) -> Paragraph<'static> {
    match &app.typing {
        Some(typing) => {
            let question = Span::styled(typing.question.clone(), look.column(Column::NeedsYou));
            Paragraph::new(Line::from(vec![question, Span::raw(format!("{}▏", typing.text))]))
        }
        None => Paragraph::new(app.said.clone()).style(look.of(Color::Yellow)),
    }
}

fn list(frame: &mut Frame<'_>, area: Rect, app: &mut App<'_>, look: Look) {
    let preview = if area.height >= 14 { 5 } else { 0 };
    let parts = [Constraint::Min(1), Constraint::Length(preview)];
    let [rows, chosen] = Layout::vertical(parts).areas(area);
    let (height, place) = (usize::from(rows.height), app.place());
    if place < app.top {
        app.top = place;
    } else if place >= app.top + height {
        app.top = place + 1 - height;
    }
    let cards = app.board.cards();
    if cards.is_empty() {
        let text = "No run yet. `proctor fix \"…\"` begins one; it shows up here.";
        frame.render_widget(Paragraph::new(text), rows);
        return;
    }
    let lines: Vec<Line<'_>> = cards
        .iter()
        .enumerate()
        .skip(app.top)
        .take(height)
        .map(|(at, card)| row(card, at == place, area.width, look))
        .collect();
    frame.render_widget(Paragraph::new(lines), rows);
    if let Some(card) = app.chosen_card().filter(|_| preview > 0) {
        frame.render_widget(Paragraph::new(about(card, look)), chosen);
    }
}

fn row(card: &Card, chosen: bool, width: u16, look: Look) -> Line<'static> {
    let wide = width >= WIDE;
    let mut spans = vec![
        Span::raw(if chosen { "> " } else { "  " }),
        Span::styled(fit(card.column.name(), 10), look.column(card.column)),
        Span::raw(fit(card.run.as_str(), if wide { 30 } else { 18 })),
    ];
    if wide {
        spans.extend(track(&card.steps, look));
        spans.push(Span::raw("  "));
    } else {
        for step in &card.steps {
            spans.push(Span::styled(step.state.letter().to_string(), look.step(step.state)));
        }
        spans.push(Span::raw("  "));
    }
    spans.push(Span::raw(fit(&time(card), 7)));
    spans.push(Span::raw(fit(&cost(card), 7)));
    spans.push(Span::raw(card.title.clone()));
    let line = Line::from(spans);
    if chosen { line.style(Style::new().add_modifier(Modifier::REVERSED)) } else { line }
}

/// The track with its names; refused steps with how often.
fn track(steps: &[Step], look: Look) -> Vec<Span<'static>> {
    let mut spans = Vec::new();
    for step in steps {
        let times = match step.refusals.len() {
            0 => String::new(),
            n => format!("×{n}"),
        };
        let text = format!("{}{}{times} ", step.state.letter(), step.name);
        spans.push(Span::styled(text, look.step(step.state)));
    }
    spans
}

fn about(card: &Card, look: Look) -> Vec<Line<'static>> {
    let rule = Line::styled("─".repeat(400), look.dim());
    let tries: Vec<String> = card
        .steps
        .iter()
        .filter(|step| !step.refusals.is_empty())
        .map(|step| format!("{} sent back ×{}", step.name, step.refusals.len()))
        .collect();
    let doing = format!(
        "{} {} on {} ({}), {}: {}{}",
        card.kind,
        card.run,
        card.repo,
        card.agent,
        card.status,
        card.doing,
        if tries.is_empty() { String::new() } else { format!("; {}", tries.join(", ")) }
    );
    vec![
        rule,
        Line::raw(card.title.clone()),
        Line::raw(doing),
        Line::styled(card.short_reason.clone(), look.column(Column::NeedsYou)),
        Line::styled(format!("| {}", card.line), look.dim()),
    ]
}

fn opened(frame: &mut Frame<'_>, area: Rect, app: &App<'_>, open: &Detail, look: Look) {
    let parts = [Constraint::Length(5), Constraint::Min(1)];
    let [head, body] = Layout::vertical(parts).areas(area);
    let mut lines = Vec::new();
    if let Some(card) = app.board.card(&open.run) {
        lines.push(Line::styled(card.title.clone(), Style::new().add_modifier(Modifier::BOLD)));
        lines.push(Line::from(vec![
            Span::styled(card.status, look.column(card.column)),
            Span::raw(format!("  {}  {}  {}  ", card.run, time(card), cost(card))),
            Span::raw(card.short_reason.clone()),
        ]));
        lines.push(if area.width >= 80 {
            Line::from(track(&card.steps, look))
        } else {
            Line::raw(in_letters(&card.steps))
        });
    }
    lines.push(Line::raw(""));
    lines.push(tabs(open, look));
    frame.render_widget(Paragraph::new(lines), head);
    let shown = open.lines.iter().skip(open.top).take(usize::from(body.height));
    let lines: Vec<Line<'_>> = shown.map(|line| coloured(line, open.tab, look)).collect();
    frame.render_widget(Paragraph::new(lines).wrap(Wrap { trim: false }), body);
}

fn tabs(open: &Detail, look: Look) -> Line<'static> {
    let mut spans = Vec::new();
    for (at, tab) in Tab::ALL.into_iter().enumerate() {
        let style = if tab == open.tab {
            Style::new().add_modifier(Modifier::REVERSED)
        } else {
            look.dim()
        };
        spans.push(Span::styled(format!(" {} {} ", at + 1, tab.name()), style));
    }
    spans.push(Span::styled(format!("  {}/{}", open.top + 1, open.lines.len()), look.dim()));
    Line::from(spans)
}

fn coloured(line: &str, tab: Tab, look: Look) -> Line<'_> {
    let style = match tab {
        Tab::TestDiff | Tab::CodeDiff => match line.chars().next() {
            Some('+') => look.of(Color::Green),
            Some('-') => look.of(Color::Red),
            Some('@') => look.of(Color::Cyan),
            _ => Style::new(),
        },
        Tab::History | Tab::Tests if line.contains('✓') => look.of(Color::Green),
        Tab::History | Tab::Tests if line.contains('✗') => look.of(Color::Red),
        Tab::History | Tab::Tests if line.contains("! ") => look.of(Color::Yellow),
        Tab::History | Tab::Tests | Tab::Notes => Style::new(),
    };
    Line::styled(line, style)
}

fn help(frame: &mut Frame<'_>, look: Look) {
    let mut lines = vec![Line::styled("Keys", Style::new().add_modifier(Modifier::BOLD))];
    lines.extend(HELP.iter().map(|(key, does)| {
        Line::from(vec![Span::styled(fit(key, 14), look.of(Color::Cyan)), Span::raw(*does)])
    }));
    lines.push(Line::raw(""));
    lines.push(Line::raw(
        "The track: + done, > here, ! waits here, < sent back, - left out, · to do",
    ));
    lines.push(Line::raw("tests, red, code, green, tidy, audit, review, approve, land"));
    let area = frame.area();
    let height = u16::try_from(lines.len()).unwrap_or(20).min(area.height);
    let inside = Rect { x: 1, y: 1, width: area.width.saturating_sub(2), height };
    frame.render_widget(Clear, inside);
    frame.render_widget(Paragraph::new(lines), inside);
}

fn time(card: &Card) -> String {
    show_duration(card.spent_at(clock::now()) / 1000 * 1000)
}

fn cost(card: &Card) -> String {
    if card.calls == 0 {
        return "-".to_owned();
    }
    let about = if card.estimated { "~" } else { "" };
    format!("{about}{}", show_usd(card.micro_usd))
}

/// Exactly so many characters, and one blank.
fn fit(text: &str, width: usize) -> String {
    let count = text.chars().count();
    if count <= width {
        return format!("{text}{} ", " ".repeat(width - count));
    }
    let cut: String = text.chars().take(width.saturating_sub(1)).collect();
    format!("{cut}… ")
}
