/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* strdup */
#include "profile/resolve.h"

#include "symbol/pool.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* A mapped file, as it was when it was mapped. */
struct object {
	const char *path;
	int32_t pid; /* process, if the process made the code; else 0 */
	const uint8_t *build_id;
	uint8_t build_id_size;
	struct symbol__symbols *symbols;
	bool tried;
	unsigned nameless; /* number of instructions in functions without names */
};

/* A hash table of places by object and address, with open addressing. */
struct profile__resolver {
	const struct profile__profile *profile;
	struct profile__resolver_options options;
	struct object *object; /* object[0]: no file */
	uint32_t objects;
	uint32_t *object_of; /* indexed by mapping */
	struct profile__place **slot;
	size_t slots, used;
	struct symbol__pool pool;
	char **note;
	size_t notes;
	bool no_servers; /* one did not answer */
};

const char *profile__base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

static bool same_file(const struct object *object, const struct profile__map *map)
{
	return object->pid == (map->function ? map->pid : 0) && strcmp(object->path, map->path) == 0 &&
	       object->build_id_size == map->build_id_size &&
	       memcmp(object->build_id, map->build_id, map->build_id_size) == 0;
}

static void find_objects(struct profile__resolver *resolver)
{
	resolver->object[0] = (struct object){.path = "[unknown]", .tried = true};
	resolver->objects = 1;
	for (size_t i = 0; i < resolver->profile->maps; i++) {
		const struct profile__map *map = &resolver->profile->map[i];
		uint32_t at = 1;
		while (at < resolver->objects && !same_file(&resolver->object[at], map))
			at++;
		if (at == resolver->objects)
			resolver->object[resolver->objects++] =
				(struct object){.path = map->path,
						.pid = map->function ? map->pid : 0,
						.build_id = map->build_id,
						.build_id_size = map->build_id_size,
						.tried = map->path[0] == '['};
		resolver->object_of[i] = at;
	}
}

struct profile__resolver *profile__resolver_open(const struct profile__profile *profile,
						 const struct profile__resolver_options *options)
{
	struct profile__resolver *resolver = calloc(1, sizeof *resolver);

	if (resolver == NULL)
		return NULL;
	resolver->profile = profile;
	if (options)
		resolver->options = *options;
	resolver->object = calloc(profile->maps + 1, sizeof *resolver->object);
	resolver->object_of = calloc(profile->maps + 1, sizeof *resolver->object_of);
	if (resolver->object && resolver->object_of) {
		find_objects(resolver);
		return resolver;
	}
	profile__resolver_close(resolver);
	return NULL;
}

void profile__resolver_close(struct profile__resolver *resolver)
{
	if (resolver == NULL)
		return;
	for (uint32_t i = 0; i < resolver->objects; i++)
		symbol__symbols_close(resolver->object[i].symbols);
	for (size_t i = 0; i < resolver->slots; i++)
		free(resolver->slot[i]);
	for (size_t i = 0; i < resolver->notes; i++)
		free(resolver->note[i]);
	free(resolver->note);
	free(resolver->slot);
	free(resolver->object);
	free(resolver->object_of);
	symbol__pool_free(&resolver->pool);
	free(resolver);
}

static void note(struct profile__resolver *resolver, const char *text)
{
	char **more = realloc(resolver->note, (resolver->notes + 1) * sizeof *more);

	if (more == NULL)
		return;
	resolver->note = more;
	resolver->note[resolver->notes] = strdup(text);
	resolver->notes += resolver->note[resolver->notes] != NULL;
}

static bool rebuilt(const struct object *object)
{
	const struct symbol__symbols_about *about = symbol__symbols_about(object->symbols);

	return object->build_id_size && about->build_id_size &&
	       (object->build_id_size != about->build_id_size ||
		memcmp(object->build_id, about->build_id, object->build_id_size) != 0);
}

/* UNHEARD: seconds for which servers of debug files may look for one in vain. */
enum { UNHEARD = 20 };

/* Opens an object's file. Servers that let it wait for nothing are asked for no other: libdebuginfod tries
 * each for minutes. */
static int open_file(struct profile__resolver *resolver, struct object *object,
		     const struct symbol__symbols_options *options, char *error, size_t size)
{
	struct timespec begin, end;
	char text[512];

	clock_gettime(CLOCK_MONOTONIC, &begin);
	int code = symbol__symbols_open(object->path, options, &object->symbols, error, size);
	clock_gettime(CLOCK_MONOTONIC, &end);
	if (options->no_servers || !symbol__servers() || end.tv_sec - begin.tv_sec < UNHEARD ||
	    (code == 0 && symbol__symbols_about(object->symbols)->has_lines))
		return code;
	resolver->no_servers = true;
	snprintf(
		text, sizeof text,
		"%s: the servers of DEBUGINFOD_URLS had nothing in %ld seconds; they were asked for no other file",
		object->path, (long)(end.tv_sec - begin.tv_sec));
	note(resolver, text);
	return code;
}

static void open_object(struct profile__resolver *resolver, struct object *object)
{
	struct symbol__symbols_options options = {.sysroot = resolver->options.sysroot,
						  .debug_dir = resolver->options.debug_dir,
						  .no_lines = resolver->options.no_lines,
						  .no_servers = resolver->no_servers};
	char text[512];

	object->tried = true;
	if (open_file(resolver, object, &options, text, sizeof text) != 0) {
		note(resolver, text);
		return;
	}
	if (!rebuilt(object))
		return;
	snprintf(text, sizeof text,
		 "%s: was built anew since it was recorded (its build-id differs); its addresses stay bare",
		 object->path);
	note(resolver, text);
	symbol__symbols_close(object->symbols);
	object->symbols = NULL;
}

struct symbol__symbols *profile__resolver_symbols(struct profile__resolver *resolver, uint32_t object_id)
{
	if (object_id >= resolver->objects)
		return NULL;
	struct object *object = &resolver->object[object_id];
	if (!object->tried)
		open_object(resolver, object);
	return object->symbols;
}

const char *profile__resolver_note(const struct profile__resolver *resolver, size_t i)
{
	return i < resolver->notes ? resolver->note[i] : NULL;
}

bool profile__resolver_trouble(const struct profile__resolver *resolver, uint32_t *i, char *out, size_t size)
{
	while (*i < resolver->objects) {
		const struct object *object = &resolver->object[(*i)++];
		const char *text = object->symbols ? symbol__symbols_trouble(object->symbols) : NULL;
		if (text) {
			snprintf(out, size, "%s: %s", object->path, text);
			return true;
		}
	}
	return false;
}

/* Names a place "[libc.so.6+0x1234]" by the function's start if that is known, else by its address. */
static void name_by_address(struct profile__resolver *resolver, struct profile__place *place)
{
	char text[300];

	if (place->size)
		snprintf(text, sizeof text, "[%.255s+0x%" PRIx64 "]", profile__base_name(place->object),
			 place->start);
	else
		snprintf(text, sizeof text, "0x%" PRIx64, place->address);
	place->function = symbol__pool_add(&resolver->pool, text);
	place->named = place->size && place->function;
	if (place->function == NULL)
		place->function = "?";
}

/* NAMELESS: number of instructions in functions without names in a file from which on the user is told where
 * names are. LISTED: most files named. */
enum { NAMELESS = 50, LISTED = 3 };

static bool is_nameless(const struct object *object)
{
	return object->symbols && object->nameless >= NAMELESS;
}

static uint32_t count_nameless(const struct profile__resolver *resolver)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < resolver->objects; i++)
		n += is_nameless(&resolver->object[i]);
	return n;
}

/* Makes "a, b, c and 2 more"; for one file the whole path. */
static void list_nameless(const struct profile__resolver *resolver, uint32_t n, char *out, size_t size)
{
	uint32_t listed = 0;
	size_t at = 0;

	for (uint32_t i = 0; i < resolver->objects && listed < LISTED && at < size; i++) {
		const char *path = resolver->object[i].path;
		if (!is_nameless(&resolver->object[i]))
			continue;
		at += (size_t)snprintf(out + at, size - at, "%s%s", listed ? ", " : "",
				       n == 1 ? path : profile__base_name(path));
		listed++;
	}
	if (n > listed && at < size)
		snprintf(out + at, size - at, " and %" PRIu32 " more", n - listed);
}

bool profile__resolver_nameless(const struct profile__resolver *resolver, char *out, size_t size)
{
	uint32_t n = count_nameless(resolver);
	char files[300] = "";

	if (n == 0)
		return false;
	list_nameless(resolver, n, files, sizeof files);
	snprintf(
		out, size,
		"%s: functions without a name, shown by where they begin or, if that is not known, by each address; %s (--debug-dir DIR says where, if not in "
		"/usr/lib/debug%s)",
		files,
		n == 1 ? "its -dbgsym package has their names" : "their -dbgsym packages have the names",
		symbol__servers_unheard() ? "; DEBUGINFOD_URLS is of no use without libdebuginfod.so.1"
					  : "; DEBUGINFOD_URLS names servers that have them");
	return true;
}

bool profile__resolver_moved(const struct profile__resolver *resolver, char *out, size_t size)
{
	if (!resolver->profile->system || resolver->objects < 2 || resolver->used == 0)
		return false;
	for (uint32_t i = 1; i < resolver->objects; i++)
		if (resolver->object[i].tried) /* a place in it was asked for */
			return false;
	snprintf(
		out, size,
		"%s: nothing ran at its addresses; a kernel that moves itself (KASLR) keeps them with 'nokaslr' "
		"on its command line",
		profile__base_name(resolver->object[1].path));
	return true;
}

/* Gives the frame of a function that the program made, with the line at an address in it. */
static size_t made_frame(const struct profile__map *map, uint64_t address, struct symbol__frame *frame)
{
	uint32_t low = 0, high = map->lines; /* rows before `low` begin at or before the address */

	while (low < high) {
		uint32_t mid = low + (high - low) / 2;
		if (map->line[mid].address <= address)
			low = mid + 1;
		else
			high = mid;
	}
	*frame = (struct symbol__frame){
		.function = map->function, .start = map->start, .size = map->end - map->start};
	if (low) {
		frame->file = map->line[low - 1].file;
		frame->line = map->line[low - 1].line;
	}
	return 1;
}

/* Gives the functions at an address, innermost first; 0: no name is known. */
static size_t frames_at(const struct profile__map *map, struct symbol__symbols *symbols, uint64_t address,
			struct symbol__frame *frame)
{
	if (symbols)
		return symbol__symbols_frames(symbols, address, frame, SYMBOL__FRAMES);
	return map && map->function ? made_frame(map, address, frame) : 0;
}

/* Returns the mapping of code that the program made at an address, the latest if there are several; NULL:
 * none. Such mappings come after all files. */
static const struct profile__map *made_code(const struct profile__resolver *resolver, uint32_t object_id,
					    uint64_t address)
{
	const struct profile__profile *profile = resolver->profile;

	for (size_t i = profile->maps; i-- > 0 && profile->map[i].function;) {
		const struct profile__map *map = &profile->map[i];
		if (resolver->object_of[i] == object_id && address - map->start < map->end - map->start)
			return map;
	}
	return NULL;
}

bool profile__code_is_known(struct profile__resolver *resolver, uint32_t object_id)
{
	bool made = false;

	for (size_t i = resolver->profile->maps; i-- > 0 && resolver->profile->map[i].function && !made;)
		made = resolver->object_of[i] == object_id && resolver->profile->map[i].code;
	return made || profile__resolver_symbols(resolver, object_id);
}

size_t profile__code_frames(struct profile__resolver *resolver, uint32_t object_id, uint64_t address,
			    struct symbol__frame *out, size_t max)
{
	struct symbol__symbols *symbols = profile__resolver_symbols(resolver, object_id);
	const struct profile__map *map = symbols ? NULL : made_code(resolver, object_id, address);

	if (symbols)
		return symbol__symbols_frames(symbols, address, out, max);
	return map && max ? made_frame(map, address, out) : 0;
}

size_t profile__code_bytes(struct profile__resolver *resolver, uint32_t object_id, uint64_t address,
			   void *out, size_t n)
{
	struct symbol__symbols *symbols = profile__resolver_symbols(resolver, object_id);
	const struct profile__map *map = symbols ? NULL : made_code(resolver, object_id, address);

	if (symbols)
		return symbol__symbols_code(symbols, address, out, n);
	if (!map || !map->code)
		return 0;
	size_t left = (size_t)(map->end - address);
	n = n < left ? n : left;
	memcpy(out, map->code + (address - map->start), n);
	return n;
}

enum symbol__isa profile__code_isa(struct profile__resolver *resolver, uint32_t object_id, uint64_t address)
{
	struct symbol__symbols *symbols = profile__resolver_symbols(resolver, object_id);

	return symbols ? symbol__symbols_isa(symbols, address) : SYMBOL__ISA_UNKNOWN;
}

/* Makes a place, with its frames behind it in the same allocation. */
static struct profile__place *make(struct profile__resolver *resolver, uint32_t id, uint64_t address,
				   struct symbol__symbols *symbols, const struct profile__map *map)
{
	struct symbol__frame frame[SYMBOL__FRAMES];
	size_t n = frames_at(map, symbols, address, frame);
	/* one text per name, as in a file: a function may be made anew many times */
	const char *made = n && !symbols ? symbol__pool_add(&resolver->pool, frame[0].function) : NULL;
	size_t first = resolver->options.no_inlines && n > 1 ? n - 1 : 0;
	size_t kept = n ? n - first : 1;
	struct profile__place *place = calloc(1, sizeof *place + kept * sizeof *frame);

	if (place == NULL)
		return NULL;
	struct symbol__frame *own = (struct symbol__frame *)(place + 1);
	if (n)
		memcpy(own, frame + first, kept * sizeof *own);
	if (made)
		own[0].function = made;
	*place = (struct profile__place){.object = resolver->object[id].path,
					 .object_id = id,
					 .address = address,
					 .function = own[0].function,
					 .named = own[0].function != NULL,
					 .file = own[0].file,
					 .line = own[0].line,
					 .start = own[0].start,
					 .size = own[0].size,
					 .frame = own,
					 .frames = kept};
	if (!place->named) {
		name_by_address(resolver, place);
		resolver->object[id].nameless += symbols != NULL;
	}
	for (size_t i = 0; i < kept; i++)
		if (own[i].function == NULL)
			own[i].function = i == 0 ? place->function : "?";
	return place;
}

static struct profile__place **find(struct profile__place **slot, size_t slots, uint32_t id, uint64_t address)
{
	size_t i = (size_t)((address ^ (uint64_t)id << 48) * 0x9e3779b97f4a7c15u >> 20) & (slots - 1);

	while (slot[i] && (slot[i]->object_id != id || slot[i]->address != address))
		i = (i + 1) & (slots - 1);
	return &slot[i];
}

static bool widen(struct profile__resolver *resolver)
{
	size_t slots = resolver->slots ? 2 * resolver->slots : 1024;
	struct profile__place **slot = calloc(slots, sizeof(struct profile__place *));

	if (slot == NULL)
		return false;
	for (size_t i = 0; i < resolver->slots; i++) {
		struct profile__place *place = resolver->slot[i];
		if (place)
			*find(slot, slots, place->object_id, place->address) = place;
	}
	free(resolver->slot);
	resolver->slot = slot;
	resolver->slots = slots;
	return true;
}

const struct profile__place *profile__place_at(struct profile__resolver *resolver, uint32_t thread,
					       uint32_t when, uint64_t pc)
{
	static const struct symbol__frame nothing = {.function = "?"};
	static const struct profile__place lost = {
		.function = "?", .object = "[unknown]", .frame = &nothing, .frames = 1};
	uint32_t map = profile__map_at(resolver->profile, thread, when, pc);
	uint32_t id = map == PROFILE__NONE ? 0 : resolver->object_of[map];
	struct symbol__symbols *symbols = profile__resolver_symbols(resolver, id);
	uint64_t address = pc;

	if (symbols &&
	    !symbol__symbols_address(symbols, profile__offset(&resolver->profile->map[map], pc), &address))
		symbols = NULL;
	else if (symbols == NULL && id != 0)
		address = profile__offset(&resolver->profile->map[map], pc);
	if (2 * resolver->used >= resolver->slots && !widen(resolver))
		return &lost;
	struct profile__place **slot = find(resolver->slot, resolver->slots, id, address);
	if (*slot == NULL) {
		*slot = make(resolver, id, address, symbols,
			     map == PROFILE__NONE ? NULL : &resolver->profile->map[map]);
		resolver->used += *slot != NULL;
	}
	return *slot ? *slot : &lost;
}
