#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Walks that the prefetcher follows, on out-of-order cores. usage: walks.py APMU WALKS_A64 WALKS_A32 FEW MANY

The cost of a step must be the same (within 5 %) for FEW and for MANY steps, at most 1.1 times that without the prefetcher,
and on a Cortex-A76 less than 60 cycles in the stride example (measured on silicon: 22.6).
"""
import json
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

A64 = ["cortex-a57", "cortex-a72", "cortex-a76", "neoverse-n1", "neoverse-n2", "neoverse-v1", "neoverse-v2"]
A32 = ["cortex-a9", "cortex-a15", "cortex-a17"]
MOST = {("cortex-a76", "stride"): 60}


def cycles(apmu, core, program, walk, steps, more):
    with tempfile.NamedTemporaryFile() as out:
        subprocess.run([apmu, "stat", "-c", core, "--region", walk, "-e", "cycles,instructions", "-j", "-o", out.name, *more, "--", program, walk, str(steps)],
                       check=True, timeout=300)
        return json.load(open(out.name))["counters"][0]["value"]


def a_step(job):
    apmu, core, program, walk, few, many = job
    quiet = ["--set", "prefetch.streams=0"]
    first, last, without = (cycles(apmu, core, program, walk, n, more) / n for n, more in ((few, []), (many, []), (many, quiet)))
    bad = []
    if abs(last - first) > 0.05 * last:
        bad.append("a step does not cost the same")
    if last > 1.1 * without:
        bad.append("the prefetcher makes it slower")
    if last > MOST.get((core, walk), last):
        bad.append(f"more than {MOST[core, walk]} cycles")
    print(f"{core:12} {walk:6} {first:7.2f} cycles a step in {few} steps, {last:7.2f} in {many}, {without:7.2f} without the prefetcher"
          + "".join(f"; FAIL: {b}" for b in bad), flush=True)
    return bool(bad)


def main(apmu, a64, a32, few, many):
    jobs = [(apmu, core, program, walk, int(few), int(many))
            for cores, program in ((A64, a64), (A32, a32)) for core in cores for walk in ("stride", "list")]
    with ThreadPoolExecutor(2) as pool:
        return any(list(pool.map(a_step, jobs)))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
