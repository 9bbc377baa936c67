/* SPDX-License-Identifier: MIT */
/**
 * Linux's numbers of the system calls that the plugin follows.
 */
#ifndef APMU_QEMU_PLUGIN_SYSCALLS_H
#define APMU_QEMU_PLUGIN_SYSCALLS_H

#define ARM_EXIT         1
#define ARM_FORK         2
#define ARM_WRITE        4
#define ARM_OPEN         5
#define ARM_EXECVE       11
#define ARM_SIGACTION    67
#define ARM_MUNMAP       91
#define ARM_SIGRETURN    119
#define ARM_CLONE        120
#define ARM_MPROTECT     125
#define ARM_PRCTL        172
#define ARM_RT_SIGRETURN 173
#define ARM_RT_SIGACTION 174
#define ARM_VFORK        190
#define ARM_MMAP2        192
#define ARM_FUTEX        240
#define ARM_EXIT_GROUP   248
#define ARM_OPENAT       322
#define ARM_FUTEX_TIME64 422

#define A64_OPENAT       56
#define A64_WRITE        64
#define A64_EXIT         93
#define A64_EXIT_GROUP   94
#define A64_FUTEX        98
#define A64_RT_SIGACTION 134
#define A64_RT_SIGRETURN 139
#define A64_PRCTL        167
#define A64_MUNMAP       215
#define A64_MREMAP       216
#define A64_CLONE        220
#define A64_EXECVE       221
#define A64_MMAP         222
#define A64_MPROTECT     226

#endif
