#!/usr/bin/env bash
# Installs the Moddable SDK with xs-dev in the container espressif/idf, which provides ESP-IDF. Run as root.
set -euo pipefail
cd "$(dirname "$0")/../.."
. scripts/ci/versions
[ -n "${IDF_PATH:-}" ] || { echo "IDF_PATH is not set: run this in espressif/idf:$IDF_VERSION" >&2; exit 1; }
found=$(git -c "safe.directory=$IDF_PATH" -C "$IDF_PATH" describe --tags 2>/dev/null || cat "$IDF_PATH/version.txt")
[ "$found" = "$IDF_VERSION" ] || { echo "ESP-IDF is $found, not $IDF_VERSION" >&2; exit 1; }
export DEBIAN_FRONTEND=noninteractive
apt-get -q update
apt-get -q install -y --no-install-recommends sudo git make gcc pkg-config
npx --yes "xs-dev@$XS_DEV_VERSION" setup --target-branch "$MODDABLE_VERSION"
