/* SPDX-License-Identifier: MIT */
#include "cli/cli.h"

#include <fcntl.h>

/* A closed descriptor 0, 1 or 2 would be the next file that is opened, and a message would go into a profile.
 * What takes its place here fails as it would: nothing can be read from the first, or written to the others.
 */
static void hold_standard(void)
{
	for (int fd = 0; fd < 3; fd++)
		if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY) < 0)
			return;
}

int main(int argc, char **argv)
{
	hold_standard();
	return cli__cli(argc, argv, stdout, stderr);
}
