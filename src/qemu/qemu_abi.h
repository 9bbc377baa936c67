/* SPDX-License-Identifier: MIT */
/**
 * QEMU's TCG plugin interface: our own declarations of the few calls that the plugin makes.
 *
 * No package holds QEMU's header. One module serves every version: what only some versions have is declared
 * weak, and qemu_plugin_version, which QEMU reads before it calls anything, is set when the module is loaded
 * (plugin_qemu.c). What changed: API 2 (QEMU 9.0) has scoreboards, which hold a value per virtual CPU, and
 * inline additions go to scoreboards only; in API 3 (QEMU 9.1) qemu_plugin_insn_data() copies into a buffer,
 * and there are conditional calls.
 *
 * Tested with qemu-arm, qemu-aarch64 and qemu-system-aarch64 7.2.22 (API 1, minimum 0) and 10.0.13 (API 4,
 * minimum 2); the latter was built from Debian 13's source with --enable-plugins, because Debian's qemu-user
 * takes no plugins.
 */
#ifndef APMU_QEMU_QEMU_ABI_H
#define APMU_QEMU_QEMU_ABI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint64_t qemu_plugin_id_t;
typedef uint32_t qemu_plugin_meminfo_t; /* describes one access: see qemu_plugin_mem_*() */
struct qemu_plugin_tb;
struct qemu_plugin_insn;
struct qemu_plugin_scoreboard;

/* Marks a function that only some QEMUs have; in others it is NULL. */
#define QEMU_PLUGIN_SOME __attribute__((weak))

/* What QEMU is. The real struct continues after `system_emulation`. */
typedef struct qemu_info_t {
	const char *target_name; /* "arm", "aarch64" */
	struct {
		int min; /* oldest API version that this QEMU accepts */
		int cur; /* this QEMU's own API version */
	} version;
	bool system_emulation;
} qemu_info_t;

enum qemu_plugin_cb_flags {
	QEMU_PLUGIN_CB_NO_REGS, /* the callback touches no guest register */
	QEMU_PLUGIN_CB_R_REGS   /* the callback may read guest registers */
};
enum qemu_plugin_op { QEMU_PLUGIN_INLINE_ADD_U64 };
enum qemu_plugin_mem_rw {
	QEMU_PLUGIN_MEM_R = 1,
	QEMU_PLUGIN_MEM_W,
	QEMU_PLUGIN_MEM_RW
}; /* QEMU 7.2 reports both kinds in any case */

typedef void (*qemu_plugin_vcpu_cb)(qemu_plugin_id_t id, unsigned vcpu);
typedef void (*qemu_plugin_trans_cb)(qemu_plugin_id_t id, struct qemu_plugin_tb *tb);
typedef void (*qemu_plugin_flush_cb)(qemu_plugin_id_t id);
typedef void (*qemu_plugin_exec_cb)(unsigned vcpu, void *user);
typedef void (*qemu_plugin_mem_cb)(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t vaddr, void *user);
typedef void (*qemu_plugin_syscall_cb)(qemu_plugin_id_t id, unsigned vcpu, int64_t number, uint64_t a1,
				       uint64_t a2, uint64_t a3, uint64_t a4, uint64_t a5, uint64_t a6,
				       uint64_t a7, uint64_t a8);
typedef void (*qemu_plugin_syscall_ret_cb)(qemu_plugin_id_t id, unsigned vcpu, int64_t number,
					   int64_t result);

void qemu_plugin_register_vcpu_exit_cb(qemu_plugin_id_t id, qemu_plugin_vcpu_cb cb);
void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t id, qemu_plugin_trans_cb cb);
void qemu_plugin_register_flush_cb(qemu_plugin_id_t id, qemu_plugin_flush_cb cb);
void qemu_plugin_register_vcpu_syscall_cb(qemu_plugin_id_t id, qemu_plugin_syscall_cb cb);
void qemu_plugin_register_vcpu_syscall_ret_cb(qemu_plugin_id_t id, qemu_plugin_syscall_ret_cb cb);
void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *tb, qemu_plugin_exec_cb cb,
					  enum qemu_plugin_cb_flags flags, void *user);

/* API 1: adds inline, not atomically, to one place for all threads. */
QEMU_PLUGIN_SOME void qemu_plugin_register_vcpu_tb_exec_inline(struct qemu_plugin_tb *tb,
							       enum qemu_plugin_op op, void *at,
							       uint64_t add);

/* API 2: a value in each virtual CPU's entry of a scoreboard. */
typedef struct {
	struct qemu_plugin_scoreboard *score;
	size_t offset; /* in bytes, from the entry's start */
} qemu_plugin_u64;
QEMU_PLUGIN_SOME struct qemu_plugin_scoreboard *qemu_plugin_scoreboard_new(size_t entry);
QEMU_PLUGIN_SOME void *qemu_plugin_scoreboard_find(struct qemu_plugin_scoreboard *score, unsigned vcpu);
QEMU_PLUGIN_SOME uint64_t qemu_plugin_u64_get(qemu_plugin_u64 entry, unsigned vcpu);
QEMU_PLUGIN_SOME void qemu_plugin_register_vcpu_tb_exec_inline_per_vcpu(struct qemu_plugin_tb *tb,
									enum qemu_plugin_op op,
									qemu_plugin_u64 entry, uint64_t add);

/* API 2: registers by their names in gdb's descriptions, "x4", "r4". Their list is a GArray of descriptors,
 * and a value is appended to a GByteArray; both structs begin like apmu_qemu__abi_array. */
struct qemu_plugin_register;
typedef struct {
	struct qemu_plugin_register *handle;
	const char *name, *feature;
} qemu_plugin_reg_descriptor;
struct apmu_qemu__abi_array {
	void *data;
	unsigned len;
};
QEMU_PLUGIN_SOME struct apmu_qemu__abi_array *qemu_plugin_get_registers(void);
QEMU_PLUGIN_SOME int qemu_plugin_read_register(struct qemu_plugin_register *handle,
					       struct apmu_qemu__abi_array *to);
QEMU_PLUGIN_SOME struct apmu_qemu__abi_array *g_byte_array_new(void); /* GLib's, which QEMU has loaded */
QEMU_PLUGIN_SOME uint8_t *g_byte_array_free(struct apmu_qemu__abi_array *array, int and_data);
QEMU_PLUGIN_SOME char *g_array_free(struct apmu_qemu__abi_array *array, int and_data);

/* API 3: calls `cb` if the entry's value (unsigned) satisfies the condition, after what was registered before
 * it. */
enum qemu_plugin_cond { QEMU_PLUGIN_COND_GE = 7 };
QEMU_PLUGIN_SOME void
qemu_plugin_register_vcpu_tb_exec_cond_cb(struct qemu_plugin_tb *tb, qemu_plugin_exec_cb cb,
					  enum qemu_plugin_cb_flags flags, enum qemu_plugin_cond cond,
					  qemu_plugin_u64 entry, uint64_t with, void *user);

void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *insn, qemu_plugin_exec_cb cb,
					    enum qemu_plugin_cb_flags flags, void *user);

/* Lowest address of the program's executable segments. Missing in qemu-arm and qemu-aarch64 10.0. */
QEMU_PLUGIN_SOME uint64_t qemu_plugin_start_code(void);
void qemu_plugin_register_vcpu_mem_cb(struct qemu_plugin_insn *insn, qemu_plugin_mem_cb cb,
				      enum qemu_plugin_cb_flags flags, enum qemu_plugin_mem_rw rw,
				      void *user);

/* Drops all callbacks and all translations before any thread continues, then calls `then`, which registers
 * the callbacks again. */
void qemu_plugin_reset(qemu_plugin_id_t id, qemu_plugin_flush_cb then);

size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *tb);
uint64_t qemu_plugin_tb_vaddr(const struct qemu_plugin_tb *tb);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *tb, size_t i);

/* The instruction's bytes. Up to API 2 the call returns a pointer into QEMU's memory; since API 3 it copies
 * the bytes and returns how many. */
const uint8_t *
apmu_qemu__abi_insn_bytes(const struct qemu_plugin_insn *insn) __asm__("qemu_plugin_insn_data");
size_t apmu_qemu__abi_insn_copy(const struct qemu_plugin_insn *insn, void *to,
				size_t room) __asm__("qemu_plugin_insn_data");
size_t qemu_plugin_insn_size(const struct qemu_plugin_insn *insn);
void *qemu_plugin_insn_haddr(const struct qemu_plugin_insn *insn);
uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *insn);
char *qemu_plugin_insn_disas(const struct qemu_plugin_insn *insn); /* the caller frees it */

unsigned qemu_plugin_mem_size_shift(qemu_plugin_meminfo_t info);
bool qemu_plugin_mem_is_store(qemu_plugin_meminfo_t info);

/* The physical target of an access, valid while its callback runs; NULL: not known, as in user mode. */
struct qemu_plugin_hwaddr;
struct qemu_plugin_hwaddr *qemu_plugin_get_hwaddr(qemu_plugin_meminfo_t info, uint64_t vaddr);
bool qemu_plugin_hwaddr_is_io(const struct qemu_plugin_hwaddr *to);

/* The symbols that QEMU looks for in the module. */
#define QEMU_PLUGIN_EXPORT __attribute__((visibility("default")))
QEMU_PLUGIN_EXPORT extern int qemu_plugin_version;
QEMU_PLUGIN_EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int argc,
					   char **argv);

#endif
