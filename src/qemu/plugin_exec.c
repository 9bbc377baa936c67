/* SPDX-License-Identifier: MIT */
/*
 * execve of an Arm program. The host's kernel cannot run one unless binfmt_misc is set up, and would not
 * count it. So the plugin makes the call itself: it runs QEMU again, with the options of this QEMU, on the
 * new program. The thread ends as far as counting goes, and the program's first thread begins, in the same
 * process.
 *
 * An absolute path is looked for below -L first, as QEMU does when a program opens a file. A script runs by
 * the interpreter that it names. Whatever else is to be run (a program of the host, a file that does not
 * exist, other kinds of execveat) is left to the kernel.
 *
 * Not counted, but run: programs that a child executes if children are not followed, and what follows an
 * execve of a program that is counted by region, except in parts that requests end.
 */
#define _GNU_SOURCE
#include "qemu/plugin.h"
#include "qemu/plugin_syscalls.h"
#include "qemu/program.h"
#include "qemu/thread.h"

#include <elf.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ALL    (6u << 20) /* bytes of arguments and environment that Linux allows, however large the stack */
#define TEXT   (128u << 10) /* bytes of one of them */
#define WORD   9            /* bytes that Linux counts for an empty word: its end and a pointer */
#define DIGITS 32           /* bytes of ",fd=N,name=" */
#define NAME   15           /* bytes that Linux keeps of a program's name */

/* Words of a command line or an environment; ends in NULL. */
struct words {
	char **word;
	size_t n, bytes;
};

/* Makes room for one more word. */
static bool grow(struct words *w)
{
	char **word = realloc(w->word, (w->n + 2) * sizeof(*word));

	if (!word)
		return false;
	w->word = word;
	w->word[w->n] = w->word[w->n + 1] = NULL;
	return true;
}

static bool add(struct words *w, const char *text)
{
	if (!grow(w))
		return false;
	w->word[w->n] = strdup(text);
	w->bytes += strlen(text) + 1;
	return w->word[w->n++] != NULL;
}

static void drop(struct words *w)
{
	for (size_t i = 0; i < w->n; i++)
		free(w->word[i]);
	free(w->word);
}

/* Reads a list of strings of the program; address 0 is an empty list. */
static bool read_words(uint64_t at, struct words *out, char *text)
{
	size_t size = apmu_qemu__plugin.a64 ? 8 : 4;

	for (; at && out->n < ALL / WORD && out->bytes < ALL; at += size) {
		uint64_t word = 0;
		if (!apmu_qemu__guest_read(at, &word, size))
			return false;
		if (!word)
			break;
		if (!apmu_qemu__guest_text(word, text, TEXT) || !add(out, text))
			return false;
	}
	return out->n < ALL / WORD && out->bytes < ALL && grow(out);
}

/* This QEMU's own command line, up to `-0`; empty if it is not ours. */
static struct words own;
static char program[PATH_MAX]; /* the program's file, links resolved, which stands behind the next word */

static bool read_own(FILE *from)
{
	char *word = NULL;
	size_t room = 0;
	bool found = false;

	while (!found && getdelim(&word, &room, '\0', from) > 0) {
		found = strcmp(word, "-0") == 0;
		if (!found && !add(&own, word))
			break;
	}
	found = found && getdelim(&word, &room, '\0', from) > 0 && getdelim(&word, &room, '\0', from) > 0 &&
		realpath(word, program);
	free(word);
	return found;
}

void apmu_qemu__exec_begin(void)
{
	FILE *from = fopen("/proc/self/cmdline", "re");

	if (from && !read_own(from)) {
		drop(&own);
		own = (struct words){0};
	}
	if (from)
		fclose(from);
}

/* True if the path is the program's own file, as QEMU takes it. */
static bool is_own(const char *path)
{
	char by_number[64];

	snprintf(by_number, sizeof(by_number), "/proc/%d/exe", (int)getpid());
	return strcmp(path, "/proc/self/exe") == 0 || strcmp(path, by_number) == 0;
}

static const char *own_value(const char *option)
{
	for (size_t i = 1; i + 1 < own.n; i++)
		if (strcmp(own.word[i], option) == 0)
			return own.word[i + 1];
	return "";
}

/* What is to run: QEMU's last arguments. */
struct target {
	const char *path; /* as the program names it */
	const char *root; /* value of -L; empty: none */
	char file[PATH_MAX];
	struct words argv;
};

/* Replaces argv[0] of a script by its interpreter, its argument, and the script's path. */
static bool prepend(struct words *argv, const char *interpreter, const char *argument, const char *path)
{
	struct words all = {0};
	bool good = add(&all, interpreter) && (!*argument || add(&all, argument)) && add(&all, path);

	for (size_t i = 1; good && i < argv->n; i++)
		good = add(&all, argv->word[i]);
	drop(argv);
	*argv = all;
	return good;
}

/* True if the program that follows is counted. */
static bool is_counted(void)
{
	const struct apmu_qemu__plugin *p = &apmu_qemu__plugin;
	bool parts = p->region.kind == APMU_QEMU__REGION_REQUESTS && p->region.end;

	return !p->muted && (p->region.kind == APMU_QEMU__REGION_ALL || parts) && (p->follow || !p->forked);
}

/* True if this QEMU runs the file. Notes a program of the host, which the kernel runs. */
static bool runs_file(const char *file, struct apmu_isa__elf *out)
{
	struct apmu_qemu__share *share = apmu_qemu__plugin.share;
	char why[256];

	if (access(file, X_OK) != 0)
		return false;
	int code = apmu_isa__elf_probe(file, out, why, sizeof(why));
	bool arm = out->machine == EM_ARM || out->machine == EM_AARCH64;
	if (code == -ENOEXEC && out->machine != 0 && !arm && is_counted() &&
	    atomic_fetch_add(&share->native, 1) == 0)
		snprintf(share->native_path, sizeof(share->native_path), "%.255s", file);
	return code == 0 && out->machine == (apmu_qemu__plugin.a64 ? EM_AARCH64 : EM_ARM);
}

/* Finds what execve(t->path, t->argv) runs. False if the kernel shall run it. */
static bool resolve(const char *sysroot, struct target *t)
{
	char head[APMU_QEMU__SCRIPT_LINE], *argument;
	struct apmu_isa__elf elf;

	if (is_own(t->path))
		snprintf(t->file, sizeof(t->file), "%s", program);
	else
		apmu_qemu__host_file(sysroot, t->path, t->file);
	apmu_qemu__file_head(t->file, head);
	for (unsigned k = 0; k < APMU_QEMU__SCRIPTS; k++) {
		const char *by = apmu_qemu__interpreter(head, &argument);
		if (!by)
			break;
		if (!prepend(&t->argv, by, argument, k ? t->argv.word[0] : t->path))
			return false;
		apmu_qemu__host_file(sysroot, t->argv.word[0], t->file);
		apmu_qemu__file_head(t->file, head);
	}
	if (!runs_file(t->file, &elf))
		return false;
	t->root = apmu_qemu__root_for(&elf, sysroot);
	return true;
}

/* Writes the name that Linux gives the program's first thread: QEMU takes two commas for one. */
static void put_name(const char *path, char out[2 * NAME + 1])
{
	const char *slash = strrchr(path, '/'), *from = slash ? slash + 1 : path;

	for (unsigned k = 0; k < NAME && *from; k++) {
		if (*from == ',')
			*out++ = ',';
		*out++ = *from++;
	}
	*out = '\0';
}

/* Adds the plugin's options: the descriptor of the shared memory (-1: nothing is counted) and a name. */
static bool add_plugin(struct words *out, const char *ours, int memory, const char *path_of_program)
{
	char value[PATH_MAX + DIGITS + 2 * NAME], name[2 * NAME + 1];
	const char *end = ours + strlen(ours);

	for (const char *at = ours; (at = strstr(at, ",fd=")) != NULL; at++)
		end = at;
	int path = (int)(end - ours);
	put_name(path_of_program, name);
	if (memory >= 0)
		snprintf(value, sizeof(value), "%.*s,fd=%d,name=%s", path, ours, memory, name);
	else
		snprintf(value, sizeof(value), "%.*s," APMU_QEMU__UNCOUNTED, path, ours);
	return add(out, value);
}

/* Builds the new QEMU's command line. */
static bool build(int memory, const struct target *t, struct words *out)
{
	bool good = add(out, own.word[0]) && (!t->root[0] || (add(out, "-L") && add(out, t->root)));

	for (size_t i = 1; good && i < own.n; i++)
		if (strcmp(own.word[i], "-L") == 0)
			i++;
		else
			good = strcmp(own.word[i - 1], "-plugin") == 0
				       ? add_plugin(out, own.word[i], memory, t->path)
				       : add(out, own.word[i]);
	good = good && add(out, "-0") && add(out, t->argv.n ? t->argv.word[0] : "") && add(out, t->file);
	for (size_t i = 1; good && i < t->argv.n; i++)
		good = add(out, t->argv.word[i]);
	return good;
}

/* True if Linux takes so much for a command line and an environment. */
static bool fits(const struct words *line, const struct words *env)
{
	long most = sysconf(_SC_ARG_MAX);
	size_t all = line->bytes + env->bytes + (WORD - 1) * (line->n + env->n);

	return all < ALL && (most < 0 || all < (size_t)most);
}

static void become(const struct target *t, const struct words *env)
{
	int memory = is_counted() ? apmu_qemu__command_memory() : -1;
	bool lost = memory < 0 && is_counted();
	char qemu[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", qemu, sizeof(qemu) - 1);
	struct words line = {0};

	if (n > 0 && build(memory, t, &line) && fits(&line, env)) { /* else the kernel says E2BIG */
		qemu[n] = '\0';
		if (lost)
			atomic_fetch_add(&apmu_qemu__plugin.share->slotless, 1);
		apmu_qemu__thread_exit(0, 0);
		execve(qemu, line.word, env->word);
		apmu_qemu__plugin_die("QEMU cannot be run again for a program that is executed");
	}
	if (memory >= 0)
		close(memory);
	drop(&line);
}

void apmu_qemu__exec_call(int64_t number, const uint64_t a[6])
{
	struct words env = {0};
	char path[PATH_MAX], *text;
	struct target t = {.path = path};

	if (number != (apmu_qemu__plugin.a64 ? A64_EXECVE : ARM_EXECVE) || own.n == 0)
		return;
	text = malloc(TEXT);
	if (text && apmu_qemu__guest_text(a[0], path, sizeof(path)) && read_words(a[1], &t.argv, text) &&
	    read_words(a[2], &env, text) && resolve(own_value("-L"), &t))
		become(&t, &env);
	free(text);
	drop(&env);
	drop(&t.argv);
}
