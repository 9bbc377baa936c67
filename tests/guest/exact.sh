# SPDX-License-Identifier: MIT
# An event marked exact counts what the program executed, so it is the same on each core's own timing model and on two very different ones.
. "$SRC/tests/guest/lib.sh"

"$SRC/tests/accuracy/build.sh" "$BUILD/accuracy" || fail "the kernels do not build"
printf '%s\n' 'like arm1136' 'predict = 0' 'l1d.size = 1024' 'l1i.size = 1024' 'memory = 9' >"$work/narrow"
printf '%s\n' 'like neoverse-n1' 'rob = 32' 'l1d.size = 16384' 'return_stack = 2' 'memory = 999' >"$work/wide"
PYTHONPATH=$SRC/tests/accuracy python3 - "$BUILD/apmu" "$BUILD/accuracy" "$work" <<'PYTHON' || fail "exact events"
import json, subprocess, sys
from measure import Runner

runner, work, compared, bad = Runner(sys.argv[1], sys.argv[2]), sys.argv[3], 0, 0
machines = [[], ["--uarch", work + "/narrow"], ["--uarch", work + "/wide"]]
for core in runner.cores:
    rows = json.loads(subprocess.run([runner.apmu, "list", "events", "--core", core, "-j"], capture_output=True, check=True).stdout)
    exact = [r["name"] for r in rows if r["counts"] == "exact" and r["signals"]]
    for program in ["depth 16 1", "mixture 0 1"]:
        argv = [runner.program(core), *program.split()]
        counts = [runner.stat(core, ["cycles"] + exact, argv, options)[0] for options in machines]
        if len({c.pop("cycles") for c in counts}) != len(machines):
            print(f"{core}, {program}: the machines take the same time, so this shows nothing")
            bad += 1
        for event in exact:
            values = [c[event] for c in counts]
            compared += 1
            if len(set(values)) != 1:
                print(f"{core}, {program}: {event} is {values}")
                bad += 1
    if not exact:
        print(f"{core}: no exact event")
        bad += 1
print(f"{compared} counts of exact events compared on {len(runner.cores)} cores, {bad} wrong")
sys.exit(bad != 0)
PYTHON
finish
