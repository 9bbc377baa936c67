/* SPDX-License-Identifier: MIT */
/* Prepares a run, that is the plugin's settings and QEMU's command line, and judges how the run ended. */
#define _GNU_SOURCE /* memfd_create, mkostemp, O_TMPFILE */
#include "qemu/launch.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define FIXED_ARGS (16 + 2 * APMU_QEMU__SCRIPTS) /* most arguments that apmu adds, and the final NULL */

_Static_assert(PATH_MAX <= sizeof(((struct apmu_qemu__share *)0)->program), "realpath() fits");

/* The mapping, and the two files of a run. */
struct files {
	struct apmu_qemu__share *share;
	size_t size; /* of the mapping */
	int memory, marks;
};

int apmu_qemu__nameless_file(const char **folder)
{
	const char *set = getenv("TMPDIR");
	sigset_t all, before;
	char name[PATH_MAX];

	*folder = set && *set ? set : "/tmp";
	int fd = open(*folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	if (fd >= 0)
		return fd;
	if (snprintf(name, sizeof(name), "%s/apmu-XXXXXX", *folder) >= (int)sizeof(name)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	sigfillset(&all); /* the file system needs a name first: no signal may leave it behind */
	sigprocmask(SIG_BLOCK, &all, &before);
	fd = mkostemp(name, O_CLOEXEC);
	if (fd >= 0)
		unlink(name);
	sigprocmask(SIG_SETMASK, &before, NULL);
	return fd;
}

static void close_files(struct files *f)
{
	if (f->share)
		munmap(f->share, f->size);
	if (f->memory >= 0)
		close(f->memory);
	if (f->marks >= 0)
		close(f->marks);
}

/* True if a file of `size` bytes is within `ulimit -f`; making a larger one raises SIGXFSZ. */
static bool within_limit(size_t size)
{
	struct rlimit limit;

	return getrlimit(RLIMIT_FSIZE, &limit) != 0 || size <= limit.rlim_cur;
}

static int open_files(struct files *f, const struct apmu_qemu__run_record *record,
		      const struct apmu_qemu__error *error)
{
	const char *folder;

	*f = (struct files){.size = apmu_qemu__share_size(record != NULL, record && record->exact,
							  record && record->branches),
			    .memory = -1,
			    .marks = apmu_qemu__nameless_file(&folder)};
	if (f->marks < 0)
		return apmu_qemu__say(error, -errno,
				      "no file can be made in '%s': %s; TMPDIR names another folder", folder,
				      strerror(errno));
	if (!within_limit(f->size))
		return apmu_qemu__say(
			error, -EFBIG,
			"the memory shared with QEMU counts as a file of %zu MB, beyond the limit "
			"of file sizes (ulimit -f)",
			f->size / 1000000 + 1);
	f->memory = memfd_create("apmu", MFD_CLOEXEC);
	if (f->memory < 0 || ftruncate(f->memory, (off_t)f->size) != 0)
		return apmu_qemu__say(error, -errno, "no shared memory: %s", strerror(errno));
	void *at = mmap(NULL, f->size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, f->memory, 0);
	if (at == MAP_FAILED)
		return apmu_qemu__say(error, -errno, "no shared memory: %s", strerror(errno));
	f->share = at;
	return 0;
}

/* Identifies a descriptor of ours for the child, which opens it through our pid. fstat() of an open
 * descriptor does not fail. */
static struct apmu_qemu__command_file command_file(int descriptor)
{
	struct stat is = {0};

	fstat(descriptor, &is);
	return (struct apmu_qemu__command_file){descriptor, is.st_dev, is.st_ino};
}

static void fill_record(struct apmu_qemu__share *s, const struct apmu_qemu__run_record *from)
{
	struct apmu_qemu__share_record *r = &s->record;

	r->on = 1;
	r->file = command_file(from->file);
	r->events = (uint32_t)from->events;
	r->skid = from->skid;
	r->chains = from->chains;
	r->data = from->data;
	r->exact = from->exact;
	r->branches = from->branches;
	memcpy(r->event, from->event, from->events * sizeof(r->event[0]));
	for (size_t e = 0; e < from->events; e++)
		for (unsigned k = 0; k < from->event[e].signals; k++)
			apmu_signal_add(s->wanted, from->event[e].signal[k]);
	if (from->data)
		apmu_signal_add(s->wanted, APMU_SIG_CYCLES); /* a latency depends on all of it */
	if (from->branches) {
		apmu_signal_add(s->wanted, APMU_SIG_CYCLES);
		apmu_signal_add(s->wanted, APMU_SIG_BR_MIS_PRED);
	}
}

static void fill(struct files *f, const struct apmu_qemu__run_options *options,
		 const struct apmu_qemu__found *found)
{
	struct apmu_qemu__share *s = f->share;

	/* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): open_files() has mapped it */
	s->magic = APMU_QEMU__SHARE_MAGIC;
	s->size = sizeof(*s);
	s->uarch = *options->uarch;
	memcpy(s->wanted, options->wanted, sizeof(s->wanted));
	s->estimate_stalls = options->estimate_stalls;
	s->sample_time = options->sample_time;
	s->interval = options->interval;
	s->interval_signal = options->interval ? options->interval_signal : 0;
	if (options->interval)
		apmu_signal_add(s->wanted, options->interval_signal);
	s->follow = options->follow;
	s->fixed = options->fixed;
	s->zero_bytes =
		options->system || found->elf.machine != EM_AARCH64 ? 0 : apmu_qemu__zero_bytes(found->cpu);
	if (!realpath(found->program, s->program))
		s->program[0] = '\0';
	s->program_first = found->elf.first;
	s->program_code = found->elf.code;
	s->system = options->system;
	s->system_a64 = found->system_a64;
	s->command_pid = getpid();
	s->marks = command_file(f->marks);
	s->memory = command_file(f->memory);
	s->region = options->region;
	if (options->record)
		fill_record(s, options->record);
}

/* Writes the value of `-plugin`, in which a comma of the path must be doubled. False if it does not fit. */
static bool plugin_value(char out[PATH_MAX], const char *path, int fd)
{
	size_t n = (size_t)snprintf(out, PATH_MAX, "file=");

	for (; *path && n + 16 < PATH_MAX; path++) {
		out[n++] = *path;
		if (*path == ',')
			out[n++] = ',';
	}
	out[n] = '\0';
	snprintf(out + n, PATH_MAX - n, ",fd=%d", fd);
	return !*path;
}

static size_t count(char *const *list)
{
	size_t n = 0;

	while (list[n])
		n++;
	return n;
}

/* A whole system: the user's own command line, preceded by the options it lacks. */
static size_t command_system(const char **line, const struct apmu_qemu__found *found, char *const *argv,
			     const char *plugin)
{
	size_t n = 0;

	line[n++] = found->qemu;
	if (found->cpu)
		line[n++] = "-cpu", line[n++] = found->cpu;
	if (!apmu_qemu__has_option(argv, "seed"))
		line[n++] = "-seed", line[n++] = "1";
	line[n++] = "-plugin", line[n++] = plugin;
	return n;
}

static size_t command_program(const char **line, const struct apmu_qemu__found *found, char *const *argv,
			      const char *plugin)
{
	const struct apmu_qemu__script *script = &found->script;
	size_t n = 0;

	line[n++] = found->qemu;
	if (found->cpu)
		line[n++] = "-cpu", line[n++] = found->cpu;
	if (found->sysroot[0])
		line[n++] = "-L", line[n++] = found->sysroot;
	line[n++] = "-seed", line[n++] = "1";
	if (found->reserve)
		line[n++] = "-R", line[n++] = "0x4000000000";
	line[n++] = "-plugin", line[n++] = plugin;
	line[n++] = "-0", line[n++] = script->n ? script->by[script->n - 1].interpreter : argv[0];
	line[n++] = found->program;
	for (unsigned k = script->n; k-- > 0;) {
		if (script->by[k].argument[0])
			line[n++] = script->by[k].argument;
		line[n++] = k ? script->by[k - 1].interpreter : script->path;
	}
	return n;
}

/* Builds QEMU's command line. `-seed` fixes what the program sees as random, so that a run repeats. The
 * caller frees it. */
static const char **command(const struct apmu_qemu__found *found,
			    const struct apmu_qemu__run_options *options, const char *plugin)
{
	char *const *argv = options->argv;
	const char **line = calloc(count(argv) + FIXED_ARGS, sizeof(*line));

	if (!line)
		return NULL;
	size_t n = (options->system ? command_system : command_program)(line, found, argv, plugin);
	for (size_t i = 1; argv[i]; i++)
		line[n++] = argv[i];
	return line;
}

static int judge(const struct files *f, const struct apmu_qemu__found *found, int status,
		 struct apmu_qemu__run_result *result, const struct apmu_qemu__error *error)
{
	result->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
	result->exit = result->signal ? 128 + result->signal : WEXITSTATUS(status);
	if (f->share->refusal[0])
		return apmu_qemu__say(error, -ENOSYS, "%s: %.255s", found->qemu, f->share->refusal);
	if (!atomic_load(&f->share->started) && result->ended_by)
		return apmu_qemu__say(error, -EINTR, "interrupted before %s ran", found->program);
	if (!atomic_load(&f->share->started) && f->share->system)
		return apmu_qemu__say(error, -ENOEXEC, "%s%s%s: no instruction of the system ran",
				      found->qemu, found->cpu ? " -cpu " : "", found->cpu ? found->cpu : "");
	if (!atomic_load(&f->share->started) && result->signal)
		return apmu_qemu__say(error, -ENOEXEC,
				      "%s: QEMU (%s%s%s) was ended by signal %d before it ran",
				      found->program, found->qemu, found->cpu ? " -cpu " : "",
				      found->cpu ? found->cpu : "", result->signal);
	if (!atomic_load(&f->share->started))
		return apmu_qemu__say(error, -ENOEXEC, "%s: QEMU (%s%s%s) did not start it", found->program,
				      found->qemu, found->cpu ? " -cpu " : "", found->cpu ? found->cpu : "");
	return 0;
}

static int run_found(const struct apmu_qemu__run_options *options, const struct apmu_qemu__found *found,
		     struct files *f, struct apmu_qemu__run_result *result,
		     const struct apmu_qemu__error *error)
{
	char plugin[PATH_MAX];
	int status = 0;

	if (!plugin_value(plugin, found->plugin, f->memory))
		return apmu_qemu__say(error, -ENAMETOOLONG, "the plugin's path is too long");
	const char **line = command(found, options, plugin);
	if (!line)
		return apmu_qemu__say(error, -ENOMEM, "no memory for QEMU's arguments");
	int why = apmu_qemu__process(line, f->memory, options, f->share, &status, &result->ended_by);
	free(line);
	if (why == EINTR)
		return apmu_qemu__say(error, -why, "interrupted before %s ran", found->program);
	if (why)
		return apmu_qemu__say(error, -why, "%s cannot be run: %s", found->qemu, strerror(why));
	int code = judge(f, found, status, result, error);
	return code ? code : apmu_qemu__collect(f->share, f->marks, options->record, result, error);
}

int apmu_qemu__run(const struct apmu_qemu__run_options *options, struct apmu_qemu__run_result *result,
		   char *error, size_t size)
{
	struct apmu_qemu__error say = {error, size};
	struct files files;
	struct apmu_qemu__found *found = calloc(1, sizeof(*found));

	*result = (struct apmu_qemu__run_result){0};
	if (!found)
		return apmu_qemu__say(&say, -ENOMEM, "no memory");
	int code = apmu_qemu__find(options, found, &say);
	if (code == 0) {
		code = open_files(&files, options->record, &say);
		if (code == 0) {
			fill(&files, options, found);
			code = run_found(options, found, &files, result, &say);
		}
		close_files(&files);
	}
	free(found);
	return code;
}

int apmu_qemu__run_find(const struct apmu_qemu__run_options *options, char *program, size_t room,
			uint16_t *machine, char *error, size_t size)
{
	struct apmu_qemu__error say = {error, size};
	struct apmu_qemu__found *found = calloc(1, sizeof(*found));

	if (!found)
		return apmu_qemu__say(&say, -ENOMEM, "no memory");
	int code = apmu_qemu__find(options, found, &say);
	if (code == 0) {
		snprintf(program, room, "%s", found->program);
		*machine = found->elf.machine;
	}
	free(found);
	return code;
}
