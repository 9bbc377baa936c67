/* SPDX-License-Identifier: MIT */
#include "cli/cli.h"

#include <fcntl.h>
#include <signal.h>

/* If descriptor 0, 1 or 2 is closed, the next file opened gets its number, and messages would go into a
 * profile. Occupies such a descriptor with /dev/null, opened so that reading 0 and writing 1 or 2 still
 * fail. */
static void hold_standard(void)
{
	for (int fd = 0; fd < 3; fd++)
		if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY) < 0)
			return;
}

int main(int argc, char **argv)
{
	hold_standard();
	/* It may be inherited as ignored, and then nobody can wait for a child. */
	signal(SIGCHLD, SIG_DFL);
	return cli__cli(argc, argv, stdout, stderr);
}
