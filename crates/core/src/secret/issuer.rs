//! Keys of services that can be known by how they begin. Owns the table: how each begins, which characters follow and
//! how many. It must not hold a key, not even a made-up one.

use super::shape::{digits, no_example, varied};

/// Which characters a key is made of, behind its beginning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Body {
    Alnum,
    /// Letters, digits, `_` and `-`.
    Word,
    /// As `Word`, with dots.
    Dotted,
    /// Small letters and digits of hexadecimal numbers.
    Hex,
    /// Capital letters and digits.
    Upper,
    Base64,
    /// As `Word`, with slashes.
    Path,
}

impl Body {
    pub(super) fn holds(self, byte: u8) -> bool {
        match self {
            Self::Alnum => byte.is_ascii_alphanumeric(),
            Self::Word => byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'),
            Self::Dotted => byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.'),
            Self::Hex => matches!(byte, b'0'..=b'9' | b'a'..=b'f'),
            Self::Upper => byte.is_ascii_uppercase() || byte.is_ascii_digit(),
            Self::Base64 => byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'='),
            Self::Path => byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'/'),
        }
    }
}

/// A kind of key that begins in one of a few ways.
pub(super) struct Issuer {
    pub(super) name: &'static str,
    pub(super) begins: &'static [&'static str],
    pub(super) body: Body,
    /// How many characters follow, at least and at the most.
    pub(super) length: (usize, usize),
    /// A second look, against false alarms.
    pub(super) real: fn(&str) -> bool,
}

const fn service(
    name: &'static str,
    begins: &'static [&'static str],
    body: Body,
    length: (usize, usize),
) -> Issuer {
    Issuer { name, begins, body, length, real: varied }
}

/// As `service`, for beginnings that words of a text have too: a key has digits.
const fn wary(
    name: &'static str,
    begins: &'static [&'static str],
    body: Body,
    length: (usize, usize),
) -> Issuer {
    Issuer { name, begins, body, length, real: digits }
}

use Body::{Alnum, Base64, Dotted, Hex, Path, Upper, Word};

/// Special beginnings stand before general ones: where two fit the same place, the first names it.
pub(super) const ISSUERS: &[Issuer] = &[
    Issuer {
        name: "AWS access key id",
        begins: &["AKIA", "ASIA", "ABIA", "ACCA"],
        body: Upper,
        length: (16, 16),
        real: no_example,
    },
    service("AWS Bedrock key", &["ABSK"], Base64, (100, 300)),
    service("GitHub token", &["ghp_", "gho_", "ghu_", "ghs_", "ghr_"], Alnum, (36, 255)),
    service("GitHub token", &["github_pat_"], Word, (22, 255)),
    service(
        "GitLab token",
        &[
            "glpat-", "glptt-", "gldt-", "glrt-", "glcbt-", "glsoat-", "glft-", "glimt-",
            "glagent-", "gloas-", "glffct-", "glrtr-",
        ],
        Dotted,
        (20, 300),
    ),
    wary(
        "Slack token",
        &[
            "xoxa-",
            "xoxb-",
            "xoxe-",
            "xoxe.xoxb-",
            "xoxe.xoxp-",
            "xoxo-",
            "xoxp-",
            "xoxr-",
            "xoxs-",
        ],
        Word,
        (10, 300),
    ),
    wary("Slack token", &["xapp-"], Word, (20, 300)),
    service("Google API key", &["AIza"], Word, (35, 35)),
    service("Google OAuth secret", &["GOCSPX-"], Word, (28, 28)),
    wary("Google access token", &["ya29."], Word, (20, 2048)),
    service("Stripe key", &["sk_live_", "rk_live_", "sk_org_"], Alnum, (16, 255)),
    wary("Stripe webhook secret", &["whsec_"], Base64, (32, 64)),
    wary("Anthropic key", &["sk-ant-"], Word, (20, 255)),
    wary("OpenRouter key", &["sk-or-v1-"], Hex, (64, 64)),
    wary("OpenAI key", &["sk-"], Word, (20, 255)),
    wary("Hugging Face token", &["hf_", "api_org_"], Alnum, (34, 40)),
    service("Groq key", &["gsk_"], Alnum, (48, 60)),
    service("Replicate token", &["r8_"], Alnum, (37, 40)),
    service("Perplexity key", &["pplx-"], Alnum, (48, 64)),
    service("xAI key", &["xai-"], Alnum, (70, 90)),
    service("npm token", &["npm_"], Alnum, (36, 36)),
    service("PyPI token", &["pypi-AgE"], Word, (16, 1024)),
    service("RubyGems key", &["rubygems_"], Hex, (48, 48)),
    service("crates.io token", &["cio"], Alnum, (32, 32)),
    service("Docker token", &["dckr_pat_", "dckr_oat_"], Word, (24, 40)),
    wary("SendGrid key", &["SG."], Dotted, (60, 80)),
    service("Twilio key", &["SK"], Hex, (32, 32)),
    service("Mailgun key", &["key-"], Hex, (32, 32)),
    service("Shopify token", &["shpat_", "shpca_", "shppa_", "shpss_"], Alnum, (32, 40)),
    service("DigitalOcean token", &["dop_v1_", "doo_v1_", "dor_v1_"], Hex, (64, 64)),
    service("Databricks token", &["dapi"], Hex, (32, 34)),
    service("Doppler token", &["dp.pt.", "dp.st.", "dp.ct.", "dp.sa."], Dotted, (40, 80)),
    service("Dropbox token", &["sl."], Word, (130, 200)),
    service("Vault token", &["hvs.", "hvb.", "hvr."], Word, (24, 300)),
    service("Grafana token", &["glsa_", "glc_"], Base64, (32, 400)),
    service("Linear key", &["lin_api_"], Alnum, (40, 48)),
    service("Netlify token", &["nfp_"], Alnum, (36, 44)),
    service("New Relic key", &["NRAK-", "NRJS-", "NRIQ-"], Alnum, (19, 32)),
    service("Notion token", &["ntn_"], Alnum, (43, 50)),
    service("PlanetScale token", &["pscale_tkn_", "pscale_pw_", "pscale_oauth_"], Dotted, (32, 64)),
    service("Postman key", &["PMAK-"], Word, (59, 59)),
    service("Pulumi token", &["pul-"], Hex, (40, 40)),
    service("Sentry token", &["sntrys_", "sntryu_"], Base64, (64, 400)),
    service("Square token", &["sq0atp-", "sq0csp-", "sq0idp-"], Word, (22, 60)),
    service("Supabase token", &["sbp_"], Hex, (40, 40)),
    wary("Tailscale key", &["tskey-"], Word, (20, 100)),
    service("Atlassian token", &["ATATT3", "ATCTT3"], Word, (60, 300)),
    service("Bitbucket password", &["ATBB"], Alnum, (32, 40)),
    service("Figma token", &["figd_"], Word, (38, 50)),
    service("Heroku key", &["HRKU-"], Word, (36, 66)),
    service("Buildkite token", &["bkua_"], Hex, (40, 40)),
    service("CircleCI token", &["CCIPAT_"], Word, (40, 80)),
    service("Contentful token", &["CFPAT-"], Word, (43, 48)),
    service("Fly token", &["fo1_"], Word, (40, 60)),
    service("PostHog key", &["phx_"], Alnum, (40, 50)),
    service("Sourcegraph token", &["sgp_"], Word, (40, 80)),
    service("Flutterwave key", &["FLWSECK-"], Word, (32, 50)),
    service("EasyPost key", &["EZAK"], Alnum, (54, 54)),
    service("Typeform token", &["tfp_"], Dotted, (40, 60)),
    service("ReadMe key", &["rdme_"], Alnum, (70, 70)),
    service("Prefect key", &["pnu_"], Alnum, (36, 36)),
    service("age key", &["AGE-SECRET-KEY-1"], Upper, (58, 58)),
    service("Cloudflare key", &["v1.0-"], Word, (160, 180)),
    service(
        "Slack webhook",
        &["hooks.slack.com/services/", "hooks.slack.com/workflows/"],
        Base64,
        (40, 100),
    ),
    service(
        "Discord webhook",
        &["discord.com/api/webhooks/", "discordapp.com/api/webhooks/"],
        Path,
        (60, 120),
    ),
];
