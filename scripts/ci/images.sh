#!/usr/bin/env bash
# images.sh TAG: builds images, checksums, manifests and notes of a release in build/release, and the site with the flashing page in build/pages.
set -euo pipefail
cd "$(dirname "$0")/../.."
node scripts/release/notes.mjs "$1" >/dev/null
scripts/ci/link.sh
node scripts/release/notes.mjs "$1" >build/release/NOTES.md
node scripts/site.mjs --release build/release --to build/pages
