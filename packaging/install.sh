#!/bin/sh
# Installs the proctor of one version for this user: the archive of the release, whose digest stands here.
#
#   curl -fsSL https://github.com/proctor-dev/proctor/releases/latest/download/install.sh | sh
#
# PROCTOR_BIN       where to (default: ~/.local/bin)
# PROCTOR_RELEASES  where the releases lie (default: the public ones; file:///… works too)
set -eu

# Written by `cargo xtask release`; empty where this is no release.
PINNED_VERSION=
PINNED_SHA256=

say() { printf '%s\n' "$*" >&2; }

[ -n "$PINNED_SHA256" ] || {
    say "error: this script belongs to no release, so it knows no binary"
    say "hint: take install.sh from a release, or build: cargo install --locked --git https://github.com/proctor-dev/proctor proctor"
    exit 2
}
[ "$(uname -sm)" = "Linux x86_64" ] || {
    say "error: there is no binary for $(uname -sm)"
    say "hint: cargo install --locked --git https://github.com/proctor-dev/proctor --tag v$PINNED_VERSION proctor"
    exit 2
}

releases=${PROCTOR_RELEASES:-https://github.com/proctor-dev/proctor/releases/download}
bin=${PROCTOR_BIN:-$HOME/.local/bin}
name=proctor-x86_64-unknown-linux-gnu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

curl -fsSL --retry 3 -o "$folder/$name.tar.gz" "$releases/v$PINNED_VERSION/$name.tar.gz"
found=$(sha256sum "$folder/$name.tar.gz" | cut -d ' ' -f 1)
[ "$found" = "$PINNED_SHA256" ] || {
    say "error: what was downloaded is not the proctor $PINNED_VERSION that this script knows: its digest is $found, not $PINNED_SHA256"
    say "hint: nothing was installed; report it as SECURITY.md says"
    exit 1
}
tar -xzf "$folder/$name.tar.gz" -C "$folder"
mkdir -p "$bin"
# Written beside it first: one that runs stays whole.
cp "$folder/$name/proctor" "$bin/.proctor.new"
mv "$bin/.proctor.new" "$bin/proctor"
say "proctor $PINNED_VERSION is in $bin"
case :$PATH: in *:"$bin":*) ;; *) say "hint: put $bin on your PATH" ;; esac
