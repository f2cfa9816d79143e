#!/usr/bin/env bash
# What is too long for npm test: the whole product on V8 and on XS, the page on XS, fuzzing, and the soak with random cases in large numbers.
set -euo pipefail
cd "$(dirname "$0")/../.."
# In a container the user does not own the clone.
[ -z "${GITHUB_ACTIONS:-}" ] || git config --global --add safe.directory "$PWD"
ENGINE=node npm test -- --project xs
ENGINE=xs npm test -- --project xs
ENGINE=xs npm test -- test/browser/real
npm run fuzz
npm run fuzz -- doors
npm run fuzz -- faults
npm run soak
