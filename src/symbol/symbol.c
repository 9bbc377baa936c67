/* SPDX-License-Identifier: MIT */
/* The client: asks the child, keeps the strings of its answers, and abandons the child if it dies or takes
 * too long. */
#define _GNU_SOURCE /* socketpair, kill, SOCK_CLOEXEC */
#include "symbol/symbol.h"

#include "symbol/pool.h"
#include "symbol/run.h"
#include "symbol/wire.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FETCH_SECONDS = 600 };

struct symbol__symbols {
	char *path, *sysroot, *debug_dir;
	struct symbol__symbols_options options; /* its strings are the three above */
	struct symbol__symbols_about about;
	struct symbol__pool pool;
	struct symbol__runs runs;
	int fd; /* -1: no child */
	pid_t child;
	uint8_t *body; /* bytes of the last answer */
	char trouble[200];
};

static unsigned patience(const struct symbol__symbols *symbols)
{
	return symbols->options.seconds ? symbols->options.seconds : 30;
}

bool symbol__servers(void)
{
	const char *servers = getenv("DEBUGINFOD_URLS");

	return servers && *servers;
}

bool symbol__servers_unheard(void)
{
	void *library = symbol__servers() ? dlopen("libdebuginfod.so.1", RTLD_LAZY) : NULL;

	if (library)
		dlclose(library);
	return symbol__servers() && !library;
}

/* The longest wait for the child to open the file. Opening may fetch a file, for which libdebuginfod has
 * limits of its own (DEBUGINFOD_TIMEOUT). */
static unsigned patience_to_open(const struct symbol__symbols *symbols)
{
	bool asks = symbol__servers() && !symbols->options.no_servers;

	return asks && !symbols->options.seconds ? FETCH_SECONDS : patience(symbols);
}

/* Ends the child. *status says how it ended, if it ended by itself. */
static void end_child(struct symbol__symbols *symbols, bool kill_it, int *status)
{
	*status = 0;
	if (symbols->fd < 0)
		return;
	close(symbols->fd);
	symbols->fd = -1;
	if (kill_it)
		kill(symbols->child, SIGKILL);
	while (waitpid(symbols->child, status, 0) < 0 && errno == EINTR)
		;
}

static int start_child(struct symbol__symbols *symbols)
{
	int pair[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
		return -errno;
	pid_t self = getpid();
	symbols->child = fork();
	if (symbols->child == 0) {
		close(pair[0]);
		symbol__serve(pair[1], self, symbols->path, &symbols->options);
	}
	int code = symbols->child < 0 ? -errno : 0;
	close(pair[1]);
	if (code == 0)
		symbols->fd = pair[0];
	else
		close(pair[0]);
	return code;
}

/* Starts the child and reads its first message. -EPIPE if the child dies. */
static int begin(struct symbol__symbols *symbols)
{
	struct symbol__wire_head head = {0};
	int code = start_child(symbols);

	if (code == 0)
		code = symbol__wire_receive(symbols->fd, &head, symbols->body, patience_to_open(symbols));
	if (code != 0)
		return code;
	if ((int32_t)head.what != 0)
		return (int32_t)head.what;
	if (head.size != sizeof symbols->about)
		return -EPROTO;
	memcpy(&symbols->about, symbols->body, sizeof symbols->about);
	if (symbols->about.segments > SYMBOL__SEGMENTS || symbols->about.build_id_size > SYMBOL__BUILD_ID)
		return -EPROTO;
	return 0;
}

/* Handles a child that did not answer: notes the reason, and starts another one without DWARF, once. */
static int recover(struct symbol__symbols *symbols, int code)
{
	int status = 0;

	end_child(symbols, code != -EPIPE, &status);
	const char *why = code == -ETIMEDOUT    ? "reading took too long"
			  : WIFSIGNALED(status) ? strsignal(WTERMSIG(status))
						: "the reader gave up";
	if (symbols->options.no_lines) {
		snprintf(symbols->trouble, sizeof symbols->trouble, "its symbols could not be read: %s", why);
		return code;
	}
	snprintf(symbols->trouble, sizeof symbols->trouble, "its debug information could not be read: %s",
		 why);
	symbols->options.no_lines = true;
	code = begin(symbols);
	return code == -EPIPE || code == -ETIMEDOUT || code == -EPROTO ? recover(symbols, code) : code;
}

static int refuse(const char *path, char *error, size_t size)
{
	struct stat about;

	if (stat(path, &about) != 0) {
		int code = -errno;
		snprintf(error, size, "%s: %s", path, strerror(-code));
		return code;
	}
	if (S_ISREG(about.st_mode) && access(path, R_OK) == 0)
		return 0;
	snprintf(error, size, "%s: %s", path,
		 S_ISREG(about.st_mode) ? "may not be read" : "not a regular file");
	return S_ISREG(about.st_mode) ? -EACCES : -ENOEXEC;
}

static char *copy(const char *text, bool *failed)
{
	char *made = text ? strdup(text) : NULL;

	*failed = *failed || (text && made == NULL);
	return made;
}

static struct symbol__symbols *make(const char *path, const struct symbol__symbols_options *options)
{
	struct symbol__symbols *symbols = calloc(1, sizeof *symbols);
	bool failed = false;

	if (symbols == NULL)
		return NULL;
	symbols->fd = -1;
	if (options)
		symbols->options = *options;
	symbols->path = copy(path, &failed);
	symbols->sysroot = copy(symbols->options.sysroot, &failed);
	symbols->debug_dir = copy(symbols->options.debug_dir, &failed);
	symbols->options.sysroot = symbols->sysroot;
	symbols->options.debug_dir = symbols->debug_dir;
	symbols->body = malloc(SYMBOL__WIRE_MAX + 1);
	if (!failed && symbols->body)
		return symbols;
	symbol__symbols_close(symbols);
	return NULL;
}

int symbol__symbols_open(const char *path, const struct symbol__symbols_options *options,
			 struct symbol__symbols **out, char *error, size_t size)
{
	*out = NULL;
	int code = refuse(path, error, size);
	if (code != 0)
		return code;
	struct symbol__symbols *symbols = make(path, options);
	if (symbols == NULL) {
		snprintf(error, size, "%s: out of memory", path);
		return -ENOMEM;
	}
	code = begin(symbols);
	if (code == -EPIPE || code == -ETIMEDOUT || code == -EPROTO)
		code = recover(symbols, code);
	if (code == 0 && symbols->about.packed_lines)
		snprintf(
			symbols->trouble, sizeof symbols->trouble,
			"its debug information is packed as this libelf cannot unpack it (zstd needs elfutils "
			"0.189); objcopy --decompress-debug-sections unpacks it");
	if (code == 0) {
		*out = symbols;
		return 0;
	}
	bool short_of = code == -EMFILE || code == -ENFILE || code == -ENOMEM || code == -EAGAIN;
	snprintf(error, size, "%s: %s", path,
		 symbols->trouble[0] ? symbols->trouble
		 : short_of          ? strerror(-code)
				     : "not an ELF file that can be read");
	symbol__symbols_close(symbols);
	return code == -ENOMEM ? code : -ENOEXEC;
}

void symbol__symbols_close(struct symbol__symbols *symbols)
{
	int status;

	if (symbols == NULL)
		return;
	end_child(symbols, true, &status);
	symbol__pool_free(&symbols->pool);
	free(symbols->runs.run);
	free(symbols->body);
	free(symbols->path);
	free(symbols->sysroot);
	free(symbols->debug_dir);
	free(symbols);
}

const struct symbol__symbols_about *symbol__symbols_about(const struct symbol__symbols *symbols)
{
	return &symbols->about;
}

const char *symbol__symbols_trouble(const struct symbol__symbols *symbols)
{
	return symbols->trouble[0] ? symbols->trouble : NULL;
}

bool symbol__symbols_address(const struct symbol__symbols *symbols, uint64_t offset, uint64_t *address)
{
	const struct symbol__symbols_about *about = &symbols->about;

	for (uint32_t i = 0; i < about->segments; i++) {
		const struct symbol__segment *segment = &about->segment[i];
		if (offset < segment->offset || offset - segment->offset >= segment->size)
			continue;
		*address = segment->address + (offset - segment->offset);
		return true;
	}
	return false;
}

/* Asks one question. False if there is no answer; the answer's body is in symbols->body. */
static bool ask(struct symbol__symbols *symbols, const struct symbol__wire_head *head, const char *text,
		struct symbol__wire_head *answer)
{
	while (symbols->fd >= 0) {
		int code = symbol__wire_send(symbols->fd, head, text);
		if (code == 0)
			code = symbol__wire_receive(symbols->fd, answer, symbols->body, patience(symbols));
		if (code == 0)
			return answer->what == 0;
		if (recover(symbols, code) != 0)
			return false;
	}
	return false;
}

static bool keep(struct symbol__symbols *symbols, const char **text)
{
	if (*text == NULL)
		return true;
	*text = symbol__pool_add(&symbols->pool, *text);
	return *text != NULL;
}

/* Keeps an answer for the addresses around the one asked for. */
static void keep_run(struct symbol__symbols *symbols, uint64_t address, uint64_t reach,
		     const struct symbol__frame *frame)
{
	uint64_t below = symbol__reach_below(reach), above = symbol__reach_above(reach);

	if (reach && below <= address && above <= UINT64_MAX - address)
		symbol__run_add(&symbols->runs,
				&(struct symbol__run){address - below, address + above, *frame});
}

size_t symbol__symbols_frames(struct symbol__symbols *symbols, uint64_t address, struct symbol__frame *out,
			      size_t max)
{
	const struct symbol__run *run = symbol__run_at(&symbols->runs, address);
	struct symbol__wire_head head = {.what = SYMBOL__ASK_FRAMES, .value = address, .more = max};
	struct symbol__wire_head answer;

	if (max && run) {
		*out = run->frame;
		return 1;
	}
	if (max == 0 || !ask(symbols, &head, NULL, &answer))
		return 0;
	struct symbol__cut cut = {.at = symbols->body, .left = answer.size};
	size_t n = 0;
	while (n < answer.value && n < max && symbol__wire_get_frame(&cut, &out[n]) &&
	       keep(symbols, &out[n].function) && keep(symbols, &out[n].file))
		n++;
	if (n == 1)
		keep_run(symbols, address, answer.more, out);
	return n;
}

static bool ask_symbol(struct symbol__symbols *symbols, const struct symbol__wire_head *head,
		       const char *text, struct symbol__symbol *out)
{
	struct symbol__wire_head answer;

	*out = (struct symbol__symbol){0};
	if (!ask(symbols, head, text, &answer) || answer.size == 0)
		return false;
	struct symbol__cut cut = {.at = symbols->body, .left = answer.size};
	return symbol__wire_get_symbol(&cut, out) && keep(symbols, &out->name);
}

bool symbol__symbols_find(struct symbol__symbols *symbols, const char *name, struct symbol__symbol *out)
{
	size_t n = strlen(name);
	struct symbol__wire_head head = {.what = SYMBOL__ASK_FIND, .size = (uint32_t)n};

	*out = (struct symbol__symbol){0};
	return n > 0 && n < SYMBOL__WIRE_MAX && ask_symbol(symbols, &head, name, out);
}

bool symbol__symbols_name(struct symbol__symbols *symbols, uint64_t i, struct symbol__symbol *out)
{
	struct symbol__wire_head head = {.what = SYMBOL__ASK_NAME, .value = i};

	return ask_symbol(symbols, &head, NULL, out);
}

enum symbol__isa symbol__symbols_isa(struct symbol__symbols *symbols, uint64_t address)
{
	struct symbol__wire_head head = {.what = SYMBOL__ASK_ISA, .value = address};
	struct symbol__wire_head answer;

	if (!ask(symbols, &head, NULL, &answer) || answer.value > SYMBOL__ISA_DATA)
		return SYMBOL__ISA_UNKNOWN;
	return (enum symbol__isa)answer.value;
}

size_t symbol__symbols_code(struct symbol__symbols *symbols, uint64_t address, void *out, size_t n)
{
	struct symbol__wire_head head = {.what = SYMBOL__ASK_CODE, .value = address, .more = n};
	struct symbol__wire_head answer;

	if (!ask(symbols, &head, NULL, &answer))
		return 0;
	n = answer.size < n ? answer.size : n;
	memcpy(out, symbols->body, n);
	return n;
}
