#!/usr/bin/env bash
# npm start in a fresh clone: must serve its page and its API within two minutes.
set -euo pipefail
cd "$(dirname "$0")/../.."
port=${1:-18080}
log=$(mktemp)
setsid npm start -- --port "$port" --token from-the-ci-run >"$log" 2>&1 &
started=$!
trap 'kill -- "-$started" 2>/dev/null || true; rm -f "$log"' EXIT
for ((second = 0; second < 120; second++)); do
  if curl -fs -H "Authorization: Bearer from-the-ci-run" "http://127.0.0.1:$port/api/bms/status" | grep -q '"online":true'; then
    curl -fs --compressed "http://127.0.0.1:$port/" | grep -q '<html'
    echo "npm start serves page and API; the BMS is online"
    exit 0
  fi
  kill -0 "$started" 2>/dev/null || break
  sleep 1
done
cat "$log"
exit 1
