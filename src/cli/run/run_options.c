/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* O_DIRECTORY, O_CLOEXEC */
#include "cli/common/l2c.h"
#include "cli/common/options.h"
#include "cli/common/uarch_options.h"
#include "cli/run/run.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

enum {
	OPT_CORE,
	OPT_BOARD,
	OPT_CPI,
	OPT_SKID,
	OPT_INSNS,
	OPT_TIMEOUT,
	OPT_FIQ,
	OPT_EL,
	OPT_WARM,
	OPT_RAM,
	OPT_HZ,
	OPT_RAW,
	OPT_THUMB,
	OPT_A32,
	OPT_UARCH,
	OPT_L1D,
	OPT_L2,
	OPT_L2C,
	OPT_L3,
	OPT_SET,
	OPT_TRACE,
	OPT_VCD,
	OPT_STAT,
	OPT_EVENT,
	OPT_FOLDER,
	OPT_LINUX,
	OPT_KERNEL,
	OPT_BIOS,
	OPT_LOAD,
	OPT_DTB,
	OPT_APPEND,
	OPT_UART,
	OPT_DRIVE,
	OPT_CONSOLE,
	OPT_INITRD,
	OPT_HELP
};

static const struct cli__option table[] = {
	{'c', "core", "CORE", "the core (needed); 'apmu list cores' has them", OPT_CORE},
	{'b', "board", "BOARD",
	 "bare (the default), virt, virt-gicv3, versatile, pxa:\ndocs/machine.md has their maps", OPT_BOARD},
	{0, "ram", "MIB", "size of the board's RAM (default: the board's own)", OPT_RAM},
	{0, "fiq", NULL, "wire the PMU's interrupt to FIQ (board bare)", OPT_FIQ},
	{0, "el", "N",
	 "the program's highest exception level, where it starts: 1 (the\ndefault), 2 (AArch32: Hyp mode), 3 (AArch32: Secure state and\nMonitor mode); above it is firmware that answers PSCI",
	 OPT_EL},
	{0, "warm", NULL,
	 "caches, TLBs and branch predictors are on and memory is\ncacheable until the program writes SCTLR itself (default: all\noff, as out of reset)",
	 OPT_WARM},
	{0, "cpi", "N", "every instruction takes N cycles (default: the core's timing\nmodel)", OPT_CPI},
	{0, "skid", "N", "an overflow's interrupt comes N instructions late, as on\nhardware (default: 0)",
	 OPT_SKID},
	{0, "hz", "N", "core clock, cycles per second of modelled time (default 1000000000)", OPT_HZ},
	{0, "max-insns", "N", "stop after N instructions", OPT_INSNS},
	{0, "timeout", "S", "stop after S seconds of modelled time", OPT_TIMEOUT},
	{0, "raw", "ADDRESS", "the file is a raw image, loaded at ADDRESS and started there", OPT_RAW},
	{0, "a32", NULL, "with --raw: start in A32, on a core that has AArch64 too", OPT_A32},
	{0, "thumb", NULL, "with --raw: start in T32", OPT_THUMB},
	{0, "uarch", "FILE", "parameters of the core from FILE, written as spec/uarch/*.uarch", OPT_UARCH},
	{0, "l1d", "SIZE[,WAYS[,LINE]]", "the core's L1 data cache", OPT_L1D},
	{0, "l2", "SIZE[,WAYS[,LINE]]", "the core's L2 cache, such as 512K,8,64", OPT_L2},
	{0, "l2c", "l210|l220",
	 "that L2 cache controller behind the core; --stat has its\nevents, l210/ir-req and so on", OPT_L2C},
	{0, "l3", "SIZE[,WAYS[,LINE]]", "the cache below L2", OPT_L3},
	{0, "set", "KEY=VALUE", "change a parameter of the core ('apmu list cores -v' has them)", OPT_SET},
	{0, "trace-pmu", NULL,
	 "print each access to a PMU register, decoded, and the PMU's\ninterrupts, to standard error",
	 OPT_TRACE},
	{0, "vcd", "FILE", "write the PMU's waveform: counters, enables, flags, lines,\nevent bus", OPT_VCD},
	{0, "stat", NULL, "print also what the host counted, on standard error", OPT_STAT},
	{'e', "event", "LIST", "count these events, as with 'apmu stat -e'; implies --stat", OPT_EVENT},
	{0, "folder", "DIR",
	 "the program may open files below DIR (default: none); with\n--linux its root directory",
	 OPT_FOLDER},
	{0, "linux", NULL, "the file is a static Linux program; what follows are its\narguments", OPT_LINUX},
	{0, "bios", NULL,
	 "the file is firmware, such as u-boot: it goes to the board's\nflash and starts there", OPT_BIOS},
	{0, "load", "FILE@ADDRESS", "another file's bytes, beside the program (up to 8 times)", OPT_LOAD},
	{0, "kernel", NULL, "the file is a kernel: an AArch64 Image or a zImage", OPT_KERNEL},
	{0, "dtb", "FILE", "device tree to pass (default: boards virt have one made)", OPT_DTB},
	{0, "initrd", "FILE", "initial file system of the kernel", OPT_INITRD},
	{0, "uart", "FILE", "what the board's UART receives", OPT_UART},
	{0, "drive", "FILE[,write][,bus=N]",
	 "a virtio drive with FILE's sectors (boards virt); with 'write' the\nprogram's writes go to FILE, else they fail; bus: 31 down, as\nunder QEMU",
	 OPT_DRIVE},
	{0, "console", "FILE[,bus=N]",
	 "a virtio console (boards virt) that receives FILE (/dev/null:\nnothing); what it sends is printed",
	 OPT_CONSOLE},
	{0, "append", "TEXT", "command line in the device tree", OPT_APPEND},
	{'h', "help", NULL, "this text", OPT_HELP},
	{0, NULL, NULL, NULL, 0}};

static void print_help(FILE *out)
{
	fputs("usage: apmu run -c CORE [OPTION]... FIRMWARE [WORD]...\n"
	      "       apmu run -c CORE --linux [OPTION]... PROGRAM [ARGUMENT]...\n"
	      "\n"
	      "Runs a bare-metal program on a modelled core and board. The program programs the core's PMU\n"
	      "with its own instructions, reads the counters, takes the interrupt. What it prints by UART or\n"
	      "semihosting is the output of this command; its semihosting exit status is the exit status, or\n"
	      "1 after a report if it ended otherwise, 2 if the command line is wrong.\n"
	      "\n"
	      "With --linux a small static Linux program runs, and may read PMCCNTR, CCNT and the other\n"
	      "counters directly; 'apmu stat' counts any Linux program, and faster, but such reads end it.\n"
	      "\n",
	      out);
	cli__options_help(table, out);
	fputs("\n"
	      "For example:\n"
	      "  apmu run -c arm1136jf-s firmware.elf\n"
	      "  apmu run -c cortex-a15 -b virt --timeout 2 firmware.elf\n"
	      "  apmu run -c xscale --cpi 1 --raw 0x8000 firmware.bin\n"
	      "  apmu run -c cortex-a53 -b virt --kernel --initrd initrd --drive root.img Image\n"
	      "  apmu run -c cortex-a53 --linux ./program one two\n",
	      out);
}

static int seconds(const struct cli__cli *cli, const char *value, double *out)
{
	char *end;

	*out = strtod(value, &end);
	if (end != value && *end == '\0' && *out > 0 && *out < 1e9)
		return 0;
	return cli__option_bad(cli, "--timeout", value, "a number of seconds, above 0");
}

/* Parses a whole number from 1 to `most`. */
static int positive(const struct cli__cli *cli, const char *option, const char *value, uint64_t most,
		    uint64_t *out)
{
	char want[64];

	if (cli__number(value, most, out) && *out > 0)
		return 0;
	snprintf(want, sizeof want, "a whole number, 1 to %llu", (unsigned long long)most);
	return cli__option_bad(cli, option, value, want);
}

static int set_core(const struct cli__cli *cli, struct cli__run_command *run, const char *name)
{
	const struct apmu_core *core = cli__core(cli, name);

	run->config.core = core;
	return core ? 0 : CLI__EXIT_USAGE;
}

static int open_folder(const struct cli__cli *cli, struct cli__run_command *run, const char *path)
{
	run->config.folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (run->config.folder > 0)
		return 0;
	cli__message(cli, "--folder '%s': %s", path, strerror(errno));
	return CLI__EXIT_USAGE;
}

/* Takes the options that say what is loaded, and how. */
static void take_program(struct cli__run_command *run, int id, const char *value)
{
	switch (id) {
	case OPT_LINUX: run->linux_program = true; break;
	case OPT_KERNEL: run->kernel = true; break;
	case OPT_BIOS: run->bios = run->config.flash = true; break;
	case OPT_DTB: run->device_tree = value; break;
	case OPT_UART: run->uart = value; break;
	case OPT_INITRD: run->initrd = value; break;
	case OPT_APPEND: run->config.bootargs = value; break;
	}
}

static int load_too(const struct cli__cli *cli, struct cli__run_command *run, const char *value)
{
	const char *at = strrchr(value, '@');
	uint64_t address;

	if (!at || at == value || !cli__number(at + 1, UINT64_MAX, &address))
		return cli__option_bad(cli, "--load", value, "FILE@ADDRESS, such as image.bin@0x80000");
	if (run->also_n == CLI__RUN_ALSO) {
		cli__message(cli, "--load: at most %d files", CLI__RUN_ALSO);
		return CLI__EXIT_USAGE;
	}
	run->also[run->also_n++] = value;
	return 0;
}

static int take_waveform(const struct cli__cli *cli, struct cli__run_command *run, const char *value)
{
	run->vcd = value;
	return strcmp(value, "-") != 0 ? 0
				       : cli__option_bad(cli, "--vcd", value,
							 "a file, and the program prints to standard output");
}

/* Takes the options that have a number. */
static int take_number(const struct cli__cli *cli, struct cli__run_command *run, int id, const char *value)
{
	uint64_t n = 0;
	int bad = 0;

	switch (id) {
	case OPT_TIMEOUT: return seconds(cli, value, &run->timeout);
	case OPT_INSNS: return positive(cli, "--max-insns", value, UINT64_MAX, &run->max_insns);
	case OPT_HZ: return positive(cli, "--hz", value, (uint64_t)1 << 33, &run->config.core_hz);
	case OPT_CPI:
		bad = positive(cli, "--cpi", value, 1000000, &n);
		run->config.cpi = (uint32_t)n;
		break;
	case OPT_SKID:
		bad = cli__option_number(cli, "--skid", value, 1000000, &n);
		run->config.skid = (uint32_t)n;
		break;
	case OPT_EL:
		if (!cli__number(value, 3, &n) || n == 0)
			return cli__option_bad(cli, "--el", value, "1, 2 or 3");
		run->config.el = (uint8_t)n;
		break;
	case OPT_RAM:
		bad = positive(cli, "--ram", value, 1 << 20, &n);
		run->config.ram = n << 20;
		break;
	case OPT_RAW:
		run->raw = true;
		return cli__option_number(cli, "--raw", value, UINT64_MAX, &run->address);
	}
	return bad;
}

static int take(const struct cli__cli *cli, struct cli__run_command *run, int id, const char *value)
{
	switch (id) {
	case OPT_CORE: return set_core(cli, run, value);
	case OPT_BOARD: run->config.board = value; break;
	case OPT_STAT: run->stat = true; break;
	case OPT_EVENT: run->stat = true; return cli__rows_parse(cli, &run->rows, value);
	case OPT_FOLDER: return open_folder(cli, run, value);
	case OPT_FIQ: run->config.pmu_to_fiq = true; break;
	case OPT_TRACE: run->trace_pmu = true; break;
	case OPT_WARM: run->config.warm = true; break;
	case OPT_VCD: return take_waveform(cli, run, value);
	case OPT_A32: run->config.aarch32 = true; break;
	case OPT_THUMB: run->config.thumb = run->config.aarch32 = true; break;
	case OPT_TIMEOUT:
	case OPT_INSNS:
	case OPT_HZ:
	case OPT_CPI:
	case OPT_SKID:
	case OPT_EL:
	case OPT_RAM:
	case OPT_RAW: return take_number(cli, run, id, value);
	case OPT_LOAD: return load_too(cli, run, value);
	case OPT_DRIVE:
	case OPT_CONSOLE: return cli__run_add_virtio(cli, run, id == OPT_CONSOLE, value);
	case OPT_LINUX:
	case OPT_KERNEL:
	case OPT_BIOS:
	case OPT_DTB:
	case OPT_UART:
	case OPT_INITRD:
	case OPT_APPEND: take_program(run, id, value); break;
	}
	return 0;
}

/* Collects changes of parameters, which are applied when the core is known. */
static int take_params(const struct cli__cli *cli, struct cli__run_command *run, int id, const char *value)
{
	switch (id) {
	case OPT_UARCH: return cli__sets_add_file(&run->sets, value);
	case OPT_L1D: return cli__sets_add_cache(cli, &run->sets, "l1d", value);
	case OPT_L2: return cli__sets_add_cache(cli, &run->sets, "l2", value);
	case OPT_L2C: return cli__l2c_add(cli, &run->sets, value);
	case OPT_L3: return cli__sets_add_cache(cli, &run->sets, "l3", value);
	default: cli__sets_add(&run->sets, value); return 0;
	}
}

static bool of_params(int id)
{
	return id >= OPT_UARCH && id <= OPT_SET;
}

/* What is wrong with the combination of options; NULL: nothing. */
static const char *contradiction(const struct cli__run_command *run)
{
	bool boot = run->kernel || run->device_tree || run->config.bootargs;

	if (run->linux_program && (run->raw || boot || run->uart))
		return "--linux runs a program: --raw, --kernel, --dtb, --append and --uart are for bare "
		       "metal";
	if (run->linux_program && run->config.board)
		return "--linux runs without a board: leave out -b";
	if (run->linux_program && run->config.ram)
		return "--linux runs without a board: leave out --ram";
	if (run->linux_program && (run->config.pmu_to_fiq || run->config.skid))
		return "--linux runs a program, to which no interrupt goes: leave out --fiq and --skid";
	if (run->linux_program && run->config.el)
		return "--linux runs a program at EL0: --el is for bare metal";
	if (!run->linux_program && run->rows.user)
		return "a machine's counts are of all its exception levels: leave out ':u'";
	if (run->initrd && !run->kernel)
		return "--initrd needs --kernel: it names the kernel's initial file system";
	if (run->config.aarch32 && !run->raw && !run->bios && !run->kernel)
		return "--a32 and --thumb are for --raw, --bios and --kernel: an ELF file says what it is";
	if (run->kernel + run->raw + run->bios > 1)
		return "--kernel, --raw and --bios exclude each other: give one of them";
	if (run->linux_program && (run->bios || run->also_n || run->config.virtios))
		return "--linux runs a program: --bios, --load, --drive and --console are for bare metal";
	if (run->config.pmu_to_fiq && run->config.board && strcmp(run->config.board, "bare") != 0)
		return "--fiq is for board bare: the other boards fix where the PMU's interrupt goes";
	return NULL;
}

static int check(const struct cli__cli *cli, struct cli__run_command *run)
{
	const char *wrong = contradiction(run);

	if (run->linux_program && !wrong)
		run->config.board = "linux";
	if (wrong)
		cli__message(cli, "%s", wrong);
	else if (!run->config.core)
		cli__message(cli, "no core given; name one with -c CORE ('apmu list cores' lists them)");
	else if (!run->file)
		cli__message(cli, "no program given; 'apmu run --help' shows the usage");
	else if (!cli__params_of(cli, run->config.core, &run->uarch))
		return CLI__EXIT_USAGE;
	else
		return run->sets ? cli__set_all(cli, &run->uarch, run->sets, run->config.core) : 0;
	return CLI__EXIT_USAGE;
}

static int word(struct cli__run_command *run, struct cli__args *args)
{
	char *line;

	if (run->file) { /* one more word of the command line for semihosting */
		line = cli__format("%s %s", run->command_line, args->argv[args->at++]);
		free(run->command_line);
		run->config.command_line = run->command_line = line;
		return 0;
	}
	run->file = args->argv[args->at++];
	run->config.command_line = run->command_line = cli__copy(run->file);
	if (run->linux_program) { /* the rest is the program's own */
		run->argv = args->argv + args->at - 1;
		args->at = args->argc;
	}
	return 0;
}

int cli__run_take_options(struct cli__cli *cli, int argc, char **argv, struct cli__run_command *run)
{
	struct cli__args args = {.cli = cli, .option = table, .argc = argc, .argv = argv, .at = 1};
	int bad = 0;

	*run = (struct cli__run_command){0};
	while (bad == 0) {
		int id = cli__option_next(&args);

		if (id == CLI__OPTION_BAD)
			return CLI__EXIT_USAGE;
		if (id == OPT_HELP) {
			print_help(cli->out);
			return CLI__RUN_HELP;
		}
		if (id == CLI__OPTION_WORD && args.at >= argc)
			return check(cli, run);
		if (id == CLI__OPTION_WORD)
			bad = word(run, &args);
		else
			bad = of_params(id) ? take_params(cli, run, id, args.value)
					    : take(cli, run, id, args.value);
	}
	return bad;
}
