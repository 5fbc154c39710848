//! Damage: how a good sample becomes a bad one. Knows what structured text is made of, so that what comes out is still
//! mostly one. A number decides everything; there is no clock and no chance.

/// Pieces that break parsers.
const PIECES: [&[u8]; 30] = [
    b"null",
    b"-1",
    b"1e999",
    b"18446744073709551616",
    b"99999999999999999999999999999999999999999999",
    b"0.1e-400",
    b"\"\"",
    b"{}",
    b"[]",
    b"\\u0000",
    b"\\ud800",
    b"\xff\xfe",
    b"\x00",
    b"\xe2\x80\xae",
    b"\xf0\x9f\x98\x80",
    b"\r\n",
    b"\n\n\n",
    b"<![CDATA[",
    b"]]>",
    b"&#xFFFF;",
    b"&amp;lt;",
    b"<!DOCTYPE a [<!ENTITY b \"c\">]>&b;",
    b"../../../../etc/passwd",
    b"::",
    b"\x1b[2J",
    b"/>",
    b"\"",
    b"}",
    b"true",
    b"%s%n",
];

/// What structured text is cut at.
const SEAMS: &[u8] = b"{}[]<>,:\"=\n |;()/";

pub struct Damage(u64);

impl Damage {
    pub fn new(seed: u64) -> Self {
        Self(seed | 1)
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 16
    }

    fn below(&mut self, most: usize) -> usize {
        let bound = most.max(1) as u64;
        usize::try_from(self.next() % bound).unwrap_or(0)
    }

    /// One sample with one to a few of its parts damaged.
    pub fn inputs(&mut self, samples: &[Vec<Vec<u8>>]) -> Vec<Vec<u8>> {
        let which = self.below(samples.len());
        let other = self.below(samples.len());
        let mut inputs = samples.get(which).cloned().unwrap_or_default();
        let part = self.below(inputs.len());
        let donor = samples.get(other).and_then(|s| s.get(part.min(s.len().saturating_sub(1))));
        let donor = donor.cloned().unwrap_or_default();
        if let Some(input) = inputs.get_mut(part) {
            for _ in 0..=self.below(4) {
                self.damage(input, &donor);
            }
        }
        inputs
    }

    fn damage(&mut self, text: &mut Vec<u8>, donor: &[u8]) {
        let at = self.below(text.len() + 1);
        match self.below(10) {
            0 => text.truncate(at),
            1 => {
                if let Some(byte) = text.get_mut(at) {
                    *byte ^= 1 << (at % 8);
                }
            }
            2 | 3 => {
                let piece = PIECES[self.below(PIECES.len())];
                text.splice(at..at, piece.iter().copied());
            }
            4 => {
                let part = self.part(text);
                text.drain(part);
            }
            5 => {
                let part = self.part(text);
                let copy = text.get(part).unwrap_or_default().to_vec();
                text.splice(at..at, copy);
            }
            6 => {
                let part = self.part(text);
                let piece = PIECES[self.below(PIECES.len())];
                text.splice(part, piece.iter().copied());
            }
            7 => {
                let part = self.part(donor);
                text.splice(at..at, donor.get(part).unwrap_or_default().iter().copied());
            }
            8 => {
                let open = [&b"["[..], b"{\"a\":", b"<a>", b"("][self.below(4)];
                let deep = open.repeat(self.below(400));
                text.splice(at..at, deep);
            }
            _ => {
                let many = self.below(5000);
                let byte = text.get(at).copied().unwrap_or(b'9');
                text.splice(at..at, std::iter::repeat_n(byte, many));
            }
        }
    }

    /// A part between two seams.
    fn part(&mut self, text: &[u8]) -> std::ops::Range<usize> {
        let from = self.below(text.len() + 1);
        let is_seam = |byte: &u8| SEAMS.contains(byte);
        let rest = text.get(from..).unwrap_or_default();
        let start = from + rest.iter().position(is_seam).unwrap_or(0);
        let mut end = start;
        for _ in 0..=self.below(6) {
            let next = text.get(end + 1..).unwrap_or_default().iter().position(is_seam);
            end = next.map_or(text.len(), |n| end + 1 + n);
        }
        start..end.min(text.len()).max(start)
    }
}
