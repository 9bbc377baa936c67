# SPDX-License-Identifier: MIT
"""Samples every event that a core produces and checks that each sample is on an instruction that can cause the event, and that
the samples add up. usage: record_every.py APMU DUMP PROGRAM-A64 PROGRAM-A32 WORK WHICH [CORE...]

WHICH is `together`: many events per recording, so that the engine watches all the time; or `alone`: one event, which is watched
only near its overflows, on a few of the cores that have it; or `time`: like `alone`, only events that are not plain counts."""
import collections, concurrent.futures, json, os, re, subprocess, sys

apmu, dump, program_a64, program_a32, work, which, *chosen = sys.argv[1:]
ROWS = {}  # signal: (unit, kind), of the description itself
for line in open(os.path.join(os.path.dirname(__file__), "../../spec/signals.sig")):
    words = line.split()
    if words[:1] == ["signal"]:
        ROWS[words[1]] = words[2:4]
BATCH = 40 if which == "together" else 1  # events a recording
PERIOD = 97 if which == "together" else 997
SOME = 3  # cores an event
DIFFERENCES = set()  # core and event: a branch counts before it is known whether it is subtracted, so the last sample may be one early
MEMORY = r"(ld|st|sw|cas|prf|pld|push|pop|vld|vst|vpush|vpop|vldm|fldm|vstm|fstm|dc\b)"
# Kind of instruction that causes a signal, for signals whose class name does not say it.
CLASS = {"LDREX_INST": r"ld(re)?xa?|ldaex|ldaxr|ldxr|ldrex|ldaxp|ldxp", "STREX_INST": r"st(re)?x|stlxr|stxr|strex|stlex|stxp|stlxp", "DMB_INST": "dmb|mcr", "DSB_INST": "dsb|mcr",
         "ISB_INST": "isb|mcr", "SVC_INST": "svc|swi", "PRELOAD_INST": "prf|pld", "BASE_INT_DIV": "[su]div", "LDACQ_INST": "lda|ldaxr|swpa|casa",
         "STREL_INST": "stl", "LSE_INST": "ld|st|swp|cas", "DP_INST": r"(?!ld|st|b\b|bl\b|b\.|cbz|cbnz|tbz|tbnz|ret|br\b|blr|svc|nop)"}
OWN = {"DTLB_WALK_CYCLES", "MEM_RD_CYCLES", "PLD_WALK_CYCLES", "WBUF_FULL_STALL"}  # of time: what an access takes, whoever waits for it
TRAP = r"brk|bkpt|udf|hlt|\.inst|\.word|0x|undefined|<undef"
BRANCH = r"(b|bl|blx|bx|br|blr|ret|b\.?(eq|ne|cs|hs|cc|lo|mi|pl|vs|vc|hi|ls|ge|lt|gt|le|al)|bl?x?(eq|ne|cs|hs|cc|lo|mi|pl|vs|vc|hi|ls|ge|lt|gt|le)|cbn?z|tbn?z|retab?|bra[ab]+)(\.n|\.w)?$"
ENDS = r"svc|swi|isb|dsb|dmb|udf|brk|bkpt|msr|mrs|mcr|mrc|nop|hint"


class Code:
    """The program's instructions by objdump, and the addresses where a fetch can begin."""

    def __init__(self, program, objdump):
        self.insn, self.enters, begins, computed = {}, set(), True, False
        for line in subprocess.run([objdump, "-d", "-z", program], capture_output=True, text=True, check=True).stdout.splitlines():
            m = re.match(r"\s*([0-9a-f]+):\t[0-9a-f ]+\t(\S+)\s*(.*)", line)
            if not m:
                begins, computed = True, False  # a symbol: entered from anywhere
                continue
            pc, name, rest = int(m[1], 16), m[2], m[3].split("\t")[0]
            self.insn[pc] = (name, rest)
            computed |= name.startswith("add") and rest.startswith("pc")  # into an unrolled loop
            if begins or computed or "pc" in rest:
                self.enters.add(pc)
            target = re.search(r"(?:^|, )([0-9a-f]+) <", rest)
            if target and self.branches(self.insn[pc]):
                self.enters.add(int(target[1], 16))
                self.enters.add(pc + 4)
            begins = self.branches(self.insn[pc]) or re.match(ENDS, name)  # `popeq {pc}` too: what follows it is fetched if it falls through

    @staticmethod
    def branches(insn):
        name, rest = insn
        return bool(re.match(BRANCH, name)) or bool(re.search(r"\bpc\b", rest.split("[")[0]))

    def fits(self, pc, signal):
        unit, kind = ROWS[signal]
        if pc >= 0xFFFF0000 and pc < 1 << 32:  # the kernel's helpers
            return True
        if pc not in self.insn:
            return False
        insn = self.insn[pc]
        if signal in CLASS:
            return bool(re.match(CLASS[signal], insn[0]))
        memory, fetch = bool(re.match(MEMORY, insn[0])), pc % 16 == 0 or pc in self.enters
        if unit == "fault":
            return {"EXC_UNDEF": bool(re.match(TRAP, insn[0])), "EXC_DABORT": memory, "EXC_PABORT": self.branches(insn) or insn[0] == "bkpt"}.get(
                signal, memory or self.branches(insn) or bool(re.match(TRAP, insn[0])))
        if signal == "SLOT_FRONT" or unit == "fetch" and kind == "time":  # a line, a way that is fetched anew, an exception (XScale's erratum 1)
            return fetch or self.branches(insn) or bool(re.match("svc|swi", insn[0]))
        if signal in OWN:  # the access's own time, or its wait for room
            return memory
        if kind in ("time", "slots"):
            return True  # who waits, see tests/guest/record_time.sh
        if unit == "branch":
            return self.branches(insn)
        if unit == "lsu":
            return memory
        if unit == "fetch":  # a branch may have a fetch cancelled
            return fetch or self.branches(insn)
        return memory or fetch or unit not in ("data", "tlb2", "l2", "l3", "bus")


def events(core):
    rows = json.loads(subprocess.run([apmu, "list", "events", "--core", core, "-j"], capture_output=True, check=True).stdout)
    DIFFERENCES.update((core, r["name"]) for r in rows if r.get("less"))
    return {r["name"]: r["signals"] for r in rows if r["signals"] and r["counts"] in ("exact", "modelled") and not r["reason"]}


def run(task):
    """Makes a recording; returns its errors and the events that had samples."""
    core, batch, number = task
    signals, code = batch
    file, bad, seen = f"{work}/{core}.{number}", [], collections.Counter()
    program = program_a64 if code is A64 else program_a32
    done = subprocess.run([apmu, "record", "--core", core, "-c", str(PERIOD), "-e", ",".join(signals), "-o", file, "--", program], capture_output=True, text=True)
    if done.returncode or "exact to" in done.stderr:
        bad.append(f"{core}: {done.stderr.strip()}")
    told = subprocess.run([dump, file], capture_output=True, text=True)
    os.unlink(file)
    names, sums, wrong = list(signals), collections.Counter(), {}
    for line in told.stdout.splitlines():
        words = line.split()
        name, pc = names[int(words[0])], int(words[1], 16)
        sums[name] += int(words[2])
        seen[name] += 1
        if not any(code.fits(pc, s) for s in signals[name]):
            wrong.setdefault(name, collections.Counter())[pc] += 1
    for name, places in wrong.items():
        pc, n = places.most_common(1)[0]
        bad.append(f"{core} {name}: {sum(places.values())} of {seen[name]} samples where it cannot happen, {n} at {pc:#x} {code.insn.get(pc)}")
    for line in told.stderr.splitlines():
        words = line.split()
        if words[0] == "total" and not -((core, names[int(words[2])]) in DIFFERENCES) <= int(words[3]) - sums[names[int(words[2])]] < PERIOD:
            bad.append(f"{core} {names[int(words[2])]}: samples of {sums[names[int(words[2])]]}, counted {words[3]}")
    return bad, seen, len(names)


A64, A32 = Code(program_a64, "aarch64-linux-gnu-objdump"), Code(program_a32, "arm-linux-gnueabi-objdump")
known = json.loads(subprocess.run([apmu, "list", "cores", "-j"], capture_output=True, check=True).stdout)
tasks, had = [], collections.Counter()
for row in known if which == "together" else known[::-1]:
    core = row["core"]
    features = open(os.path.join(os.path.dirname(__file__), f"../../spec/cores/{core}.core")).read()
    code = A64 if re.search(r"^features.*\ba64\b", features, re.M) else A32
    if chosen and core not in chosen:
        continue
    all_events = list(events(core).items())
    if which != "together":
        all_events = [(name, signals) for name, signals in all_events
                      if had[name] < SOME and (which == "alone" or any(ROWS[s][1] != "count" for s in signals))]
        had.update(name for name, _ in all_events)
    tasks += [(core, (dict(all_events[i:i + BATCH]), code), i) for i in range(0, len(all_events), BATCH)]
bad, sampled, asked = [], 0, 0
with concurrent.futures.ThreadPoolExecutor(int(os.environ.get("APMU_JOBS", "2"))) as pool:
    for worse, seen, n in pool.map(run, tasks):
        bad, sampled, asked = bad + worse, sampled + len(seen), asked + n
print(f"{asked} events of {len({t[0] for t in tasks})} cores, {sampled} with samples, {len(bad)} wrong")
print("\n".join(bad[:60]))
sys.exit(bool(bad) or sampled * 4 < asked)
