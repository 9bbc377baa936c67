/* SPDX-License-Identifier: MIT */
/* The child's side: answers questions on one file, one after the other. */
#define _GNU_SOURCE /* RLIMIT_..., setenv */
#include "symbol/reader.h"
#include "symbol/run.h"
#include "symbol/wire.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__) /* gcc */
#define UNDER_ADDRESS_SANITIZER 1
#elif defined(__has_feature)
#define UNDER_ADDRESS_SANITIZER __has_feature(address_sanitizer)
#else
#define UNDER_ADDRESS_SANITIZER 0
#endif

/* Returns a demangled name, cut if it is too long. The caller frees *made. */
static const char *plain(const char *name, char **made)
{
	*made = name ? symbol__demangle(name) : NULL;
	if (*made == NULL && name)
		*made = strndup(name, SYMBOL__READER_NAME_BYTES - 1);
	else if (*made && strlen(*made) >= SYMBOL__READER_NAME_BYTES)
		(*made)[SYMBOL__READER_NAME_BYTES - 1] = '\0';
	return *made;
}

static bool same_answer(struct symbol__reader *reader, uint64_t address, const struct symbol__frame *want)
{
	struct symbol__frame frame[2];

	return symbol__reader_frames(reader, address, frame, 2) == 1 && frame->function == want->function &&
	       frame->start == want->start && frame->size == want->size;
}

/* Returns how far below and above the address its one frame is the answer. Each address is looked up, because
 * another name may lie inside the range. A file with lines has a different answer per address. */
static uint64_t reach(struct symbol__reader *reader, uint64_t address, const struct symbol__frame *frame)
{
	uint64_t below = 0, above = 0;

	if (reader->about.has_lines || frame->size == 0)
		return 0;
	while (above < SYMBOL__RUN_BYTES && same_answer(reader, address + above + SYMBOL__RUN_STEP, frame))
		above += SYMBOL__RUN_STEP;
	while (below < SYMBOL__RUN_BYTES && below + SYMBOL__RUN_STEP <= address &&
	       same_answer(reader, address - below - SYMBOL__RUN_STEP, frame))
		below += SYMBOL__RUN_STEP;
	return symbol__reach(below, above);
}

static void answer_frames(struct symbol__reader *reader, const struct symbol__wire_head *ask,
			  struct symbol__bytes *out, struct symbol__wire_head *head)
{
	struct symbol__frame frame[SYMBOL__FRAMES];
	size_t max = ask->more < SYMBOL__FRAMES ? (size_t)ask->more : SYMBOL__FRAMES;

	head->value = symbol__reader_frames(reader, ask->value, frame, max);
	head->more = head->value == 1 && max > 1 ? reach(reader, ask->value, frame) : 0;
	for (size_t i = 0; i < head->value; i++) {
		char *made;
		frame[i].function = plain(frame[i].function, &made);
		symbol__wire_put_frame(out, &frame[i]);
		free(made);
	}
}

static void put_name(const struct symbol__reader *reader, const struct symbol__name *name,
		     struct symbol__bytes *out)
{
	char *made;
	struct symbol__symbol symbol = {
		.name = plain(name->name, &made),
		.start = name->start,
		.size = symbol__reader_end(reader, name) - name->start,
		.function = name->function,
	};

	symbol__wire_put_symbol(out, &symbol);
	free(made);
}

static void answer_code(struct symbol__reader *reader, const struct symbol__wire_head *ask,
			struct symbol__bytes *out)
{
	uint8_t code[SYMBOL__CODE];
	size_t n = ask->more < sizeof code ? (size_t)ask->more : sizeof code;

	symbol__bytes_add(out, code, symbol__reader_code(reader, ask->value, code, n));
}

static void answer(struct symbol__reader *reader, const struct symbol__wire_head *ask, const char *text,
		   struct symbol__wire_head *head, struct symbol__bytes *out)
{
	const struct symbol__name *name;

	switch (ask->what) {
	case SYMBOL__ASK_FRAMES: answer_frames(reader, ask, out, head); break;
	case SYMBOL__ASK_CODE: answer_code(reader, ask, out); break;
	case SYMBOL__ASK_ISA: head->value = symbol__reader_isa(reader, ask->value); break;
	case SYMBOL__ASK_FIND:
		name = symbol__reader_find(reader, text);
		if (name)
			put_name(reader, name, out);
		break;
	case SYMBOL__ASK_NAME:
		if (ask->value < reader->names)
			put_name(reader, &reader->name[ask->value], out);
		break;
	default: break;
	}
}

/* Bounds what a hostile file may cost: memory and processor time, no core file, and an end when the client
 * ends. AddressSanitizer's own reservations count as data, so memory is not bounded under it. */
static void restrain(pid_t client)
{
	struct rlimit none = {0, 0}, seconds = {600, 600};
	static const int fatal[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTERM, SIGINT, SIGALRM};

	for (size_t i = 0; i < sizeof fatal / sizeof fatal[0]; i++)
		signal(fatal[i], SIG_DFL);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != client)
		_exit(0);
	setrlimit(RLIMIT_CORE, &none);
	setrlimit(RLIMIT_CPU, &seconds);
#if !UNDER_ADDRESS_SANITIZER
	rlim_t half = (rlim_t)sysconf(_SC_PHYS_PAGES) / 2 * (rlim_t)sysconf(_SC_PAGESIZE),
	       bound = (rlim_t)4 << 30;
	struct rlimit memory = {half < bound ? half : bound, half < bound ? half : bound};
	setrlimit(RLIMIT_DATA, &memory);
#endif
}

_Noreturn void symbol__serve(int fd, pid_t client, const char *path,
			     const struct symbol__symbols_options *options)
{
	static struct symbol__reader reader; /* static: libdwfl keeps pointers into it */
	static uint8_t body[SYMBOL__WIRE_MAX + 1];
	struct symbol__wire_head ask;

	restrain(client);
	if (options->no_servers)
		unsetenv("DEBUGINFOD_URLS");
	else if (isatty(STDERR_FILENO))
		setenv("DEBUGINFOD_PROGRESS", "1", 0);
	int code = symbol__reader_open(&reader, path, options);
	struct symbol__wire_head head = {.what = (uint32_t)code, .size = sizeof reader.about};
	int sent = symbol__wire_send(fd, &head, &reader.about);
	while (code == 0 && sent == 0 && symbol__wire_receive(fd, &ask, body, 0) == 0) {
		struct symbol__bytes out = {0};
		head = (struct symbol__wire_head){0};
		answer(&reader, &ask, (const char *)body, &head, &out);
		if (out.failed)
			out.size = 0;
		head.what = out.failed ? (uint32_t)-ENOMEM : 0;
		head.size = (uint32_t)out.size;
		sent = symbol__wire_send(fd, &head, out.at);
		free(out.at);
	}
	_exit(0);
}
