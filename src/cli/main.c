/* SPDX-License-Identifier: MIT */
#define _XOPEN_SOURCE 700 /* sigaction, SIGXFSZ */
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

/* Lets a write beyond the limit of file sizes fail with EFBIG, which the writer reports. A handler and not
 * SIG_IGN, which programs would inherit. */
static void too_large(int signal)
{
	(void)signal;
}

static void report_large_files(void)
{
	struct sigaction before, noted = {.sa_handler = too_large, .sa_flags = SA_RESTART};

	sigaction(SIGXFSZ, NULL, &before);
	if (before.sa_handler == SIG_DFL)
		sigaction(SIGXFSZ, &noted, NULL);
}

int main(int argc, char **argv)
{
	hold_standard();
	/* It may be inherited as ignored, and then nobody can wait for a child. */
	signal(SIGCHLD, SIG_DFL);
	report_large_files();
	return cli__cli(argc, argv, stdout, stderr);
}
