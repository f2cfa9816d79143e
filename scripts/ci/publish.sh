#!/usr/bin/env bash
# publish.sh TAG: publishes the output of images.sh as a GitHub release. Requires gh and GH_TOKEN.
set -euo pipefail
cd "$(dirname "$0")/../.."
(cd build/release && sha256sum --check --quiet SHA256SUMS)
exec gh release create "$1" --verify-tag --title "$1" --notes-file build/release/NOTES.md build/release/*.bin build/release/*.json build/release/{SHA256SUMS,LICENSE,THIRD-PARTY-NOTICES}
