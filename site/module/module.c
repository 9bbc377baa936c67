/* SPDX-License-Identifier: MIT */
/* The buffers between the page and the module, and JSON. */
#include "module.h"

enum { OUTPUT = 1 << 20 };

char input[INPUT];
struct vec_bench bench;

static char output[OUTPUT];
static size_t used;

EXPORT("input_buffer") char *input_buffer(void)
{
	return input;
}

EXPORT("input_size") unsigned input_size(void)
{
	return INPUT;
}

EXPORT("output_buffer") char *output_buffer(void)
{
	return output;
}

void begin(void)
{
	used = 0;
	output[0] = '\0';
}

void put(const char *format, ...)
{
	va_list list;
	int n;

	va_start(list, format);
	n = vsnprintf(output + used, OUTPUT - used, format, list);
	va_end(list);
	if (n > 0)
		used += (size_t)n < OUTPUT - used ? (size_t)n : OUTPUT - used - 1;
}

void put_string(const char *text)
{
	if (!text) {
		put("null");
		return;
	}
	put("\"");
	for (; *text; text++)
		if (*text == '"' || *text == '\\')
			put("\\%c", *text);
		else if ((unsigned char)*text < ' ')
			put("\\u%04x", (unsigned)(unsigned char)*text);
		else
			put("%c", *text);
	put("\"");
}

void put_member(const char *name, const char *text)
{
	put(",\"%s\":", name);
	put_string(text);
}

void put_comma(void)
{
	if (used && output[used - 1] != '[' && output[used - 1] != '{')
		put(",");
}
