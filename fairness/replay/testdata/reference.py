#!/usr/bin/env python3
"""A verifier of rounds, written from the specification alone: python3 reference.py RULEBOOK.toml ROUND.json

It shares nothing with the Go code. It knows ladders of sums whose items hold or fall by chances of their own (donuts).
"""
import hashlib, hmac, json, sys, tomllib


def derive(secret, label, context):
    return hmac.new(secret, label.encode() + b"\0" + context, hashlib.sha256).digest()


def numbers(secret, round_id, n, contribution):
    """Words of 4 bytes from the blocks of one series."""
    for block in range(1 << 16):
        b = derive(secret, "tirage/1 ladder", round_id + n.to_bytes(2, "big") + contribution + block.to_bytes(2, "big"))
        for i in range(0, 32, 4):
            yield int.from_bytes(b[i:i + 4], "big")


def uniform(words, n):
    while True:
        w = next(words)
        if w < (1 << 32) // n * n:
            return w % n


def plain(x):
    """A value without its provenance."""
    return x["v"] if isinstance(x, dict) and "v" in x else x


def cents(x):
    return round(plain(x) * 100)


def draw(ladder, level, at, words):
    """One item: `at` counts the items of the whole play."""
    num, den = map(int, plain(level["stable"]).split("/"))
    stars, of = map(int, plain(level["star"]).split("/"))
    kinds = [(k["name"], cents(v), k["weight"]) for k, v in zip(ladder["kinds"], level["values"])]
    if at == 0:  # the first item cannot fall, and is of no kind
        num = den = 1
        kinds = [("", cents(ladder["first"]["value"]), 1)]
    weights = sum(w for _, _, w in kinds)
    faces = weights * of
    u = uniform(words, den * faces)
    face, star = u % faces, False
    if face < weights * stars:
        star, face = True, face % weights
    else:
        face = (face - weights * stars) % weights
    for name, value, weight in kinds:
        if face < weight:
            return {"value": value, "kind": name, "stable": u // faces < num, "star": star}
        face -= weight


def main(rules, path):
    text = open(rules, "rb").read()
    book, r = tomllib.loads(text.decode()), json.load(open(path))
    ladder, round_id = book["ladder"], bytes.fromhex(r["round"])
    total = stars = at = 0
    ok = fallen = False
    for n, s in enumerate(r["series"], 1):
        secret, contribution = bytes.fromhex(s["secret"]), bytes.fromhex(s["contribution"])
        commitment = derive(secret, "tirage/1 commitment", f"ladder/{r['round']}/{n}".encode())
        words = numbers(secret, round_id, n, contribution)
        level = ladder["levels"][n - 1]
        items = [draw(ladder, level, at + i, words) for i in range(plain(level["items"]))]
        at += len(items)
        ok = s["n"] == n and commitment.hex() == s["commitment"] and items == s["items"] and not fallen
        fallen = not all(i["stable"] for i in items)
        total += sum(i["value"] for i in items)
        stars += sum(i["star"] for i in items)
        print(f"series {n}: {'OK' if ok else 'KO'}")
    gauge = [int(m) for m in plain(ladder["gauge"])]
    stars = min(stars, len(gauge) - 1)
    gain = min(total * gauge[stars], cents(ladder["cap"]))
    if n == len(ladder["levels"]) and stars == len(gauge) - 1:
        gain = cents(ladder["full_gauge"])
    paid = 0 if fallen else gain
    print(f"round: {'OK' if r['gain'] == paid and r['state'] == ('lost' if fallen else 'won') else 'KO'}")


main(*sys.argv[1:])
