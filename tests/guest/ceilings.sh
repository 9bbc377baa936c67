# SPDX-License-Identifier: MIT
# Upper bounds of IPC on programs of Dhrystone's and CoreMark's classes. A core that dispatches eight instructions per cycle may have at most the IPC measured on
# Neoverse V2, which also dispatches eight, for the fastest program of SPEC 2017, exchange2: 5.13 (JV1's author), and 2 %. For cores that dispatch ten Arm claims 13 % more
# than for their predecessors (WPX4). That is a mean over programs, so the mean is compared with that of the fastest core of eight, and 2 %. These are added because two
# programs are not SPEC. The program of CoreMark's class prints 1 if its first round ended in CoreMark's checksum.
. "$SRC/tests/guest/lib.sh"

"$SRC/tests/accuracy/build.sh" "$BUILD/accuracy" || fail "the kernels cannot be built"
wide=$("$BUILD/apmu" list cores -j | python3 -c "
import json, re, subprocess, sys
for core in json.load(sys.stdin):
    said = subprocess.run(['$BUILD/apmu', 'list', 'cores', core['core'], '-v'], capture_output=True, text=True).stdout
    parameter = dict(re.findall(r'^ +(width|rob) +(\d+)', said, re.M))
    if int(parameter.get('width', 0)) > 5 and int(parameter.get('rob', 0)):
        print(core['core'] + ':' + parameter['width'])
" | paste -sd' ')
[ "$(wc -w <<<"$wide")" -ge 8 ] || fail "cores of more than five slots: $wide"
n=0
for kernel in 'records 0 20000' 'mixture 0 20'; do
	"$BUILD/apmu" stat -j -c "$(sed 's/:[0-9]*//g; s/ /,/g' <<<"$wide")" -e cycles,instructions -o "$work/out$((n += 1))" -- "$BUILD/accuracy/kernels-a64" $kernel >"$work/stdout" || fail "$kernel: stat failed"
	sort -u "$work/stdout" | grep -qx 0 && fail "$kernel: does not do what it should"
done
python3 - "$work/out1" "$work/out2" "$wide" <<'E2' || fail "some core goes too fast"
import json, math, sys
bad, width, mean = 0, {w.split(':')[0]: int(w.split(':')[1]) for w in sys.argv[3].split()}, {}
for out in sys.argv[1:3]:
    for core in json.load(open(out))['cores']:
        value = {c['name']: c['value'] for c in core['counters']}
        ipc = next(v for n, v in value.items() if n.startswith('INST')) / next(v for n, v in value.items() if 'CYCLES' in n)
        mean[core['core']] = mean.get(core['core'], 1) * math.sqrt(ipc)
        if not 1 < ipc or width[core['core']] <= 8 and ipc > 5.13 * 1.02:
            print(f"{core['core']}: {ipc:.2f} instructions a cycle")
            bad = 1
best = max(m for c, m in mean.items() if width[c] <= 8)
for core, m in mean.items():
    if m > best * (1 if width[core] <= 8 else 1.13 * 1.02):
        print(f"{core}: {m:.2f} instructions a cycle over both, the fastest of eight {best:.2f}")
        bad = 1
sys.exit(bad)
E2
finish
