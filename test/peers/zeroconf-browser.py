#!/usr/bin/python3
"""What python-zeroconf sees of a hostname's web server over mDNS on 127.0.0.1.

usage: zeroconf-browser.py HOSTNAME
Prints "ready" once it browses, then one line a change: "found NAME", "resolved ADDRESS PORT HOST", "lost NAME".
"""
import sys
import threading

from zeroconf import ServiceBrowser, Zeroconf

SERVICE = "_http._tcp.local."
RESOLVE_MS = 100_000


def say(*words):
    print(*words, flush=True)


class Listener:
    def __init__(self, wanted):
        self.wanted = wanted

    def add_service(self, zeroconf, kind, name):
        if name != self.wanted:
            return
        say("found", name)
        # Not here: this thread receives the answers.
        threading.Thread(target=self.resolve, args=(zeroconf, kind, name), daemon=True).start()

    def resolve(self, zeroconf, kind, name):
        info = zeroconf.get_service_info(kind, name, RESOLVE_MS)
        if info:
            say("resolved", ",".join(info.parsed_addresses()), info.port, info.server)

    def update_service(self, zeroconf, kind, name):
        pass

    def remove_service(self, zeroconf, kind, name):
        if name == self.wanted:
            say("lost", name)


zeroconf = Zeroconf(interfaces=["127.0.0.1"])
browser = ServiceBrowser(zeroconf, SERVICE, Listener(f"{sys.argv[1]}.{SERVICE}"))
say("ready")
# Ends with the program that started it.
sys.stdin.read()
