/* SPDX-License-Identifier: MIT */
/* Semihosting's operations: rows of number, fields of the parameter block, name, function. */
#include "board/semihost_internal.h"

#include <errno.h>
#include <string.h>

#define STRING_MOST      ((uint64_t)1 << 20) /* SYS_WRITE0 without a terminating zero */
#define APPLICATION_EXIT 0x20026u
#define CENTISECONDS     100u

typedef uint64_t operation(const struct apmu_board__asked *asked);

uint64_t apmu_board__semihost_fail(struct apmu_board__semihost *host, int error)
{
	host->error = error;
	return APMU_BOARD__SEMIHOST_FAILED;
}

static unsigned width(const struct apmu_board__asked *asked)
{
	return asked->call->aarch64 ? 8 : 4;
}

/* Fields are little-endian, like the hosts that this is built for. */
static bool put_field(const struct apmu_board__asked *asked, uint64_t block, unsigned i, uint64_t value)
{
	return asked->memory->write(asked->memory->ctx, block + (uint64_t)i * width(asked), &value,
				    width(asked));
}

static bool get_field(const struct apmu_board__asked *asked, uint64_t block, unsigned i, uint64_t *value)
{
	*value = 0;
	return asked->memory->read(asked->memory->ctx, block + (uint64_t)i * width(asked), value,
				   width(asked));
}

static uint64_t write_character(const struct apmu_board__asked *asked)
{
	char c;

	if (!asked->memory->read(asked->memory->ctx, asked->call->argument, &c, 1))
		return apmu_board__semihost_fail(asked->host, EFAULT);
	asked->host->write(asked->host->ctx, false, &c, 1);
	return 0;
}

static uint64_t write_string(const struct apmu_board__asked *asked)
{
	uint64_t at = asked->call->argument;
	char part[256];
	size_t n = 0;

	for (uint64_t i = 0; i < STRING_MOST; i++) {
		if (!asked->memory->read(asked->memory->ctx, at + i, &part[n], 1) || part[n] == '\0')
			break;
		if (++n < sizeof(part))
			continue;
		asked->host->write(asked->host->ctx, false, part, n);
		n = 0;
	}
	asked->host->write(asked->host->ctx, false, part, n);
	return 0;
}

static uint64_t read_character(const struct apmu_board__asked *asked)
{
	uint8_t c;

	if (!asked->host->read || asked->host->read(asked->host->ctx, &c, 1) != 1)
		return APMU_BOARD__SEMIHOST_FAILED;
	return c;
}

static uint64_t is_error(const struct apmu_board__asked *asked)
{
	unsigned sign = asked->call->aarch64 ? 63 : 31;

	return asked->field[0] >> sign & 1;
}

/* Modelled time in units per second; whole seconds first, so that the product does not overflow. */
static uint64_t in_units(const struct apmu_board__asked *asked, uint64_t units)
{
	uint64_t now = asked->call->now, hz = asked->host->core_hz;

	return now / hz * units + now % hz * units / hz;
}

static uint64_t clock(const struct apmu_board__asked *asked)
{
	return in_units(asked, CENTISECONDS);
}

static uint64_t seconds(const struct apmu_board__asked *asked)
{
	return asked->host->epoch + in_units(asked, 1);
}

/* Writes a double word, whatever the width of a field. */
static uint64_t elapsed(const struct apmu_board__asked *asked)
{
	uint64_t now = asked->call->now;

	if (!asked->memory->write(asked->memory->ctx, asked->call->argument, &now, sizeof(now)))
		return apmu_board__semihost_fail(asked->host, EFAULT);
	return 0;
}

static uint64_t tick_frequency(const struct apmu_board__asked *asked)
{
	bool fits = asked->call->aarch64 || asked->host->core_hz <= INT32_MAX;

	return fits ? asked->host->core_hz : APMU_BOARD__SEMIHOST_FAILED;
}

static uint64_t last_error(const struct apmu_board__asked *asked)
{
	return (uint64_t)asked->host->error;
}

static uint64_t command_line(const struct apmu_board__asked *asked)
{
	const char *text = asked->host->cmdline ? asked->host->cmdline : "";
	size_t n = strlen(text);

	if (asked->field[1] <= n)
		return apmu_board__semihost_fail(asked->host, E2BIG);
	if (!asked->memory->write(asked->memory->ctx, asked->field[0], text, n + 1) ||
	    !put_field(asked, asked->call->argument, 1, n))
		return apmu_board__semihost_fail(asked->host, EFAULT);
	return 0;
}

static uint64_t heap_info(const struct apmu_board__asked *asked)
{
	const struct apmu_board__semihost *host = asked->host;
	const uint64_t info[] = {host->heap_base, host->heap_limit, host->stack_base, host->stack_limit};

	for (unsigned i = 0; i < 4; i++)
		if (!put_field(asked, asked->field[0], i, info[i]))
			return apmu_board__semihost_fail(asked->host, EFAULT);
	return 0;
}

static uint64_t refuse(const struct apmu_board__asked *asked)
{
	return apmu_board__semihost_fail(asked->host, EPERM);
}

enum { EXIT = 0x18, EXIT_EXTENDED = 0x20 };

static const struct {
	uint32_t op;
	uint8_t fields; /* number of fields of the parameter block, which are all read before */
	const char *name;
	operation *does; /* NULL: the program ends */
} rows[] = {
	{0x01, 3, "SYS_OPEN", apmu_board__semihost_open},
	{0x02, 1, "SYS_CLOSE", apmu_board__semihost_shut},
	{0x03, 0, "SYS_WRITEC", write_character},
	{0x04, 0, "SYS_WRITE0", write_string},
	{0x05, 3, "SYS_WRITE", apmu_board__semihost_write},
	{0x06, 3, "SYS_READ", apmu_board__semihost_read},
	{0x07, 0, "SYS_READC", read_character},
	{0x08, 1, "SYS_ISERROR", is_error},
	{0x09, 1, "SYS_ISTTY", apmu_board__semihost_terminal},
	{0x0A, 2, "SYS_SEEK", apmu_board__semihost_seek},
	{0x0C, 1, "SYS_FLEN", apmu_board__semihost_length},
	{0x0D, 3, "SYS_TMPNAM", apmu_board__semihost_temporary},
	{0x0E, 2, "SYS_REMOVE", apmu_board__semihost_remove},
	{0x0F, 4, "SYS_RENAME", apmu_board__semihost_rename},
	{0x10, 0, "SYS_CLOCK", clock},
	{0x11, 0, "SYS_TIME", seconds},
	{0x12, 2, "SYS_SYSTEM", refuse},
	{0x13, 0, "SYS_ERRNO", last_error},
	{0x15, 2, "SYS_GET_CMDLINE", command_line},
	{0x16, 1, "SYS_HEAPINFO", heap_info},
	{EXIT, 0, "SYS_EXIT", NULL},
	{EXIT_EXTENDED, 2, "SYS_EXIT_EXTENDED", NULL},
	{0x30, 0, "SYS_ELAPSED", elapsed},
	{0x31, 0, "SYS_TICKFREQ", tick_frequency},
};

#define ROWS (sizeof(rows) / sizeof(rows[0]))

static size_t find(uint32_t op)
{
	for (size_t i = 0; i < ROWS; i++)
		if (rows[i].op == op)
			return i;
	return ROWS;
}

const char *apmu_board__semihost_name(uint32_t op)
{
	size_t i = find(op);

	return i < ROWS ? rows[i].name : NULL;
}

/* AArch32's SYS_EXIT has the reason itself as its argument; the other exits have a block of reason and
 * status. */
static struct apmu_board__semihost_result end(struct apmu_board__asked *asked)
{
	struct apmu_board__semihost_result over = {.known = true, .ended = true, .status = 1};

	if (asked->call->op == EXIT && !asked->call->aarch64) {
		over.status = (uint32_t)asked->call->argument == APPLICATION_EXIT ? 0 : 1;
		return over;
	}
	if (get_field(asked, asked->call->argument, 0, &asked->field[0]) &&
	    get_field(asked, asked->call->argument, 1, &asked->field[1]) &&
	    asked->field[0] == APPLICATION_EXIT)
		over.status = (uint8_t)asked->field[1];
	return over;
}

struct apmu_board__semihost_result apmu_board__semihost(struct apmu_board__semihost *host,
							const struct apmu_board__memory *memory,
							const struct apmu_board__semihost_call *call)
{
	struct apmu_board__asked asked = {.host = host, .memory = memory, .call = call};
	struct apmu_board__semihost_result result = {.known = true};
	size_t row = find(call->op);

	if (row == ROWS)
		return (struct apmu_board__semihost_result){.value = APMU_BOARD__SEMIHOST_FAILED};
	if (!rows[row].does)
		return end(&asked);
	for (unsigned i = 0; i < rows[row].fields; i++) {
		if (get_field(&asked, call->argument, i, &asked.field[i]))
			continue;
		result.value = apmu_board__semihost_fail(host, EFAULT);
		return result;
	}
	result.value = rows[row].does(&asked);
	return result;
}
