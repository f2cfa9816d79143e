#!/usr/bin/env bash
# The checks and every test, on a machine that has Node.js and git.
set -euo pipefail
cd "$(dirname "$0")/../.."
# A container's user is not the one who has cloned.
[ -z "${GITHUB_ACTIONS:-}" ] || git config --global --add safe.directory "$PWD"
exec .ci/run
