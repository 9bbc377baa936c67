/* SPDX-License-Identifier: MIT */
#include "cli/common/json.h"
#include "cli/common/options.h"
#include "cli/common/output.h"
#include "cli/common/register_encoding.h"
#include "cli/common/register_fields.h"
#include "cli/common/suggest.h"
#include "cli/common/table.h"
#include "cli/decode/decode_dump.h"

#include <stdlib.h>
#include <string.h>

#define DIGITS "0123456789"

enum { OPT_CORE, OPT_SET, OPT_FILE, OPT_JSON, OPT_HELP };

static const struct cli__option options[] = {
	{'c', "core", "NAME", "the core whose register it is (default: the first that has\none of that name)",
	 OPT_CORE},
	{0, "set", "FIELD=VALUE",
	 "put VALUE into FIELD (several: separated by ','), starting from\nthe register value given, else from 0. An event field takes an\nevent's name too",
	 OPT_SET},
	{'f', "file", "FILE",
	 "registers in a dump of another tool (- is standard input): names\nwith values, or words of the memory-mapped frame behind their\naddress; numbers are hexadecimal, with or without 0x",
	 OPT_FILE},
	{'j', "json", NULL, "JSON, one object per register (docs/json.md)", OPT_JSON},
	{'h', "help", NULL, "this text", OPT_HELP},
	{0, NULL, NULL, NULL, 0}};

struct question {
	const struct cli__cli *cli;
	const struct apmu_core *core; /* named by --core, else the first that has the register */
	const struct apmu_reg *reg;
	char *name;       /* name or encoding, as given */
	const char *file; /* --file */
	char *set;        /* all of --set, joined by ',' */
	const char *value_text;
	uint64_t value;     /* of the whole register */
	unsigned lo, width; /* the bits that REGISTER shows: an upper half has an encoding of its own */
	bool json, guessed; /* guessed: no --core was given */
};

static void print_help(FILE *out)
{
	fputs("usage: apmu decode [--core NAME] REGISTER VALUE\n"
	      "       apmu decode [--core NAME] REGISTER=VALUE...\n"
	      "       apmu decode [--core NAME] --file DUMP\n"
	      "       apmu decode [--core NAME] REGISTER [VALUE] --set FIELD=VALUE[,FIELD=VALUE]...\n"
	      "\n"
	      "Takes the value of a register apart, field by field, or puts one together. REGISTER is a name, such as\n"
	      "PMNC or PMEVTYPER3_EL0, or an encoding: p15,0,c15,c12,0, 'cp14 0,c0,c0,0', S3_3_C9_C12_0, or\n"
	      "0xE04, an offset in the memory-mapped frame.\n"
	      "\n",
	      out);
	cli__options_help(options, out);
	fputs("\n"
	      "For example:\n"
	      "  apmu decode PMNC 0x00500701 --core arm1136\n"
	      "  apmu decode --core cortex-a53 PMCR_EL0=0x41033001 PMCNTENSET_EL0=0x80000003\n"
	      "  apmu decode --core cortex-a53 --file openocd.txt\n"
	      "  apmu decode --core xscale2 EVTSEL --set evtCount0=INSTRUCTION,evtCount1=0x0b\n",
	      out);
}

/* Finds an indexed register: PMEVTYPER3_EL0 is PMEVTYPER<n>_EL0, on a core that has a counter 3. */
static const struct apmu_reg *indexed_on(const struct apmu_core *core, const char *name)
{
	for (size_t i = strcspn(name, DIGITS), end; name[i] != '\0'; i = end + strcspn(name + end, DIGITS)) {
		unsigned long n = strtoul(name + i, NULL, 10);
		const struct apmu_reg *reg;
		char *row;

		end = i + strspn(name + i, DIGITS);
		row = cli__format("%.*s<n>%s", (int)i, name, name + end);
		reg = n < core->counters ? apmu_reg_find(core, row) : NULL;
		free(row);
		if (reg != NULL)
			return reg;
	}
	return NULL;
}

/* Finds a register by its encoding; *n is the counter that this names, one that the core has. */
static const struct apmu_reg *encoded_on(const struct apmu_core *core, const char *name, unsigned *n)
{
	const struct apmu_reg *reg;
	struct apmu_encoding at;

	if (!cli__encoding_parse(name, &at))
		return NULL;
	reg = apmu_reg_at(core, (enum apmu_view)at.view, at.encoding, n);
	return reg != NULL && (*n < core->counters || strstr(reg->name, "<n>") == NULL) ? reg : NULL;
}

static const struct apmu_reg *reg_on(const struct apmu_core *core, const char *name)
{
	const struct apmu_reg *reg = apmu_reg_find(core, name);
	unsigned n;

	if (reg == NULL)
		reg = indexed_on(core, name);
	return reg != NULL ? reg : encoded_on(core, name, &n);
}

/* "PMEVTYPER3_EL0": the register's name, with the counter that was asked for. */
static char *full_name(const struct question *q)
{
	const char *index = strstr(q->reg->name, "<n>");
	unsigned n;

	if (indexed_on(q->core, q->name) == q->reg)
		return cli__copy(q->name);
	if (index == NULL || encoded_on(q->core, q->name, &n) != q->reg)
		return cli__copy(q->reg->name);
	return cli__format("%.*s%u%s", (int)(index - q->reg->name), q->reg->name, n, index + strlen("<n>"));
}

/* True if a register has the same fields on both cores. */
static bool alike(const struct apmu_reg *reg, const struct apmu_core *a, const struct apmu_core *b)
{
	for (unsigned i = 0; i < reg->fields; i++)
		if (apmu_field_kind(&reg->field[i], a->features) !=
		    apmu_field_kind(&reg->field[i], b->features))
			return false;
	return true;
}

/* "arm1136jf-s, arm1176jzf-s": cores whose register of this name has the fields of q->reg on q->core (or,
 * with `other`, does not). */
static char *cores_where(const struct question *q, bool other)
{
	struct cli__names names = {0};

	for (size_t i = 0; i < apmu_core_count(); i++) {
		const struct apmu_core *core = apmu_core_at(i);
		const struct apmu_reg *found = reg_on(core, q->name);

		if (found != NULL && (found == q->reg && alike(found, core, q->core)) != other)
			cli__names_add(&names, core->name);
	}
	return cli__names_take(&names);
}

static void offer_registers(struct cli__nearest *near, const struct apmu_core *core)
{
	for (unsigned i = 0; i < apmu_reg_count(core); i++)
		cli__nearest_offer(near, apmu_reg_nth(core, i)->name);
}

/* Returns the encoding that REGISTER means if that shows an upper half alone, else NULL. A name means the
 * whole register, unless every encoding shows an upper half (PMCEID2). */
static const struct apmu_encoding *upper_half(const struct question *q)
{
	const struct apmu_encoding *part = q->reg->at, *end = part + q->reg->encodings;
	struct apmu_encoding at;
	unsigned n;
	bool given = cli__encoding_parse(q->name, &at) && encoded_on(q->core, q->name, &n) == q->reg;

	for (; part < end; part++) {
		if (!given && part->lo == 0)
			return NULL;
		if (given && at.view == part->view && at.encoding == apmu_encoding_for(part, n))
			return part->lo != 0 ? part : NULL;
	}
	return given || q->reg->encodings == 0 ? NULL : q->reg->at;
}

static void find_part(struct question *q)
{
	const struct apmu_encoding *upper = upper_half(q);

	q->lo = upper != NULL ? upper->lo : 0;
	q->width = upper != NULL ? upper->width : q->reg->width;
}

/* The bits of the register that REGISTER shows. */
static uint64_t part(const struct question *q)
{
	return UINT64_MAX >> (64 - q->width) << q->lo;
}

static bool find_register(struct question *q)
{
	q->guessed = q->core == NULL;
	for (size_t i = 0; q->core == NULL && i < apmu_core_count(); i++)
		if (reg_on(apmu_core_at(i), q->name) != NULL)
			q->core = apmu_core_at(i);
	q->reg = q->core != NULL ? reg_on(q->core, q->name) : NULL;
	if (q->reg != NULL)
		find_part(q);
	return q->reg != NULL;
}

/* True if the name is a register's with a number behind it. */
static bool extra_value(const struct question *q)
{
	struct question first = {.cli = q->cli, .core = q->core, .name = cli__copy(q->name)};
	char *space = strrchr(first.name, ' ');
	uint64_t value;
	bool extra = space != NULL && cli__number(space + 1, UINT64_MAX, &value);

	if (extra) {
		*space = '\0';
		extra = find_register(&first);
	}
	free(first.name);
	return extra;
}

static int no_register(const struct question *q)
{
	char *others = cores_where(q, true);
	struct cli__nearest near = {.want = q->name};

	for (size_t i = 0; i < apmu_core_count(); i++)
		if (q->core == NULL || q->core == apmu_core_at(i))
			offer_registers(&near, apmu_core_at(i));
	if (extra_value(q))
		cli__message(q->cli,
			     "'%s': a register has one value; several registers are given as REGISTER=VALUE",
			     q->name);
	else if (q->core != NULL && others[0] != '\0')
		cli__message(q->cli, "%s has no register '%s'; cores that have it: %s", q->core->name,
			     q->name, others);
	else if (cli__nearest(&near) != NULL)
		cli__message(q->cli, "unknown register '%s'; did you mean '%s'?", q->name,
			     cli__nearest(&near));
	else
		cli__message(q->cli, "unknown register '%s'; 'apmu list registers --core %s' has them all",
			     q->name, q->core != NULL ? q->core->name : "NAME");
	free(others);
	return CLI__EXIT_USAGE;
}

static int read_value(struct question *q)
{
	uint64_t value = 0;

	if (q->value_text != NULL && !cli__number(q->value_text, part(q) >> q->lo, &value)) {
		bool hex = q->value_text[strspn(q->value_text, "0123456789abcdefABCDEF")] == '\0' &&
			   q->value_text[strspn(q->value_text, DIGITS)] != '\0';
		cli__message(q->cli, "'%s' is not a number that fits %u bits%s", q->value_text, q->width,
			     hex ? "; a hexadecimal one begins with 0x" : "");
		return CLI__EXIT_USAGE;
	}
	q->value = value << q->lo;
	return 0;
}

/* True if the core has the field; bits without a name and fields of a feature that the core lacks do not
 * count. */
static bool is_here(const struct apmu_core *core, const struct apmu_field *field)
{
	return cli__field_is_named(field, apmu_field_kind(field, core->features));
}

static const struct apmu_field *find_field(const struct question *q, const char *name)
{
	const struct apmu_field *field = apmu_reg_field(q->reg, name);

	return field != NULL && is_here(q->core, field) && field->lo >= q->lo ? field : NULL;
}

static int unknown_field(const struct question *q, const char *name)
{
	struct cli__nearest near = {.want = name};

	for (unsigned i = 0; i < q->reg->fields; i++) {
		const struct apmu_field *field = &q->reg->field[i];

		if (!is_here(q->core, field) || field->lo < q->lo)
			continue;
		cli__nearest_offer(&near, field->name);
		if (field->aka != NULL)
			cli__nearest_offer(&near, field->aka);
	}
	if (cli__nearest(&near) != NULL)
		cli__message(q->cli, "%s has no field '%s'; did you mean '%s'?", q->reg->name, name,
			     cli__nearest(&near));
	else
		cli__message(q->cli, "%s has no field '%s'; 'apmu list registers -v --core %s' has them all",
			     q->reg->name, name, q->core->name);
	return CLI__EXIT_USAGE;
}

/* Puts the number of an event into the field that selects it, and its upper bits into the field above. */
static void put_event(struct question *q, const struct apmu_field *field, unsigned number)
{
	for (unsigned i = 0; i < q->reg->fields; i++) {
		const struct apmu_field *part = &q->reg->field[i];

		if (is_here(q->core, part) && cli__field_holds_event(q->core, field, part))
			q->value = apmu_field_put(part, q->value, number >> part->place.lsb);
	}
}

/* The largest number that the field takes: of an event, with its upper bits in the field above. */
static uint64_t most_of(const struct question *q, const struct apmu_field *field)
{
	uint64_t most = apmu_field_max(field);

	for (unsigned i = 0; cli__field_is_event(field) && i < q->reg->fields; i++) {
		const struct apmu_field *part = &q->reg->field[i];

		if (is_here(q->core, part) && cli__field_holds_event(q->core, field, part))
			most |= apmu_field_max(part) << part->place.lsb;
	}
	return most;
}

static bool put_field(struct question *q, const struct apmu_field *field, const char *text)
{
	const struct apmu_event *event;
	uint64_t value;
	bool cycles;

	if (cli__number(text, apmu_field_max(field), &value)) {
		q->value = apmu_field_put(field, q->value, value);
		return true;
	}
	if (cli__field_is_event(field) && cli__number(text, most_of(q, field), &value)) {
		put_event(q, field, (unsigned)value);
		return true;
	}
	if (!cli__field_is_event(field) || apmu_event_name(q->core, text, &event, &cycles) != 0 ||
	    event == NULL)
		return false;
	put_event(q, field, event->number);
	return true;
}

/* Sets one FIELD=VALUE. */
static int set_field(struct question *q, char *text)
{
	char *equals = strchr(text, '=');
	const struct apmu_field *field;

	if (equals == NULL) {
		cli__message(q->cli, "--set '%s': a field is set with FIELD=VALUE", text);
		return CLI__EXIT_USAGE;
	}
	*equals = '\0';
	field = find_field(q, text);
	if (field == NULL)
		return unknown_field(q, text);
	if (!put_field(q, field, equals + 1)) {
		cli__message(q->cli, "%s.%s: '%s' is not %s from 0 to 0x%llx", q->reg->name, field->name,
			     equals + 1, cli__field_is_event(field) ? "an event or a number" : "a number",
			     (unsigned long long)most_of(q, field));
		return CLI__EXIT_USAGE;
	}
	return 0;
}

static int set_fields(struct question *q)
{
	char *list = q->set != NULL ? cli__copy(q->set) : NULL;
	int bad = 0;

	for (char *word = list, *end; bad == 0 && word != NULL; word = end) {
		end = strchr(word, ',');
		if (end != NULL)
			*end++ = '\0';
		bad = set_field(q, word);
	}
	free(list);
	return bad;
}

static void print_cores(const struct question *q, const char *what, const char *cores, const char *hint)
{
	char *text = cli__format("%s: %s%s.", what, cores, hint);

	cli__fold_text(text, 0, cli__width(q->cli->out), q->cli->out);
	free(text);
}

static void print_answer(const struct question *q)
{
	char *same = cores_where(q, false), *others = cores_where(q, true);
	char *name = full_name(q);
	int digits = (int)q->width / 4;

	fprintf(q->cli->out, "%s = 0x%0*llx on %s: %s\n\n", name, digits,
		(unsigned long long)(q->value >> q->lo), q->core->name, q->reg->title);
	cli__fields_print(q->core, q->reg, part(q), &q->value, cli__width(q->cli->out), q->cli->out);
	if (q->guessed && (strchr(same, ',') != NULL || others[0] != '\0'))
		fputc('\n', q->cli->out);
	if (q->guessed && strchr(same, ',') != NULL)
		print_cores(q, "The same register", same, "");
	if (q->guessed && others[0] != '\0')
		print_cores(q, "Another of this name, in another form", others, " (--core chooses)");
	free(name);
	free(same);
	free(others);
}

static int answer(struct question *q)
{
	json_t *object;
	int bad;

	if (!find_register(q))
		return no_register(q);
	bad = read_value(q);
	if (bad == 0)
		bad = set_fields(q);
	if (bad != 0)
		return bad;
	if (!q->json) {
		print_answer(q);
		return 0;
	}
	object = json_object();
	char *name = full_name(q);
	cli__json_add(object, "register", cli__json_text(name));
	free(name);
	cli__json_add(object, "core", cli__json_text(q->core->name));
	cli__json_add(object, "value", cli__json_bits(q->value >> q->lo));
	cli__json_add(object, "fields", cli__fields_json(q->core, q->reg, part(q), &q->value));
	return cli__json_print(object, q->cli->out);
}

/* The first `n` words with spaces between them. The caller frees it. */
static char *join(char *const *word, size_t n)
{
	char *all = cli__copy(n != 0 ? word[0] : "");

	for (size_t i = 1; i < n; i++) {
		char *longer = cli__format("%s %s", all, word[i]);

		free(all);
		all = longer;
	}
	return all;
}

/* True if the last word is VALUE, which --set makes optional: without it the words may be a whole encoding.
 */
static bool ends_in_value(const struct question *q, char *const *word, size_t n)
{
	struct apmu_encoding at;
	uint64_t value;
	char *all = join(word, n);
	bool whole = q->set != NULL && cli__encoding_parse(all, &at);

	free(all);
	return n > 1 && !whole &&
	       (q->set == NULL || word[n - 1][0] == '0' || cli__number(word[n - 1], UINT64_MAX, &value));
}

/* Takes the words: REGISTER, which an encoding may spread over several, and VALUE. */
static int take_words(struct question *q, char *const *word, size_t n)
{
	bool value = ends_in_value(q, word, n);

	if (n == 0 || (!value && q->set == NULL)) {
		cli__message(q->cli, "%s; 'apmu decode --help' shows how",
			     n == 0 ? "no register" : "no value");
		return CLI__EXIT_USAGE;
	}
	q->name = join(word, n - (value ? 1 : 0));
	q->value_text = value ? word[n - 1] : NULL;
	return 0;
}

static void add_set(struct question *q, const char *more)
{
	char *longer = q->set == NULL ? cli__copy(more) : cli__format("%s,%s", q->set, more);

	free(q->set);
	q->set = longer;
}

static int take_option(struct question *q, int id, const char *value)
{
	switch (id) {
	case OPT_CORE: q->core = cli__core(q->cli, value); return q->core != NULL ? 0 : CLI__EXIT_USAGE;
	case OPT_SET: add_set(q, value); return 0;
	case OPT_FILE: q->file = value; return cli__option_file(q->cli, "--file", value);
	case OPT_JSON: q->json = true; return 0;
	default: return CLI__EXIT_USAGE;
	}
}

/* Cuts each word into REGISTER and VALUE, which is put into `value`. */
static int cut_pairs(const struct question *q, char **word, char **value, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		value[i] = strchr(word[i], '=');
		if (value[i] == NULL || value[i] == word[i]) {
			cli__message(q->cli, "'%s' is not REGISTER=VALUE, which several registers take",
				     word[i]);
			return CLI__EXIT_USAGE;
		}
		*value[i]++ = '\0';
	}
	return 0;
}

/* The first core that has all these registers; NULL: none has. */
static const struct apmu_core *core_of_all(char *const *name, size_t n)
{
	for (size_t c = 0; c < apmu_core_count(); c++) {
		size_t i = 0;

		while (i < n && reg_on(apmu_core_at(c), name[i]) != NULL)
			i++;
		if (i == n)
			return apmu_core_at(c);
	}
	return NULL;
}

/* Answers for each REGISTER=VALUE, with an empty line between two. */
static int answer_pairs(struct question *q, char **word, size_t n)
{
	char **value = cli__zalloc(n, sizeof *value);
	int bad = cut_pairs(q, word, value, n);

	if (bad == 0 && n > 1 && q->core == NULL)
		q->core = core_of_all(word, n);
	for (size_t i = 0; i < n && bad == 0; i++) {
		struct question one = *q;

		one.name = word[i];
		one.value_text = value[i];
		if (i != 0 && !q->json)
			fputc('\n', q->cli->out);
		bad = answer(&one);
	}
	free(value);
	return bad;
}

/* True if the core has the register; without a core, if one has it by this name. */
static bool known(const void *ctx, const char *name)
{
	const struct question *q = ctx;

	if (q->core != NULL)
		return reg_on(q->core, name) != NULL;
	for (size_t c = 0; strncmp(name, "0x", 2) != 0 && c < apmu_core_count(); c++)
		if (reg_on(apmu_core_at(c), name) != NULL)
			return true;
	return false;
}

static int answer_dump(struct question *q)
{
	struct cli__dump dump;
	int bad = cli__dump_read(q->cli, q->file, known, q, &dump);

	if (bad == 0 && dump.n == 0) {
		cli__message(q->cli, "%s: %s", q->file,
			     dump.memory && q->core == NULL
				     ? "words of memory need --core, which says what stands where"
				     : "no register that is known here with a value");
		bad = CLI__EXIT_USAGE;
	}
	if (bad == 0)
		bad = answer_pairs(q, dump.word, dump.n);
	cli__dump_free(&dump);
	return bad;
}

static int answer_words(struct question *q, char **word, size_t n)
{
	int bad;

	if (q->file != NULL && (n != 0 || q->set != NULL)) {
		cli__message(q->cli, "--file names all registers: leave out REGISTER and --set");
		return CLI__EXIT_USAGE;
	}
	if (q->file != NULL)
		return answer_dump(q);
	if (q->set == NULL && n != 0 && strchr(word[0], '=') != NULL)
		return answer_pairs(q, word, n);
	bad = take_words(q, word, n);
	return bad != 0 ? bad : answer(q);
}

int cli__cmd_decode(struct cli__cli *cli, int argc, char **argv)
{
	struct cli__args args = {.cli = cli, .option = options, .argc = argc, .argv = argv, .at = 1};
	struct question q = {.cli = cli};
	char **word = cli__zalloc((size_t)argc, sizeof *word);
	size_t words = 0;
	int id = 0, bad = 0;

	while (bad == 0 && id != OPT_HELP && (id != CLI__OPTION_WORD || args.at < argc)) {
		id = cli__option_next(&args);
		if (id == OPT_HELP)
			print_help(cli->out);
		else if (id != CLI__OPTION_WORD)
			bad = take_option(&q, id, args.value);
		else if (args.at < argc)
			word[words++] = argv[args.at++];
	}
	if (bad == 0 && id != OPT_HELP)
		bad = answer_words(&q, word, words);
	free(q.name);
	free(q.set);
	free(word);
	return bad;
}
