//! DSSE: what is signed, and how the signed thing is written. Knows nothing of what a payload says.

use super::key::{PublicKey, SigningKey};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};

pub const PAYLOAD_TYPE: &str = "application/vnd.in-toto+json";

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Envelope {
    payload: String,
    payload_type: String,
    signatures: Vec<Signature>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Signature {
    keyid: String,
    sig: String,
}

impl Envelope {
    pub fn seal(payload: &[u8], key: &SigningKey) -> Self {
        let sig = STANDARD.encode(key.sign(&encoded(PAYLOAD_TYPE, payload)));
        Self {
            payload: STANDARD.encode(payload),
            payload_type: PAYLOAD_TYPE.to_owned(),
            signatures: vec![Signature { keyid: key.public().id(), sig }],
        }
    }

    /// The payload, where this key signed it. Why not, in words.
    pub fn open(&self, key: &PublicKey) -> Result<Vec<u8>, String> {
        if self.payload_type != PAYLOAD_TYPE {
            return Err(format!("its payload is of the type {:?}", self.payload_type));
        }
        let payload = STANDARD
            .decode(&self.payload)
            .map_err(|why| format!("its payload is no base64: {why}"))?;
        let text = encoded(&self.payload_type, &payload);
        let good = self.signatures.iter().any(|signature| {
            // The key's name is signed by nobody: it must be right all the same, so that no byte is of no account.
            signature.keyid == key.id()
                && STANDARD.decode(&signature.sig).is_ok_and(|sig| key.has_signed(&text, &sig))
        });
        if good { Ok(payload) } else { Err(format!("it is not signed by the key {}", key.id())) }
    }
}

/// DSSE's pre-authentication encoding: neither type nor payload can be taken for the other.
fn encoded(kind: &str, payload: &[u8]) -> Vec<u8> {
    let mut text = format!("DSSEv1 {} {kind} {} ", kind.len(), payload.len()).into_bytes();
    text.extend_from_slice(payload);
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attest::make_pair;

    #[test]
    fn the_encoding_is_that_of_the_protocol() {
        let text = encoded("http://example.com/HelloWorld", b"hello world");
        assert_eq!(text, b"DSSEv1 29 http://example.com/HelloWorld 11 hello world");
    }

    #[test]
    fn any_changed_byte_and_a_foreign_key_are_noticed() {
        let (private, public) = make_pair().unwrap();
        let key = SigningKey::read(&private).unwrap();
        let public = PublicKey::read(&public).unwrap();
        let whole = serde_json::to_vec(&Envelope::seal(b"{\"a\":1}", &key)).unwrap();
        let opened = |bytes: &[u8]| {
            let envelope: Envelope = serde_json::from_slice(bytes).ok()?;
            envelope.open(&public).ok()
        };
        assert_eq!(opened(&whole).unwrap(), b"{\"a\":1}");
        for at in 0..whole.len() {
            let mut changed = whole.clone();
            changed[at] ^= 1;
            if let Some(payload) = opened(&changed) {
                panic!("byte {at} was changed: {}", String::from_utf8_lossy(&payload));
            }
        }
        let (_, other) = make_pair().unwrap();
        let envelope: Envelope = serde_json::from_slice(&whole).unwrap();
        assert!(envelope.open(&PublicKey::read(&other).unwrap()).is_err());
    }
}
