/* SPDX-License-Identifier: MIT */
/*
 * Differences between QEMU's versions.
 *
 * Inline additions: API 1 adds to any place in memory. API 2 adds to a value in an entry of a scoreboard,
 * which is QEMU's memory: it dies with QEMU, and counts must not. So the entry's offset is the distance from
 * the scoreboard to our own counter. QEMU adds the two without a check when it translates, and translates
 * again when the scoreboard moves. Whether this works is tested once, by reading a value of ours in this way.
 * Of virtual CPU n QEMU adds to the n-th word behind the place.
 */
#include "qemu/plugin.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

int qemu_plugin_version = 1;
static int api = 1;                          /* the API version of this QEMU */
static struct qemu_plugin_scoreboard *board; /* one value per virtual CPU */
static bool reaches, tried;                  /* a scoreboard can reach our own memory; that has been tested */

/* Sets qemu_plugin_version when the module is loaded, before QEMU reads it. */
static __attribute__((constructor)) void choose_version(void)
{
	if (qemu_plugin_scoreboard_new)
		qemu_plugin_version = 2;
}

void apmu_qemu__note_version(const qemu_info_t *info)
{
	api = info->version.cur;
	if (qemu_plugin_scoreboard_new)
		board = qemu_plugin_scoreboard_new(sizeof(uint64_t));
}

void apmu_qemu__insn_bytes(const struct qemu_plugin_insn *insn, uint8_t bytes[4])
{
	size_t size = qemu_plugin_insn_size(insn), n = size < 4 ? size : 4;

	memset(bytes, 0, 4);
	if (api >= 3)
		apmu_qemu__abi_insn_copy(insn, bytes, n);
	else
		memcpy(bytes, apmu_qemu__abi_insn_bytes(insn), n);
}

static qemu_plugin_u64 entry_at(const uint64_t *at)
{
	uintptr_t from = (uintptr_t)qemu_plugin_scoreboard_find(board, 0);

	return (qemu_plugin_u64){board, (uintptr_t)at - from};
}

static bool reach(void)
{
	static const uint64_t word = 0x61706d75;

	if (!tried)
		reaches = board && qemu_plugin_register_vcpu_tb_exec_inline_per_vcpu &&
			  qemu_plugin_u64_get(entry_at(&word), 0) == word;
	tried = true;
	return reaches;
}

bool apmu_qemu__add_inline(struct qemu_plugin_tb *tb, uint64_t *at, uint64_t add)
{
	if (qemu_plugin_register_vcpu_tb_exec_inline)
		qemu_plugin_register_vcpu_tb_exec_inline(tb, QEMU_PLUGIN_INLINE_ADD_U64, at, add);
	else if (reach())
		qemu_plugin_register_vcpu_tb_exec_inline_per_vcpu(tb, QEMU_PLUGIN_INLINE_ADD_U64,
								  entry_at(at), add);
	else
		return false;
	return true;
}

/* A form of SVE loads and stores (DDI0487 C4.1). */
struct form {
	uint32_t mask, match;
};

/* Every QEMU translates these forms inline, and reports their accesses; the others run in helper functions.
 */
static const struct form in_place[] = {
	{0xFFC0A000, 0x85800000}, /* LDR of a vector or a predicate */
	{0xFFC0A000, 0xE5800000}, /* STR of a vector or a predicate */
	{0xFE408000, 0x84408000}, /* LD1R */
};

/* Helper functions report accesses since QEMU 8.1; 9.0 is the first version that can be told by its API, 2.
 * In user mode those of QEMU 10.0 (API 4) do not report accesses with one address per element, or that may
 * stop at an element. */
static const struct form scattered[] = {
	{0xFE000000, 0x84000000}, /* gathers, offsets of 32 bits (except the inline forms) */
	{0xFE000000, 0xC4000000}, /* gathers, offsets of 64 bits */
	{0xFE00A000, 0xE4008000}, /* scatters: scalar and vector, extended */
	{0xFE00E000, 0xE400A000}, /* scatters: scalar and vector of 64 bits; vector and immediate */
	{0xFE00E000, 0xE4002000}, /* scatters, non-temporal */
	{0xFE00E000, 0xA4006000}, /* LDFF1 */
	{0xFE10E000, 0xA410A000}, /* LDNF1 */
};

static bool is_of(const struct form *form, size_t n, uint32_t word)
{
	for (size_t i = 0; i < n; i++)
		if ((word & form[i].mask) == form[i].match)
			return true;
	return false;
}

uint32_t apmu_qemu__hides(uint32_t word)
{
	if (is_of(in_place, sizeof(in_place) / sizeof(in_place[0]), word))
		return 0;
	if (api < 2)
		return APMU_QEMU__HIDDEN_MOST;
	if (api >= 4 && !apmu_qemu__plugin.system &&
	    is_of(scattered, sizeof(scattered) / sizeof(scattered[0]), word))
		return APMU_QEMU__HIDDEN_SCATTERED;
	return 0;
}

bool apmu_qemu__calls_conditionally(void)
{
	return qemu_plugin_register_vcpu_tb_exec_cond_cb && reach();
}

void apmu_qemu__call_from(struct qemu_plugin_tb *tb, qemu_plugin_exec_cb call, uint64_t *at, uint64_t least,
			  void *user)
{
	qemu_plugin_register_vcpu_tb_exec_cond_cb(tb, call, QEMU_PLUGIN_CB_NO_REGS, QEMU_PLUGIN_COND_GE,
						  entry_at(at), least, user);
}

bool apmu_qemu__shows_registers(void)
{
	return qemu_plugin_get_registers && qemu_plugin_read_register && g_byte_array_new &&
	       g_byte_array_free && g_array_free;
}

static struct qemu_plugin_register *handle_of(const char *name)
{
	struct apmu_qemu__abi_array *list = qemu_plugin_get_registers();
	const qemu_plugin_reg_descriptor *reg = list->data;
	struct qemu_plugin_register *handle = NULL;

	for (unsigned i = 0; i < list->len && !handle; i++)
		handle = strcmp(reg[i].name, name) == 0 ? reg[i].handle : NULL;
	g_array_free(list, true);
	return handle;
}

static bool read_register(struct qemu_plugin_register *handle, uint64_t *out)
{
	struct apmu_qemu__abi_array *value = g_byte_array_new();

	(void)qemu_plugin_read_register(handle, value);
	bool fits = value->len > 0 && value->len <= sizeof(*out);
	*out = 0;
	memcpy(out, value->data, fits ? value->len : 0);
	g_byte_array_free(value, true);
	return fits;
}

bool apmu_qemu__register(const char *name, uint64_t *out)
{
	struct qemu_plugin_register *handle = handle_of(name);

	return handle && read_register(handle, out);
}

#define GENERALS 32u
static struct qemu_plugin_register
	*general[GENERALS]; /* the same for all virtual CPUs, which are of one model */

static void find_generals(void)
{
	bool a64 = apmu_qemu__plugin.a64;

	for (unsigned n = 0; n < GENERALS; n++) {
		char name[8];
		snprintf(name, sizeof(name), "%c%u", a64 ? 'x' : 'r', n);
		bool sp = n == (a64 ? 31 : 13), lr = !a64 && n == 14;
		general[n] = handle_of(sp ? "sp" : lr ? "lr" : name);
	}
}

bool apmu_qemu__general_register(unsigned n, uint64_t *out)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, find_generals);
	return n < GENERALS && general[n] && read_register(general[n], out);
}
