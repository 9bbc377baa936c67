/* SPDX-License-Identifier: MIT */
/**
 * Ctrl-C and its kin (SIGINT, SIGQUIT, SIGTERM, SIGHUP) round programs that are run and their results.
 *
 * While a program runs they are for the program: the command stays to write what was counted until then, and
 * starts no further run. At all other times they end the command at once, by the signal, as if nobody
 * watched; but the one that has just ended the program may come again (`timeout` sends it to the process and
 * to the group), so for CLI__INTERRUPT_ECHO milliseconds the same one says nothing new.
 *
 * One watch at a time: handlers are the process's.
 */
#ifndef APMU_CLI_COMMON_INTERRUPT_H
#define APMU_CLI_COMMON_INTERRUPT_H

#define CLI__INTERRUPT_ECHO 1000

/* Ignored ones stay so, for the program too (nohup). */
void cli__interrupts_watch(void);
void cli__interrupts_release(void);

/* Round a run: from the first on they are noted, from the second on they end the command again. `told`: the
 * one that the run heard of itself, or 0. */
void cli__interrupts_program(void);
void cli__interrupts_results(int told);

/* The last that was noted, or told; 0: none. */
int cli__interrupted(void);

/* A file that is not to stay behind if the command is ended; NULL: none. The text must live until the next
 * call. */
void cli__interrupts_unlink(const char *path);

#endif
