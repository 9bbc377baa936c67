/* SPDX-License-Identifier: MIT */
/* The child's side: one file, one question after the other. */
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

/* A name as people write it. The caller frees *made. */
static const char *plain(const char *name, char **made)
{
	*made = name ? apmu__demangle(name) : NULL;
	if (*made && strlen(*made) >= APMU__READER_NAME_BYTES)
		(*made)[APMU__READER_NAME_BYTES - 1] = '\0';
	return *made ? *made : name;
}

static bool same_answer(struct apmu__reader *reader, uint64_t address, const struct apmu__frame *want)
{
	struct apmu__frame frame[2];

	return apmu__reader_frames(reader, address, frame, 2) == 1 && frame->function == want->function &&
	       frame->start == want->start && frame->size == want->size;
}

/* How far the one answer holds: each address is looked up, so that a name inside another's range is seen. A
 * file with lines has an answer an address. */
static uint64_t reach(struct apmu__reader *reader, uint64_t address, const struct apmu__frame *frame)
{
	uint64_t below = 0, above = 0;

	if (reader->about.has_lines || frame->size == 0)
		return 0;
	while (above < APMU__RUN_BYTES && same_answer(reader, address + above + APMU__RUN_STEP, frame))
		above += APMU__RUN_STEP;
	while (below < APMU__RUN_BYTES && below + APMU__RUN_STEP <= address &&
	       same_answer(reader, address - below - APMU__RUN_STEP, frame))
		below += APMU__RUN_STEP;
	return apmu__symbol_reach(below, above);
}

static void answer_frames(struct apmu__reader *reader, const struct apmu__wire_head *ask,
			  struct apmu__bytes *out, struct apmu__wire_head *head)
{
	struct apmu__frame frame[APMU__SYMBOL_FRAMES];
	size_t max = ask->more < APMU__SYMBOL_FRAMES ? (size_t)ask->more : APMU__SYMBOL_FRAMES;

	head->value = apmu__reader_frames(reader, ask->value, frame, max);
	head->more = head->value == 1 && max > 1 ? reach(reader, ask->value, frame) : 0;
	for (size_t i = 0; i < head->value; i++) {
		char *made;
		frame[i].function = plain(frame[i].function, &made);
		apmu__wire_put_frame(out, &frame[i]);
		free(made);
	}
}

static void put_name(const struct apmu__reader *reader, const struct apmu__name *name,
		     struct apmu__bytes *out)
{
	char *made;
	struct apmu__symbol symbol = {
		.name = plain(name->name, &made),
		.start = name->start,
		.size = apmu__reader_end(reader, name) - name->start,
		.function = name->function,
	};

	apmu__wire_put_symbol(out, &symbol);
	free(made);
}

static void answer_code(struct apmu__reader *reader, const struct apmu__wire_head *ask,
			struct apmu__bytes *out)
{
	uint8_t code[APMU__SYMBOL_CODE];
	size_t n = ask->more < sizeof code ? (size_t)ask->more : sizeof code;

	apmu__bytes_add(out, code, apmu__reader_code(reader, ask->value, code, n));
}

static void answer(struct apmu__reader *reader, const struct apmu__wire_head *ask, const char *text,
		   struct apmu__wire_head *head, struct apmu__bytes *out)
{
	const struct apmu__name *name;

	switch (ask->what) {
	case APMU__ASK_FRAMES: answer_frames(reader, ask, out, head); break;
	case APMU__ASK_CODE: answer_code(reader, ask, out); break;
	case APMU__ASK_ISA: head->value = apmu__reader_isa(reader, ask->value); break;
	case APMU__ASK_FIND:
		name = apmu__reader_find(reader, text);
		if (name)
			put_name(reader, name, out);
		break;
	case APMU__ASK_NAME:
		if (ask->value < reader->names)
			put_name(reader, &reader->name[ask->value], out);
		break;
	default: break;
	}
}

/* What a hostile file may cost: memory and processor time up to a bound, no core file, no network, and
 * nothing once the client has gone. AddressSanitizer's own reservations count as data, so there is no bound
 * on memory under it. */
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
	unsetenv("DEBUGINFOD_URLS");
#if !UNDER_ADDRESS_SANITIZER
	rlim_t half = (rlim_t)sysconf(_SC_PHYS_PAGES) / 2 * (rlim_t)sysconf(_SC_PAGESIZE),
	       bound = (rlim_t)4 << 30;
	struct rlimit memory = {half < bound ? half : bound, half < bound ? half : bound};
	setrlimit(RLIMIT_DATA, &memory);
#endif
}

_Noreturn void apmu__serve(int fd, pid_t client, const char *path,
			   const struct apmu__symbols_options *options)
{
	static struct apmu__reader reader; /* libdwfl keeps addresses into it */
	static uint8_t body[APMU__WIRE_MAX + 1];
	struct apmu__wire_head ask;

	restrain(client);
	int code = apmu__reader_open(&reader, path, options);
	struct apmu__wire_head head = {.what = (uint32_t)code, .size = sizeof reader.about};
	int sent = apmu__wire_send(fd, &head, &reader.about);
	while (code == 0 && sent == 0 && apmu__wire_receive(fd, &ask, body, 0) == 0) {
		struct apmu__bytes out = {0};
		head = (struct apmu__wire_head){0};
		answer(&reader, &ask, (const char *)body, &head, &out);
		if (out.failed)
			out.size = 0;
		head.what = out.failed ? (uint32_t)-ENOMEM : 0;
		head.size = (uint32_t)out.size;
		sent = apmu__wire_send(fd, &head, out.at);
		free(out.at);
	}
	_exit(0);
}
