/* SPDX-License-Identifier: MIT */
/* Finds what a run needs: the program, the plugin, the program's libraries; qemu.c finds the QEMU. */
#define _GNU_SOURCE
#include "qemu/launch.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define PLUGIN "apmu-tcg.so"
#define ARMV7  10 /* Tag_CPU_arch, ADDENDA32 */

int apmu_qemu__say(const struct apmu_qemu__error *error, int code, const char *format, ...)
{
	va_list list;

	va_start(list, format);
	vsnprintf(error->text, error->size, format, list);
	va_end(list);
	return code;
}

bool apmu_qemu__join(char out[PATH_MAX], const char *folder, size_t n, const char *name)
{
	return snprintf(out, PATH_MAX, "%.*s/%s", (int)n, folder, name) < PATH_MAX;
}

/* Finds the program of this name: its path as it would be on the core's own system, and the host's file. */
static bool look_up(const char *name, const char *sysroot, char path[PATH_MAX], char file[PATH_MAX])
{
	const char *set = getenv("PATH"), *folder = set ? set : "/bin:/usr/bin"; /* as execvp() */
	struct stat about;

	if (strchr(name, '/')) {
		bool fits = snprintf(path, PATH_MAX, "%s", name) < PATH_MAX;
		apmu_qemu__host_file(sysroot, path, file);
		return fits;
	}
	for (const char *end; folder; folder = *end ? end + 1 : NULL) {
		size_t n = strcspn(folder, ":"); /* 0: the working folder */
		end = folder + n;
		if (!apmu_qemu__join(path, n ? folder : ".", n ? n : 1, name))
			continue;
		apmu_qemu__host_file(sysroot, path, file);
		if (access(file, X_OK) == 0 && (stat(file, &about) != 0 || !S_ISDIR(about.st_mode)))
			return true;
	}
	return false;
}

bool apmu_qemu__in_path(const char *name, char out[PATH_MAX])
{
	char path[PATH_MAX];

	return look_up(name, "", path, out);
}

/* Reads the first line of a script. One that names no interpreter is for the shell, as with execvp(): an
 * executable file of text, that is without a 0 at its beginning. */
static void read_line(const char *file, char line[APMU_QEMU__SCRIPT_LINE])
{
	static const char elf[] = "\177ELF", shell[] = "#!/bin/sh";
	size_t n = apmu_qemu__file_head(file, line);

	if (n != 0 && memchr(line, '\0', n) == NULL && strncmp(line, "#!", 2) != 0 &&
	    strncmp(line, elf, sizeof(elf) - 1) != 0)
		memcpy(line, shell, sizeof(shell));
}

/* Finds the file that QEMU runs for a program, and the script that this file is to run, if any. */
static int find_file(const char *name, const char *sysroot, char file[PATH_MAX],
		     struct apmu_qemu__script *script, const struct apmu_qemu__error *error)
{
	*script = (struct apmu_qemu__script){0};
	if (!look_up(name, sysroot, script->path, file))
		return apmu_qemu__say(error, -ENOENT, "%s: no such program in PATH", name);
	read_line(file, script->by[0].line);
	for (unsigned k = 0; k < APMU_QEMU__SCRIPTS; k++) {
		script->by[k].interpreter =
			apmu_qemu__interpreter(script->by[k].line, &script->by[k].argument);
		if (!script->by[k].interpreter)
			break;
		script->n++;
		apmu_qemu__host_file(sysroot, script->by[k].interpreter, file);
		if (k + 1 < APMU_QEMU__SCRIPTS)
			apmu_qemu__file_head(file, script->by[k + 1].line);
	}
	return 0;
}

static int probe(const char *file, const struct apmu_qemu__script *script, struct apmu_isa__elf *out,
		 const struct apmu_qemu__error *error)
{
	char why[PATH_MAX + 128];
	int code = apmu_isa__elf_probe(file, out, why, sizeof(why));

	if (code != 0 && script->n)
		return apmu_qemu__say(error, code,
				      "%s is run by %s; -L DIR names the folder that has Arm's own",
				      script->path, why);
	return code ? apmu_qemu__say(error, code, "%s", why) : 0;
}

/* Returns the last component of a path. */
static const char *base_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

int apmu_qemu__elf_named(const char *name, const char *sysroot, bool system, struct apmu_isa__elf *out,
			 char *error, size_t size)
{
	const struct apmu_qemu__error say = {error, size};
	struct apmu_qemu__script script;
	char file[PATH_MAX];

	*out = (struct apmu_isa__elf){
		.machine = strstr(base_of(name), "system-aarch64") ? EM_AARCH64 : EM_ARM, .arch = ARMV7};
	if (system)
		return 0;
	int code = find_file(name, sysroot ? sysroot : "", file, &script, &say);
	return code ? code : probe(file, &script, out, &say);
}

static int find_program(const struct apmu_qemu__run_options *options, struct apmu_qemu__found *found,
			const struct apmu_qemu__error *error)
{
	const char *name = options->argv ? options->argv[0] : NULL;

	if (!name || !*name)
		return apmu_qemu__say(error, -EINVAL, "no program to run");
	if (strstr(base_of(name), "qemu-system-"))
		return apmu_qemu__say(error, -EINVAL, "%s emulates a whole system: add --system", name);
	const char *sysroot = options->sysroot ? options->sysroot : "";
	int code = find_file(name, sysroot, found->program, &found->script, error);
	if (code == 0)
		code = probe(found->program, &found->script, &found->elf, error);
	if (code != 0)
		return code;
	if (access(found->program, X_OK) != 0)
		return apmu_qemu__say(error, -errno, "%s cannot be run: %s", found->program, strerror(errno));
	return 0;
}

/* True if the core has this execution state: some register of its PMU then has a view there. */
static bool has_view(const struct apmu_core *core, enum apmu_view view)
{
	for (size_t r = 0; r < apmu_reg_count(core); r++) {
		const struct apmu_reg *reg = apmu_reg_nth(core, r);

		for (size_t e = 0; e < reg->encodings; e++)
			if (reg->at[e].view == view && apmu_encoding_exists(core, &reg->at[e]))
				return true;
	}
	return false;
}

static const char *cpu_for(const struct apmu_core *core, const struct apmu_isa__elf *elf)
{
	return elf->machine == EM_ARM ? core->qemu32 : core->qemu;
}

bool apmu_qemu__core_runs(const struct apmu_core *core, uint16_t machine)
{
	return has_view(core, machine == EM_AARCH64 ? APMU_VIEW_A64 : APMU_VIEW_CP);
}

/* Chooses the value of -cpu. AArch64 programs also see the core's MIDR, by which a C library picks its
 * memory-copy functions; a whole system's kernel identifies cores in its own way. */
static int choose_cpu(const struct apmu_qemu__run_options *options, struct apmu_qemu__found *found,
		      const struct apmu_qemu__error *error)
{
	const struct apmu_core *core = options->core;
	bool midr = !options->system && found->elf.machine == EM_AARCH64;
	size_t n = 0;

	found->cpu = options->cpu;
	if (found->cpu)
		return 0;
	const char *model = apmu_qemu__model(found->qemu, cpu_for(core, &found->elf), &n);
	found->cpu = found->model;
	if (snprintf(found->model, sizeof(found->model), midr ? "%.*s,midr=0x%08X" : "%.*s", (int)n, model,
		     core->midr) >= (int)sizeof(found->model))
		return apmu_qemu__say(error, -ENAMETOOLONG, "%s: the value of -cpu is too long: %s",
				      core->name, model);
	return 0;
}

static int check_width(const struct apmu_qemu__run_options *options, struct apmu_qemu__found *found,
		       const struct apmu_qemu__error *error)
{
	const struct apmu_core *core = options->core;

	if (found->elf.machine == EM_AARCH64 && !apmu_qemu__core_runs(core, EM_AARCH64))
		return apmu_qemu__say(error, -ENOEXEC, "%s is an AArch64 program, and %s runs AArch32 alone",
				      found->program, core->name);
	if (found->elf.machine == EM_ARM && !apmu_qemu__core_runs(core, EM_ARM))
		return apmu_qemu__say(error, -ENOEXEC, "%s is an AArch32 program, and %s runs AArch64 alone",
				      found->program, core->name);
	return 0;
}

bool apmu_qemu__has_option(char *const *argv, const char *option)
{
	for (size_t i = 1; argv[i]; i++)
		if (argv[i][0] == '-' && strcmp(argv[i] + 1 + (argv[i][1] == '-'), option) == 0)
			return true;
	return false;
}

/* The command line is QEMU's own; what it emulates is known from QEMU's name. A core with both execution
 * states in qemu-system-aarch64 is taken to run A64. */
static int find_system(const struct apmu_qemu__run_options *options, struct apmu_qemu__found *found,
		       const struct apmu_qemu__error *error)
{
	const char *name = options->argv ? options->argv[0] : NULL, *base = name ? base_of(name) : NULL;
	const struct apmu_core *core = options->core;

	if (!name || !*name)
		return apmu_qemu__say(error, -EINVAL, "no system to run");
	if (!strstr(base, "system-aarch64") && !strstr(base, "system-arm"))
		return apmu_qemu__say(error, -EINVAL,
				      "%s: --system runs qemu-system-aarch64 or qemu-system-arm", name);
	if (!apmu_qemu__in_path(name, found->qemu))
		return apmu_qemu__say(error, -ENOENT,
				      "%s: no such program in PATH; Debian's package qemu-system-arm has it",
				      name);
	if (apmu_qemu__has_option(options->argv, "daemonize"))
		return apmu_qemu__say(error, -EINVAL,
				      "%s: leave out -daemonize: counting would end when the system begins",
				      name);
	found->system_a64 = strstr(base, "system-aarch64") && has_view(core, APMU_VIEW_A64);
	if (!found->system_a64 && !has_view(core, APMU_VIEW_CP))
		return apmu_qemu__say(error, -ENOEXEC,
				      "%s emulates a 32-bit system, and %s runs AArch64 alone", name,
				      core->name);
	found->elf.machine = found->system_a64 ? EM_AARCH64 : EM_ARM;
	snprintf(found->program, sizeof(found->program), "%s", found->qemu);
	int code = apmu_qemu__check_qemu(found, "qemu-system-arm", error);
	return code || apmu_qemu__has_option(options->argv, "cpu") ? code : choose_cpu(options, found, error);
}

static int find_plugin(const struct apmu_qemu__run_options *options, struct apmu_qemu__found *found,
		       const struct apmu_qemu__error *error)
{
	if (options->plugin)
		snprintf(found->plugin, sizeof(found->plugin), "%s", options->plugin);
	if (options->plugin ? access(found->plugin, R_OK) == 0
			    : apmu_qemu__own_file("", PLUGIN, R_OK, found->plugin))
		return 0;
	return apmu_qemu__say(error, -ENOENT, "%s: no such QEMU plugin; %s",
			      options->plugin ? options->plugin : PLUGIN,
			      options->plugin || access("/proc/self/exe", F_OK) == 0
				      ? "build or install apmu again"
				      : "mount /proc, without which apmu may not find its own folder");
}

static const char *root_package(const struct apmu_isa__elf *elf)
{
	if (elf->machine == EM_AARCH64)
		return "libc6-arm64-cross";
	return elf->hard_float ? "libc6-armhf-cross" : "libc6-armel-cross";
}

static bool is_folder(const char *path)
{
	struct stat about;

	return stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

/* A dynamic program needs its interpreter under the root, or on the host itself (from a package of a foreign
 * architecture). */
static int find_sysroot(const struct apmu_qemu__run_options *options, struct apmu_qemu__found *found,
			const struct apmu_qemu__error *error)
{
	const char *root = options->sysroot ? options->sysroot : apmu_qemu__cross_root(&found->elf);

	if (!found->elf.dynamic && !options->sysroot)
		return 0;
	if (snprintf(found->sysroot, sizeof(found->sysroot), "%s", root) >= (int)sizeof(found->sysroot))
		return apmu_qemu__say(error, -ENAMETOOLONG, "the sysroot's name is too long");
	if (apmu_qemu__has_loader(&found->elf, root))
		return !options->sysroot || is_folder(root)
			       ? 0
			       : apmu_qemu__say(error, -ENOTDIR, "--sysroot '%s' is not a folder", root);
	return apmu_qemu__say(
		error, -ENOENT,
		"%s needs %s, which is not under %s: install %s or name its root with --sysroot",
		found->program, found->elf.interp, root, root_package(&found->elf));
}

int apmu_qemu__find(const struct apmu_qemu__run_options *options, struct apmu_qemu__found *found,
		    const struct apmu_qemu__error *error)
{
	typedef int (*step)(const struct apmu_qemu__run_options *, struct apmu_qemu__found *,
			    const struct apmu_qemu__error *);
	static const step program[] = {
		find_program, check_width, apmu_qemu__find_qemu, choose_cpu, find_plugin, find_sysroot, NULL};
	static const step system[] = {find_system, find_plugin, NULL};
	int code = 0;

	for (const step *next = options->system ? system : program; code == 0 && *next; next++)
		code = (*next)(options, found, error);
	return code;
}
