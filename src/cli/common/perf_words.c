/* SPDX-License-Identifier: MIT */
#include "cli/common/perf_words.h"

#include <string.h>

/* clang-format off */
#define ATTACH "there is nothing to attach to: the program is run here, after --"
#define WHOLE "apmu runs one program; for a whole system use --system -- qemu-system-aarch64 ..."
#define KERNEL "no kernel runs here; a whole system with its kernel: --system -- qemu-system-aarch64 ..."
#define CPUS "the program runs on a core of its own, which -c names ('apmu list cores')"
#define PAGE "'apmu report' prints text; --html FILE writes an interactive page"
#define ANNOTATED "'apmu annotate' prints text; 'apmu export html -o FILE' writes an interactive page"
#define STACKS "stacks are in 'apmu export html' (a flame graph) and 'apmu export folded'; --no-children leaves callers out"
#define DELAY "--region FUNCTION counts from a call of FUNCTION until it returns"
#define CSV "'apmu export csv' has every place with its counts"
#define TRACE "apmu counts the events of a core; it does not trace a kernel"

static const struct cli__perf_option options[] = {
	{"stat", 'a', "all-cpus", false, NULL, WHOLE},
	{"stat", 'p', "pid", true, NULL, ATTACH},
	{"stat", 't', "tid", true, NULL, ATTACH},
	{"stat", 'C', "", true, NULL, CPUS},
	{"stat", 'A', "no-aggr", false, NULL, "counts are per thread with --per-thread, per virtual CPU with --system"},
	{"stat", 'd', "detailed", false, NULL, "name what you want: -M all, -e L1-dcache-loads,L1-dcache-load-misses; or 'apmu top-down'"},
	{"stat", 0, "topdown", false, NULL, "'apmu top-down -- PROGRAM' does that"},
	{"stat", 'T', "transaction", false, NULL, "these cores have no transactions"},
	{"stat", 'B', "big-num", false, NULL, NULL},
	{"stat", 0, "no-big-num", false, NULL, "-x, and -j print plain numbers"},
	{"stat", 'i', "no-inherit", false, NULL, NULL},
	{"stat", 0, "all-user", false, NULL, NULL},
	{"stat", 0, "all-kernel", false, NULL, KERNEL},
	{"stat", 'n', "null", false, NULL, "no time of the host is measured; -e cycles counts the core's"},
	{"stat", 0, "append", false, NULL, "-o replaces its file; -j prints to standard error, and 2>> appends"},
	{"stat", 'D', "delay", true, NULL, DELAY},
	{"stat", 0, "interval-print", true, "interval", NULL},
	{"stat", 0, "interval-count", true, NULL, "-I prints to the program's end"},
	{"stat", 0, "interval-clear", false, NULL, "-I prints line after line; --plot draws them"},
	{"stat", 0, "timeout", true, NULL, "the program runs to its end: 'timeout 5 apmu stat ...' stops it, and counts are printed"},
	{"stat", 'G', "cgroup", true, NULL, ATTACH},
	{"stat", 'S', "sync", false, NULL, "nothing of the host's files is counted"},
	{"stat", 0, "per-core", false, NULL, CPUS},
	{"stat", 0, "per-socket", false, NULL, CPUS},
	{"stat", 0, "scale", false, NULL, NULL},
	{"stat", 0, "no-merge", false, NULL, NULL},
	{"stat", 0, "metric-only", false, NULL, "-M prints metrics below the counts; -j has them by name"},

	{"record", 'a', "all-cpus", false, NULL, WHOLE},
	{"record", 'p', "pid", true, NULL, ATTACH},
	{"record", 't', "tid", true, NULL, ATTACH},
	{"record", 'u', "uid", true, NULL, ATTACH},
	{"record", 'G', "cgroup", true, NULL, ATTACH},
	{"record", 'C', "", true, NULL, "the program runs on a core of its own, which --core names ('apmu list cores')"},
	{"record", 'j', "branch-filter", true, NULL, "-b records every kind of branch: leave out the filter"},
	{"record", 's', "stat", false, NULL, NULL},
	{"record", 0, "per-thread", false, NULL, NULL},
	{"record", 'T', "timestamp", false, NULL, NULL},
	{"record", 'P', "period", false, NULL, NULL},
	{"record", 'R', "raw-samples", false, NULL, NULL},
	{"record", 'm', "mmap-pages", true, NULL, NULL},
	{"record", 'i', "no-inherit", false, NULL, NULL},
	{"record", 'N', "no-buildid-cache", false, NULL, NULL},
	{"record", 'B', "no-buildid", false, NULL, NULL},
	{"record", 'z', "compression-level", false, NULL, NULL},
	{"record", 0, "strict-freq", false, NULL, NULL},
	{"record", 0, "all-user", false, NULL, NULL},
	{"record", 0, "all-kernel", false, NULL, KERNEL},
	{"record", 'W', "weight", false, "data", NULL},
	{"record", 0, "phys-data", false, NULL, "-d records the program's own addresses"},
	{"record", 'k', "clockid", true, NULL, "time is the program's own: instructions and cycles"},
	{"record", 'D', "delay", true, NULL, DELAY},
	{"record", 'A', "append", false, NULL, "each recording is a file of its own: -o FILE; 'apmu diff' compares two"},
	{"record", 0, "switch-output", false, NULL, "each recording is a file of its own: -o FILE"},
	{"record", 0, "overwrite", false, NULL, "nothing is lost for lack of room: all samples are in the file"},

	{"report", 0, "stdio", false, NULL, NULL},
	{"report", 0, "stdio2", false, NULL, NULL},
	{"report", 0, "tui", false, NULL, PAGE},
	{"report", 0, "gtk", false, NULL, PAGE},
	{"report", 0, "children", false, NULL, NULL},
	{"report", 'f', "force", false, NULL, NULL},
	{"report", 'v', "verbose", false, NULL, NULL},
	{"report", 'q', "quiet", false, NULL, NULL},
	{"report", 0, "show-nr-samples", false, NULL, NULL},
	{"report", 0, "show-total-period", false, NULL, NULL},
	{"report", 0, "demangle", false, NULL, NULL},
	{"report", 0, "inline", false, NULL, NULL},
	{"report", 'w', "column-widths", true, NULL, NULL},
	{"report", 'S', "symbols", true, "function", NULL},
	{"report", 0, "symbol-filter", true, NULL, "--function '*TEXT*' takes what has TEXT in its name"},
	{"report", 'd', "dsos", true, "object", NULL},
	{"report", 'c', "comms", true, NULL, "one program is in a recording; --thread TID takes one thread of it"},
	{"report", 0, "comm", true, NULL, "one program is in a recording; --thread TID takes one thread of it"},
	{"report", 0, "pid", true, NULL, "--thread TID takes one thread"},
	{"report", 0, "tid", true, "thread", NULL},
	{"report", 'T', "threads", false, NULL, "--sort thread,function tells threads apart"},
	{"report", 'F', "fields", true, NULL, "--sort chooses the keys of a row; every count has a column"},
	{"report", 0, "max-stack", true, NULL, STACKS},
	{"report", 0, "hierarchy", false, NULL, "--sort object,function has both, one row for each"},
	{"report", 0, "group", false, NULL, "events stand one after the other; 'apmu annotate' has them in columns"},
	{"report", 0, "header", false, NULL, "'apmu export json' has what is known of a recording"},
	{"report", 0, "header-only", false, NULL, "'apmu export json' has what is known of a recording"},
	{"report", 0, "stats", false, NULL, "'apmu export json' has what is known of a recording"},
	{"report", 'D', "dump-raw-trace", false, NULL, CSV},
	{"report", 't', "field-separator", true, NULL, CSV},
	{"report", 0, "symfs", true, "sysroot", NULL},
	{"report", 'k', "vmlinux", true, NULL, "'apmu record --kernel-symbols FILE' keeps it with the recording"},
	{"report", 0, "kallsyms", true, NULL, "'apmu record --kernel-symbols FILE' keeps it with the recording"},
	{"report", 0, "mem-mode", false, NULL, "'apmu record -d', then --sort level,function"},
	{"report", 0, "no-demangle", false, NULL, "names are shown demangled"},

	{"annotate", 0, "stdio", false, NULL, NULL},
	{"annotate", 0, "stdio2", false, NULL, NULL},
	{"annotate", 0, "tui", false, NULL, ANNOTATED},
	{"annotate", 0, "gtk", false, NULL, ANNOTATED},
	{"annotate", 'f', "force", false, NULL, NULL},
	{"annotate", 'n', "show-nr-samples", false, NULL, NULL},
	{"annotate", 0, "show-total-period", false, NULL, NULL},
	{"annotate", 0, "source", false, NULL, NULL},
	{"annotate", 0, "group", false, NULL, NULL},
	{"annotate", 0, "symfs", true, "sysroot", NULL},
	{"annotate", 'S', "", true, "symbol", NULL},
	{"annotate", 0, "asm-raw", false, NULL, "instructions are shown as text, with their addresses"},
	{"annotate", 'M', "disassembler-style", true, NULL, "Arm has one syntax"},
	{"annotate", 0, "objdump", true, NULL, "instructions are decoded here, by Capstone"},
	{"annotate", 0, "percent-type", true, NULL, "shares are of the function's count; the line above has its share of all"},

	{"diff", 's', "sort", true, NULL, "functions stand in order of their change"},
	{"diff", 'o', "order", true, NULL, "functions stand in order of their change"},
	{"diff", 'c', "compute", true, NULL, "before, after, difference and percent are all printed"},
	{"diff", 'b', "baseline-only", false, NULL, "what one of the two lacks is shown as such"},
	{"diff", 'f', "force", false, NULL, NULL},
	{"diff", 'q', "quiet", false, NULL, NULL},
};

static const struct {
	const char *name, *instead;
} commands[] = {
	{"script", "'apmu export csv' has every place; 'apmu export perf' writes a perf.data for perf script"},
	{"evlist", "'apmu report' names a recording's events"},
	{"top", "'apmu record', then 'apmu report'; nothing here is watched while it runs"},
	{"mem", "'apmu record -d', then 'apmu report --sort level,function'"},
	{"data", "'apmu export' writes other formats"},
	{"inject", "nothing needs it: a recording has its build-ids and call chains"},
	{"archive", "a recording names its files; -L DIR says where they lie on another machine"},
	{"buildid-list", "'apmu export perf -o perf.data' writes a file that perf buildid-list reads"},
	{"buildid-cache", "there is none: the programs' files must still be there"},
	{"kvm", "'apmu stat --system -- qemu-system-aarch64 ...' counts all that runs in a system"},
	{"trace", "system calls are not traced here; 'qemu-aarch64 -strace' does that"},
	{"sched", TRACE},
	{"lock", TRACE},
	{"kmem", TRACE},
	{"kallsyms", TRACE},
	{"ftrace", TRACE},
	{"probe", "a program's own places: --region FUNCTION, or marks of apmu/mark.h"},
	{"timechart", "'apmu stat -I N --plot=FILE.svg' draws counts over time"},
	{"bench", "'make bench' in the source tree measures apmu itself"},
	{"version", "'apmu --version'"},
};
/* clang-format on */

const struct cli__perf_option *cli__perf_option(const char *command, char brief, const char *name,
						size_t length)
{
	for (size_t i = 0; command && i < sizeof options / sizeof options[0]; i++) {
		const struct cli__perf_option *o = &options[i];
		if (strcmp(o->command, command) != 0)
			continue;
		if (brief ? o->brief == brief
			  : length && strlen(o->name) == length && memcmp(o->name, name, length) == 0)
			return o;
	}
	return NULL;
}

const char *cli__perf_command(const char *name)
{
	for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
		if (strcmp(commands[i].name, name) == 0)
			return commands[i].instead;
	return NULL;
}

bool cli__perf_software(const char *event)
{
	static const char *const names[] = {"cpu-clock",
					    "task-clock",
					    "page-faults",
					    "faults",
					    "minor-faults",
					    "major-faults",
					    "context-switches",
					    "cs",
					    "cpu-migrations",
					    "migrations",
					    "cgroup-switches",
					    "alignment-faults",
					    "emulation-faults",
					    "bpf-output",
					    "dummy",
					    "duration_time",
					    "user_time",
					    "system_time"};

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		if (strcmp(names[i], event) == 0)
			return true;
	return false;
}
