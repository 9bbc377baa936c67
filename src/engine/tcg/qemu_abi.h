/* SPDX-License-Identifier: MIT */
/**
 * QEMU's TCG plugin interface: our own declarations of the few calls that the plugin makes.
 *
 * No package holds QEMU's header. These are API version 1, which is what QEMU 7.2 (Debian 12) has.
 *
 * Tried: qemu-arm and qemu-aarch64 7.2.22 (API 1, minimum 0). Debian 13's qemu-user 10.0 is built without
 * plugins. To add: API 2 (QEMU 9.0) keeps all that is declared here. API 3 (QEMU 9.1) makes
 * qemu_plugin_insn_data() copy into a buffer and return its length. QEMU looks at qemu_plugin_version before
 * it calls anything, so another version is another module: build plugin.c again with APMU__QEMU_API set to
 * it. Neither has been run.
 */
#ifndef APMU_ENGINE_TCG_QEMU_ABI_H
#define APMU_ENGINE_TCG_QEMU_ABI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifndef APMU__QEMU_API
#define APMU__QEMU_API 1
#endif

typedef uint64_t qemu_plugin_id_t;
typedef uint32_t qemu_plugin_meminfo_t; /* of one access: see qemu_plugin_mem_*() */
struct qemu_plugin_tb;
struct qemu_plugin_insn;

/* What QEMU is. The real struct goes on after `system_emulation`. */
typedef struct qemu_info_t {
	const char *target_name; /* "arm", "aarch64" */
	struct {
		int min; /* oldest API that this QEMU loads */
		int cur; /* its own */
	} version;
	bool system_emulation;
} qemu_info_t;

enum qemu_plugin_cb_flags { QEMU_PLUGIN_CB_NO_REGS }; /* the callback touches no guest register */
enum qemu_plugin_op { QEMU_PLUGIN_INLINE_ADD_U64 };
enum qemu_plugin_mem_rw {
	QEMU_PLUGIN_MEM_R = 1,
	QEMU_PLUGIN_MEM_W,
	QEMU_PLUGIN_MEM_RW
}; /* 7.2 tells both anyhow */

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
void qemu_plugin_register_vcpu_tb_exec_inline(struct qemu_plugin_tb *tb, enum qemu_plugin_op op, void *at,
					      uint64_t add); /* not atomic, the same place for every thread */
void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *insn, qemu_plugin_exec_cb cb,
					    enum qemu_plugin_cb_flags flags, void *user);
uint64_t qemu_plugin_start_code(void); /* lowest address of the program's executable segments */
void qemu_plugin_register_vcpu_mem_cb(struct qemu_plugin_insn *insn, qemu_plugin_mem_cb cb,
				      enum qemu_plugin_cb_flags flags, enum qemu_plugin_mem_rw rw,
				      void *user);

/* Drops every callback and all translations before any thread goes on, then calls `then`, which registers
 * anew. */
void qemu_plugin_reset(qemu_plugin_id_t id, qemu_plugin_flush_cb then);

size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *tb);
uint64_t qemu_plugin_tb_vaddr(const struct qemu_plugin_tb *tb);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *tb, size_t i);
const void *qemu_plugin_insn_data(const struct qemu_plugin_insn *insn);
size_t qemu_plugin_insn_size(const struct qemu_plugin_insn *insn);
void *qemu_plugin_insn_haddr(const struct qemu_plugin_insn *insn);
uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *insn);
char *qemu_plugin_insn_disas(const struct qemu_plugin_insn *insn); /* the caller frees it */

unsigned qemu_plugin_mem_size_shift(qemu_plugin_meminfo_t info);
bool qemu_plugin_mem_is_store(qemu_plugin_meminfo_t info);

/* What QEMU looks for in the module. */
#define QEMU_PLUGIN_EXPORT __attribute__((visibility("default")))
QEMU_PLUGIN_EXPORT extern int qemu_plugin_version;
QEMU_PLUGIN_EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int argc,
					   char **argv);

#endif
