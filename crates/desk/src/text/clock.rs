//! Points in time for people: local where the machine knows its zone, else UTC.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use proctor_core::words::Millis;

/// Date and time, to the second.
pub fn show(at: Millis) -> String {
    in_words(at, "%Y-%m-%d %H:%M:%S")
}

/// The day alone.
pub fn day(at: Millis) -> String {
    in_words(at, "%Y-%m-%d")
}

/// Time of day alone.
pub fn time(at: Millis) -> String {
    in_words(at, "%H:%M:%S")
}

fn in_words(at: Millis, form: &str) -> String {
    let ms = i64::try_from(at.0).unwrap_or(i64::MAX);
    Timestamp::from_millisecond(ms).map_or_else(
        |_| format!("{ms} ms"),
        |time| time.to_zoned(TimeZone::system()).strftime(form).to_string(),
    )
}

/// How long ago that was, in the largest unit.
pub fn ago(at: Millis, now: Millis) -> String {
    let seconds = now.0.saturating_sub(at.0) / 1000;
    match seconds {
        0..60 => format!("{seconds}s ago"),
        60..3600 => format!("{}m ago", seconds / 60),
        3600..86400 => format!("{}h ago", seconds / 3600),
        _ => format!("{}d ago", seconds / 86400),
    }
}

/// Now, as the journal counts it.
pub fn now() -> Millis {
    let ms = Timestamp::now().as_millisecond();
    Millis(u64::try_from(ms).unwrap_or(0))
}

/// A length of time in seconds, with one digit behind the point.
pub fn seconds(ms: u64) -> String {
    format!("{}.{}s", ms / 1000, ms % 1000 / 100)
}
