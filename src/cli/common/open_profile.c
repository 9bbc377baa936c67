/* SPDX-License-Identifier: MIT */
#include "cli/common/open_profile.h"

#include "cli/common/options.h"
#include "cli/common/suggest.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static void say_flaws(const struct apmu__cli *cli, const struct apmu__open_profile *loaded)
{
	static const struct {
		uint32_t flaw;
		const char *text;
	} flaws[] = {
		{APMU__FLAW_UNFINISHED, "recording was cut off: totals are missing"},
		{APMU__FLAW_TRUNCATED, "the file is cut short: what was whole is shown"},
		{APMU__FLAW_DAMAGED, "parts of the file are damaged and left out"},
	};

	for (size_t i = 0; i < sizeof flaws / sizeof flaws[0]; i++)
		if (loaded->profile->flaws & flaws[i].flaw)
			apmu__complain(cli, "%s: %s", loaded->path, flaws[i].text);
	if (loaded->profile->flaws & APMU__FLAW_LOST)
		apmu__complain(cli, "%s: %" PRIu64 " samples were lost while recording", loaded->path,
			       loaded->profile->lost);
}

static int choose_event(const struct apmu__cli *cli, const char *want, struct apmu__open_profile *loaded)
{
	const struct apmu__profile *profile = loaded->profile;
	struct apmu__nearest near = {.want = want};
	struct apmu__names names = {0};

	for (uint32_t e = 0; want && e < profile->events; e++) {
		const struct apmu__profile_event *event = &profile->event[e];
		if (strcmp(event->label, want) == 0 || strcmp(event->name, want) == 0) {
			loaded->event = e;
			free(apmu__names_take(&names));
			return 0;
		}
		apmu__nearest_offer(&near, event->label);
		apmu__nearest_offer(&near, event->name);
		apmu__names_add(&names, event->label);
	}
	char *all = apmu__names_take(&names);
	if (want && apmu__nearest(&near))
		apmu__complain(cli, "%s has no event '%s'; did you mean '%s'?", loaded->path, want,
			       apmu__nearest(&near));
	else if (want)
		apmu__complain(cli, "%s has no event '%s'; it has: %s", loaded->path, want, all);
	free(all);
	return want ? APMU__EXIT_USAGE : 0;
}

/* A folder that is not there would do no more than leave names away. */
static int check_folder(const struct apmu__cli *cli, const char *option, const char *path)
{
	struct stat about;

	if (path == NULL || (stat(path, &about) == 0 && S_ISDIR(about.st_mode)))
		return 0;
	return apmu__option_bad(cli, option, path, "a folder");
}

int apmu__load_profile(const struct apmu__cli *cli, const struct apmu__load_options *options,
		       struct apmu__open_profile *loaded)
{
	char error[512];

	if ((options->input && apmu__option_file(cli, "-i", options->input) != 0) ||
	    check_folder(cli, "--sysroot", options->sysroot) != 0 ||
	    check_folder(cli, "--debug-dir", options->debug_dir) != 0)
		return APMU__EXIT_USAGE;
	*loaded = (struct apmu__open_profile){.path = options->input ? options->input : APMU__DATA_FILE};
	if (apmu__profile_open(loaded->path, &loaded->profile, error, sizeof error) != 0) {
		bool guessed = options->input == NULL;
		apmu__complain(cli, "%s%s", error,
			       guessed ? "; 'apmu record' makes it, -i names another file" : "");
		return APMU__EXIT_FAILURE;
	}
	say_flaws(cli, loaded);
	return choose_event(cli, options->event, loaded);
}

int apmu__load(const struct apmu__cli *cli, const struct apmu__load_options *options,
	       struct apmu__open_profile *loaded)
{
	const struct apmu__resolver_options names = {.sysroot = options->sysroot,
						     .debug_dir = options->debug_dir,
						     .no_lines = options->no_lines,
						     .no_inlines = options->no_inlines};
	int code = apmu__load_profile(cli, options, loaded);
	const char *note;

	if (code != 0)
		return code;
	loaded->resolver = apmu__resolver_open(loaded->profile, &names);
	if (loaded->resolver == NULL || apmu__summary_make(&loaded->summary, loaded->profile,
							   loaded->resolver, options->by_thread) != 0) {
		apmu__complain(cli, "%s: not enough memory for its samples", loaded->path);
		return APMU__EXIT_FAILURE;
	}
	for (size_t i = 0; (note = apmu__resolver_note(loaded->resolver, i)) != NULL; i++)
		apmu__complain(cli, "%s", note);
	return 0;
}

void apmu__unload(struct apmu__open_profile *loaded)
{
	apmu__summary_free(&loaded->summary);
	apmu__resolver_close(loaded->resolver);
	apmu__profile_close(loaded->profile);
	*loaded = (struct apmu__open_profile){0};
}
