#!/usr/bin/env bash
# images.sh TAG: builds images, checksums, manifests and notes of a release in build/release, and the flashing page in build/pages.
set -euo pipefail
cd "$(dirname "$0")/../.."
[ -z "${GITHUB_ACTIONS:-}" ] || git config --global --add safe.directory "$PWD"
node scripts/release/notes.mjs "$1" >/dev/null
export MODDABLE=${MODDABLE:-$HOME/.local/share/moddable}
[ -n "${IDF_PATH:-}" ] || { echo "IDF_PATH is not set: see scripts/ci/toolchain.sh" >&2; exit 1; }
# shellcheck disable=SC1091
. "$IDF_PATH/export.sh"
npm ci --no-audit --no-fund --loglevel=error
for board in $(node scripts/release/boards.mjs); do npm run build:esp32 -- "$board"; done
node scripts/release/collect.mjs
node scripts/release/notes.mjs "$1" >build/release/NOTES.md
node scripts/flash-page.mjs build/release build/pages
