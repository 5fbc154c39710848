//! The text of a report made fit for an XML reader: its encoding, and characters that XML does not allow.

/// Some tools write characters that XML does not allow; they carry nothing that is judged here.
pub(super) fn clean(bytes: &[u8]) -> String {
    let text = without_references(&decoded(bytes));
    text.chars().filter(|c| allowed(*c)).collect()
}

/// UTF-16 is what .NET tools write by default; everything else is read as UTF-8.
fn decoded(bytes: &[u8]) -> String {
    let wide = |order: fn([u8; 2]) -> u16| {
        let units = bytes.chunks_exact(2).filter_map(|pair| Some(order(pair.try_into().ok()?)));
        let text: String =
            char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect();
        // What the declaration says of the encoding is no longer true.
        match text.split_once("?>") {
            Some((head, rest)) if head.contains("<?xml") => rest.to_owned(),
            _ => text,
        }
    };
    match bytes {
        [0xff, 0xfe, ..] => wide(u16::from_le_bytes),
        [0xfe, 0xff, ..] => wide(u16::from_be_bytes),
        _ => String::from_utf8_lossy(bytes).into_owned(),
    }
}

fn allowed(c: char) -> bool {
    let plain = !c.is_control() || matches!(c, '\n' | '\r' | '\t');
    plain && !matches!(c, '\u{feff}' | '\u{fffe}' | '\u{ffff}')
}

/// Leaves out references such as `&#x1b;` to characters that are not allowed.
fn without_references(text: &str) -> String {
    let mut clean = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("&#") {
        clean.push_str(before);
        match after.split_once(';').filter(|(number, _)| number.len() <= 8) {
            Some((number, more)) if forbidden(number) => rest = more,
            _ => {
                clean.push_str("&#");
                rest = after;
            }
        }
    }
    clean.push_str(rest);
    clean
}

fn forbidden(number: &str) -> bool {
    let code = match number.strip_prefix(['x', 'X']) {
        Some(hex) => u32::from_str_radix(hex, 16).ok(),
        None => number.parse().ok(),
    };
    code.is_some_and(|code| char::from_u32(code).is_none_or(|c| !allowed(c)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_xml_does_not_allow_is_left_out_and_the_rest_stays() {
        assert_eq!(clean(b"\xef\xbb\xbfa\x1b&#27;&#x1B;b&#10;&#x41;&#c"), "ab&#10;&#x41;&#c");
    }

    #[test]
    fn a_report_in_utf_16_is_read() {
        let text = "\u{feff}<?xml version='1.0' encoding='utf-16'?><a>ä</a>";
        let bytes: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(clean(&bytes), "<a>ä</a>");
    }
}
