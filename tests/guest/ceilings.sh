# SPDX-License-Identifier: MIT
# No core gets more instructions a cycle through the programs of Dhrystone's and CoreMark's classes than its kin got through the program of SPEC 2017 that goes
# fastest, exchange2: 5.13 measured on Neoverse V2 (JV1's author), which dispatches eight; of those that dispatch ten Arm claims 13 % more (WPX4).
. "$SRC/tests/guest/lib.sh"

"$SRC/tests/accuracy/build.sh" "$BUILD/accuracy" || fail "the kernels cannot be built"
wide=$("$BUILD/apmu" list cores -j | python3 -c "
import json, re, subprocess, sys
for core in json.load(sys.stdin):
    said = subprocess.run(['$BUILD/apmu', 'list', 'cores', core['core'], '-v'], capture_output=True, text=True).stdout
    figure = dict(re.findall(r'^ +(width|rob) +(\d+)', said, re.M))
    if int(figure.get('width', 0)) > 5 and int(figure.get('rob', 0)):
        print(core['core'] + ':' + figure['width'])
" | paste -sd' ')
[ "$(wc -w <<<"$wide")" -ge 8 ] || fail "cores of more than five slots: $wide"
for kernel in 'records 0 20000' 'mixture 0 20'; do
	"$BUILD/apmu" stat -j -c "$(sed 's/:[0-9]*//g; s/ /,/g' <<<"$wide")" -e cycles,instructions -o "$work/out" -- "$BUILD/accuracy/kernels-a64" $kernel >"$work/stdout" || fail "$kernel: stat failed"
	python3 - "$work/out" "$kernel" "$wide" <<'E2' || fail "$kernel goes too fast"
import json, sys
bad, width = 0, dict(w.split(':') for w in sys.argv[3].split())
for core in json.load(open(sys.argv[1]))['cores']:
    value = {c['name']: c['value'] for c in core['counters']}
    ipc = next(v for n, v in value.items() if n.startswith('INST')) / next(v for n, v in value.items() if 'CYCLES' in n)
    if not 1 < ipc <= 5.13 * (1 if int(width[core['core']]) <= 8 else 1.13):
        print(f"{core['core']}: {ipc:.2f} instructions a cycle of {sys.argv[2]}")
        bad = 1
sys.exit(bad)
E2
done
finish
