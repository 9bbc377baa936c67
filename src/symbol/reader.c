/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* asprintf */
#include "symbol/reader.h"

#include <errno.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* libdwfl takes the search path through a pointer to a pointer; the other callbacks are its own functions. */
static const Dwfl_Callbacks *callbacks(struct symbol__reader *reader, Dwfl_Callbacks *out)
{
	*out = (Dwfl_Callbacks){.find_elf = dwfl_build_id_find_elf,
				.find_debuginfo = dwfl_standard_find_debuginfo,
				.section_address = dwfl_offline_section_address,
				.debuginfo_path = &reader->debug_path};
	return out;
}

/* Makes the search path: the file's own folder (an empty element) and its .debug; the folder of debug files,
 * or of an unpacked package; the sysroot's and the system's. The paths are absolute, because libdwfl looks
 * for build-ids under no others. A '+' would also check the CRC of a build-id match; libdwfl checks it for
 * .gnu_debuglink, where nothing else identifies the file. */
static char *search_path(const struct symbol__symbols_options *options)
{
	char *debug = options->debug_dir ? realpath(options->debug_dir, NULL) : NULL;
	char *root = options->sysroot ? realpath(options->sysroot, NULL) : NULL;
	char *path = NULL;
	int n = asprintf(&path, "+:%s%s%s%s.debug:%s%s/usr/lib/debug", debug ? debug : "", debug ? ":" : "",
			 debug ? debug : "", debug ? "/usr/lib/debug:" : "", root ? root : "",
			 root ? "/usr/lib/debug:" : "");

	free(debug);
	free(root);
	return n < 0 ? NULL : path;
}

static void read_segments(struct symbol__reader *reader)
{
	struct symbol__symbols_about *about = &reader->about;
	size_t n = 0;

	if (elf_getphdrnum(reader->elf, &n) != 0)
		return;
	for (size_t i = 0; i < n && i < 65536 && about->segments < SYMBOL__SEGMENTS; i++) {
		GElf_Phdr header;
		if (!gelf_getphdr(reader->elf, (int)i, &header) || header.p_type != PT_LOAD)
			continue;
		about->segment[about->segments++] = (struct symbol__segment){
			.offset = header.p_offset,
			.address = header.p_vaddr,
			.size = header.p_filesz,
			.executable = (header.p_flags & PF_X) != 0,
		};
	}
}

static void read_build_id(struct symbol__reader *reader)
{
	const unsigned char *id = NULL;
	GElf_Addr where;
	int n = dwfl_module_build_id(reader->module, &id, &where);

	if (n <= 0 || id == NULL || n > SYMBOL__BUILD_ID)
		return;
	memcpy(reader->about.build_id, id, (size_t)n);
	reader->about.build_id_size = (uint32_t)n;
}

static int read_header(struct symbol__reader *reader)
{
	GElf_Ehdr header;

	if (!gelf_getehdr(reader->elf, &header))
		return -ENOEXEC;
	reader->about.machine = header.e_machine;
	reader->about.is64 = header.e_ident[EI_CLASS] == ELFCLASS64;
	reader->about.big_endian = header.e_ident[EI_DATA] == ELFDATA2MSB;
	reader->about.entry = header.e_entry;
	return header.e_machine == EM_NONE ? -ENOEXEC : 0;
}

static int report_file(struct symbol__reader *reader, const char *path)
{
	static Dwfl_Callbacks calls; /* static: libdwfl keeps the pointer; one reader per process */

	reader->dwfl = dwfl_begin(callbacks(reader, &calls));
	if (reader->dwfl == NULL)
		return -ENOMEM;
	errno = 0;
	reader->module = dwfl_report_offline(reader->dwfl, "file", path, -1);
	dwfl_report_end(reader->dwfl, NULL, NULL);
	if (reader->module == NULL)
		return errno == EMFILE || errno == ENFILE ? -errno : -ENOEXEC;
	reader->elf = dwfl_module_getelf(reader->module, &reader->bias);
	return reader->elf ? 0 : -ENOEXEC;
}

/* True if the file has a section that this libelf cannot unpack: by zstd, before elfutils 0.189. */
static bool cannot_unpack(const struct symbol__reader *reader)
{
	for (Elf_Scn *section = NULL; (section = elf_nextscn(reader->elf, section)) != NULL;) {
		GElf_Shdr header;
		GElf_Chdr packed;
		if (gelf_getshdr(section, &header) && (header.sh_flags & SHF_COMPRESSED) &&
		    gelf_getchdr(section, &packed) && packed.ch_type != ELFCOMPRESS_ZLIB &&
		    elf_compress(section, 0, 0) < 0)
			return true;
	}
	return false;
}

int symbol__reader_open(struct symbol__reader *reader, const char *path,
			const struct symbol__symbols_options *options)
{
	*reader = (struct symbol__reader){.debug_path = search_path(options)};
	if (reader->debug_path == NULL)
		return -ENOMEM;
	int code = report_file(reader, path);
	if (code == 0)
		code = read_header(reader);
	if (code == -ENOEXEC && !reader->elf)
		return symbol__reader_text(reader, path);
	if (code != 0)
		return code;
	read_segments(reader);
	read_build_id(reader);
	symbol__reader_parts(reader);
	symbol__reader_names(reader);
	reader->about.names = reader->names;
	reader->about.has_names = reader->names > 0;
	if (!options->no_lines)
		symbol__reader_units(reader);
	reader->go_lines = !options->no_lines && reader->spans == 0 && reader->go.at;
	reader->about.has_lines = reader->spans > 0 || reader->go_lines;
	reader->about.packed_lines = !options->no_lines && reader->spans == 0 && cannot_unpack(reader);
	return 0;
}

void symbol__reader_close(struct symbol__reader *reader)
{
	for (size_t i = 0; i < reader->units; i++)
		free(reader->unit[i].function);
	free(reader->unit);
	free(reader->span);
	for (size_t i = 0; reader->text && i < reader->names; i++)
		free((char *)(uintptr_t)reader->name[i].name);
	for (size_t i = 0; i < reader->plt_texts; i++)
		free(reader->plt_text[i]);
	free(reader->plt_text);
	for (size_t i = 0; i < reader->bares; i++)
		free(reader->bare[i]);
	free(reader->bare);
	free(reader->name);
	free(reader->mark);
	free(reader->part);
	if (reader->dwfl)
		dwfl_end(reader->dwfl);
	free(reader->debug_path);
	*reader = (struct symbol__reader){0};
}

size_t symbol__reader_code(const struct symbol__reader *reader, uint64_t address, uint8_t *out, size_t n)
{
	size_t size = 0;
	const char *image = elf_rawfile(reader->elf, &size);

	if (image == NULL)
		return 0;
	for (uint32_t i = 0; i < reader->about.segments; i++) {
		const struct symbol__segment *segment = &reader->about.segment[i];
		uint64_t at = address - segment->address;
		if (address < segment->address || at >= segment->size || segment->offset >= size)
			continue;
		uint64_t left = segment->size - at;
		uint64_t in_file = size - segment->offset;
		if (at >= in_file)
			return 0;
		left = left < in_file - at ? left : in_file - at;
		n = left < n ? (size_t)left : n;
		memcpy(out, image + segment->offset + at, n);
		return n;
	}
	return 0;
}

/* The symbol table's name is used for the outermost function: it distinguishes foo.cold and foo.part.0 from
 * foo. Without a name the unwinding tables may still say where the function is. */
size_t symbol__reader_frames(struct symbol__reader *reader, uint64_t address, struct symbol__frame *out,
			     size_t max)
{
	uint64_t start = 0, end = 0;
	const struct symbol__name *name = symbol__reader_name_at(reader, address, &end);
	size_t n = max ? symbol__reader_lines(reader, address, out, max) : 0;
	bool held = name || symbol__reader_nameless(reader, address, &start, &end);

	if (held && n == 0 && max) {
		out[0] = (struct symbol__frame){0};
		n = 1;
	}
	if (name && n > 0)
		out[n - 1].function = name->name;
	if (name && n == 1 && reader->go_lines)
		symbol__reader_go_line(reader, address, &out[0]);
	for (size_t i = 0; held && i < n; i++) {
		out[i].start = name ? name->start : start;
		out[i].size = end - out[i].start;
	}
	return n;
}
