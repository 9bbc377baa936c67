/* SPDX-License-Identifier: MIT */
void spin_library(void)
{
	for (volatile int i = 0; i < 2000; i++)
		;
}
