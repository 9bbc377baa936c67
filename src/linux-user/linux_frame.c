/* SPDX-License-Identifier: MIT */
/*
 * The frame that a signal's handler finds on its stack, and that rt_sigreturn takes from there: siginfo and
 * ucontext as arch/arm and arch/arm64 lay them out (uapi asm/sigcontext.h, asm/ucontext.h). Nothing that
 * comes back is trusted: of the state only what user code may write is taken.
 */
#include "linux-user/linux_internal.h"

#include <string.h>

#define SIGINFO   4u
#define ONSTACK   0x08000000u
#define INFO_SIZE 128u
#define STATE_T   (1u << 5)
#define STATE_IT  0x0600FC00u
#define FLAGS_A32 0xF80F0000u /* N Z C V Q, GE */
#define FLAGS_A64 0xF0000000u

/* Size of a ucontext, and the offsets of its members. */
struct layout {
	uint16_t size, stack, mask, registers, pc, state, fault, vector;
	uint8_t width, count; /* width (in bytes) and number of the registers */
};
static const struct layout a32 = {744, 8, 104, 32, 92, 96, 100, 232, 4, 15};
static const struct layout a64 = {4560, 16, 40, 184, 440, 448, 176, 464, 8, 32};

#define VFP_MAGIC    0x56465001u
#define VFP_SIZE     288u
#define FPSIMD_MAGIC 0x46508001u
#define FPSIMD_SIZE  528u

static const struct layout *layout_of(const struct apmu_linux__linux *p)
{
	return p->config.aarch64 ? &a64 : &a32;
}

static void set(uint8_t *frame, size_t at, uint64_t value, unsigned width)
{
	memcpy(frame + at, &value, width);
}

static uint64_t get(const uint8_t *frame, size_t at, unsigned width)
{
	uint64_t value = 0;

	memcpy(&value, frame + at, width);
	return value;
}

/* Builds a siginfo: signal, errno, code; then the fault's address, or process and user. */
static void put_info(const struct apmu_linux__linux *p, const struct apmu_linux__reason *why,
		     uint8_t info[INFO_SIZE])
{
	unsigned width = apmu_linux__width(p), at = width == 8 ? 16 : 12;

	memset(info, 0, INFO_SIZE);
	set(info, 0, why->signal, 4);
	set(info, 8, (uint32_t)why->code, 4);
	if (why->fault) {
		set(info, at, why->address, width);
	} else {
		set(info, at, APMU_LINUX__PID, 4);
		set(info, at + 4, APMU_LINUX__PID, 4);
	}
}

static void put_vectors(const struct apmu_linux__linux *p, const struct apmu_linux__cpu *cpu, uint8_t *at)
{
	bool wide = p->config.aarch64;

	set(at, 0, wide ? FPSIMD_MAGIC : VFP_MAGIC, 4);
	set(at, 4, wide ? FPSIMD_SIZE : VFP_SIZE, 4);
	if (wide) {
		set(at, 8, cpu->fpsr, 4);
		set(at, 12, cpu->fpcr, 4);
		memcpy(at + 16, cpu->vector, sizeof(cpu->vector));
		return;
	}
	for (unsigned i = 0; i < 32; i++)
		set(at, 8 + i * 8, cpu->vector[i][0], 8);
	set(at, 264, cpu->fpsr, 4);
}

static void put_context(const struct apmu_linux__linux *p, const struct apmu_linux__cpu *cpu,
			const struct apmu_linux__reason *why, uint8_t *context)
{
	const struct layout *l = layout_of(p);
	unsigned width = l->width;

	memset(context, 0, l->size);
	set(context, l->stack, p->stack, width);
	set(context, l->stack + width, p->stack_size ? 0 : 2, 4);
	set(context, l->stack + 2 * width, p->stack_size, width);
	set(context, l->mask, p->suspended ? p->before : p->blocked, 8);
	for (unsigned i = 0; i < 31 && i < l->count; i++)
		set(context, l->registers + i * width, cpu->r[i], width);
	if (width == 8)
		set(context, l->registers + 31 * 8, cpu->sp, 8);
	set(context, l->pc, cpu->pc, width);
	set(context, l->state, cpu->state, width);
	set(context, l->fault, why->fault ? why->address : 0, width);
	put_vectors(p, cpu, context + l->vector);
}

static uint64_t *stack_of(const struct apmu_linux__linux *p, struct apmu_linux__cpu *cpu)
{
	return p->config.aarch64 ? &cpu->sp : &cpu->r[13];
}

/* True if the alternate stack, which grows down, has the stack pointer: Linux's __on_sig_stack(). */
static bool is_there(const struct apmu_linux__linux *p, uint64_t sp)
{
	return sp > p->stack && sp - p->stack <= p->stack_size;
}

bool apmu_linux__on_stack(const struct apmu_linux__linux *p)
{
	struct apmu_linux__cpu cpu = {0};

	p->config.machine.get_cpu(p->config.machine.ctx, &cpu);
	return is_there(p, *stack_of(p, &cpu));
}

static uint64_t top(const struct apmu_linux__linux *p, struct apmu_linux__cpu *cpu, uint64_t flags)
{
	uint64_t sp = *stack_of(p, cpu);

	return flags & ONSTACK && p->stack_size && !is_there(p, sp) ? p->stack + p->stack_size : sp;
}

/* AArch64: pushes a frame record above the frame, which backtraces follow. Returns its address; 0: the stack
 * is not mapped. */
static uint64_t push_record(const struct apmu_linux__linux *p, struct apmu_linux__cpu *cpu, uint64_t at)
{
	const uint64_t record[2] = {cpu->r[29], cpu->r[30]};

	at = (at - sizeof(record)) & ~(uint64_t)15;
	return apmu_linux__put(p, at, record, sizeof(record)) ? at : 0;
}

/* Sets the handler's registers: arguments, stack, return address. */
static void call_handler(const struct apmu_linux__linux *p, struct apmu_linux__cpu *cpu, unsigned signal,
			 uint64_t frame)
{
	const struct apmu_linux__action *a = &p->action[signal];
	bool info = p->config.aarch64 || a->flags & SIGINFO, thumb = !p->config.aarch64 && a->handler & 1;
	uint64_t context = frame + (info ? INFO_SIZE : 0);
	uint64_t back = a->restorer ? a->restorer : APMU_LINUX__TRAMPOLINE + (info ? 0 : 16);

	cpu->r[0] = signal;
	if (a->flags & SIGINFO) {
		cpu->r[1] = frame;
		cpu->r[2] = context;
	}
	*stack_of(p, cpu) = frame;
	cpu->r[p->config.aarch64 ? 30 : 14] = back;
	cpu->pc = thumb               ? a->handler & ~(uint64_t)1
		  : p->config.aarch64 ? a->handler
				      : a->handler & ~(uint64_t)3;
	if (!p->config.aarch64)
		cpu->state = (cpu->state & ~(STATE_T | STATE_IT)) | (thumb ? STATE_T : 0);
}

bool apmu_linux__frame_push(struct apmu_linux__linux *p, const struct apmu_linux__reason *why)
{
	const struct apmu_linux__machine *machine = &p->config.machine;
	const struct layout *l = layout_of(p);
	uint64_t flags = p->action[why->signal].flags, record = 0;
	bool wide = p->config.aarch64, info = wide || flags & SIGINFO;
	uint8_t frame[INFO_SIZE + 4560];
	struct apmu_linux__cpu cpu = {0};

	machine->get_cpu(machine->ctx, &cpu);
	uint64_t at = top(p, &cpu, flags);
	if (wide && !(at = record = push_record(p, &cpu, at)))
		return false;
	put_info(p, why, frame);
	put_context(p, &cpu, why, frame + INFO_SIZE);
	p->suspended = false;
	size_t size = (info ? INFO_SIZE : 0) + l->size;
	at = (at - size) & ~(uint64_t)(wide ? 15 : 7);
	if (!apmu_linux__put(p, at, frame + (info ? 0 : INFO_SIZE), size))
		return false;
	if (wide)
		cpu.r[29] = record;
	call_handler(p, &cpu, why->signal, at);
	machine->set_cpu(machine->ctx, &cpu);
	return true;
}

static void take_vectors(const struct apmu_linux__linux *p, const uint8_t *at, struct apmu_linux__cpu *cpu)
{
	bool wide = p->config.aarch64;

	if (get(at, 0, 4) != (wide ? FPSIMD_MAGIC : VFP_MAGIC))
		return;
	cpu->fpsr = (uint32_t)get(at, wide ? 8 : 264, 4);
	if (wide) {
		cpu->fpcr = (uint32_t)get(at, 12, 4);
		memcpy(cpu->vector, at + 16, sizeof(cpu->vector));
		return;
	}
	for (unsigned i = 0; i < 32; i++)
		cpu->vector[i][0] = get(at, 8 + i * 8, 8);
}

/* The stack pointer must be where the handler found it. */
bool apmu_linux__frame_pop(struct apmu_linux__linux *p, bool with_info, uint64_t *mask)
{
	const struct apmu_linux__machine *machine = &p->config.machine;
	const struct layout *l = layout_of(p);
	uint32_t take = p->config.aarch64 ? FLAGS_A64 : FLAGS_A32 | STATE_T | STATE_IT;
	struct apmu_linux__cpu cpu = {0};
	uint8_t context[4560];

	machine->get_cpu(machine->ctx, &cpu);
	if (!apmu_linux__get(p, *stack_of(p, &cpu) + (with_info ? INFO_SIZE : 0), context, l->size))
		return false;
	for (unsigned i = 0; i < 31 && i < l->count; i++)
		cpu.r[i] = get(context, l->registers + i * l->width, l->width);
	if (p->config.aarch64)
		cpu.sp = get(context, l->registers + 31 * 8, 8);
	cpu.state = (cpu.state & ~take) | ((uint32_t)get(context, l->state, 4) & take);
	cpu.pc = get(context, l->pc, l->width);
	if (!p->config.aarch64) {
		cpu.state &= cpu.state & STATE_T ? ~0u : ~STATE_IT;
		cpu.pc &= ~(uint64_t)(cpu.state & STATE_T ? 1 : 3);
	}
	take_vectors(p, context + l->vector, &cpu);
	*mask = get(context, l->mask, 8);
	machine->set_cpu(machine->ctx, &cpu);
	return true;
}
