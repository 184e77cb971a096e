#!/usr/bin/env python3
"""A player of tirage, through the public API alone (standard library, Python 3.9 or later).

It opens an account, sets the limits that the law asks for, deposits money at the
provider's page, buys shares of a pack after reading the summary, follows the draw
live and reads what the shares have won. The contract is web/api/openapi.json.

    TIRAGE_PASSWORD=… python3 examples/client.py --server http://127.0.0.1:8080 \\
        --email zoe@example.org --given Zoé --family Noël --birth 1980-02-29

Every amount is a whole number of cents; ids, codes and cursors are strings that a
program passes on as they are. A request that moves money carries a key: sent again
after a lost connection, it is done once.
"""

import argparse
import http.client
import json
import os
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid

PREFIX = "/api/v1"
ATTEMPTS = 5


class Refused(Exception):
    """The server's answer to a request that it does not do (RFC 9457)."""

    def __init__(self, problem):
        super().__init__(problem.get("detail") or problem.get("title") or "refused")
        self.reason = problem.get("reason", "")
        self.field = problem.get("field", "")


class Tirage:
    """One player's session."""

    def __init__(self, server, language):
        self.server = server.rstrip("/")
        self.headers = {"Accept-Language": language, "Accept": "application/json"}

    def ask(self, method, path, body=None, key=None):
        """Sends a request and returns the JSON of the answer. What fails on its way is sent again under the same key."""
        headers = dict(self.headers)
        data = None
        if body is not None:
            data = json.dumps(body).encode()
            headers["Content-Type"] = "application/json"
        if key:
            headers["Idempotency-Key"] = key
        safe = method == "GET" or key is not None
        for attempt in range(1, ATTEMPTS + 1):
            request = urllib.request.Request(self.server + PREFIX + path, data, headers, method=method)
            try:
                with urllib.request.urlopen(request, timeout=30) as answer:
                    text = answer.read()
                    return json.loads(text) if text else None
            except urllib.error.HTTPError as error:
                busy = error.code in (429, 503)
                if not busy or attempt == ATTEMPTS:
                    raise Refused(problem_of(error)) from None
                time.sleep(float(error.headers.get("Retry-After", 1)))
            except (urllib.error.URLError, http.client.HTTPException, ConnectionError, TimeoutError):
                if not safe or attempt == ATTEMPTS:
                    raise
                time.sleep(attempt)

    def get(self, path):
        return self.ask("GET", path)

    def log_in(self, email, password):
        session = self.ask("POST", "/sessions", {"email": email, "password": password})
        self.headers["Authorization"] = "Bearer " + session["token"]

    def events(self, draw):
        """Yields (name, data) of what happens to a draw and to the own account, for ever: a lost stream goes on where it was."""
        last = ""
        while True:
            headers = dict(self.headers, Accept="text/event-stream")
            if last:
                headers["Last-Event-ID"] = last
            url = self.server + PREFIX + "/events?" + urllib.parse.urlencode({"draw": draw})
            pause = 2.0
            try:
                with urllib.request.urlopen(urllib.request.Request(url, None, headers), timeout=60) as stream:
                    for event in events_of(stream):
                        last = event["id"] or last
                        if event["data"]:
                            yield event["event"], json.loads(event["data"])
            except urllib.error.HTTPError as error:
                if error.code not in (429, 503):
                    raise Refused(problem_of(error)) from None
                pause = float(error.headers.get("Retry-After", pause))
            except (urllib.error.URLError, http.client.HTTPException, ConnectionError, TimeoutError):
                pass
            time.sleep(pause)


def problem_of(error):
    try:
        return json.loads(error.read())
    except ValueError:
        return {"title": "HTTP %d" % error.code}


def events_of(lines):
    """Reads a stream of server-sent events."""
    event = {"id": "", "event": "message", "data": ""}
    for line in lines:
        line = line.decode().rstrip("\r\n")
        if not line:
            yield event
            event = {"id": "", "event": "message", "data": ""}
            continue
        name, _, value = line.partition(":")
        value = value[1:] if value.startswith(" ") else value
        if name == "data" and event["data"]:
            event["data"] += "\n" + value
        elif name in event:
            event[name] = value


def euros(cents):
    """Cents as people read them, without a rounding on the way: -1 is -0.01 €."""
    sign = "-" if cents < 0 else ""
    return "%s%d.%02d €" % (sign, abs(cents) // 100, abs(cents) % 100)


def say(*words):
    print(*words, flush=True)


def wait_for(what, ready, seconds):
    """Asks again and again until something is so."""
    end = time.monotonic() + seconds
    while True:
        found = ready()
        if found:
            return found
        if time.monotonic() > end:
            raise SystemExit("not after %d seconds: %s" % (seconds, what))
        time.sleep(0.2)


def join(player, o):
    """Opens the account and waits until the operator has confirmed who its holder is: nothing is staked before."""
    form = {"given": o.given, "family": o.family, "birth": o.birth, "email": o.email, "password": o.password}
    created = player.ask("POST", "/players", form, key=str(uuid.uuid4()))
    say("account", created["player"])
    player.log_in(o.email, o.password)
    for limit in ("deposits", "stakes"):
        player.ask("PUT", "/me/limits/" + limit, {"cents": o.limit})
    say("limits", euros(o.limit), "over seven days")
    wait_for("the identity is confirmed", lambda: player.get("/me")["identity"] == "confirmed", o.patience)
    say("identity confirmed")


def deposit(player, o):
    """Asks for a deposit and pays it at the page of the provider, a program for tests, where a person would."""
    asked = player.ask("POST", "/deposits", {"cents": o.deposit}, key=str(uuid.uuid4()))
    form = urllib.parse.urlencode({"outcome": "paid"}).encode()
    urllib.request.urlopen(asked["address"], form, timeout=30).close()
    wait_for("the deposit has arrived", lambda: player.get("/me")["balance"] >= o.deposit, o.patience)
    say("balance", euros(player.get("/me")["balance"]))


def choose(player, o):
    """The first pack on sale that has as many shares left."""
    for offered in player.get("/catalogue")["games"]:
        for draw in offered.get("draws") or []:
            for pack in draw.get("packs") or []:
                if draw["on_sale"] and pack["on_sale"] and any(f["shares"] == o.shares for f in pack["formulas"]):
                    return draw, pack
    raise SystemExit("no pack with a formula of %d shares is on sale" % o.shares)


def buy(player, o):
    """Quotes shares, shows the summary that the regulation orders, and confirms it, for good."""
    draw, pack = choose(player, o)
    quote = player.ask("POST", "/quotes/shares", {"draw": draw["draw"], "type": pack["type"], "shares": o.shares})
    recap = quote["recap"][o.language]
    say(recap["title"])
    for line in recap["lines"]:
        say("  ", line.get("label", ""), line["value"])
    bought = player.ask("POST", "/plays", {"quote": quote["quote"]}, key=str(uuid.uuid4()))
    say("bought", bought["shares"], "shares for", euros(bought["cents"]), "play", bought["play"])
    return draw["draw"], bought["play"]


def follow(player, draw):
    """Tells where the draw stands until its result is published."""
    say("following", draw)
    state = None
    for name, data in player.events(draw):
        if name in ("hello", "reset"):  # what happened before is read, what happens next is told
            play = next((p for p in player.get("/plays")["plays"] if p["draw"]["draw"] == draw), None)
            data = {"draw": draw, "state": play["state"]} if play else {}
        elif name not in ("draw", "pack"):
            continue
        if name == "pack":
            say("  pack", data["type"], data["sold"], "shares sold")
        elif data.get("draw") == draw and data["state"] != state:
            state = data["state"]
            say("  draw", state)
        if state == "published":
            return


def main():
    p = argparse.ArgumentParser(description="Play a pack through the API of tirage.")
    p.add_argument("--server", default="http://127.0.0.1:8080", help="where tirage serves")
    p.add_argument("--email", required=True)
    p.add_argument("--given", default="Zoé")
    p.add_argument("--family", default="Noël")
    p.add_argument("--birth", default="1980-02-29", help="as 1980-02-29")
    p.add_argument("--language", choices=("fr", "en"), default="en")
    p.add_argument("--limit", type=int, default=10_000, help="of deposits and of stakes over seven days, in cents")
    p.add_argument("--deposit", type=int, default=5_000, help="in cents")
    p.add_argument("--shares", type=int, default=2)
    p.add_argument("--patience", type=int, default=300, help="seconds to wait for the operator and for the money")
    o = p.parse_args()
    o.password = os.environ.get("TIRAGE_PASSWORD", "")
    if not o.password:
        raise SystemExit("TIRAGE_PASSWORD must hold the password of the account")
    player = Tirage(o.server, o.language)
    try:
        join(player, o)
        deposit(player, o)
        draw, play = buy(player, o)
        follow(player, draw)
        record = player.get("/plays/%s/%s" % (draw, play))
        say("gain", euros(record.get("gain", 0)), "of", len(record["grids"]), "grids")
        say("balance", euros(player.get("/me")["balance"]))
    except Refused as refused:
        raise SystemExit("refused: %s%s (%s)" % (refused, " [%s]" % refused.field if refused.field else "", refused.reason)) from None


if __name__ == "__main__":
    main()
