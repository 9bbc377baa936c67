#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Exports in viewers that npm has: speedscope's own page in headless Chromium, Firefox Profiler's own reader in its command.
. "$(dirname "$0")/../lib.sh"
. "$SRC/tests/cli/lib_profile.sh"
viewers=$BUILD/viewers
npm install --prefix "$viewers" --ignore-scripts --no-audit --no-fund --silent \
	speedscope@1.25.0 @firefox-devtools/profiler-cli@0.10.0 >npm.log 2>&1 || fail "npm: $(tail -n 3 npm.log)"
make_program
make_profile apmu.data
export HOME=$work # the viewers' own files
for format in folded pprof callgrind trace perf; do apmu export $format -o profile.$format; exits 0; done
perf script -i profile.perf >profile.script 2>/dev/null

# speedscope FORMAT LINE...: in its table of functions each line stands, "total self name"
speedscope()
{
	base64 -w 0 profile.$1 >bytes
	python3 "$SRC/tests/cli/browser.py" "file://$viewers/node_modules/speedscope/dist/release/index.html" \
		"until !!document.querySelector('input[type=file]')" \
		"(() => { const files = new DataTransfer(), input = document.querySelector('input[type=file]');
			files.items.add(new File([Uint8Array.from(atob(@bytes), c => c.charCodeAt(0))], 'profile.$1'));
			input.files = files.files; input.dispatchEvent(new Event('change', { bubbles: true })); })()" \
		"until document.body.innerText.includes('Sandwich')" \
		"[...document.querySelectorAll('div')].filter(e => e.innerText.endsWith('Sandwich') && e.children.length < 3).forEach(e => e.click())" \
		"until document.querySelectorAll('tr').length > 1" \
		"[...document.querySelectorAll('tr')].map(row => row.innerText.replace(/\s+/g, ' ').trim()).join('\n')" >said 2>&1
	tail -n 1 said | jq -r . >rows
	local format=$1 line
	shift
	for line in "$@"; do
		grep -qxF -- "$line" rows || fail "speedscope, $format: no '$line' in:" "$(cat rows said)"
	done
}
speedscope folded "3,400 (52%) 3,400 (52%) leaf" "5,400 (82%) 2,000 (30%) middle" "6,000 (91%) 1,000 (15%) twice" "6,200 (94%) 200 (3.0%) main"
# Of a place with inlined functions its pprof reader takes the outermost, outer.
speedscope pprof "5,400 (82%) 5,400 (82%) outer" "6,000 (91%) 1,000 (15%) twice" "6,200 (94%) 200 (3.0%) main"
speedscope trace "30.00µs (49%) 30.00µs (49%) leaf" "50.00µs (82%) 20.00µs (33%) outer" "60.00µs (98%) 10.00µs (16%) twice" \
	"61.00µs (100%) 1.00µs (1.6%) main"
speedscope script "60.00µs (100%) 500.00ns (0.83%) main"

# firefox WORD...: what its command says of the profile that was loaded
firefox() { node "$viewers/node_modules/@firefox-devtools/profiler-cli/dist/profiler-cli.js" "$@" --session test; }
firefox_loads()
{
	firefox load "$1" >loaded 2>&1
	for ((i = 0; i < ${2:-100}; i++)); do ! firefox thread list >threads 2>&1 || break; sleep 0.2; done # it starts in the background
}
firefox_loads profile.script
grep -q 'Threads (2 threads' threads || fail "Firefox Profiler, perf script: $(cat loaded threads)"
firefox thread functions >functions 2>&1 # in samples, of both events
for line in "prog!outer - self: 50 (73.5%), total: 50 (73.5%)" "prog!twice - self: 10 (14.7%), total: 60 (88.2%)" \
	"prog!main - self: 8 (11.8%), total: 68 (100.0%)"; do
	grep -qF -- "$line" functions || fail "Firefox Profiler, perf script: no '$line' in:" "$(cat functions)"
done
firefox stop >/dev/null 2>&1
firefox_loads profile.trace
grep -qE 't-0 +thread 1 .* 5$' threads && grep -qE 't-1 +two .* 3$' threads || fail "Firefox Profiler, trace: $(cat loaded threads)"
firefox stop >/dev/null 2>&1
: >profile.nothing
firefox_loads profile.nothing 10
! grep -q 'Threads (' threads || fail "Firefox Profiler does not mind an empty file: $(cat threads)"
firefox stop >/dev/null 2>&1

verdict
