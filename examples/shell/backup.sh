#!/bin/sh
# backup.sh FOLDER: saves the settings of a JK BMS monitor in FOLDER, in the format that its page restores; keeps the
# newest 30 files. BMS_URL: the device. BMS_PASSWORD: the page's password. BMS_SECRETS=1: includes all secrets.
set -eu
umask 077
folder=${1:?backup.sh FOLDER}
url=${BMS_URL:?BMS_URL is not set}
: "${BMS_PASSWORD:?BMS_PASSWORD is not set}"
keep=30

mkdir -p "$folder"
work=$(mktemp -d)
trap 'curl -s -o /dev/null -b "$work/cookies" -X DELETE "$url/web/session" || true; rm -rf "$work"' EXIT
call() { curl -sS -f -m 30 -b "$work/cookies" -c "$work/cookies" "$@"; }

# On standard input: other users of the machine can see arguments.
escaped=$(printf %s "$BMS_PASSWORD" | sed 's/[\\"]/\\&/g')
printf '{"password":"%s"}' "$escaped" | call -o /dev/null -H 'Content-Type: application/json' --data-binary @- "$url/web/session" || {
  echo "backup.sh: could not sign in at $url" >&2
  exit 1
}

query=
[ "${BMS_SECRETS:-}" != 1 ] || query='?secrets=1'
version=$(call "$url/web/device" | sed -n 's/.*"version":"\([^"]*\)".*/\1/p')
{
  printf '{"kind":"jk-bms-monitor settings","version":"%s","groups":{' "$version"
  comma=
  for group in device api bms relay monitoring time mqtt snmp network; do
    call "$url/web/group/$group$query" >"$work/group"
    # Without the envelope: {"success":true,"data":{…}}
    printf '%s"%s":' "$comma" "$group"
    sed 's/^{"success":true,"data"://; s/}$//' "$work/group" | tr -d '\n'
    comma=,
  done
  printf '}}\n'
} >"$work/backup.json"

# Atomic: the name appears when the file is complete.
name=jk-bms-$(date +%Y-%m-%dT%H%M%S).json
cp "$work/backup.json" "$folder/.$name"
mv "$folder/.$name" "$folder/$name"
# The names have no blanks and sort by date.
# shellcheck disable=SC2012
ls -1 "$folder" | grep '^jk-bms-.*\.json$' | sort -r | tail -n "+$((keep + 1))" | while read -r old; do rm -f "$folder/$old"; done
echo "$folder/$name"
