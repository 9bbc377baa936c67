/* SPDX-License-Identifier: MIT */
/**
 * Ctrl-C and its kin (SIGINT, SIGQUIT, SIGTERM, SIGHUP) while a program runs and its results are written.
 *
 * They are for the program: the command stays to write what was counted, and starts no further run. The same
 * signal may come more than once (`timeout` sends one to the process and one to the group), so none may end
 * the command between the program's end and the last line of the results.
 *
 * One hold at a time: handlers are the process's.
 */
#ifndef APMU_CLI_COMMON_INTERRUPT_H
#define APMU_CLI_COMMON_INTERRUPT_H

/* From here on they are noted. Ignored ones stay so, for the program too (nohup). */
void apmu__interrupts_hold(void);
void apmu__interrupts_release(void);

/* The last that came since the hold, or that apmu__interrupt_note() was told; 0: none. */
int apmu__interrupted(void);
void apmu__interrupt_note(int signal);

#endif
