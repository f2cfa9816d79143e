#!/usr/bin/env python3
"""Polls a JK BMS monitor and makes confirmed writes. BMS_URL and BMS_TOKEN name the device and its API token.

bms.py status                      one line about the battery
bms.py watch [SECONDS [TIMES]]     repeats that (every 10 s, until stopped)
bms.py set SETTING VALUE           a setting: set cell_ovp_voltage 3.6
bms.py command COMMAND on|off      a command: command charge_mos off
"""
import json
import os
import sys
import time
import urllib.error
import urllib.request

URL = os.environ.get("BMS_URL", "http://jk-bms.local").rstrip("/")
TOKEN = os.environ.get("BMS_TOKEN", "")
# s. A write ends within 5 s on the device; the rest is for the network.
WRITE_TIMEOUT = 30


class Failed(Exception):
    """Why the device refused a request, or was not reached."""


def request(path, body=None):
    headers = {"Authorization": f"Bearer {TOKEN}"}
    data = None
    if body is not None:
        headers["Content-Type"] = "application/json"
        data = json.dumps(body).encode()
    call = urllib.request.Request(URL + path, data, headers)
    try:
        with urllib.request.urlopen(call, timeout=10) as answer:
            return json.load(answer)["data"]
    except urllib.error.HTTPError as error:
        try:
            told = json.load(error)
        except ValueError:
            told = {}
        raise Failed(told.get("error") or f"HTTP {error.code}: {told.get('data', error.reason)}") from None
    except OSError as error:
        raise Failed(f"{URL} does not answer: {error}") from None


def status():
    data = request("/api/bms/status")
    if not data["online"]:
        age = data["ageSeconds"]
        return "BMS offline" + (f", last heard {age} s ago" if age is not None else ", never heard")
    pack, cells = data["pack"], data["cellsSummary"]
    return (
        f"{data['soc']} %  {pack['voltage']} V  {pack['current']} A  {pack['power']} W  "
        f"cells {cells['minVoltage']} to {cells['maxVoltage']} V  alarms {data['alarmCode']}"
    )


def write(path, body):
    """Queues a write and waits for its outcome. Raises Failed unless the BMS confirmed it."""
    request(path, body)
    deadline = time.monotonic() + WRITE_TIMEOUT
    while time.monotonic() < deadline:
        time.sleep(1)
        queue = request("/api/bms/commands")
        if not queue["pending"]:
            if not queue["lastCommandOk"]:
                raise Failed(queue["lastCommand"])
            return queue["lastCommand"]
    raise Failed("the write did not end")


def watch(seconds="10", times=None):
    count = 0
    while times is None or count < int(times):
        if count:
            time.sleep(float(seconds))
        try:
            print(time.strftime("%H:%M:%S"), status(), flush=True)
        except Failed as error:
            print(time.strftime("%H:%M:%S"), error, file=sys.stderr, flush=True)
        count += 1


def main(words):
    if words == ["status"]:
        print(status())
    elif words[:1] == ["watch"] and len(words) <= 3:
        watch(*words[1:])
    elif words[:1] == ["set"] and len(words) == 3:
        print(write("/api/bms/settings", {"setting": words[1], "value": words[2]}))
    elif words[:1] == ["command"] and len(words) == 3:
        print(write("/api/bms/commands", {"command": words[1], "state": words[2]}))
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except Failed as error:
        sys.exit(f"bms.py: {error}")
