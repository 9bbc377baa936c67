/* SPDX-License-Identifier: MIT */
#include "cli/cli.h"

int main(int argc, char **argv)
{
	return apmu__cli(argc, argv, stdout, stderr);
}
