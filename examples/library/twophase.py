"""Checks a specification: python3 twophase.py SPEC.tla"""
import sys

import assay

with assay.Spec(sys.argv[1]) as spec:
    result = spec.check()
    print(result.verdict.name, result.distinct, "states, depth", result.depth)
    for violation in result.violations:
        print(violation.property, *violation.trace.labels, sep="\n  ")
