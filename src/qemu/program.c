/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* O_CLOEXEC */
#include "qemu/program.h"

#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LINKS 16

void apmu_qemu__host_file(const char *sysroot, const char *path, char out[PATH_MAX])
{
	char link[PATH_MAX];
	struct stat is;

	snprintf(out, PATH_MAX, "%s%s", path[0] == '/' ? sysroot : "", path);
	for (unsigned k = 0; sysroot[0] && path[0] == '/' && k < LINKS; k++) {
		ssize_t n = readlink(out, link, sizeof(link) - 1);
		if (n <= 0 || link[0] != '/')
			break;
		link[n] = '\0';
		if ((size_t)snprintf(out, PATH_MAX, "%s%s", sysroot, link) >= PATH_MAX)
			break;
	}
	if (stat(out, &is) != 0)
		snprintf(out, PATH_MAX, "%s", path);
}

size_t apmu_qemu__file_head(const char *file, char head[APMU_QEMU__SCRIPT_LINE])
{
	struct stat is;
	bool runs = stat(file, &is) == 0 && S_ISREG(is.st_mode) && access(file, X_OK) == 0;
	int fd = runs ? open(file, O_RDONLY | O_CLOEXEC) : -1;
	ssize_t n = fd < 0 ? 0 : read(fd, head, APMU_QEMU__SCRIPT_LINE - 1);

	if (fd >= 0)
		close(fd);
	head[n > 0 ? n : 0] = '\0';
	return n > 0 ? (size_t)n : 0;
}

char *apmu_qemu__interpreter(char *line, char **argument)
{
	char *end = line + strcspn(line, "\n"), *at = line + 2;

	if (strncmp(line, "#!", 2) != 0)
		return NULL;
	while (end > at && (end[-1] == ' ' || end[-1] == '\t'))
		end--;
	*end = '\0';
	at += strspn(at, " \t");
	*argument = at + strcspn(at, " \t");
	if (**argument) {
		*(*argument)++ = '\0';
		*argument += strspn(*argument, " \t");
	}
	return *at ? at : NULL;
}

const char *apmu_qemu__cross_root(const struct apmu_isa__elf *elf)
{
	if (elf->machine == EM_AARCH64)
		return "/usr/aarch64-linux-gnu";
	return elf->hard_float ? "/usr/arm-linux-gnueabihf" : "/usr/arm-linux-gnueabi";
}

bool apmu_qemu__has_loader(const struct apmu_isa__elf *elf, const char *sysroot)
{
	char loader[PATH_MAX];

	if (!elf->dynamic || access(elf->interp, R_OK) == 0)
		return true;
	return sysroot[0] && snprintf(loader, sizeof(loader), "%s%s", sysroot, elf->interp) < PATH_MAX &&
	       access(loader, R_OK) == 0;
}

const char *apmu_qemu__root_for(const struct apmu_isa__elf *elf, const char *sysroot)
{
	return apmu_qemu__has_loader(elf, sysroot) ? sysroot : apmu_qemu__cross_root(elf);
}
