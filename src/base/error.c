/* SPDX-License-Identifier: MIT */
/* Names of the host's errors. */
#include <apmu/types.h>

static const struct {
	int code;
	const char *text;
} errors[] = {
	{APMU_OK, "APMU_OK: no error"},
	{APMU_EPERM, "APMU_EPERM: the access is Undefined at this level"},
	{APMU_ENOENT, "APMU_ENOENT: no such core, event, register or field"},
	{APMU_EIO, "APMU_EIO: the bus or the kernel refused"},
	{APMU_E2BIG, "APMU_E2BIG: does not fit"},
	{APMU_ENOMEM, "APMU_ENOMEM: out of host memory"},
	{APMU_EACCES, "APMU_EACCES: the access traps to a higher level"},
	{APMU_EBUSY, "APMU_EBUSY: not while it is in use"},
	{APMU_ENODEV, "APMU_ENODEV: no PMU there"},
	{APMU_EINVAL, "APMU_EINVAL: a value outside its range"},
	{APMU_ENOSPC, "APMU_ENOSPC: more events than counters"},
	{APMU_ERANGE, "APMU_ERANGE: beyond what a counter holds"},
	{APMU_EILSEQ, "APMU_EILSEQ: a snapshot of another version or core"},
	{APMU_EOPNOTSUPP, "APMU_EOPNOTSUPP: this PMU cannot"},
};

const char *apmu_strerror(int code)
{
	for (size_t i = 0; i < sizeof(errors) / sizeof(errors[0]); i++)
		if (errors[i].code == code)
			return errors[i].text;
	return "unknown error";
}
