/* SPDX-License-Identifier: MIT */
#include "cli/common/options.h"
#include "cli/common/region.h"
#include "cli/common/run_event.h"
#include "cli/common/side_runs.h"
#include "cli/common/uarch_options.h"
#include "cli/record/record.h"

#include "profile/profile.h"

#include <stdlib.h>
#include <string.h>

enum {
	OPT_CORE,
	OPT_JOBS,
	OPT_EVENT,
	OPT_COUNT,
	OPT_FREQUENCY,
	OPT_CHAINS,
	OPT_BRANCHES,
	OPT_DATA,
	OPT_EXACT,
	OPT_STACK,
	OPT_TRANSFERS,
	OPT_SKID,
	OPT_OUTPUT,
	OPT_REGION,
	OPT_SYSTEM,
	OPT_USER,
	OPT_KERNEL,
	OPT_FOLLOW,
	OPT_ALONE,
	OPT_SYSROOT,
	OPT_SET,
	OPT_UARCH,
	OPT_L1D,
	OPT_L2,
	OPT_L3,
	OPT_CPU,
	OPT_QEMU,
	OPT_QUIET,
	OPT_VERBOSE,
	OPT_HELP
};

static const struct cli__option table[] = {
	{0, "core", "LIST",
	 "the core to run on (default: one for the program's\narchitecture, such as cortex-a53 for AArch64); of several each is a\nrun of its own, with a file of its own: apmu.NAME.data",
	 OPT_CORE},
	{'J', "jobs", "N",
	 "runs at a time, with several cores (default: as many as the machine\nhas processors, one where standard input is a terminal): output of\nparallel runs goes through files",
	 OPT_JOBS},
	{'e', "event", "LIST",
	 "events to sample: names as in 'apmu list events', perf's\nnames, raw numbers 0x0b or r0b (default: cycles)",
	 OPT_EVENT},
	{'c', "count", "N",
	 "a sample every N occurrences of the event (the core is\n--core here: -c is the period, as in perf)",
	 OPT_COUNT},
	{'F', "freq", "N",
	 "about N samples per million instructions; the period\nfollows the event's rate (default: some thousands in all:\none in 500 instructions at first, half as many after each\nthousand)",
	 OPT_FREQUENCY},
	{'g', "call-graph", "[=MODE]",
	 "record call chains, from a shadow stack: no frame pointers\nare needed; perf's modes fp, dwarf and lbr mean the same",
	 OPT_CHAINS},
	{'b', "branch-any", NULL,
	 "record branches: with each sample the last 32 that were taken,\nand of the whole run how often each was, for 'export bolt',\nautofdo, profgen",
	 OPT_BRANCHES},
	{'d', "data", NULL, "record data addresses, where they hit, and latencies", OPT_DATA},
	{0, "exact", NULL, "no sampling: count every instruction's events", OPT_EXACT},
	{0, "cpi-stack", NULL,
	 "sample also the causes of lost cycles, for the page of\n'apmu export html': the front end, branches, each level of\ncache, TLBs; misses and instructions",
	 OPT_STACK},
	{0, "transfers", NULL,
	 "sample lines that move from one core's first level to another's,\nas threads fight for them: 'apmu c2c' shows them (with -d)",
	 OPT_TRANSFERS},
	{0, "skid", "N",
	 "attribute a sample to the N-th instruction after the one that\nmade the counter overflow, as hardware does (default 0)",
	 OPT_SKID},
	{'o', "output", "FILE",
	 "samples to FILE (default " CLI__RECORD_FILE "); an existing FILE\nis renamed to FILE.old",
	 OPT_OUTPUT},
	{0, "system", NULL,
	 "PROGRAM is qemu-system-aarch64 or qemu-system-arm with its\narguments: record all that runs in it, by virtual CPU",
	 OPT_SYSTEM},
	{0, "all-user", NULL, CLI__ALL_USER_TEXT, OPT_USER},
	{0, "kernel-symbols", "FILE",
	 "with --system: the kernel's ELF file (vmlinux), System.map or a\ncopy of /proc/kallsyms (default: what -kernel names, if it is\nan ELF file)",
	 OPT_KERNEL},
	{0, "region", "SPEC", CLI__REGION_HELP, OPT_REGION},
	{'i', "no-inherit", NULL, "do not record child processes", OPT_ALONE},
	{0, "follow", NULL, "record child processes too (the default)", OPT_FOLLOW},
	{'L', "sysroot", "DIR", "where a dynamic program's libraries are (default: Debian's\ncross root)",
	 OPT_SYSROOT},
	{0, "uarch", "FILE", "parameters of the core from FILE, written as spec/uarch/*.uarch", OPT_UARCH},
	{0, "l1d", "SIZE[,WAYS[,LINE]]", "the core's L1 data cache", OPT_L1D},
	{0, "l2", "SIZE[,WAYS[,LINE]]", "the core's L2 cache, such as 512K,8,64", OPT_L2},
	{0, "l3", "SIZE[,WAYS[,LINE]]", "the cache below L2", OPT_L3},
	{0, "set", "KEY=VALUE", "change a parameter of the core ('apmu list cores -v' has them)", OPT_SET},
	{0, "cpu", "NAME", "QEMU's -cpu (default: the core's)", OPT_CPU},
	{0, "qemu", "FILE", CLI__QEMU_TEXT, OPT_QEMU},
	{'q', "quiet", NULL, "print errors alone", OPT_QUIET},
	{'v', "verbose", NULL, "say what is run", OPT_VERBOSE},
	{'h', "help", NULL, "this text", OPT_HELP},
	{0, NULL, NULL, NULL, 0}};

const struct cli__option *cli__record_table(void)
{
	return table;
}

static void print_help(FILE *out)
{
	fputs("usage: apmu record [OPTION]... [--] PROGRAM [ARGUMENT]...\n"
	      "\n"
	      "Runs an Arm Linux program on the chosen core and takes a sample each time an event's counter\n"
	      "overflows, as the PMU's interrupt would; but with no skid: a sample names the instruction that made the\n"
	      "counter overflow. Each thread has counters of its own. 'apmu report' shows where the samples lie,\n"
	      "'apmu annotate' on which instructions.\n"
	      "\n"
	      "A run repeats to the last sample if the program itself does. Ctrl-C ends the program, not the\n"
	      "recording: what was recorded is kept, however the program or apmu ends. The exit status is the\n"
	      "program's; 2 if the command line is wrong, 1 if the program cannot be run or the file not written.\n"
	      "\n",
	      out);
	cli__options_help(table, out);
	fputs("\n"
	      "For example:\n"
	      "  apmu record --core cortex-a53 -g -- ./prog args\n"
	      "  apmu record --core arm1136 -e branch-misses -c 1000 -- ./prog args\n"
	      "  apmu record --core cortex-a9 -e L1D_CACHE_REFILL -d -o misses.data -- ./prog args\n"
	      "  apmu record --core cortex-a53,cortex-a72 -- ./prog args\n"
	      "  apmu record --core cortex-a53 -b -- ./prog args && apmu export bolt -o prog.fdata\n"
	      "  apmu record --core cortex-a53 --system --kernel-symbols System.map -- qemu-system-aarch64 -M virt ...\n"
	      "  apmu report\n",
	      out);
}

/* Option values that are resolved when the core is known. */
struct said {
	const char *core;
	char *sets;
};

/* Context of set_option(). */
struct taking {
	struct cli__cli *cli;
	struct cli__record_options *options;
	struct said said;
};

static int set_number(const struct cli__cli *cli, int id, const char *value, struct cli__record_options *o)
{
	uint64_t number = 0;
	bool ok = cli__number(value, INT64_MAX, &number);

	switch (id) {
	case OPT_COUNT:
		o->period = number;
		return ok && number
			       ? 0
			       : cli__option_bad(cli, "-c", value,
						 "a number of occurrences, 1 or more (the core is --core)");
	case OPT_FREQUENCY:
		o->frequency = number;
		return ok && number && number <= 1000000
			       ? 0
			       : cli__option_bad(
					 cli, "-F", value,
					 "a number of samples per million instructions, 1 to 1000000");
	case OPT_JOBS:
		o->jobs = (unsigned)number;
		return ok && number && number <= 1024
			       ? 0
			       : cli__option_bad(cli, "-J", value, "a number of runs at a time, 1 to 1024");
	default:
		o->skid = (uint32_t)number;
		return ok && number <= 10000 ? 0
					     : cli__option_bad(cli, "--skid", value,
							       "a number of instructions, 0 to 10000");
	}
}

/* True for perf's modes of call chains, all of which mean the shadow stack here. */
static bool chain_mode(const char *word)
{
	return strcmp(word, "fp") == 0 || strcmp(word, "lbr") == 0 || strcmp(word, "dwarf") == 0 ||
	       strncmp(word, "dwarf,", strlen("dwarf,")) == 0;
}

static int set_chains(const struct cli__cli *cli, const char *value, struct cli__record_options *o)
{
	o->chains = true;
	return !value || chain_mode(value)
		       ? 0
		       : cli__option_bad(cli, "--call-graph", value, "a mode of perf's: fp, dwarf or lbr");
}

/* Skips the mode in "--call-graph dwarf ./prog", where it is a word of its own, as perf has it. */
static bool skip_chain_mode(struct cli__args *args)
{
	bool mode = !args->done && args->at > 1 && args->at < args->argc &&
		    strcmp(args->argv[args->at - 1], "--call-graph") == 0 && chain_mode(args->argv[args->at]);

	args->at += mode;
	return mode;
}

static int set_option(void *ctx, int id, const char *value)
{
	struct taking *t = ctx;
	struct cli__cli *cli = t->cli;
	struct cli__record_options *o = t->options;
	struct said *said = &t->said;

	switch (id) {
	case OPT_CORE: said->core = value; return 0;
	case OPT_EVENT: return cli__rows_parse(cli, &o->rows, value);
	case OPT_CHAINS: return set_chains(cli, value, o);
	case OPT_BRANCHES: o->branches = true; return 0;
	case OPT_DATA: o->data = true; return 0;
	case OPT_EXACT: o->exact = true; return 0;
	case OPT_STACK: o->stack = true; return 0;
	case OPT_TRANSFERS: o->transfers = true; return 0;
	case OPT_OUTPUT: o->output = value; return cli__option_file(cli, "-o", value);
	case OPT_SYSTEM: o->system = true; return 0;
	case OPT_USER: o->rows.user = true; return 0;
	case OPT_KERNEL: o->kernel = value; return 0;
	case OPT_REGION: o->region = value; return 0;
	case OPT_ALONE: o->alone = true; return 0;
	case OPT_FOLLOW: o->alone = false; return 0;
	case OPT_SYSROOT: o->sysroot = value; return 0;
	case OPT_UARCH: return cli__sets_add_file(&said->sets, value);
	case OPT_L1D: return cli__sets_add_cache(cli, &said->sets, "l1d", value);
	case OPT_L2: return cli__sets_add_cache(cli, &said->sets, "l2", value);
	case OPT_L3: return cli__sets_add_cache(cli, &said->sets, "l3", value);
	case OPT_SET: cli__sets_add(&said->sets, value); return 0;
	case OPT_CPU: o->cpu = value; return 0;
	case OPT_QEMU: o->qemu = value; return cli__option_file(cli, "--qemu", value);
	case OPT_QUIET: o->quiet = true; return 0;
	case OPT_VERBOSE: o->verbose = true; return 0;
	case OPT_HELP: print_help(cli->out); return CLI__RECORD_HELP;
	default: return set_number(cli, id, value, o);
	}
}

/* Refuses options that contradict each other. */
static int check(const struct cli__cli *cli, const struct cli__record_options *o)
{
	const char *why = NULL;

	if (o->argv[0] == NULL)
		why = "no program to run; 'apmu record --help' shows how";
	else if (o->period && o->frequency)
		why = "-c and -F exclude each other: a fixed period, or one that follows the rate";
	else if (o->exact && (o->period || o->frequency || o->chains || o->data || o->skid))
		why = "--exact takes no samples: leave out -c, -F, -g, -d and --skid";
	else if (strcmp(o->output, "-") == 0)
		why = "-o -: samples go to a file, not to a pipe; 'apmu report' reads it";
	else if (o->system && (o->alone || o->sysroot || o->qemu))
		why = "--system runs the QEMU that is named after --: leave out -i, --sysroot and "
		      "--qemu";
	else if (o->system && o->rows.user)
		why = CLI__WHOLE_SYSTEM;
	else if (o->system && o->chains)
		why = "-g cannot follow calls in a whole system, whose kernel switches threads unseen: "
		      "leave out -g, or record the program by itself, without --system";
	else if (o->system && o->branches)
		why = "-b cannot follow branches in a whole system, whose kernel switches threads unseen: "
		      "leave out -b, or record the program by itself, without --system";
	else if (o->system && o->transfers)
		why = "lines that virtual CPUs take from each other are not modelled: record the program by "
		      "itself, without --system";
	else if (o->kernel && !o->system)
		why = "--kernel-symbols is for a whole system: it needs --system";
	if (why == NULL)
		return 0;
	cli__message(cli, "%s", why);
	return CLI__EXIT_USAGE;
}

struct chosen {
	struct cli__cli *cli;
	const struct apmu_core **core;
	size_t cores;
};

static int add_core(void *ctx, const char *word)
{
	struct chosen *chosen = ctx;
	const struct apmu_core *core = cli__core(chosen->cli, word);

	if (core == NULL)
		return CLI__EXIT_USAGE;
	for (size_t c = 0; c < chosen->cores; c++)
		if (chosen->core[c] == core) { /* by this name or another */
			cli__message(chosen->cli, "%s is named twice: both recordings would be one file",
				     core->name);
			return CLI__EXIT_USAGE;
		}
	chosen->core = cli__grow(chosen->core, chosen->cores, sizeof(void *));
	chosen->core[chosen->cores++] = core;
	return 0;
}

/* Finds core `which` of the --core list, and the length of the list. 0, or an exit code after a complaint. */
static int name_core(struct cli__cli *cli, struct cli__record_options *o, const char *list, size_t which)
{
	struct chosen chosen = {.cli = cli};
	char *own = cli__copy(list);
	int bad = cli__list_each(own, add_core, &chosen);

	if (bad == 0) {
		o->core = chosen.core[which];
		o->cores = chosen.cores;
	}
	free((void *)chosen.core);
	free(own);
	return bad;
}

/* Puts the core's name into the file's, so that recordings of several cores lie beside each other: apmu.data
 * becomes apmu.cortex-a53.data. */
static void name_output(struct cli__record_options *o)
{
	const char *slash = strrchr(o->output, '/'), *dot = strrchr(o->output, '.');
	size_t stem =
		dot && dot > (slash ? slash + 1 : o->output) ? (size_t)(dot - o->output) : strlen(o->output);

	o->own_output = cli__format("%.*s.%s%s", (int)stem, o->output, o->core->name, o->output + stem);
	o->output = o->own_output;
}

static int choose_core(struct cli__cli *cli, struct cli__record_options *o, const struct said *said,
		       size_t which)
{
	int bad = 0;

	o->defaulted = said->core == NULL;
	o->cores = 1;
	if (o->defaulted)
		o->core = cli__default(o->argv[0], o->sysroot, o->system);
	else
		bad = name_core(cli, o, said->core, which);
	if (bad != 0)
		return bad;
	if (o->cores > 1)
		name_output(o);
	if (!cli__params_of(cli, o->core, &o->uarch))
		return CLI__EXIT_FAILURE;
	return said->sets ? cli__set_all(cli, &o->uarch, said->sets, o->core) : 0;
}

int cli__record_events(struct cli__cli *cli, struct cli__record_options *o)
{
	if (o->rows.n == 0 && !o->transfers)
		cli__rows_add(&o->rows, "cycles", true);
	size_t room = o->rows.n + cli__record_more_size(o);
	if (room > PROFILE__EVENTS) {
		cli__message(cli, "%zu events are too many for one recording: %u at most", room,
			     PROFILE__EVENTS);
		return CLI__EXIT_USAGE;
	}
	o->wanted = cli__wanted_of(cli, &o->rows, o->core, &o->core, 1);
	if (o->wanted == NULL ||
	    cli__wanted_refuse_outside(cli, o->wanted, o->rows.n, "is counted by 'apmu stat' alone") != 0)
		return CLI__EXIT_USAGE;
	o->event = cli__zalloc(room, sizeof *o->event);
	o->about = cli__zalloc(room, sizeof *o->about);
	for (size_t i = 0; i < o->rows.n; i++) {
		o->event[i] = (struct apmu_qemu__run_event){.period = o->period, .frequency = o->frequency};
		if (cli__wanted_run_event(o->core, &o->wanted[i], &o->event[i]))
			continue;
		cli__message(cli,
			     "nothing that a program does makes '%s' count on %s: there would be no samples",
			     o->rows.row[i].label, o->core->name);
		return CLI__EXIT_USAGE;
	}
	for (size_t i = 0; i < o->rows.n; i++)
		o->about[i] = (struct profile__event){
			.label = o->rows.row[i].label,
			.name = cli__wanted_name(&o->wanted[i]),
			.number = o->wanted[i].cycles ? PROFILE__CYCLE_COUNTER : o->wanted[i].number,
			.period = o->period,
			.frequency = o->frequency == APMU_QEMU__RUN_FALLS ? 0 : o->frequency};
	o->events = o->rows.n + cli__record_more(o, o->event + o->rows.n, o->about + o->rows.n);
	return 0;
}

int cli__record_options_of(struct cli__cli *cli, int argc, char **argv, size_t which,
			   struct cli__record_options *o)
{
	struct cli__args args = {.cli = cli, .option = table, .argc = argc, .argv = argv, .at = 1};
	struct taking t = {.cli = cli, .options = o};

	*o = (struct cli__record_options){.output = CLI__RECORD_FILE, .jobs = cli__side_jobs()};
	int bad;
	do
		bad = cli__options_each(&args, set_option, &t);
	while (bad == 0 && skip_chain_mode(&args));
	o->argv = argv + args.at;
	if (bad == 0)
		bad = check(cli, o);
	if (bad == 0 && o->rows.first && !o->quiet && which == 0)
		cli__message(cli,
			     "':S': each event of a group has samples of its own here, not its first one's");
	if (bad == 0 && !o->period && !o->frequency && !o->exact)
		o->frequency = APMU_QEMU__RUN_FALLS;
	if (bad == 0)
		bad = choose_core(cli, o, &t.said, which);
	if (bad == 0)
		bad = cli__record_events(cli, o);
	free(t.said.sets);
	return bad;
}

int cli__record_options(struct cli__cli *cli, int argc, char **argv, struct cli__record_options *o)
{
	int bad = cli__record_options_of(cli, argc, argv, 0, o);

	if (bad != 0 || o->cores == 1)
		return bad;
	cli__message(
		cli,
		"--core names %zu cores: this command takes one; 'apmu stat' and 'apmu record' take several",
		o->cores);
	return CLI__EXIT_USAGE;
}

void cli__record_options_free(struct cli__record_options *o)
{
	free(o->own_output);
	free(o->wanted);
	free(o->event);
	free(o->about);
	cli__rows_free(&o->rows);
}
