#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# apmu export html in headless Chromium: each view shows the profile's figures (lib_profile.sh), and the page asks
# for nothing outside itself.
. "$(dirname "$0")/../lib.sh"
. "$SRC/tests/cli/lib_profile.sh"
make_program
make_profile apmu.data
export HOME=$work # chromium's own files
. "$SRC/tests/cli/lib_browser.sh"

apmu export html -o page.html
exits 0
silent
! grep -nE '(src|href)=|url\(|fetch\(|import ' page.html || fail "the page asks for other files"

# view NAME [WORD...]: the page's text in this view, a line a row; "," parts cells.
view()
{
	look "file://$work/page.html#view=$1" document.documentElement.outerHTML >said || fail "page: $(cat said)"
	jq -r . said >dom
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

# Functions: gauge, self, count, total, count, name, object, file.
view functions '|51.52%|3,400|51.52%|3,400|leaf|prog|inlined.c|' '|15.15%|1,000|90.91%|6,000|twice|prog|inlined.c|' \
	'|3.03%|200|93.94%|6,200|main|prog|inlined.c|' 'prog one "two'
[ "$(grep -c '%|' text)" = 5 ] || fail "functions: $(cat text)"
view "functions&event=cpu-cycles" '|100.00%|7,000|100.00%|7,000|main|prog|inlined.c|'
[ "$(grep -c '%|' text)" = 1 ] || fail "cpu-cycles: $(cat text)"
view "functions&find=tw" '|15.15%|1,000|90.91%|6,000|twice|prog|inlined.c|'
[ "$(grep -c '%|' text)" = 1 ] || fail "find: $(cat text)"
view flame twice outer middle leaf
grep -oE 'aria-label="(main|twice|leaf)[^"]*"' dom | tr '\n' ' ' >titles
for title in 'main, 6,200 branch-misses, 93.94%' 'twice, 6,000 branch-misses, 90.91%' 'leaf, 3,000 branch-misses, 45.45%' 'leaf, 400 branch-misses, 6.06%'; do
	grep -qF "$title" titles || fail "flame: no '$title': $(cat titles)"
done
view time 'thread 1' 'thread 2 (two)'
grep -q '6.2 k\|6,200 in all' text || fail "time: $(cat text)"
grep -qE '<path d="M0 [0-9.]+L' dom || fail "time: no curve"
# A view of one function is of the hottest by the chosen event, until another is chosen.
view "sandwich&from=0.8&to=1" 'twice: 84.62% of branch-misses with what it calls, 76.92% itself'
view "sandwich&event=cpu-cycles" 'main: 100.00% of cpu-cycles with what it calls, 100.00% itself'
view "code&fn=outer" "51.52%|3,400||$(printf '%x' "$outer")|adrp x2, #0x492000|" '51.52%|3,400|7|	sink = x;|' '30.30%|2,000|13|	return leaf(x + 1) ^ leaf(x + 7);|'

# The summary: what it is, how it was recorded, the hottest functions with a reason; and what would be there with more events.
view summary 'prog one "two' 'modelledcortex-a53, sampled'
for words in 'Record with apmu record --core cortex-a53 --cpi-stack -g -- ./prog' '52 % of the branch-misses, ' 'Not recorded: instructions (IPC and rates by function).' 'All counts are modelled'; do
	grep -qF "$words" text || fail "summary: no '$words' in" "$(cat text)"
done

# Keys, sorting, zooming, finding, the address; a telephone's width.
asked()
{
	look "file://$work/${page_name:-page.html}#$1" "${@:2}" >said || fail "page: $(cat said)"
	jq -r . said
}
key="(e, k) => e.dispatchEvent(new KeyboardEvent('keydown', { key: k, bubbles: true, cancelable: true }))"
boxes="() => [...document.querySelectorAll('#flame div')].map(e => e.ariaLabel.split(', ')[0] + (e.classList.contains('above') ? '^' : '')).join(' ')"
box="name => [...document.querySelectorAll('#flame div')].find(e => e.ariaLabel.startsWith(name))"
asked "view=flame&find=LEAF" "document.querySelector('main p').innerText.split('; ').pop()" "document.getElementById('find').value" \
	"($boxes)()" "($key)(($box)('twice'), 'Enter'), ($boxes)()" "document.activeElement.ariaLabel.split(', ')[0]" "location.hash" \
	"($key)(document.activeElement, 'ArrowDown'), document.activeElement.ariaLabel.split(', ')[0]" \
	"($key)(document.body, 'Escape'), ($boxes)()" "new Promise(done => { onpopstate = (old => () => { old(); done(($boxes)()); })(onpopstate); history.back(); })" >got
cat >want <<'END'
found: 51.52%
LEAF
prog main outer middle leaf twice outer middle leaf
prog^ main^ twice outer middle leaf
twice
#view=flame&find=LEAF&zoom=2
outer
prog main outer middle leaf twice outer middle leaf
prog^ main^ twice outer middle leaf
END
sort -o want.sorted <(tr ' ' '\n' <want)
sort -o got.sorted <(tr ' ' '\n' <got)
cmp -s got.sorted want.sorted || fail "flame graph by keys: $(diff got want)"
asked "view=functions" "[...document.querySelectorAll('th button')].find(b => b.innerText === 'function').click()" \
	"[...document.querySelectorAll('#functions tbody tr')].map(r => r.cells[5].innerText).join(' ') + ' ' + document.querySelector('[aria-sort]').ariaSort" \
	"location.hash" "($key)(document.querySelector('tr.open'), 'Enter'), document.querySelector('#code tbody').rows.length > 3" "state.view + ' ' + new URLSearchParams(location.hash.slice(1)).get('fn')" \
	"($key)(document.body, '3'), state.view" "($key)(document.body, 'e'), document.getElementById('event').selectedOptions[0].text" "($key)(document.body, '?'), document.querySelector('dialog').open" >got
printf '%s\n' null 'leaf main middle outer twice ascending' '#view=functions&sort=name&down=false' true 'code leaf' flame cpu-cycles true | cmp -s - got || fail "table by keys: $(cat got)"
# What a reader without a mouse chose keeps the focus, so that the next key acts on it too.
asked "view=flame" "(() => { const s = document.querySelector('main select[aria-label=order]'); s.focus(); s.value = 'up'; s.dispatchEvent(new Event('change')); return [document.activeElement.ariaLabel, document.activeElement !== s, state.tree].join(' '); })()" \
	"set({ view: 'code' }), (() => { const c = document.querySelector('main input'); c.focus(); c.click(); return [document.activeElement.ariaLabel, document.activeElement !== c, state.all].join(' '); })()" >got
printf '%s\n' "order true up" "all events true true" | cmp -s - got || fail "focus: $(cat got)"
# For readers who hear the page: boxes are buttons with names, pictures have names.
asked "view=flame" "[...document.querySelectorAll('#flame div')].every(e => e.role === 'button' && e.ariaLabel)" \
	"set({ view: 'time' }), [...new Set([...document.querySelectorAll('svg[role=img]')].map(e => e.ariaLabel))].join(', ')" >got
printf '%s\n' true "branch-misses over time, cpu-cycles over time" | cmp -s - got || fail "names: $(cat got)"
# On paper graphs have their colours, the part of the run that is shown is named, and nothing is scrolled out of sight.
asked "view=code" "(() => { const sheet = document.styleSheets[0], rules = [...sheet.cssRules].find(r => r.media?.mediaText === 'print').cssRules;
	for (const r of [...rules]) sheet.insertRule(r.cssText, sheet.cssRules.length); })()" \
	"[['.share', 'printColorAdjust'], ['#strip', 'display'], ['.pane .scroll', 'maxHeight'], ['nav', 'display']].map(([e, what]) => getComputedStyle(document.querySelector(e))[what]).join(' ')" \
	"set({ view: 'flame' }), [...document.querySelectorAll('#flame div')].every(e => e.style.width.endsWith('%'))" >got
printf '%s\n' null 'exact block none none' true | cmp -s - got || fail "on paper: $(cat got)"
# Without scripts the page says what it needs.
grep -q '<noscript>.*This page needs JavaScript' page.html || fail "without scripts"
# Nothing is wider than a telephone; what is wide there is left out.
asked "view=summary" "new Promise(done => { const f = document.createElement('iframe'); f.width = 360; f.src = location.href; document.body.append(f);
	f.onload = () => { const page = f.contentDocument, said = []; for (const b of page.querySelectorAll('#views button')) { b.click();
		said.push(b.dataset.view + ' ' + (page.documentElement.scrollWidth <= 360) + ' ' + (page.querySelector('td.wide')?.offsetWidth ?? 0)); } done(said.join(', ')); }; })" >got
[ "$(<got)" = "summary true 0, functions true 0, flame true 0, sandwich true 0, time true 0, code true 0" ] || fail "on a telephone: $(cat got)"
# Curves leave room for the scroll bar that comes as they are drawn.
asked "view=summary" "Promise.all(['summary', 'time'].map(view => new Promise(done => { const f = document.createElement('iframe'); f.width = 360; f.height = 300; f.src = location.href.replace('summary', view);
	document.body.append(f); f.onload = () => { const page = f.contentDocument, ends = [...page.querySelectorAll('#strip svg, .lane svg')].map(s => s.getBoundingClientRect().right);
		const head = page.querySelector('header'); done(ends.length > 0 && Math.max(...ends) <= head.getBoundingClientRect().right - parseFloat(f.contentWindow.getComputedStyle(head).paddingRight)); }; }))).then(String)" >got
[ "$(<got)" = true,true ] || fail "curves beside a scroll bar: $(cat got)"

# A part of the run, its first half (to 30,780 of 61,560 instructions): 30 samples of 100 in leaf by twice and main, and the 400 of the other thread.
# Every view is of that part.
asked "view=functions&from=0&to=0.5" "[...document.querySelectorAll('#functions tbody tr')].map(r => [1, 2, 3, 4, 5].map(i => r.cells[i].innerText).join(' ')).join('; ')" \
	"set({ thread: 0 }), [...document.querySelectorAll('#functions tbody tr')].map(r => r.cells[5].innerText + ' ' + r.cells[2].innerText).join('; ')" \
	"set({ view: 'code', fn: data.functions.findIndex(f => f[0] === 'outer') }), [...document.querySelectorAll('#code tbody tr')].map(r => r.cells[1].innerText).filter(Boolean).join(' ')" \
	"set({ view: 'flame' }), document.querySelector('#flame div').ariaLabel" "($key)(document.body, 'Escape'), document.querySelector('#flame div').ariaLabel" >got
cat >want <<'END'
100.00% 3,400 100.00% 3,400 leaf; 0.00%  88.24% 3,000 main; 0.00%  88.24% 3,000 twice; 0.00%  100.00% 3,400 outer; 0.00%  100.00% 3,400 middle
leaf 3,000; main ; twice ; outer ; middle 
3,000
prog, 3,000 branch-misses, 100.00%, before
END
sed -i 's/, before.*//' want
head -4 got | cmp -s - want || fail "a part of the run: $(diff got want)"
[ "$(tail -1 got)" = "prog, 6,600 branch-misses, 100.00%" ] || fail "Escape: $(cat got)"
# Dragging chooses it.
drag="(a, b) => { const l = document.querySelector('#strip .lanes'), r = l.getBoundingClientRect(), go = (t, x) => l.dispatchEvent(Object.assign(new PointerEvent(t, { clientX: r.left + x * r.width, clientY: r.top + 5, pointerId: 1, button: 0 })));
	l.setPointerCapture = () => 0; go('pointerdown', a); go('pointermove', b); go('pointerup', b); return state.from + ' ' + state.to + ' ' + location.hash; }"
asked "view=functions" "($drag)(0.25, 0.5)" "document.querySelectorAll('#functions tbody tr').length > 0" >got
printf '%s\n' '0.25 0.5 #view=functions&from=0.25&to=0.5' true | cmp -s - got || fail "dragging: $(cat got)"

# Callers and callees of one function; and the tree turned round.
asked "view=sandwich&fn=outer" "[...document.querySelectorAll('#callers div')].map(e => e.ariaLabel.split(',').slice(0, 3).join(',')).join('; ')" \
	"[...document.querySelectorAll('#callees div')].map(e => e.ariaLabel.split(', ')[0]).join(' ')" \
	"set({ view: 'flame', tree: 'up' }), [...document.querySelectorAll('#flame div')].map(e => e.ariaLabel.split(' branch')[0]).slice(0, 3).join('; ')" >got
cat >want <<'END'
outer, 5,400 branch-misses; twice, 5,000 branch-misses; main, 5,000 branch-misses
outer middle leaf
prog, 6,600; leaf, 3,400; middle, 3,400
END
sed -i 's/\([0-9]\),\([0-9]\)/\1,\2/g' got
cmp -s got want || fail "callers and callees: $(diff got want)"

# Compared with an older recording: what grew and what shrank.
make_profile older.data "thread 2 102" "sample $twice 3 weight=500" "total 2 500 0"
apmu export html --before older.data -o both.html
exits 0
page_name=both.html asked "view=functions&sort=change" "[...document.querySelectorAll('#functions tbody tr')].map(r => r.cells[6].innerText + ' ' + r.cells[5].innerText).filter(t => t[0] === '−' || t.includes('−')).join('; ')" \
	"set({ view: 'flame' }), document.querySelector('#flame div').ariaLabel" "set({ view: 'summary' }), document.querySelector('main tbody tr').innerText.replaceAll('\\t', ' ')" >got
cat >want <<'END'
twice −500
prog, 6,600 branch-misses, 100.00%, before: 7,100 (−500)
branch-misses 7,100 6,600 -7.04%
END
cmp -s got want || fail "before and after: $(diff got want)"
# A program of another name, started by a link, has the same functions, and an event the same counts however it was spelled.
cp prog other
printf '%s\n' "program $work/other" "argv ./link" "core cortex-a53" "event Branch_Misses BR_MIS_PRED 0x10 100" \
	"map $text_at $((text_at + text_size)) $text_offset $work/other $build_id" "thread 0 100" "sample $twice 3 weight=600" "total 0 600" |
	python3 "$SRC/tests/cli/profile.py" other.data
apmu export html --before other.data -o both.html
exits 0
page_name=both.html asked "view=functions&find=twice" "document.querySelector('#functions tbody tr').cells[5].innerText" \
	"set({ view: 'summary' }), document.querySelector('main tbody tr').innerText.replaceAll('\\t', ' ')" >got
printf '%s\n' +400 "branch-misses 600 6,600 +1000.00%" | cmp -s - got || fail "before, by another name: $(cat got)"
# An event that one recording lacks has changed nowhere; nor has anything of a recording that was cut off, whose totals are unknown.
headings="[...document.querySelectorAll('#functions th')].map(h => h.textContent).filter(h => h.startsWith('change')).length"
apmu export html --before other.data -o both.html
page_name=both.html asked "view=functions&event=cpu-cycles&sort=change" "$headings" \
	"[...document.querySelectorAll('#functions tbody tr')].map(r => r.innerText.replaceAll('\\t', ' ').trim()).join('; ')" \
	"set({ event: 0 }), $headings" "set({ event: 1, view: 'flame' }), document.querySelector('#flame div').ariaLabel" \
	"[...document.querySelectorAll('main select option')].filter(o => o.value === 'change').length" \
	"set({ view: 'summary' }), document.querySelector('main tbody').innerText.replaceAll('\\t', ' ').trim()" >got
cat >want <<'END'
0
100.00% 7,000 100.00% 7,000 main prog inlined.c
1
prog, 7,000 cpu-cycles, 100.00%
0
branch-misses 600 6,600 +1000.00%
cpu-cycles not counted 7,000
END
cmp -s got want || fail "an event that one recording lacks: $(diff got want)"
head -c -40 older.data >cut.data
apmu export html --before cut.data -o both.html
exits 0
page_name=both.html asked "view=functions" "$headings" "set({ view: 'summary' }), document.querySelector('main tbody tr').innerText.replaceAll('\\t', ' ')" >got
printf '%s\n' 0 "branch-misses not counted 6,600 " | cmp -s - got || fail "before, cut off: $(cat got)"
page_name=page.html
refuses 2 "apmu export: --before is for the page: 'apmu export html'; 'apmu diff' compares in text" export folded --before older.data

# A CPI stack: 1000 cycles of which 300 wait for memory, 100 of it L2's, and 20 mispredictions of 5 cycles; what is left is issuing.
{
	printf '%s\n' "program $work/prog" "argv prog" "core cortex-a53" "clock 1000000000" "event cycles CPU_CYCLES cycles 10" "event instructions I 1 10" \
		"event mispredictions M 1 10 part=branch,5" "event stall-back-end B 1 10 part=back,1" "event stall-l2 L 1 10 part=l2,1" "event stall-memory M 1 10 part=memory,1" \
		"map $text_at $((text_at + text_size)) $text_offset $work/prog $build_id" "thread 0 100"
	for e in "0 100" "1 50" "2 2" "3 50" "4 10" "5 30"; do echo "sample $main 1000 event=${e% *} weight=${e#* } times=10 step=100"; done
	echo "total 0 1000 500 20 500 100 300"
} | python3 "$SRC/tests/cli/profile.py" stack.data
apmu export html -i stack.data -o stack.html
exits 0
page_name=stack.html asked "view=summary" "document.querySelector('.stack').ariaLabel" "document.querySelector('.top div.soft').innerText" "document.querySelector('.card b').innerText" >got
cat >want <<'END'
issuing 40 %, operands and L1 10 %, branches 10 %, L2 10 %, memory 30 %
40 % of its cycles issue instructions, all at inlined.c:27; 30 % wait for data from memory. IPC 0.50.
1.9 µs
END
cmp -s got want || fail "CPI stack: $(diff got want)"
page_name=page.html

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
view code "47.83%|11||$(printf '%x' $((at + 4000)))|add w0, w0, #0x3e8|" "52.17%|12||$(printf '%x' $((at + 80000)))|add w0, w0, #0|"
[ "$(grep -c '|add w0' text)" = 34 ] && [ "$(grep -c 'instructions without a count are left out' text)" = 1 ] || fail "a long function: $(cat text)"

# Two such functions of T32, whose instructions are half as long: the page still has no more rows than it may.
{
	printf '\t.thumb\n\t.syntax unified\n\t.global _start, first, second\n'
	for name in first second; do
		printf '\t.type %s, %%function\n%s:\n\t.rept 35000\n\tadds r0, r0, #1\n\t.endr\n\tbx lr\n\t.size %s, .-%s\n' $name $name $name $name
	done
	printf '_start:\n\tbl first\n\tbl second\n'
} | arm-linux-gnueabi-gcc -march=armv7-a -nostdlib -static -x assembler - -o thumb || exit 1
at=$((0x$(arm-linux-gnueabi-nm thumb | awk '$3 == "first" { print $1 }')))
page=$((at / 4096 * 4096))
{
	printf '%s\n' "program $work/thumb" "machine 40" "argv thumb" "core cortex-a53" "event cycles CPU_CYCLES cycles 10" \
		"map $page $((page + 0x40000)) $((page % 0x10000)) $work/thumb" "thread 0 7"
	for ((i = 0; i < 1400; i++)); do echo "sample $((at + 100 * i)) $((i + 3)) weight=$((3000 - i))"; done
	echo "total 0 9999999"
} | python3 "$SRC/tests/cli/profile.py" thumb.data
apmu export html -i thumb.data -o page.html
exits 0
rows=$(grep -cE '^\["[0-9a-f]*",".*",(null|[0-9]+),[0-9]+\]' page.html)
[ "$rows" -gt 1400 ] && [ "$rows" -le 12000 ] || fail "long functions of T32: $rows rows of instructions"

# T32 code that the program made, of which nobody says what it is: as in `annotate`, an instruction between two words tells.
printf '%s\n' "program $work/none" "machine 40" "argv none" "core cortex-a9" "event cycles CPU_CYCLES cycles 10" "thread 0 100" \
	"sample 0x70000002 10 weight=10" "code 0x70000000 8 made 0130023003307047" "total 0 10" | python3 "$SRC/tests/cli/profile.py" made.data
apmu export html -i made.data -o made.html
exits 0
grep -qF '["70000002","adds r0, #2",null,0]' made.html || fail "T32 code that the program made: $(grep -A4 data-listing made.html)"

# Calls deeper than a browser's own stack: the nearest levels are drawn, the others a click away, and all of them are searched.
{
	printf '%s\n' "program $work/prog" "argv deep" "core cortex-a53" chains "event cycles CPU_CYCLES cycles 10" \
		"map $text_at $((text_at + text_size)) $text_offset $work/prog $build_id" "thread 0 7"
	for ((i = 0; i < 14000; i++)); do echo "frame $((main + 8)) $i"; done
	printf '%s\n' "sample $twice 3 weight=11 chain=14000" "total 0 11"
} | python3 "$SRC/tests/cli/profile.py" deep.data
apmu export html -i deep.data -o page.html
exits 0
asked "view=flame&find=twice" "document.querySelectorAll('#flame div').length" "document.querySelector('main p').innerText.split('; ').slice(3).join('; ')" \
	"state.zoom = 13990, show(), document.querySelectorAll('#flame div').length + ' ' + document.querySelectorAll('#flame div.above').length" >got
printf '%s\n' 500 'deeper than 500 calls: click the lowest box for what is below; found: 100.00%' '513 501' | cmp -s - got ||
	fail "deep calls: $(cat got)"

# More places on call chains than the page has boxes: the smallest are one box below their caller, and a function's own count stays its own.
# top has 1000 itself and calls 4^7 chains of seven, each of one of four functions; a is on all but 3^7 of them. The last of each chain is too small
# for a box of its own. Nothing is wider than a telephone, however long a function's name.
long=std::vector_of_long_names_that_are_wider_than_a_telephone::operator_and_more
{
	printf '%s\n' "program $work/none" "argv wide" "core cortex-a53" chains "event cycles CPU_CYCLES cycles 10" "thread 0 7" "code 0x70000000 64 top" \
		"code 0x70001000 64 a" "code 0x70002000 64 $long" "code 0x70003000 64 c" "code 0x70004000 64 d" "sample 0x70000000 1 weight=1000" "frame 0x70000000 0"
	awk 'BEGIN { for (i = 1; i < 5461; i++) print "frame", 1879048192 + 4096 * ((i - 1) % 4 + 1), int((i - 1) / 4) + 1
		for (i = 5461; i < 21845; i++) print "sample", 1879048192 + 4096 * ((i - 1) % 4 + 1), i, "weight=1", "chain=" int((i - 1) / 4) + 1 }'
	echo "total 0 17384"
} | python3 "$SRC/tests/cli/profile.py" wide.data
apmu export html -i wide.data -o page.html
exits 0
asked "view=flame&tree=up" "data.nodes.length > 5461 && data.nodes.length <= 15000" "inverted().kids.map(b => nameOf(b.f) + ' ' + b.w[0]).sort().join('; ')" \
	"plant().filter(b => b.n && b.f !== null && b.f >= 0).every(b => b.w[0] === b.kids.reduce((sum, k) => sum + k.w[0], nameOf(b.f) === 'top' ? 1000 : 0))" \
	"state.zoom = plant().findIndex(b => b.f === null), state.tree = 'down', show(), document.querySelector('main').innerText.includes('callers and callees')" >got
printf '%s\n' true '(many small functions) 16384; top 1000' true false | cmp -s - got || fail "small boxes: $(cat got)"
asked "view=sandwich" "new Promise(done => { const f = document.createElement('iframe'); f.width = 360; f.src = location.href; document.body.append(f);
	f.onload = () => done(f.contentDocument.documentElement.scrollWidth <= 360); })" >got
[ "$(<got)" = true ] || fail "on a telephone, with long names: $(cat got)"
view "sandwich&fn=a" 'a: 81.67% of cycles with what it calls, 23.56% itself; 4.19% are in boxes that are too small for this page'

# What is seen: a picture that is not one colour. (Somebody looked at it, too.)
chromium --headless --no-sandbox --disable-gpu --window-size=1000,500 --screenshot="$work/page.png" \
	"file://$work/page.html#view=flame" >/dev/null 2>&1
file page.png | grep -q 'PNG image data, 1000 x 500' && [ "$(stat -c %s page.png)" -gt 8000 ] || fail "no screenshot"

# A name cannot leave its place: </script> in an argument and in a path.
make_profile odd.data 'argv ./prog </script><b>x' 'event </script> E 3 5'
apmu export html -i odd.data -o page.html
exits 0
view functions 'prog </script><b>x'

# Where data were found (record -d): by level, by line; on a telephone without the columns that are wide. Else no such view.
! grep -q 'data-view="data"' dom || fail "a view of data without data"
{
	printf '%s\n' "program $work/prog" "argv prog" "core cortex-a53" data "event misses L1D_CACHE_REFILL 0x3 10" \
		"event cpu-cycles CPU_CYCLES cycles 10" "map $text_at $((text_at + text_size)) $text_offset $work/prog $build_id" "thread 0 100" \
		"sample $twice 5 weight=40 data=4096,10,130" "sample $twice 6 weight=20 data=8192,21,130" "sample $twice 7 weight=30 data=8192,0,4" \
		"sample $main 8 weight=10" "sample $main 9 weight=5 event=1" "total 0 100 5"
} | python3 "$SRC/tests/cli/profile.py" data.data
apmu export html -i data.data -o page.html
exits 0
silent
view data '|60.00%|60|15.5|L2, TLB miss|' '|30.00%|30||memory|' '|10.00%|10||no data access|' \
	'|60.00%|60|15.5|L2, TLB miss|inlined.c:22|twice|prog|' '|30.00%|30||memory|inlined.c:22|twice|prog|'
[ "$(grep -c '%|' text)" = 5 ] || fail "data: $(cat text)"
view "data&event=cpu-cycles" '|100.00%|5||no data access|'
view "data&find=memory" '|30.00%|30||memory|inlined.c:22|twice|prog|'
[ "$(grep -c '%|' text)" = 4 ] || fail "data, find: $(cat text)"
asked "view=data" "[...document.querySelectorAll('#lines th button')].find(b => b.textContent === 'found in').click()" \
	"[...document.querySelectorAll('#lines tbody tr')].map(r => r.cells[4].textContent).join(' ')" \
	"($key)(document.querySelector('#lines tr.open'), 'Enter'), document.querySelector('#code tbody').rows.length > 3" \
	"new Promise(done => { const f = document.createElement('iframe'); f.width = 360; f.src = location.href; document.body.append(f);
		f.onload = () => { const page = f.contentDocument; done((page.documentElement.scrollWidth <= 360) + ' ' + page.querySelector('td.wide').offsetWidth); }; })" >got
printf '%s\n' null 'L2, TLB miss memory' true 'true 0' | cmp -s - got || fail "data by keys, and on a telephone: $(cat got)"

# An exact profile has no time line, and says so.
make_profile exact.data exact
apmu export html -i exact.data -o page.html
view time 'this profile has no order of time (--exact)'

# Nothing at all was sampled: each view says so.
printf '%s\n' "program $work/prog" "argv prog" "core cortex-a53" "event cycles CPU_CYCLES cycles 10" "thread 0 7" "total 0 3" |
	python3 "$SRC/tests/cli/profile.py" empty.data
apmu export html -i empty.data -o page.html
for words in "functions:nothing was sampled of this event" "flame:nothing was sampled of this event" \
	"code:no instructions in this page: the program's files were not there, or nothing was sampled"; do
	view "${words%%:*}" "${words#*:}"
done

verdict
