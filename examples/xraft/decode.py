"""Messages of Xraft as JSON, for `assay conform`: a line of hexadecimal digits in, a line of JSON out.

A message is its type and its length (4 bytes each), then fields of protocol buffers, of which those that are zero are left out.
"""
import json
import sys


def number(data, at):
    value = shift = 0
    while True:
        value |= (data[at] & 127) << shift
        shift += 7
        at += 1
        if data[at - 1] < 128:
            return value, at


def fields(data):
    """All fields: their numbers, and whole numbers or bytes."""
    at = 0
    while at < len(data):
        key, at = number(data, at)
        value, at = number(data, at)
        if key & 7 == 2:
            value, at = data[at:at + value], at + value
        yield key >> 3, value


def decode(kind, data):
    one = dict(fields(data))
    if kind == 1:
        return {"type": "ask", "term": one.get(1, 0), "last": one.get(3, 0), "lastTerm": one.get(4, 0)}
    if kind == 2:
        return {"type": "vote", "term": one.get(1, 0), "granted": one.get(2, 0) == 1}
    if kind == 3:
        entries = [dict(fields(value)).get(3, 0) for key, value in fields(data) if key == 7]
        return {"type": "append", "term": one.get(2, 0), "prev": one.get(4, 0), "prevTerm": one.get(5, 0), "commit": one.get(6, 0),
                "entries": entries}
    if kind == 4:
        return {"type": "appended", "term": one.get(2, 0), "ok": one.get(3, 0) == 1}
    return {"type": "message %d" % kind}


for line in sys.stdin:
    message = bytes.fromhex(line)
    print(json.dumps(decode(int.from_bytes(message[:4], "big"), message[8:])), flush=True)
