/* SPDX-License-Identifier: MIT */
/* The conformance vectors. */
#include "module.h"

/* Runs the vector in the input buffer on each core that it names, straight and with snapshots, as the
 * project's tests do. The number of runs; 0 with the reason in the output buffer; -1 for a line that holds no
 * vector. */
EXPORT("vector") int vector(void)
{
	char why[VEC_WHY];
	struct vec v;
	int runs = 0;

	begin();
	input[strcspn(input, "#\r\n")] = '\0';
	if (!input[strspn(input, " \t")])
		return -1;
	if (!vec_split(input, &v)) {
		put("not five columns");
		return 0;
	}
	for (char *name; (name = vec_part(&v.cores, ", ")) != NULL;) {
		const struct apmu_core *core = apmu_core_find(name);
		for (unsigned way = 0; core && way < VEC_WAYS; way++, runs++)
			if (!vec_run(&v, core, (enum vec_way)way, why)) {
				put("%s: %s", name, why);
				return 0;
			}
		if (!core) {
			put("%s: no such core", name);
			return 0;
		}
	}
	return runs;
}
