#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# apmu export html in headless Chromium: each view shows the profile's figures (lib_profile.sh), and the page asks
# for nothing outside itself.
. "$(dirname "$0")/lib.sh"
. "$SRC/tests/cli/lib_profile.sh"
make_program
make_profile apmu.data
export HOME=$work # chromium's own files

apmu export html -o page.html
exits 0
silent
! grep -nE '(src|href)=|url\(|fetch\(|import ' page.html || fail "the page asks for other files"

# view NAME [WORD...]: the page's text in this view, a line a row; "," parts cells.
view()
{
	for _ in 1 2 3; do # on a busy machine chromium may dump the page before its script has run
		chromium --headless --no-sandbox --disable-gpu --dump-dom "file://$work/page.html#view=$1" 2>/dev/null >dom
		! grep -q '<option' dom || break
	done
	python3 - >text <<-'PYTHON'
		import html, re
		body = open("dom").read().split("<script", 1)[0]
		body = re.sub(r"</t[dh]>", "|", re.sub(r"</(tr|p|h\d|div|option)>", "\n", body))
		print(html.unescape(re.sub(r"<[^>]*>", "", body)))
	PYTHON
	shift
	for line in "$@"; do
		grep -qxF -- "$line" text || fail "no '$line' in:" "$(cat text)"
	done
}

apmu report --html again.html
exits 0
silent
cmp -s page.html again.html || fail "report --html and export html differ"
refuses 2 "apmu report: --html writes all of the recording: leave out what sorts and filters" report --html again.html --sort line
refuses 1 "apmu report: cannot write '/nowhere/x': No such file or directory" report --html /nowhere/x

view functions '51.52%|3,400|51.52%|3,400|leaf|prog|inlined.c|' '15.15%|1,000|90.91%|6,000|twice|prog|inlined.c|' \
	'3.03%|200|93.94%|6,200|main|prog|inlined.c|' './prog one "two'
[ "$(grep -c '%|' text)" = 5 ] || fail "functions: $(cat text)"
view "functions&event=cpu-cycles" '100.00%|7,000|100.00%|7,000|main|prog|inlined.c|'
[ "$(grep -c '%|' text)" = 1 ] || fail "cpu-cycles: $(cat text)"
view "functions&find=tw" '15.15%|1,000|90.91%|6,000|twice|prog|inlined.c|'
[ "$(grep -c '%|' text)" = 1 ] || fail "find: $(cat text)"
view flame twice outer middle leaf
grep -oE 'title="(main|twice|leaf)[^"]*"' dom | tr '\n' ' ' >titles
for title in '6,200 branch-misses, 93.94%' '6,000 branch-misses, 90.91%' '3,000 branch-misses, 45.45%' '400 branch-misses, 6.06%'; do
	grep -qF "$title" dom || fail "flame: no '$title'"
done
view timeline 'thread 0' 'thread 1'
grep -q '6,200 branch-misses over 61,560 instructions' text || fail "timeline: $(cat text)"
grep -qE '<path d="M0 [0-9.]+H' dom || fail "timeline: no curve"
view code "3,400||$(printf '%x' "$outer")|adrp x2, #0x492000|" '|||inlined.c:7  sink = x;|'
view source '3,400||7|	sink = x;|' '2,000||13|	return leaf(x + 1) ^ leaf(x + 7);|'

# Keys, sorting, zooming, finding; a telephone's width.
asked()
{
	python3 "$SRC/tests/cli/browser.py" "file://$work/page.html#$1" "${@:2}" >said 2>&1 || fail "page: $(cat said)"
	jq -r . said
}
key="(e, k) => e.dispatchEvent(new KeyboardEvent('keydown', { key: k, bubbles: true, cancelable: true }))"
boxes="() => [...document.querySelectorAll('#flame div')].map(e => e.title.split('\\n')[0].split('/').pop() + (e.className && '^')).join(' ')"
box="name => [...document.querySelectorAll('#flame div')].find(e => e.title.startsWith(name))"
asked "view=flame&find=LEAF" "document.querySelector('p').innerText.split('; ').pop()" "document.getElementById('find').value" \
	"($boxes)()" "($key)(($box)('twice'), 'Enter'), ($boxes)()" "document.activeElement.title.split('\\n')[0]" \
	"($key)(document.body, 'Escape'), ($boxes)()" >got
cat >want <<'END'
found: 51.52%
LEAF
prog main twice outer middle leaf outer middle leaf
prog^ main^ twice outer middle leaf
twice
prog main twice outer middle leaf outer middle leaf
END
cmp -s got want || fail "flame graph by keys: $(diff got want)"
asked "view=functions" "[...document.querySelectorAll('th button')].find(b => b.innerText === 'function').click()" \
	"[...document.querySelectorAll('tbody tr')].map(r => r.cells[4].innerText).join(' ') + ' ' + document.querySelector('[aria-sort]').ariaSort" \
	"($key)(document.querySelector('tr.open'), 'Enter'), document.querySelector('#code tbody').rows.length > 3" \
	"new Promise(done => { const f = document.createElement('iframe'); f.width = 360; f.src = location.href; document.body.append(f);
		f.onload = () => { const page = f.contentDocument; done((page.documentElement.scrollWidth <= 360) + ' ' + page.querySelector('td.wide').offsetWidth); }; })" >got
printf '%s\n' null 'leaf main middle outer twice ascending' true 'true 0' | cmp -s - got || fail "table by keys, and on a telephone: $(cat got)"
# There instructions and source have the chosen event's column alone, and curves are drawn for the width, not shrunk.
asked "view=code&event=cpu-cycles" "new Promise(done => { const f = document.createElement('iframe'); f.width = 360; f.src = location.href; document.body.append(f);
	f.onload = () => { const page = f.contentDocument, press = name => page.querySelector('[data-view=' + name + ']').click();
		const heads = () => [...page.querySelectorAll('th')].filter(h => h.offsetWidth).map(h => h.textContent).join(' ');
		const one = heads(); press('source'); const two = heads(); press('timeline');
		done(one + ', ' + two + ', ' + Math.round(100 * page.querySelector('svg').getScreenCTM().a)); }; })" >got
[ "$(<got)" = "cpu-cycles address instruction, cpu-cycles line , 100" ] || fail "instructions, source and curves on a telephone: $(cat got)"

# A function too long for the page: the instructions with counts and their neighbours, nothing else.
{
	printf '\t.global _start, long\n\t.type long, %%function\nlong:\n'
	for ((i = 0; i < 30000; i++)); do echo "	add w0, w0, #$((i % 4000))"; done
	printf '\tret\n\t.size long, .-long\n_start:\n\tbl long\n\tmov w8, #93\n\tsvc #0\n'
} | aarch64-linux-gnu-gcc -nostdlib -static -x assembler - -o long || exit 1
at=$((0x$(aarch64-linux-gnu-nm long | awk '$3 == "long" { print $1 }')))
page=$((at / 4096 * 4096))
printf '%s\n' "program $work/long" "argv long" "core cortex-a53" "event cycles CPU_CYCLES cycles 10" \
	"map $page $((page + 0x40000)) $((page % 0x10000)) $work/long" "thread 0 7" "sample $((at + 4000)) 3 weight=11" \
	"sample $((at + 80000)) 4 weight=12" "total 0 23" | python3 "$SRC/tests/cli/profile.py" long.data
apmu export html -i long.data -o page.html
exits 0
view code "11|$(printf '%x' $((at + 4000)))|add w0, w0, #0x3e8|" "12|$(printf '%x' $((at + 80000)))|add w0, w0, #0|"
[ "$(grep -c '|add w0' text)" = 34 ] && [ "$(grep -cx '||\.\.\.|' text)" = 1 ] || fail "a long function: $(cat text)"

# Calls deeper than a browser's own stack: the nearest levels are drawn, the others a click away, and all of them are searched.
{
	printf '%s\n' "program $work/prog" "argv deep" "core cortex-a53" chains "event cycles CPU_CYCLES cycles 10" \
		"map $text_at $((text_at + text_size)) $text_offset $work/prog $build_id" "thread 0 7"
	for ((i = 0; i < 14000; i++)); do echo "frame $((main + 8)) $i"; done
	printf '%s\n' "sample $twice 3 weight=11 chain=14000" "total 0 11"
} | python3 "$SRC/tests/cli/profile.py" deep.data
apmu export html -i deep.data -o page.html
exits 0
asked "view=flame&find=twice" "document.querySelectorAll('#flame div').length" "document.querySelector('p').innerText.split('; ').slice(3).join('; ')" \
	"state.zoom = 13990, show(), document.querySelectorAll('#flame div').length + ' ' + document.querySelectorAll('#flame div.above').length" >got
printf '%s\n' 500 'deeper than 500 calls: click the lowest box for what is below; found: 100.00%' '513 501' | cmp -s - got ||
	fail "deep calls: $(cat got)"

# What is seen: a picture that is not one colour. (Somebody looked at it, too.)
chromium --headless --no-sandbox --disable-gpu --window-size=1000,500 --screenshot="$work/page.png" \
	"file://$work/page.html#view=flame" >/dev/null 2>&1
file page.png | grep -q 'PNG image data, 1000 x 500' && [ "$(stat -c %s page.png)" -gt 8000 ] || fail "no screenshot"

# A name cannot leave its place: </script> in an argument and in a path.
make_profile odd.data 'argv ./prog </script><b>x' 'event </script> E 3 5'
apmu export html -i odd.data -o page.html
exits 0
view functions './prog </script><b>x'

# Where data were found (record -d): by level, by line; on a telephone without the columns that are wide. Else no such view.
! grep -q '<button data-view="data"' dom || fail "a view of data without data"
{
	printf '%s\n' "program $work/prog" "argv prog" "core cortex-a53" data "event misses L1D_CACHE_REFILL 0x3 10" \
		"event cpu-cycles CPU_CYCLES cycles 10" "map $text_at $((text_at + text_size)) $text_offset $work/prog $build_id" "thread 0 100" \
		"sample $twice 5 weight=40 data=4096,10,130" "sample $twice 6 weight=20 data=8192,21,130" "sample $twice 7 weight=30 data=8192,0,4" \
		"sample $main 8 weight=10" "sample $main 9 weight=5 event=1" "total 0 100 5"
} | python3 "$SRC/tests/cli/profile.py" data.data
apmu export html -i data.data -o page.html
exits 0
silent
view data '60.00%|60|15.5|L2, TLB miss|' '30.00%|30||memory|' '10.00%|10||no data access|' \
	'60.00%|60|15.5|L2, TLB miss|inlined.c:22|twice|prog|' '30.00%|30||memory|inlined.c:22|twice|prog|'
[ "$(grep -c '%|' text)" = 5 ] || fail "data: $(cat text)"
view "data&event=cpu-cycles" '100.00%|5||no data access|'
view "data&find=memory" '30.00%|30||memory|inlined.c:22|twice|prog|'
[ "$(grep -c '%|' text)" = 4 ] || fail "data, find: $(cat text)"
asked "view=data" "[...document.querySelectorAll('#lines th button')].find(b => b.textContent === 'found in').click()" \
	"[...document.querySelectorAll('#lines tbody tr')].map(r => r.cells[3].textContent).join(' ')" \
	"($key)(document.querySelector('#lines tr.open'), 'Enter'), document.querySelector('#code tbody').rows.length > 3" \
	"new Promise(done => { const f = document.createElement('iframe'); f.width = 360; f.src = location.href; document.body.append(f);
		f.onload = () => { const page = f.contentDocument; done((page.documentElement.scrollWidth <= 360) + ' ' + page.querySelector('td.wide').offsetWidth); }; })" >got
printf '%s\n' null 'L2, TLB miss memory' true 'true 0' | cmp -s - got || fail "data by keys, and on a telephone: $(cat got)"

# An exact profile has no time line, and says so.
make_profile exact.data exact
apmu export html -i exact.data -o page.html
view timeline 'this profile has no order of time (--exact)'

# Nothing at all was sampled: each view says so.
printf '%s\n' "program $work/prog" "argv prog" "core cortex-a53" "event cycles CPU_CYCLES cycles 10" "thread 0 7" "total 0 3" |
	python3 "$SRC/tests/cli/profile.py" empty.data
apmu export html -i empty.data -o page.html
for words in "functions:nothing was sampled of this event" "flame:nothing was sampled of this event" \
	"code:no instructions in this page: the program's files were not there, or nothing was sampled"; do
	view "${words%%:*}" "${words#*:}"
done

verdict
