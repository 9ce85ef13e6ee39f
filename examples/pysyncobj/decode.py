"""Messages of PySyncObj as JSON, for `assay conform`: a line of hexadecimal digits in, a line of JSON out.

A message is its length (4 bytes), then a pickled object, compressed.
"""
import json
import pickle
import sys
import zlib

for line in sys.stdin:
    message = pickle.loads(zlib.decompress(bytes.fromhex(line)[4:]))
    if "entries" in message:
        message["entries"] = [entry[2] for entry in message["entries"]]
    print(json.dumps(message), flush=True)
