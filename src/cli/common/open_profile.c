/* SPDX-License-Identifier: MIT */
#include "cli/common/open_profile.h"

#include "base/names.h"
#include "cli/common/file_kind.h"
#include "cli/common/options.h"
#include "cli/common/suggest.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static void say_flaws(const struct cli__cli *cli, const struct cli__open_profile *loaded)
{
	static const struct {
		uint32_t flaw;
		const char *text;
	} flaws[] = {
		{PROFILE__FLAW_UNFINISHED, "recording was cut off: totals are missing"},
		{PROFILE__FLAW_TRUNCATED, "the file is truncated; only its complete parts are shown"},
		{PROFILE__FLAW_DAMAGED, "parts of the file are damaged and left out"},
	};

	for (size_t i = 0; i < sizeof flaws / sizeof flaws[0]; i++)
		if (loaded->profile->flaws & flaws[i].flaw)
			cli__message(cli, "%s: %s", loaded->path, flaws[i].text);
	if (loaded->profile->flaws & PROFILE__FLAW_LOST)
		cli__message(cli, "%s: %" PRIu64 " samples were lost while recording", loaded->path,
			     loaded->profile->lost);
}

static int choose_event(const struct cli__cli *cli, const char *want, struct cli__open_profile *loaded)
{
	const struct profile__profile *profile = loaded->profile;
	struct cli__nearest near = {.want = want};
	struct cli__names names = {0};

	for (uint32_t e = 0; want && e < profile->events; e++) {
		const struct profile__event *event = &profile->event[e];
		if (apmu_base__same_name(event->label, want) || apmu_base__same_name(event->name, want)) {
			loaded->event = e;
			free(cli__names_take(&names));
			return 0;
		}
		cli__nearest_offer(&near, event->label);
		cli__nearest_offer(&near, event->name);
		cli__names_add(&names, event->label);
	}
	char *all = cli__names_take(&names);
	if (want && cli__nearest(&near))
		cli__message(cli, "%s has no event '%s'; did you mean '%s'?", loaded->path, want,
			     cli__nearest(&near));
	else if (want)
		cli__message(cli, "%s has no event '%s'; it has: %s", loaded->path, want, all);
	free(all);
	return want ? CLI__EXIT_USAGE : 0;
}

/* Refuses a folder that does not exist, because its only other sign would be missing names. */
static int check_folder(const struct cli__cli *cli, const char *option, const char *path)
{
	struct stat about;

	if (path == NULL || (stat(path, &about) == 0 && S_ISDIR(about.st_mode)))
		return 0;
	return cli__option_bad(cli, option, path, "a folder");
}

int cli__load_profile(const struct cli__cli *cli, const struct cli__load_options *options,
		      struct cli__open_profile *loaded)
{
	char error[512];

	if ((options->input && cli__option_file(cli, "-i", options->input) != 0) ||
	    check_folder(cli, "--sysroot", options->sysroot) != 0 ||
	    check_folder(cli, "--debug-dir", options->debug_dir) != 0)
		return CLI__EXIT_USAGE;
	*loaded = (struct cli__open_profile){.path = options->input ? options->input : CLI__DATA_FILE};
	if (profile__open(loaded->path, &loaded->profile, error, sizeof error) != 0) {
		enum cli__file_kind kind = cli__file_kind(loaded->path);
		bool other = kind != CLI__FILE_UNKNOWN && kind != CLI__FILE_RECORDING;
		cli__message(cli, "%s%s%s", error, other ? "; it is " : "",
			     other                    ? cli__file_kind_text(kind)
			     : options->input == NULL ? "; 'apmu record' makes it, -i names another file"
						      : "");
		return CLI__EXIT_FAILURE;
	}
	say_flaws(cli, loaded);
	return choose_event(cli, options->event, loaded);
}

void cli__say_notes(const struct cli__cli *cli, const struct profile__resolver *resolver, bool functions)
{
	const char *note;
	char text[600];

	for (size_t i = 0; (note = profile__resolver_note(resolver, i)) != NULL; i++)
		cli__message(cli, "%s", note);
	for (uint32_t i = 0; profile__resolver_trouble(resolver, &i, text, sizeof text);)
		cli__message(cli, "%s", text);
	if (functions && profile__resolver_nameless(resolver, text, sizeof text))
		cli__message(cli, "%s", text);
	if (functions && profile__resolver_moved(resolver, text, sizeof text))
		cli__message(cli, "%s", text);
}

int cli__load(const struct cli__cli *cli, const struct cli__load_options *options,
	      struct cli__open_profile *loaded)
{
	const struct profile__resolver_options names = {.sysroot = options->sysroot,
							.debug_dir = options->debug_dir,
							.no_lines = options->no_lines,
							.no_inlines = options->no_inlines};
	int code = cli__load_profile(cli, options, loaded);

	if (code != 0)
		return code;
	loaded->resolver = profile__resolver_open(loaded->profile, &names);
	int bad = loaded->resolver ? profile__summary_make(&loaded->summary, loaded->profile,
							   loaded->resolver, options->by_thread)
				   : -ENOMEM;
	if (bad != 0) {
		cli__message(cli, "%s: its samples cannot be read: %s", loaded->path, strerror(-bad));
		return CLI__EXIT_FAILURE;
	}
	cli__say_notes(cli, loaded->resolver, true);
	return 0;
}

void cli__unload(struct cli__open_profile *loaded)
{
	profile__summary_free(&loaded->summary);
	profile__resolver_close(loaded->resolver);
	profile__close(loaded->profile);
	*loaded = (struct cli__open_profile){0};
}

void cli__put_program(const struct profile__profile *profile, FILE *out)
{
	cli__put_plain(profile->program, out);
	for (size_t i = 1; i < profile->args; i++) {
		fputc(' ', out);
		cli__put_plain(profile->argv[i], out);
	}
}
