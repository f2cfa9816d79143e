#!/usr/bin/env bash
# What is too long for npm test: the whole product on V8, fuzzing, and the soak with random cases in large numbers.
set -euo pipefail
cd "$(dirname "$0")/../.."
# In a container the user does not own the clone.
[ -z "${GITHUB_ACTIONS:-}" ] || git config --global --add safe.directory "$PWD"
ENGINE=node npm test -- --project xs
npm run fuzz
npm run soak
