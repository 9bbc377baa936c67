/* SPDX-License-Identifier: MIT */
#include "cli/common/temporary.h"

#include "qemu/run.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

int cli__temporary_open(const struct cli__cli *cli, struct cli__temporary *file)
{
	*file = (struct cli__temporary){0};
	file->fd = apmu_qemu__nameless_file(&file->folder);
	if (file->fd >= 0) {
		snprintf(file->path, sizeof file->path, "/proc/self/fd/%d", file->fd);
		return 0;
	}
	cli__message(cli, "no file can be made in '%s': %s; TMPDIR names another folder", file->folder,
		     strerror(errno));
	return CLI__EXIT_FAILURE;
}

void cli__temporary_close(struct cli__temporary *file)
{
	if (file->path[0] != '\0')
		close(file->fd);
	file->path[0] = '\0';
}
