/* SPDX-License-Identifier: MIT */
/**
 * Signals that ask to end (SIGINT, SIGQUIT, SIGTERM, SIGHUP) while programs run and results are written.
 *
 * While a program runs, these signals are for the program: the command stays to write what was counted until
 * then, and starts no further run. At all other times they end the command at once, as their default action
 * would. The signal that has just ended the program may arrive twice (`timeout` sends it to the process and
 * to its group), so the same signal is ignored for CLI__INTERRUPT_ECHO milliseconds after the program's end.
 *
 * A program may ignore the signal, or be unable to take it (stopped, or waiting for a debugger): the second
 * request to end brings a message, the third kills it. A request that comes within CLI__INTERRUPT_SAME ms of
 * the one before is the same (`timeout`), one that comes CLI__INTERRUPT_PATIENCE ms after it is the first
 * anew, since programs may have another use for Ctrl-C.
 *
 * Only one watch can be active: signal handlers belong to the process.
 */
#ifndef APMU_CLI_COMMON_INTERRUPT_H
#define APMU_CLI_COMMON_INTERRUPT_H

#include "cli/cli.h"

#include <stdbool.h>

#define CLI__INTERRUPT_ECHO     1000
#define CLI__INTERRUPT_SAME     200
#define CLI__INTERRUPT_PATIENCE 20000

/* Begin and end watching. A signal that was ignored stays ignored, for the program too (nohup). `cli` is for
 * the message, and must live until the end. */
void cli__interrupts_watch(const struct cli__cli *cli);
void cli__interrupts_release(void);

/* Called before and after a run: from cli__interrupts_program() on signals are only noted, from
 * cli__interrupts_results() on they end the command again. `told`: the signal that the run itself received,
 * or 0. */
void cli__interrupts_program(void);
void cli__interrupts_results(int told);

/* The last signal that was noted or told; 0: none. */
int cli__interrupted(void);

/* True if that signal may have been sent to the command alone: by a process, not by the terminal, whose
 * signals reach the programs too. */
bool cli__interrupted_alone(void);

/* How many signals were noted since the watch began. */
unsigned cli__interrupts_noted(void);

/* Counts a request to end that the run itself received, or (`signal` 0) none. Prints the message if it is
 * due. True: the program is to be killed. */
bool cli__interrupts_insist(int signal);

/* In the process of one of several runs: it counts requests as the command does, and leaves the message to
 * it. */
void cli__interrupts_mute(void);

/* Names a file to delete if a signal ends the command; NULL: none. `path` must stay valid until the next
 * call. */
void cli__interrupts_unlink(const char *path);

#endif
