/* SPDX-License-Identifier: MIT */
/* --drive and --console: files behind the board's virtio devices. */
#define _GNU_SOURCE /* O_CLOEXEC */
#include "cli/common/options.h"
#include "cli/run/run.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define LAST_BUS 31

static const char *name_of(bool console)
{
	return console ? "--console" : "--drive";
}

/* Takes the words behind the file's name, from the last on; what they leave is the name. */
static int take_words(const struct cli__cli *cli, struct apmu_virtio *device, char *text)
{
	char *comma;
	uint64_t bus;

	while ((comma = strrchr(text, ','))) {
		if (!device->console && strcmp(comma, ",write") == 0) {
			device->writable = true;
		} else if (strncmp(comma, ",bus=", 5) == 0) {
			if (cli__option_number(cli, device->console ? "--console: bus" : "--drive: bus",
					       comma + 5, LAST_BUS, &bus))
				return CLI__EXIT_USAGE;
			device->bus = (uint8_t)bus;
		} else {
			break;
		}
		*comma = '\0';
	}
	return 0;
}

int cli__run_add_virtio(const struct cli__cli *cli, struct cli__run_command *run, bool console,
			const char *value)
{
	size_t n = run->config.virtios;

	if (n == APMU_VIRTIOS) {
		cli__message(cli, "%s '%s': at most %d drives and consoles", name_of(console), value,
			     APMU_VIRTIOS);
		return CLI__EXIT_USAGE;
	}
	run->virtio[n] = (struct apmu_virtio){.console = console, .bus = (uint8_t)(LAST_BUS - n)};
	run->virtio_path[n] = cli__copy(value);
	run->config.virtios++;
	return take_words(cli, &run->virtio[n], run->virtio_path[n]);
}

static const char irregular[] = "is not a regular file";

/* Maps the file's bytes: shared if the guest may write, else private. NULL, or what is wrong. */
static const char *map(struct apmu_virtio *device, const char *path)
{
	int fd = open(path, (device->writable ? O_RDWR : O_RDONLY) | O_CLOEXEC);
	struct stat about;
	const char *why = NULL;

	if (fd < 0)
		return strerror(errno);
	if (fstat(fd, &about) != 0)
		why = strerror(errno);
	else if (!S_ISREG(about.st_mode) && !device->console)
		why = irregular;
	else if (S_ISDIR(about.st_mode))
		why = strerror(EISDIR);
	device->size = why || !S_ISREG(about.st_mode) ? 0 : (uint64_t)about.st_size;
	if (device->size)
		device->bytes = mmap(NULL, device->size, PROT_READ | (device->writable ? PROT_WRITE : 0),
				     device->writable ? MAP_SHARED : MAP_PRIVATE, fd, 0);
	if (device->bytes == MAP_FAILED) {
		why = strerror(errno);
		device->bytes = NULL;
	}
	close(fd);
	return why;
}

int cli__run_open_virtio(const struct cli__cli *cli, struct cli__run_command *run)
{
	run->config.virtio = run->virtio;
	for (size_t i = 0; i < run->config.virtios; i++) {
		const char *why = map(&run->virtio[i], run->virtio_path[i]);

		if (!why)
			continue;
		cli__message(cli, "%s '%s'%s%s", name_of(run->virtio[i].console), run->virtio_path[i],
			     why == irregular ? " " : ": ", why);
		return CLI__EXIT_FAILURE;
	}
	return 0;
}

void cli__run_close_virtio(struct cli__run_command *run)
{
	for (size_t i = 0; i < run->config.virtios; i++) {
		if (run->virtio[i].bytes)
			munmap(run->virtio[i].bytes, run->virtio[i].size);
		free(run->virtio_path[i]);
	}
}
