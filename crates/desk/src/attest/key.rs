//! Keys of ed25519 as PEM, as `openssl genpkey -algorithm ed25519` and `openssl pkey -pubout` write them. The private half is
//! never shown and never printed.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use proctor_engine::evidence::Printed;
use ring::rand::{SecureRandom, SystemRandom};
use ring::signature::{ED25519, Ed25519KeyPair, KeyPair, UnparsedPublicKey};
use std::fmt;

const PRIVATE: &str = "PRIVATE KEY";
const PUBLIC: &str = "PUBLIC KEY";
/// What stands before the 32 bytes of a key: PKCS #8, and a subject's public key.
const PKCS8: [u8; 16] = [0x30, 0x2e, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, 0x70, 4, 0x22, 4, 0x20];
const SPKI: [u8; 12] = [0x30, 0x2a, 0x30, 5, 6, 3, 0x2b, 0x65, 0x70, 3, 0x21, 0];

pub struct SigningKey(Ed25519KeyPair);

impl fmt::Debug for SigningKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SigningKey({})", self.public().id())
    }
}

impl SigningKey {
    pub fn read(pem: &str) -> Result<Self, String> {
        let der = unwrapped(pem, PRIVATE)?;
        let pair = match der.strip_prefix(&PKCS8) {
            Some(seed) => Ed25519KeyPair::from_seed_unchecked(seed),
            // The newer form has the public half beside it.
            None => Ed25519KeyPair::from_pkcs8(&der),
        };
        pair.map(Self).map_err(|_| "it is no private key of ed25519".to_owned())
    }

    pub fn public(&self) -> PublicKey {
        PublicKey(self.0.public_key().as_ref().to_vec())
    }

    pub fn sign(&self, text: &[u8]) -> Vec<u8> {
        self.0.sign(text).as_ref().to_vec()
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicKey(Vec<u8>);

impl PublicKey {
    pub fn read(pem: &str) -> Result<Self, String> {
        let der = unwrapped(pem, PUBLIC)?;
        let key = der.strip_prefix(&SPKI).filter(|key| key.len() == 32);
        key.map(|key| Self(key.to_vec())).ok_or_else(|| "it is no public key of ed25519".to_owned())
    }

    /// What it is called: the hash of its public form.
    pub fn id(&self) -> String {
        Printed::of(&[&SPKI, self.0.as_slice()].concat()).sha256
    }

    pub fn has_signed(&self, text: &[u8], signature: &[u8]) -> bool {
        UnparsedPublicKey::new(&ED25519, &self.0).verify(text, signature).is_ok()
    }
}

/// A new pair as PEM: private, public.
pub fn make_pair() -> Result<(String, String), String> {
    let mut seed = [0; 32];
    let failed = "this machine gave no random bytes";
    SystemRandom::new().fill(&mut seed).map_err(|_| failed.to_owned())?;
    let private = wrapped(&[&PKCS8, seed.as_slice()].concat(), PRIVATE);
    let public = SigningKey::read(&private)?.public();
    Ok((private, wrapped(&[&SPKI, public.0.as_slice()].concat(), PUBLIC)))
}

fn wrapped(der: &[u8], what: &str) -> String {
    // Both forms fit on one line of a PEM file.
    format!("-----BEGIN {what}-----\n{}\n-----END {what}-----\n", STANDARD.encode(der))
}

fn unwrapped(pem: &str, what: &str) -> Result<Vec<u8>, String> {
    let (begin, end) = (format!("-----BEGIN {what}-----"), format!("-----END {what}-----"));
    let inside = pem.split_once(&begin).and_then(|(_, rest)| rest.split_once(&end));
    let Some((text, _)) = inside else {
        let other = if what == PUBLIC && pem.contains(PRIVATE) {
            ", but a private key: give the public one (`openssl pkey -in KEY -pubout`)"
        } else {
            ""
        };
        return Err(format!("there is no PEM of a {} in it{other}", what.to_lowercase()));
    };
    let text: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    STANDARD.decode(text).map_err(|why| format!("its PEM is no base64: {why}"))
}
