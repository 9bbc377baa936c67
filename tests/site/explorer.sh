#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The register and event explorer, in headless Chromium, from file://: every conformance vector on its module, its lists
# against `apmu list`, registers, rights, the live PMU, addresses, keys, a telephone's width.
. "$(dirname "$0")/../cli/lib.sh"
. "$SRC/tests/cli/lib_browser.sh"

"$SRC/tools/site" "$work/site" >made || fail "tools/site: $(cat made)"
page=$work/site/index.html
size=$(stat -c %s "$page")
[ "$size" -lt 2000000 ] || fail "the page has $size bytes, less than 2,000,000 asked"
! grep -nE '(src|href)="(https?:)?//|@import|url\(http' "$page" || fail "the page asks for other files"

# shows HASH EXPRESSION=VALUE...: the page at that address has these values.
shows()
{
	local hash=$1 expressions=() wanted=() pair i
	shift
	for pair in "$@"; do
		expressions+=("${pair%%::=*}")
		wanted+=("${pair#*::=}")
	done
	look "file://$page#$hash" "until document.documentElement.dataset.ready==='yes'" "until !!document.querySelector('main > div, main > article')" "${expressions[@]}" >said ||
		fail "page at #$hash: $(cat said)"
	mapfile -t got < <(tail -n "${#wanted[@]}" said | jq -c . 2>/dev/null)
	for i in "${!wanted[@]}"; do
		[ "${got[$i]:-}" = "${wanted[$i]}" ] || fail "#$hash: ${expressions[$i]} is ${got[$i]:-nothing}, not ${wanted[$i]}"
	done
}

# Every vector of the files, no fewer than grep finds, and a false one fails.
lines=$(cat "$SRC"/tests/conformance/*.vec | sed 's/#.*//' | grep -c '[^[:space:]]')
shows vectors \
	"runVectors().then((r) => r.lines)::=$lines" \
	"runVectors().then((r) => r.failed)::=[]" \
	"(give('xscale1 | CCNT=5 | | CCNT=6 | XSCALE 8'), pmu.raw.vector())::=0" \
	"(document.getElementById('run-all').click(), 0)::=0"

# Lists are those of the command.
cores=$("$APMU" list cores -j | jq length)
expressions=("pmu.cores.length::=$cores")
for core in arm1136jf-s xscale2 cortex-a9 cortex-a53 neoverse-v2 generic-v9; do
	events=$("$APMU" list events --core $core -j | jq -c '[.[] | select(.number != null) | .number] | unique | length')
	registers=$("$APMU" list registers --core $core -j | jq -c '[.[].register]')
	metrics=$("$APMU" list metrics --core $core -j | jq length)
	expressions+=("new Set(list('events', findCore('$core')).map((e) => e.number)).size::=$events"
		"list('registers', findCore('$core')).map((r) => r.name)::=$registers"
		"list('metrics', findCore('$core')).length::=$metrics")
done
shows events/cortex-a53 "${expressions[@]}"

# A register: reset value, a value typed, a bit clicked, the address that keeps it, the fields' meanings.
shows registers/arm1136/PMNC \
	"document.getElementById('value').value::=\"0x00000000\"" \
	"(v = document.getElementById('value'), v.value = '0x700111', v.dispatchEvent(new Event('input')), location.hash)::=\"#registers/arm1136jf-s/PMNC?value=0x00700111\"" \
	"[...document.querySelectorAll('.fields tbody tr')].map((r) => r.innerText).find((t) => t.includes('EvtCount0')).includes('INSTR_EXEC')::=true" \
	"(document.querySelector('[aria-label=\"bit 4\"]').click(), document.getElementById('value').value)::=\"0x00700101\""

# Rights are the model's: User mode may not write PMNC; a PMUSERENR bit opens EL0's read, and the page says which.
shows registers/cortex-a53/PMCCNTR_EL0 \
	"(pmu.raw.start(state.core.index), ask('rights', 'PMCCNTR_EL0')[0].modes.find((m) => m.mode === 'EL0').read.outcome)::=\"trap to EL1\"" \
	"ask('rights', 'PMCCNTR_EL0')[0].modes.find((m) => m.mode === 'EL0').read.remedy::=[\"PMUSERENR_EL0.EN=1\",\"PMUSERENR_EL0.CR=1\"]" \
	"(perform('PMUSERENR_EL0=1'), ask('rights', 'PMCCNTR_EL0')[0].modes.find((m) => m.mode === 'EL0').read.outcome)::=\"done\"" \
	"(perform('mdcr_el2=1<<6'), ask('rights', 'PMCCNTR_EL0')[0].modes.find((m) => m.mode === 'EL1').read.remedy)::=[\"MDCR_EL2.TPM=0\"]"

# The live PMU: what the address says was done, an access that is refused, a mode; its list of actions is a vector.
shows 'live/cortex-a53?do=PMEVTYPER0_EL0%3D8%0APMEVCNTR0_EL0%3D0xFFFFFFFF%0APMINTENSET_EL1%3D1%0APMCNTENSET_EL0%3D1%0APMCR_EL0%3D1%0Ael1%0AINST*2%20%3B' \
	"json('look').lines.irq::=1" \
	"json('look').counters[0].value::=\"0x1\"" \
	"(tryAccess('PMCR_EL0\\x40el0=1', true), actions.at(-1))::=\"TRAP1(write PMCR_EL0@el0=1)\"" \
	"(act('INST*5 ;'), json('look').counters[0].value)::=\"0x6\"" \
	"(give('cortex-a53 | ' + actions.join(' ') + ' | | PMEVCNTR0_EL0=6 | DDI0487 D24.5'), pmu.raw.vector())::=2" \
	"(pmu.live = null, [...new Set(pmu.cores.map((c) => c.family))].flatMap((f) => { state.core = pmu.cores.find((c) => c.family === f); return examples().map(([t, w]) => replay(w)); }).filter(Boolean))::=[]"

# Freeze on overflow is offered where PMCR has FZO: the second event counter stops, cycles go on.
shows live/generic-v9 \
	"(replay(examples().find(([t]) => t.includes('FZO'))[1]), json('look').counters.filter((c) => [1, 31].includes(c.index)).map((c) => [c.value, c.counting]))::=[[\"0x1\",0],[\"0xa\",1]]"
shows live/cortex-a53 "examples().some(([t]) => t.includes('FZO'))::=false"

# Two cores beside each other, the reference, keys, narrow.
shows 'events/cortex-a53?with=cortex-a72&only=difference' \
	"document.querySelectorAll('table.events tbody tr').length > 10::=true" \
	"(document.body.dispatchEvent(new KeyboardEvent('keydown', { key: '1', bubbles: true })), new Promise((d) => setTimeout(() => d(state.tab), 200)))::=\"registers\""
shows reference/cortex-a53 \
	"document.querySelector('article.reference h2').innerText::=\"Events: cortex-a53\"" \
	"referencePages().then((p) => pmu.cores.map((c) => eventsPage(Object.keys(p), c.name)).filter((n) => !n).length)::=0"
shows 'reference/cortex-a53/registers-arm11' \
	"document.querySelector('article.reference').innerText.includes('Count Register 1')::=true" \
	"referencePages().then((p) => Object.keys(p).length)::=$(ls "$SRC"/docs/reference/*.md | wc -l)" \
	"(document.body.style.width = '390px', document.documentElement.scrollWidth <= Math.max(innerWidth, 400))::=true"

verdict
