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
SPIN(at_once)
SPIN(below)
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

// What catches calls what throws, and in its handler a function with a frame as large.
extern "C" PLAIN void throws_at_once(int n)
{
	if (n > 0)
		throw n;
	sink = n;
}

extern "C" PLAIN void alike(int n)
{
	spin_below();
	sink = n;
	spin_at_once();
	sink = n + 1;
}

extern "C" PLAIN void catches(int n)
{
	try {
		throws_at_once(n);
	} catch (int caught) {
		alike(caught);
	}
	sink = 3;
}

int main(int argc, char **)
{
	tries(argc);
	catches(argc);
	spin_end();
	return 0;
}
