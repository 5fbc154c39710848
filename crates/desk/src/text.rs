//! Words and numbers as people write and read them: amounts, points in time, harmless text, near names, split commands.

pub mod amount;
pub mod clock;
pub mod harmless;
pub mod nearest;
pub mod shell_words;
