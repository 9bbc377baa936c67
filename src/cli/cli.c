/* SPDX-License-Identifier: MIT */
#include "cli/cli.h"

#include "cli/common/perf_words.h"
#include "cli/common/suggest.h"
#include "qemu/run.h"

#include <string.h>

static const struct command {
	const char *name;
	int (*run)(struct cli__cli *cli, int argc, char **argv);
	const char *text;
} commands[] = {
	{"run", cli__cmd_run, "run a bare-metal program that programs the PMU itself"},
	{"stat", cli__cmd_stat, "run an Arm program and count its events on one or more cores"},
	{"record", cli__cmd_record, "sample an Arm program's events to the instruction, into a file"},
	{"report", cli__cmd_report, "show where the samples of a recording lie"},
	{"annotate", cli__cmd_annotate, "show a recorded profile by instruction and source line"},
	{"bench", cli__cmd_bench, "count a benchmark's parts, compare with a baseline, keep to limits"},
	{"diff", cli__cmd_diff, "compare two runs or two builds, and fail when an event grew"},
	{"export", cli__cmd_export, "write a recorded profile in the format of another tool"},
	{"sweep", cli__cmd_sweep, "run programs on cores with parameters, in parallel or on a cluster"},
	{"c2c", cli__cmd_c2c, "find cache lines that a program's threads fight for, and the code that does"},
	{"top-down", cli__cmd_topdown, "say where a program's cycles go on a core, and why"},
	{"compare", cli__cmd_compare,
	 "compare a real core's counts, of perf stat -j, with those of apmu stat"},
	{"list", cli__cmd_list, "list cores, events, registers, metrics"},
	{"decode", cli__cmd_decode, "show the fields of a register's value, or make a value from fields"},
};
enum { COMMANDS = sizeof commands / sizeof commands[0] };

static void print_help(FILE *out)
{
	fputs("usage: apmu COMMAND [OPTION]...\n"
	      "\n"
	      "The Arm Performance Monitor Unit in software: counts what an Arm program does on a given core,\n"
	      "with no Arm board. The counters are programmed through the registers of that core's PMU.\n"
	      "\n",
	      out);
	for (size_t i = 0; i < COMMANDS; i++)
		fprintf(out, "  %-8s %s\n", commands[i].name, commands[i].text);
	fputs("\n"
	      "  apmu COMMAND --help   what a command takes; also: apmu help COMMAND\n"
	      "  apmu --version        version, licences, the QEMU in use\n"
	      "\n"
	      "For example:\n"
	      "  apmu stat -c arm1176jzf-s -e instructions,branch-misses,0x0b -- ./prog args\n"
	      "  apmu record --core cortex-a53 -e cache-misses -g -- ./prog args && apmu report\n"
	      "  apmu run -c cortex-a15 -b virt firmware.elf\n"
	      "  apmu list events --core xscale1\n"
	      "  apmu decode --core arm1136 PMNC 0x00700701\n",
	      out);
}

static void print_qemu(FILE *out, const char *name)
{
	char path[4096] = "", version[80];

	if (apmu_qemu__named(name, path, sizeof path, version, sizeof version))
		fprintf(out, "%s %s: %s\n", name, version, path);
	else
		fprintf(out, "%s: %s\n", name,
			*path ? path : "not found; 'apmu stat' and 'apmu record' need it");
}

static void print_version(FILE *out)
{
	fputs("apmu " APMU_VERSION "\n"
	      "MIT licence. The engines link GPLv2 libraries (this command libunicorn) or are loaded by GPLv2\n"
	      "programs (the plugin by QEMU): the binaries that hold them are to be passed on under the GPL,\n"
	      "version 2. The libraries of registers, event sources and driver are MIT alone.\n",
	      out);
	print_qemu(out, "qemu-arm");
	print_qemu(out, "qemu-aarch64");
}

static int unknown(const struct cli__cli *cli, const char *name)
{
	const char *what = name[0] == '-' ? "option" : "command";
	struct cli__nearest near = {.want = name};

	if (cli__perf_command(name)) {
		cli__message(cli, "'%s' is a command of perf, not of apmu: %s", name,
			     cli__perf_command(name));
		return CLI__EXIT_USAGE;
	}
	cli__nearest_offer(&near, "--help");
	cli__nearest_offer(&near, "--version");
	for (size_t i = 0; i < COMMANDS; i++)
		cli__nearest_offer(&near, commands[i].name);
	if (cli__nearest(&near) != NULL)
		cli__message(cli, "unknown %s '%s'; did you mean '%s'?", what, name, cli__nearest(&near));
	else
		cli__message(cli, "unknown %s '%s'; 'apmu --help' lists the %ss", what, name, what);
	return CLI__EXIT_USAGE;
}

static int run_command(struct cli__cli *cli, int argc, char **argv)
{
	for (size_t i = 0; i < COMMANDS; i++) {
		if (strcmp(argv[0], commands[i].name) != 0)
			continue;
		cli->command = commands[i].name;
		return commands[i].run(cli, argc, argv);
	}
	return unknown(cli, argv[0]);
}

static int top(struct cli__cli *cli, int argc, char **argv)
{
	if (argc < 2) {
		cli__message(cli, "no command given; 'apmu --help' lists the commands");
		return CLI__EXIT_USAGE;
	}
	if (strcmp(argv[1], "help") == 0 && argc > 2 && (argv[2][0] == '-' || strcmp(argv[2], "help") == 0))
		return top(cli, argc - 1, argv + 1);
	if (strcmp(argv[1], "help") == 0 && argc > 2)
		return run_command(cli, 2, (char *[]){argv[2], (char[]){"--help"}, NULL});
	if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "help") == 0) {
		print_help(cli->out);
		return 0;
	}
	if (strcmp(argv[1], "--version") == 0) {
		print_version(cli->out);
		return 0;
	}
	return run_command(cli, argc - 1, argv + 1);
}

int cli__flushed(struct cli__cli *cli, int code)
{
	if (fflush(cli->out) != 0 || ferror(cli->out)) {
		cli__message(cli, "cannot write the output");
		return code == 0 ? CLI__EXIT_FAILURE : code;
	}
	return code;
}

int cli__cli(int argc, char **argv, FILE *out, FILE *err)
{
	struct cli__cli cli = {.out = out, .err = err};

	return cli__flushed(&cli, top(&cli, argc, argv));
}

int cli__parse_only(int argc, char **argv, FILE *out, FILE *err)
{
	struct cli__cli cli = {.out = out, .err = err, .parse_only = true};

	return cli__flushed(&cli, top(&cli, argc, argv));
}
