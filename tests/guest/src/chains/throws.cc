// SPDX-License-Identifier: MIT
// An exception through two functions, one of which has something to clean up.
#define PLAIN __attribute__((noinline, noclone, noipa))
#define SPIN(name)                                           \
	extern "C" PLAIN void spin_##name()                  \
	{                                                    \
		for (volatile int i = 0; i < 400; i = i + 1) \
			;                                    \
	}

SPIN(cleanup)
SPIN(catch)
SPIN(after_catch)
SPIN(end)

static volatile int sink;

struct guard {
	PLAIN ~guard()
	{
		spin_cleanup();
		sink = sink + 1;
	}
};

extern "C" PLAIN void throws(int n)
{
	if (n > 0)
		throw n;
	sink = n;
}

extern "C" PLAIN void passes(int n)
{
	guard g;
	throws(n);
	sink = n;
}

extern "C" PLAIN void tries(int n)
{
	try {
		passes(n);
	} catch (int) {
		spin_catch();
		sink = 1;
	}
	spin_after_catch();
	sink = 2;
}

int main(int argc, char **)
{
	tries(argc);
	spin_end();
	return 0;
}
