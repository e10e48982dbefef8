#!/usr/bin/env python3
"""Compares the structure of two fio results: the same keys, in the same places, of the same types.

usage: compare_structure.py REFERENCE OURS
"""
import json
import sys

# Names of block devices, and bins, which hold whatever latencies there were.
SKIPPED = {"disk_util"}
OPEN_ENDED = {"bins"}
# fio writes a percentile object per direction that was used; the same holds here.


def load(path):
    """The JSON of a file that may have other text before it."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    return json.loads(text[text.index("{"):])


def kind(value):
    if isinstance(value, bool):
        return "bool"
    if isinstance(value, (int, float)):
        return "number"
    return type(value).__name__


def differences(reference, ours, path):
    if kind(reference) != kind(ours):
        yield f"{path}: {kind(ours)}, fio has {kind(reference)}"
    elif isinstance(reference, dict):
        if path.rsplit(".", 1)[-1] in OPEN_ENDED:
            return
        for key in reference:
            if key in SKIPPED:
                continue
            if key not in ours:
                yield f"{path}.{key}: missing"
            else:
                yield from differences(reference[key], ours[key], f"{path}.{key}")
        for key in ours:
            if key not in reference:
                yield f"{path}.{key}: fio has no such key"
    elif isinstance(reference, list):
        if len(reference) != len(ours):
            yield f"{path}: {len(ours)} elements, fio has {len(reference)}"
        for i, (a, b) in enumerate(zip(reference, ours)):
            yield from differences(a, b, f"{path}[{i}]")


def main():
    reference, ours = load(sys.argv[1]), load(sys.argv[2])
    # The name of the target is an option of fio's command line.
    reference.get("global options", {}).pop("filename", None)
    found = list(differences(reference, ours, ""))
    for line in found:
        print(line)
    with open(sys.argv[2], encoding="utf-8") as file:
        if file.read(1) != "{":
            found.append("")
            print("our output does not begin with the JSON")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
