#!/usr/bin/env bash
# link.sh: counts, builds and starts the images of all boards, with checksums and manifests in build/release. Fails for one that is above its budget.
set -euo pipefail
cd "$(dirname "$0")/../.."
[ -z "${GITHUB_ACTIONS:-}" ] || git config --global --add safe.directory "$PWD"
export MODDABLE=${MODDABLE:-$HOME/.local/share/moddable}
[ -n "${IDF_PATH:-}" ] || { echo "IDF_PATH is not set: see scripts/ci/toolchain.sh" >&2; exit 1; }
# shellcheck disable=SC1091
. "$IDF_PATH/export.sh"
npm ci --no-audit --no-fund --loglevel=error
npm run size
for board in $(node scripts/release/boards.mjs); do npm run build:esp32 -- "$board"; done
# Before anything is published: each image once in an emulator of its chip, or a line that says why not.
for board in $(node scripts/release/boards.mjs); do npm run --silent test:emulator -- "$board" --once; done
node scripts/release/collect.mjs
