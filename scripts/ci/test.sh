#!/usr/bin/env bash
# All checks and tests, on a machine with Node.js and git.
set -euo pipefail
cd "$(dirname "$0")/../.."
# In a container the user does not own the clone.
[ -z "${GITHUB_ACTIONS:-}" ] || git config --global --add safe.directory "$PWD"
exec .ci/run
