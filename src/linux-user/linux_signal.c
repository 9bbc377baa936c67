/* SPDX-License-Identifier: MIT */
/* Signals: those that a program sends itself and those of its own faults. Nothing else can send one, so only
 * system calls and faults check for them. */
#include "linux-user/linux_internal.h"

#include <errno.h>
#include <string.h>

#define SIGNALS     APMU_LINUX__SIGNALS
#define SIG_IGN_    1u
#define KILL        9u
#define STOP        19u
#define SEGV        11u
#define ACCESS_CODE 2 /* SEGV_ACCERR */
#define NODEFER     0x40000000u
#define RESETHAND   0x80000000u
#define RESTORER    0x04000000u
#define BLOCK_      0u
#define UNBLOCK     1u
#define SETMASK     2u
#define SS_DISABLE_ 2u
#define SS_ONSTACK_ 1u
#define STACK_LEAST 2048u /* MINSIGSTKSZ */
#define STACK_A64   5120u
#define USER_CODE   0    /* SI_USER */
#define THREAD_CODE (-6) /* SI_TKILL */

static uint64_t bit(unsigned signal)
{
	return (uint64_t)1 << (signal - 1);
}

/* CHLD, CONT, URG, WINCH; and the signals that would stop a process, since nobody could continue it. */
static const uint64_t ignored =
	1u << 16 | 1u << 17 | 1u << 22 | 1u << 27 | 1u << 18 | 1u << 19 | 1u << 20 | 1u << 21;
static const uint64_t never_blocked = 1u << (KILL - 1) | 1u << (STOP - 1);

static bool is_ignored(const struct apmu_linux__linux *p, unsigned signal)
{
	uint64_t handler = p->action[signal].handler;

	return handler == SIG_IGN_ || (!handler && ignored & bit(signal));
}

/* The pending signals beside those of a mask. Those that are ignored are pending no more. */
static uint64_t due_beside(struct apmu_linux__linux *p, uint64_t blocked)
{
	for (uint64_t left = p->pending & ~blocked; left; left &= left - 1) {
		unsigned signal = (unsigned)__builtin_ctzll(left) + 1;

		if (is_ignored(p, signal))
			p->pending &= ~bit(signal);
	}
	return p->pending & ~blocked;
}

/* A blocked signal is never ignored, since its action may change until it is unblocked. */
void apmu_linux__send(struct apmu_linux__linux *p, unsigned signal, bool by_thread)
{
	if (!(p->blocked & bit(signal)) && is_ignored(p, signal))
		return;
	p->pending |= bit(signal);
	p->by_thread[signal] = by_thread;
}

/* Enters a handler. False: there is no stack for it. */
static bool enter(struct apmu_linux__linux *p, const struct apmu_linux__reason *why)
{
	struct apmu_linux__action *a = &p->action[why->signal];

	if (!apmu_linux__frame_push(p, why))
		return false;
	p->blocked |= a->mask | (a->flags & NODEFER ? 0 : bit(why->signal));
	p->blocked &= ~never_blocked;
	if (a->flags & RESETHAND)
		a->handler = 0;
	return true;
}

/* Takes a signal: enters its handler, or ends the program. */
static struct apmu_linux__result take(struct apmu_linux__linux *p, unsigned signal)
{
	const struct apmu_linux__reason why = {.signal = signal,
					       .code = p->by_thread[signal] ? THREAD_CODE : USER_CODE};
	bool handled = p->action[signal].handler > SIG_IGN_;

	p->pending &= ~bit(signal);
	if (handled && enter(p, &why))
		return (struct apmu_linux__result){.end = APMU_LINUX__RESUMED};
	return (struct apmu_linux__result){.end = APMU_LINUX__KILLED,
					   .status = (int)(handled ? SEGV : signal)};
}

/* Of several signals the next one interrupts the handler of the one before at its first instruction. */
struct apmu_linux__result apmu_linux__signal(struct apmu_linux__linux *p)
{
	struct apmu_linux__result result = {.end = APMU_LINUX__RETURN};
	uint64_t due;

	while (result.end != APMU_LINUX__KILLED && (due = due_beside(p, p->blocked)))
		result = take(p, (unsigned)__builtin_ctzll(due) + 1);
	return result;
}

bool apmu_linux__fault_signal(struct apmu_linux__linux *p, unsigned signal, int code, uint64_t address)
{
	bool denied = signal == SEGV && apmu_linux__is_mapped(p, address);
	const struct apmu_linux__reason why = {signal, denied ? ACCESS_CODE : code, true, address};

	return p->action[signal].handler > SIG_IGN_ && !(p->blocked & bit(signal)) && enter(p, &why);
}

/* Reads the kernel's struct sigaction: handler, flags, restorer, mask. */
static bool get_action(const struct apmu_linux__linux *p, uint64_t at, struct apmu_linux__action *a)
{
	size_t width = apmu_linux__width(p);

	*a = (struct apmu_linux__action){0};
	return apmu_linux__get(p, at, &a->handler, width) &&
	       apmu_linux__get(p, at + width, &a->flags, width) &&
	       apmu_linux__get(p, at + 2 * width, &a->restorer, width) &&
	       apmu_linux__get(p, at + 3 * width, &a->mask, 8);
}

static bool put_action(const struct apmu_linux__linux *p, uint64_t at, const struct apmu_linux__action *a)
{
	size_t width = apmu_linux__width(p);

	return apmu_linux__put(p, at, &a->handler, width) &&
	       apmu_linux__put(p, at + width, &a->flags, width) &&
	       apmu_linux__put(p, at + 2 * width, &a->restorer, width) &&
	       apmu_linux__put(p, at + 3 * width, &a->mask, 8);
}

int64_t apmu_linux__rt_sigaction(struct apmu_linux__call *call)
{
	struct apmu_linux__linux *p = call->p;
	struct apmu_linux__action a;
	uint64_t signal = call->arg[0];

	if (signal < 1 || signal > SIGNALS || call->arg[3] != 8)
		return -EINVAL;
	if (call->arg[1] && (signal == KILL || signal == STOP))
		return -EINVAL;
	if (call->arg[1] && !get_action(p, call->arg[1], &a))
		return -EFAULT;
	if (call->arg[2] && !put_action(p, call->arg[2], &p->action[signal]))
		return -EFAULT;
	if (!call->arg[1])
		return 0;
	if (!(a.flags & RESTORER))
		a.restorer = 0;
	p->action[signal] = a;
	if (is_ignored(p, (unsigned)signal))
		p->pending &= ~bit((unsigned)signal);
	return 0;
}

int64_t apmu_linux__rt_sigprocmask(struct apmu_linux__call *call)
{
	struct apmu_linux__linux *p = call->p;
	uint64_t set = 0, old = p->blocked;

	if (call->arg[3] != sizeof(set))
		return -EINVAL;
	if (call->arg[1] && !apmu_linux__get(p, call->arg[1], &set, sizeof(set)))
		return -EFAULT;
	if (call->arg[1] && call->arg[0] > SETMASK)
		return -EINVAL;
	if (call->arg[2] && !apmu_linux__put(p, call->arg[2], &old, sizeof(old)))
		return -EFAULT;
	if (!call->arg[1])
		return 0;
	p->blocked = call->arg[0] == BLOCK_ ? old | set : call->arg[0] == UNBLOCK ? old & ~set : set;
	p->blocked &= ~never_blocked;
	return 0;
}

int64_t apmu_linux__rt_sigpending(struct apmu_linux__call *call)
{
	uint64_t set = call->p->pending & call->p->blocked;

	if (call->arg[1] > sizeof(set))
		return -EINVAL;
	return apmu_linux__put(call->p, call->arg[0], &set, (size_t)call->arg[1]) ? 0 : -EFAULT;
}

/* Waits for a signal that is pending already, or forever. The mask that the signal's handler returns to is
 * the one before the call. */
int64_t apmu_linux__rt_sigsuspend(struct apmu_linux__call *call)
{
	struct apmu_linux__linux *p = call->p;
	uint64_t set;

	if (call->arg[1] != sizeof(set))
		return -EINVAL;
	if (!apmu_linux__get(p, call->arg[0], &set, sizeof(set)))
		return -EFAULT;
	if (!due_beside(p, set)) {
		call->result->end = APMU_LINUX__STUCK;
		return 0;
	}
	p->suspended = true;
	p->before = p->blocked;
	p->blocked = set & ~never_blocked;
	return -EINTR;
}

/* stack_t: address, flags, size. */
int64_t apmu_linux__sigaltstack(struct apmu_linux__call *call)
{
	struct apmu_linux__linux *p = call->p;
	size_t width = apmu_linux__width(p);
	uint64_t base = 0, size = 0, at = call->arg[0], old = call->arg[1];
	bool busy = apmu_linux__on_stack(p);
	uint32_t flags = 0, was = !p->stack_size ? SS_DISABLE_ : busy ? SS_ONSTACK_ : 0;

	if (at && (!apmu_linux__get(p, at, &base, width) || !apmu_linux__get(p, at + width, &flags, 4) ||
		   !apmu_linux__get(p, at + 2 * width, &size, width)))
		return -EFAULT;
	if (old && (!apmu_linux__put(p, old, &p->stack, width) || !apmu_linux__put(p, old + width, &was, 4) ||
		    !apmu_linux__put(p, old + 2 * width, &p->stack_size, width)))
		return -EFAULT;
	if (!at)
		return 0;
	if (busy)
		return -EPERM;
	if (flags > SS_DISABLE_)
		return -EINVAL;
	if (flags != SS_DISABLE_ && size < (p->config.aarch64 ? STACK_A64 : STACK_LEAST))
		return -ENOMEM;
	p->stack = flags == SS_DISABLE_ ? 0 : base;
	p->stack_size = flags == SS_DISABLE_ ? 0 : size;
	return 0;
}

static int64_t resume(struct apmu_linux__call *call, bool with_info)
{
	uint64_t mask = 0;

	if (!apmu_linux__frame_pop(call->p, with_info, &mask)) {
		call->result->end = APMU_LINUX__KILLED;
		call->result->status = (int)SEGV;
		return 0;
	}
	call->p->blocked = mask & ~never_blocked;
	call->result->end = APMU_LINUX__RESUMED;
	return 0;
}

int64_t apmu_linux__rt_sigreturn(struct apmu_linux__call *call)
{
	return resume(call, true);
}

/* AArch32: returns from a handler without SA_SIGINFO. */
int64_t apmu_linux__sigreturn(struct apmu_linux__call *call)
{
	return resume(call, false);
}

static int64_t send(struct apmu_linux__linux *p, uint64_t to, uint64_t signal, bool by_thread)
{
	if (signal > SIGNALS)
		return -EINVAL;
	if (to != APMU_LINUX__PID)
		return -ESRCH;
	if (signal)
		apmu_linux__send(p, (unsigned)signal, by_thread);
	return 0;
}

/* 0 means the process's group, in which it is alone; so does the group's number, negative. */
int64_t apmu_linux__kill(struct apmu_linux__call *call)
{
	int32_t to = (int32_t)(uint32_t)call->arg[0];
	bool group = to == 0 || to == -APMU_LINUX__PID;

	return send(call->p, group ? APMU_LINUX__PID : call->arg[0], call->arg[1], false);
}

int64_t apmu_linux__tkill(struct apmu_linux__call *call)
{
	return send(call->p, call->arg[0], call->arg[1], true);
}

int64_t apmu_linux__tgkill(struct apmu_linux__call *call)
{
	return call->arg[0] == APMU_LINUX__PID ? send(call->p, call->arg[1], call->arg[2], true) : -ESRCH;
}
