/* SPDX-License-Identifier: MIT */
/* Chooses the QEMU and finds out what it can do. */
#define _GNU_SOURCE /* pipe2 */
#include "qemu/launch.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/wait.h>
#include <unistd.h>

/* A CPU model of QEMU; the last row, without a name, stands for all others. */
struct model {
	const char *name;
	unsigned zero_bytes; /* that DC ZVA clears */
};
#include "qemu/gen/models.inc"

#define HELP_SIZE 131072u
#define CPUS_SIZE 4096u

#ifndef APMU_PLUGIN_FROM_BIN
#define APMU_PLUGIN_FROM_BIN "../lib/apmu" /* the build may override it, as with lib/x86_64-linux-gnu */
#endif

void apmu_qemu__own_path(char *out, size_t size)
{
	ssize_t n = readlink("/proc/self/exe", out, size - 1);
	const char *name = n > 0 ? NULL : (const char *)getauxval(AT_EXECFN);

	out[n > 0 ? n : 0] = '\0';
	if (name && !realpath(name, out))
		out[0] = '\0';
}

bool apmu_qemu__own_file(const char *built, const char *name, int access_mode, char out[PATH_MAX])
{
	const char *const places[] = {built, APMU_PLUGIN_FROM_BIN "/"};
	char self[PATH_MAX], below[PATH_MAX];

	apmu_qemu__own_path(self, sizeof(self));
	char *slash = strrchr(self, '/');
	for (size_t i = 0; slash && i < sizeof(places) / sizeof(places[0]); i++)
		if (snprintf(below, sizeof(below), "%s%s", places[i], name) < (int)sizeof(below) &&
		    apmu_qemu__join(out, self, (size_t)(slash - self), below) &&
		    access(out, access_mode) == 0)
			return true;
	return false;
}

/* In the child: takes QEMU's options out of the environment. A bad one is for the program's run to report. */
static void unset_options(void)
{
	extern char **environ;
	size_t n = 0;

	for (size_t i = 0; environ[i]; i++)
		if (strncmp(environ[i], "QEMU_", 5) != 0)
			environ[n++] = environ[i];
	environ[n] = NULL;
}

/* Stores in `text` what a QEMU prints for an option (`value`: its argument, or NULL), whatever the
 * environment sets. Returns 0, or the errno value with which QEMU could not be asked. */
static int ask_about(const char *qemu, const char *option, const char *value, char *text, size_t size)
{
	int out[2], status = 0;
	size_t n = 0;

	if (pipe2(out, O_CLOEXEC) != 0)
		return errno;
	pid_t pid = fork();
	int why = pid < 0 ? errno : 0;
	if (pid == 0) {
		dup2(out[1], STDOUT_FILENO);
		dup2(out[1], STDERR_FILENO);
		unset_options();
		execl(qemu, qemu, option, value, (char *)NULL);
		_exit(127);
	}
	close(out[1]);
	for (ssize_t got = 1; pid > 0 && got > 0 && n + 1 < size; n += got > 0 ? (size_t)got : 0)
		got = read(out[0], text + n, size - 1 - n);
	text[n] = '\0';
	close(out[0]);
	if (why)
		return why;
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
	if (signal == SIGPIPE || (signal == 0 && WEXITSTATUS(status) != 127))
		return 0; /* SIGPIPE: it said more than `text` holds */
	/* a terminal sends SIGINT and SIGQUIT to all its processes */
	return signal == SIGINT || signal == SIGQUIT || signal == SIGTERM || signal == SIGHUP ? EINTR
											      : ENOEXEC;
}

/* What a QEMU can do. The last answer is kept, because asking takes 5 to 10 ms and a command may first find
 * what a run needs and then run it. */
static const struct apmu_qemu__answer {
	char qemu[PATH_MAX];
	int error; /* ENOEXEC: this QEMU cannot be run */
	bool plugins, perfmap;
} * ask(const char *qemu)
{
	static struct apmu_qemu__answer last = {.error = ENOEXEC};
	char *help = NULL;

	if (!last.error && strcmp(last.qemu, qemu) == 0)
		return &last;
	help = malloc(HELP_SIZE);
	last.error = help ? ask_about(qemu, "-h", NULL, help, HELP_SIZE) : ENOMEM;
	last.plugins = !last.error && strstr(help, "-plugin");
	last.perfmap = !last.error && strstr(help, "-perfmap");
	snprintf(last.qemu, sizeof(last.qemu), "%s", qemu);
	free(help);
	return &last;
}

int apmu_qemu__check_qemu(struct apmu_qemu__found *found, const char *package,
			  const struct apmu_qemu__error *error)
{
	const struct apmu_qemu__answer *answer = ask(found->qemu);

	/* Since QEMU 8.1 a 64-bit program lies where the host has room, unless an address space is reserved
	 * for it. -perfmap, which exists since 8.0, stands for that version. */
	found->reserve = answer->perfmap && found->elf.machine == EM_AARCH64;
	if (answer->error == EINTR)
		return apmu_qemu__say(error, -EINTR, "interrupted before %s was asked for its plugins",
				      found->qemu);
	if (answer->error == ENOEXEC)
		return apmu_qemu__say(
			error, -ENOENT,
			"%s cannot be run; Debian's package %s has a QEMU, --qemu names another", found->qemu,
			package);
	if (answer->error)
		return apmu_qemu__say(error, -answer->error, "%s cannot be started: %s", found->qemu,
				      strerror(answer->error));
	if (!answer->plugins)
		return apmu_qemu__say(
			error, -ENOSYS,
			"%s takes no -plugin, which apmu needs; Debian 12's qemu-user does, and so does the QEMU of "
			"'make qemu' in apmu's sources or of the package apmu-qemu",
			found->qemu);
	return 0;
}

/* True if QEMU's list, one model per line, has this model. Its properties, from a comma on, are not in the
 * list. */
static bool lists(const char *cpus, const char *model, size_t n)
{
	for (size_t word; *(cpus += strspn(cpus, " \n")); cpus += word)
		if ((word = strcspn(cpus, " \n")) == n && memcmp(cpus, model, n) == 0)
			return true;
	return false;
}

const char *apmu_qemu__model(const char *qemu, const char *models, size_t *n)
{
	static char asked[PATH_MAX], cpus[CPUS_SIZE];

	for (const char *model = models;; model += *n + 1) {
		*n = strcspn(model, " ");
		if (!model[*n])
			return model;
		if (strcmp(asked, qemu) != 0 && ask_about(qemu, "-cpu", "help", cpus, sizeof(cpus)) != 0)
			cpus[0] = '\0';
		snprintf(asked, sizeof(asked), "%s", qemu);
		if (lists(cpus, model, strcspn(model, ", ")))
			return model;
	}
}

unsigned apmu_qemu__zero_bytes(const char *cpu)
{
	size_t n = cpu ? strcspn(cpu, ",") : 0;
	const struct model *model = models;

	if (!cpu)
		return 0;
	while (*model->name && (strncmp(model->name, cpu, n) != 0 || model->name[n]))
		model++;
	return model->zero_bytes;
}

/* Looks for QEMU: the one that the user names, else in the folder APMU_QEMU, else apmu's own, else in PATH.
 */
static bool look(const char *named, const char *name, char out[PATH_MAX])
{
	const char *folder = getenv("APMU_QEMU");

	if (named)
		return apmu_qemu__in_path(named, out);
	if (folder && *folder)
		return apmu_qemu__join(out, folder, strlen(folder), name);
	return apmu_qemu__own_file("qemu/", name, X_OK, out) || apmu_qemu__in_path(name, out);
}

int apmu_qemu__find_qemu(const struct apmu_qemu__run_options *options, struct apmu_qemu__found *found,
			 const struct apmu_qemu__error *error)
{
	const char *name = found->elf.machine == EM_ARM ? "qemu-arm" : "qemu-aarch64";

	if (!look(options->qemu, name, found->qemu))
		return apmu_qemu__say(
			error, -ENOENT,
			"%s: no such program; Debian 12's package qemu-user has it, and so do 'make qemu' in apmu's "
			"sources and the package apmu-qemu",
			options->qemu ? options->qemu : name);
	return apmu_qemu__check_qemu(found, "qemu-user", error);
}

bool apmu_qemu__named(const char *name, char *path, size_t room, char *version, size_t size)
{
	char found[PATH_MAX], text[400];
	const char *mark = "version ";

	*version = '\0';
	if (!look(NULL, name, found))
		return false;
	snprintf(path, room, "%s", found);
	if (ask_about(found, "--version", NULL, text, sizeof(text)) != 0)
		return false;
	const char *at = strstr(text, mark);
	if (!at)
		return false;
	at += strlen(mark);
	snprintf(version, size, "%.*s", (int)strcspn(at, " \n"), at);
	return true;
}
