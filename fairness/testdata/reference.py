"""Second implementation of the specification of package fairness and of codes.Permutation, written from their package
comments: standard library only. It prints vectors.json:

    python3 reference.py > vectors.json
"""

import hashlib
import hmac
import json
from math import isqrt


def derive(secret, label, context):
    return hmac.new(secret, label.encode() + b"\0" + context.encode(), hashlib.sha256).digest()


class Stream:
    def __init__(self, secret, context):
        self.bytes = self.generate(derive(secret, "tirage/1 stream", context))

    @staticmethod
    def generate(key):
        i = 0
        while True:
            yield from hashlib.sha256(key + i.to_bytes(8, "big")).digest()
            i += 1

    def take(self, size):
        return bytes(next(self.bytes) for _ in range(size))

    def uniform(self, n):
        size = 4 if n <= 2**32 else 8
        multiple = 256**size // n * n
        while True:
            word = int.from_bytes(self.take(size), "big")
            if word < multiple:
                return word % n

    def sample(self, n, k):
        taken = set()
        for j in range(n - k, n):
            t = self.uniform(j + 1)
            taken.add(j if t in taken else t)
        return sorted(taken)


def quick_pick(secret, draw, play, line, attempt, matrix, fmt):
    stream = Stream(secret, f"quick pick/{draw}/{play}/{line}/{attempt}")
    main = stream.sample(matrix[1], fmt[0])
    extra = stream.sample(matrix[3], fmt[1])
    return "-".join(str(n + 1) for n in main) + "+" + "-".join(str(n + 1) for n in extra)


def number(secret, draw, play, game, digits):
    return str(Stream(secret, f"number/{draw}/{play}/{game}").uniform(10**digits)).zfill(digits)


def drawn(secret, draw, public, matrix, issued, codes):
    stream = lambda part: Stream(secret, f"drawn/{draw}/{part}/{public}")
    numbers = stream("numbers")
    main, extra = numbers.sample(matrix[1], matrix[0]), numbers.sample(matrix[3], matrix[2])
    return {"secret": secret.hex(), "draw": draw, "public": public, "matrix": matrix, "issued": str(issued), "count": str(codes),
            "grid": "-".join(str(n + 1) for n in main) + "+" + "-".join(str(n + 1) for n in extra),
            "codes": [str(k) for k in stream("codes/loto").sample(issued, min(issued, codes))],
            "number": str(stream("number/jokerplus").uniform(10**7)).zfill(7)}


def permute(key, n, x):
    a = isqrt(n - 1) + 1
    while True:
        l, r = divmod(x, a)
        for i in range(10):
            message = key + n.to_bytes(8, "big") + bytes([i]) + r.to_bytes(8, "big")
            f = int.from_bytes(hashlib.sha256(message).digest()[:8], "big")
            l, r = r, (l + f) % a
        x = l * a + r
        if x < n:
            return x


def vectors():
    counting, text = bytes(range(32)), hashlib.sha256(b"a secret of the tests").digest()
    secrets = [counting, text]
    draws = ["loto-2020-06-22", "euromillions-2018-11-02", "", "draw with é, / and a context longer than one block of the hash, " * 4]
    loto, euro = [5, 49, 1, 10], [5, 50, 2, 12]
    small = [1, 2, 3, 10, 49, 50, 256, 10_000_000, 2**31 + 1, 2**32 - 1, 2**32]
    large = [2**32 + 1, 2_600_000_000_000, 2**62 + 1, 2**63 - 1]
    mixed = [5, 2**40, 7, 2**62 + 1, 2**31 + 1] * 8

    def uniforms(secret, context, ns):
        stream = Stream(secret, context)
        return {"secret": secret.hex(), "context": context, "ns": [str(n) for n in ns], "values": [str(stream.uniform(n)) for n in ns]}

    def pick(secret, draw, play, line, attempt, matrix, fmt):
        return {"secret": secret.hex(), "draw": draw, "play": str(play), "line": line, "attempt": attempt, "matrix": matrix,
                "format": fmt, "grid": quick_pick(secret, draw, play, line, attempt, matrix, fmt)}

    value = hashlib.sha256(b"a signature of the tests").hexdigest()
    publics = [f"beacon/{'52' * 32}/1000/{value}", f"hands/{'01' * 32}/{value}"]

    return {
        "drawn": [drawn(s, d, p, m, n, 10) for s in secrets for d, m in [("loto-2020-06-22", loto), ("euromillions-2018-11-02", euro)]
                  for p in publics for n in [0, 3, 10, 1_000_000]],
        "commitments": [{"secret": s.hex(), "context": c, "commitment": derive(s, "tirage/1 commitment", c).hex()} for s in secrets for c in draws],
        "code_keys": [{"secret": s.hex(), "series": c, "key": derive(s, "tirage/1 code key", c).hex()} for s in secrets for c in ["loto", "mymillion", "euromillions"]],
        "streams": [{"secret": s.hex(), "context": c, "bytes": Stream(s, c).take(100).hex()} for s in secrets for c in draws],
        "uniforms": [uniforms(s, f"uniform {n}", [n] * 20) for s in secrets for n in small + large] + [uniforms(s, "mixed", mixed) for s in secrets],
        "samples": [{"secret": s.hex(), "context": "sample", "n": str(n), "k": str(k), "values": [str(v) for v in Stream(s, "sample").sample(n, k)]}
                    for s in secrets for n, k in [(0, 0), (1, 1), (10, 10), (49, 5), (4_000_000, 10), (6_760_000_000, 12), (2**40, 100)]],
        "quick_picks": [pick(s, d, p, l, a, m, f) for s in secrets for d, m, f in [
            (draws[0], loto, [5, 1]), (draws[0], loto, [6, 10]), (draws[0], loto, [9, 1]), (draws[1], euro, [5, 2]), (draws[1], euro, [10, 12])]
            for p, l, a in [(0, 0, 0), (1, 0, 0), (1, 1, 0), (1, 1, 1), (2**63 - 1, 199, 3)]],
        "numbers": [{"secret": s.hex(), "draw": draws[0], "play": str(p), "game": "jokerplus", "digits": n, "number": number(s, draws[0], p, "jokerplus", n)}
                    for s in secrets for n in [1, 7, 9, 10, 18] for p in [0, 1, 2, 2**63 - 1]],
        "permutations": [{"key": k.hex(), "n": str(n), "positions": [str(i) for i in at], "numbers": [str(permute(k, n, i)) for i in at]}
                         for k in secrets for n, at in [(1, [0]), (2, [0, 1]), (10, range(10)), (2_182_147_231, [0, 1, 2, 9, 2_182_147_230]),
                                                        (5_673_582_801, [0, 1, 2, 5_673_582_800]), (679_999_999, [0, 1, 679_999_998]), (2**56, [0, 1, 2**56 - 1])]],
    }


def lines(value):
    """One vector a line, so that a change shows."""
    parts = []
    for name, rows in value.items():
        parts.append(f'  "{name}": [\n    ' + ",\n    ".join(json.dumps(row, ensure_ascii=False) for row in rows) + "\n  ]")
    return "{\n" + ",\n".join(parts) + "\n}"


if __name__ == "__main__":
    print(lines(vectors()))
