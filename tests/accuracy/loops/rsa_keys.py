# SPDX-License-Identifier: MIT
"""RSA keys for programs that are measured, the same in each build: PKCS #1 in DER, as arrays of a C header."""
import random

SIZES = (2048, 4096)


def prime(draw, bits):
    """A prime whose two highest bits are set, with 65537 no divisor of its predecessor."""
    while True:
        n = draw.getrandbits(bits) | 3 << bits - 2 | 1
        if all(n % small for small in range(3, 2000, 2)) and n % 65537 != 1 and all(pow(base, n - 1, n) == 1 for base in (2, 3, 5, 7)):
            return n


def tagged(tag, content):
    size = len(content)
    length = bytes([size]) if size < 128 else bytes([0x80 + (size.bit_length() + 7) // 8]) + size.to_bytes((size.bit_length() + 7) // 8, "big")
    return bytes([tag]) + length + content


def integer(n):
    return tagged(2, n.to_bytes(n.bit_length() // 8 + 1, "big"))


def key(bits):
    draw = random.Random(bits)
    p, q = sorted((prime(draw, bits // 2), prime(draw, bits // 2)), reverse=True)
    e = 65537
    d = pow(e, -1, (p - 1) * (q - 1))
    return tagged(0x30, b"".join(map(integer, (0, p * q, e, d, p, q, d % (p - 1), d % (q - 1), pow(q, -1, p)))))


def header(path):
    if not path.exists():
        path.write_text("".join(f"static const unsigned char rsa_{bits}[] = {{{','.join(map(str, key(bits)))}}};\n" for bits in SIZES))
