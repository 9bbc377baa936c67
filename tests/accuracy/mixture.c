/* SPDX-License-Identifier: MIT */
/*
 * A program of CoreMark's class. A round does what EEMBC describes of one iteration of CoreMark on its 2000
 * bytes, with the sizes of a performance run: a list of 30 items that is searched 204 times and turned round
 * as often, sorted three times by merging; four products and sums of 9 x 9 matrices of 16 bits; a state
 * machine over 666 bytes of numbers as text, eight times; and a CRC of 16 bits over all results. Its first
 * round ends in the checksum that CoreMark's must end in (CKR). A score of X per MHz is 1,000,000 / X cycles
 * a round.
 */
#include "kernel.h"

#define APART __attribute__((noinline))

enum { ITEMS = 28, IN_ORDER = 6, FINDS = 0x66, SIDE = 9, TEXT = 666, CHECKSUM = 0xE714 };

typedef unsigned short half;

/* The checksum: a polynomial of 16 bits, a bit at a time. */
static half add_byte(unsigned char byte, half crc)
{
	for (int bit = 0; bit < 8; bit++) {
		half differs = (byte ^ crc) & 1;
		byte >>= 1;
		if (differs)
			crc ^= 0x4002;
		crc >>= 1;
		crc = differs ? crc | 0x8000 : crc & 0x7FFF;
	}
	return crc;
}

static APART half add_half(half value, half crc)
{
	return add_byte((unsigned char)(value >> 8), add_byte((unsigned char)value, crc));
}

static APART half add_word(unsigned value, half crc)
{
	return add_half((half)(value >> 16), add_half((half)value, crc));
}

/* Numbers as text. */
enum state { START, BAD, SIGN, MARK, WHOLE, FRACTION, POWER, SCIENCE, STATES };

static char text[TEXT + 2];

static void fill_text(unsigned seed)
{
	static const char *const words[4][4] = {{"5012", "1234", "-874", "+122"},
						{"35.54400", ".1234500", "-110.700", "+0.64400"},
						{"5.500e+3", "-.123e-2", "-87e+832", "+0.6e-12"},
						{"T0.3e-1F", "-T.T++Tq", "1T3.4e4z", "34.0e-T^"}};
	static const unsigned char kinds[8] = {0, 0, 0, 1, 1, 2, 2, 3};
	for (unsigned at = 0;;) {
		seed++;
		const char *word = words[kinds[seed & 7]][seed >> 3 & 3];
		unsigned length = kinds[seed & 7] ? 8 : 4;
		if (at + length + 2 >= TEXT)
			return;
		for (unsigned i = 0; i < length; i++)
			text[at + i] = word[i];
		text[at + length] = ',';
		at += length + 1;
	}
}

static int is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* One number, to behind its comma: what it was, and how often each state was left. */
static enum state read_number(const char **from, unsigned *left)
{
	const char *p = *from;
	enum state state = START;
	for (; *p && state != BAD; p++) {
		char c = *p;
		if (c == ',') {
			p++;
			break;
		}
		switch (state) {
		case START:
			if (is_digit(c)) {
				state = WHOLE;
			} else if (c == '+' || c == '-') {
				state = SIGN;
			} else if (c == '.') {
				state = FRACTION;
			} else {
				state = BAD;
				left[BAD]++;
			}
			left[START]++;
			break;
		case SIGN:
			state = is_digit(c) ? WHOLE : c == '.' ? FRACTION : BAD;
			left[SIGN]++;
			break;
		case WHOLE:
			if (c == '.') {
				state = FRACTION;
				left[WHOLE]++;
			} else if (!is_digit(c)) {
				state = BAD;
				left[WHOLE]++;
			}
			break;
		case FRACTION:
			if (c == 'E' || c == 'e') {
				state = MARK;
				left[FRACTION]++;
			} else if (!is_digit(c)) {
				state = BAD;
				left[FRACTION]++;
			}
			break;
		case MARK:
			state = c == '+' || c == '-' ? POWER : BAD;
			left[MARK]++;
			break;
		case POWER:
			state = is_digit(c) ? SCIENCE : BAD;
			left[POWER]++;
			break;
		case SCIENCE:
			if (!is_digit(c)) {
				state = BAD;
				left[BAD]++;
			}
			break;
		default: break;
		}
	}
	*from = p;
	return state;
}

static void read_text(unsigned *ends, unsigned *left)
{
	for (const char *p = text; *p;)
		ends[read_number(&p, left)]++;
}

static void scramble(char with, unsigned step)
{
	for (char *p = text; p < text + TEXT; p += step)
		if (*p != ',')
			*p ^= with;
}

static APART half text_work(char first, char second, unsigned step, half crc)
{
	unsigned ends[STATES], left[STATES];
	for (unsigned i = 0; i < STATES; i++)
		ends[i] = left[i] = 0;
	read_text(ends, left);
	scramble(first, step);
	read_text(ends, left);
	scramble(second, step);
	for (unsigned i = 0; i < STATES; i++)
		crc = add_word(left[i], add_word(ends[i], crc));
	return crc;
}

/* Matrices. */
static short left_matrix[SIDE * SIDE], right_matrix[SIDE * SIDE];
static int product[SIDE * SIDE];
static volatile int volatile_side = SIDE; /* so that the compiler does not know it */

static void fill_matrices(void)
{
	unsigned seed = 1;
	for (unsigned i = 0; i < SIDE * SIDE; i++) {
		unsigned order = i + 1;
		seed = order * seed % 65536;
		right_matrix[i] = (short)(seed + order);
		left_matrix[i] = (short)((unsigned)(right_matrix[i] + (int)order) & 0xFF);
	}
}

static void add_constant(int n, short *a, short value)
{
	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++)
			a[i * n + j] += value;
}

static void times_constant(int n, int *c, const short *a, short value)
{
	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++)
			c[i * n + j] = (int)a[i * n + j] * (int)value;
}

static void times_vector(int n, int *c, const short *a, const short *b)
{
	for (int i = 0; i < n; i++) {
		c[i] = 0;
		for (int j = 0; j < n; j++)
			c[i] += (int)a[i * n + j] * (int)b[j];
	}
}

static void times_matrix(int n, int *c, const short *a, const short *b)
{
	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++) {
			c[i * n + j] = 0;
			for (int k = 0; k < n; k++)
				c[i * n + j] += (int)a[i * n + k] * (int)b[k * n + j];
		}
}

static int bits(int value, int from, int width)
{
	return value >> from & ((1 << width) - 1);
}

static void times_matrix_bits(int n, int *c, const short *a, const short *b)
{
	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++) {
			c[i * n + j] = 0;
			for (int k = 0; k < n; k++) {
				int each = (int)a[i * n + k] * (int)b[k * n + j];
				c[i * n + j] += bits(each, 2, 4) * bits(each, 5, 7);
			}
		}
}

static short matrix_sum(int n, const int *c, short limit)
{
	int sum = 0, before = 0;
	short result = 0;
	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++) {
			int now = c[i * n + j];
			sum += now;
			if (sum > limit) {
				result += 10;
				sum = 0;
			} else {
				result += now > before;
			}
			before = now;
		}
	return result;
}

static APART half matrix_work(short value, half crc)
{
	int n = volatile_side;
	short limit = (short)(0xF000 | value);
	half sum = 0;
	add_constant(n, left_matrix, value);
	times_constant(n, product, left_matrix, value);
	sum = add_half((half)matrix_sum(n, product, limit), sum);
	times_vector(n, product, left_matrix, right_matrix);
	sum = add_half((half)matrix_sum(n, product, limit), sum);
	times_matrix(n, product, left_matrix, right_matrix);
	sum = add_half((half)matrix_sum(n, product, limit), sum);
	times_matrix_bits(n, product, left_matrix, right_matrix);
	sum = add_half((half)matrix_sum(n, product, limit), sum);
	add_constant(n, left_matrix, (short)-value);
	return add_half(sum, crc);
}

/* The list: items and what they say lie apart. */
struct says {
	short value, index;
};
struct item {
	struct item *next;
	struct says *says;
};
static struct item items[ITEMS + 2];
static struct says sayings[ITEMS + 2];
static volatile short seeds[2];

static half crc_now;

/* What an item is worth: work that is done once a round, then remembered in bits 7:0 of its value. */
static short worth(short *value)
{
	short v = *value, result;
	if (v >> 7 & 1)
		return v & 0x7F;
	unsigned step = (unsigned)v >> 3 & 15;
	step |= step << 4;
	if ((v & 7) == 0)
		result = (short)text_work((char)seeds[0], (char)seeds[1], step < 0x22 ? 0x22 : step, crc_now);
	else if ((v & 7) == 1)
		result = (short)matrix_work((short)step, crc_now);
	else
		result = v;
	crc_now = add_half((half)result, crc_now);
	result &= 0x7F;
	*value = (short)((v & 0xFF00) | 0x80 | result);
	return result;
}

typedef int order(struct says *a, struct says *b);

static int by_worth(struct says *a, struct says *b)
{
	short first = worth(&a->value), second = worth(&b->value);
	return first - second;
}

/* Forgets what was remembered. */
static int by_index(struct says *a, struct says *b)
{
	a->value = (short)((a->value & 0xFF00) | (a->value >> 8 & 0xFF));
	b->value = (short)((b->value & 0xFF00) | (b->value >> 8 & 0xFF));
	return a->index - b->index;
}

static struct item *find(struct item *at, const struct says *wanted)
{
	if (wanted->index >= 0)
		while (at && at->says->index != wanted->index)
			at = at->next;
	else
		while (at && (at->says->value & 0xFF) != wanted->value)
			at = at->next;
	return at;
}

static struct item *turn_round(struct item *at)
{
	struct item *before = 0;
	while (at) {
		struct item *next = at->next;
		at->next = before;
		before = at;
		at = next;
	}
	return before;
}

/* Merges runs of one item, then of two, four ... */
static APART struct item *sort(struct item *list, order *compare)
{
	for (int run = 1;; run *= 2) {
		struct item *a = list, *tail = 0;
		int merges = 0;
		list = 0;
		while (a) {
			struct item *b = a, *taken;
			int in_a = 0, in_b = run;
			merges++;
			while (in_a < run && b) {
				in_a++;
				b = b->next;
			}
			while (in_a > 0 || (in_b > 0 && b)) {
				if (in_a > 0 && (in_b == 0 || !b || compare(a->says, b->says) <= 0)) {
					taken = a;
					a = a->next;
					in_a--;
				} else {
					taken = b;
					b = b->next;
					in_b--;
				}
				if (tail)
					tail->next = taken;
				else
					list = taken;
				tail = taken;
			}
			a = b;
		}
		tail->next = 0;
		if (merges <= 1)
			return list;
	}
}

static struct item *make_list(void)
{
	struct item *head = &items[0], *end = &items[1];
	*head = (struct item){end, &sayings[0]};
	*end = (struct item){0, &sayings[1]};
	sayings[0] = (struct says){(short)0x8080, 0};
	sayings[1] = (struct says){(short)0xFFFF, 0x7FFF};
	for (int i = 0; i < ITEMS; i++) {
		short value = (short)((i & 15) << 3 | (i & 7));
		sayings[i + 2] = (struct says){(short)(value << 8 | value), 0x7FFF};
		items[i + 2] = (struct item){head->next, &sayings[i + 2]};
		head->next = &items[i + 2];
	}
	int i = 1;
	for (struct item *at = head->next; at->next; at = at->next, i++)
		at->says->index = (short)(i < IN_ORDER ? i : 0x3FFF & (((i + 1) & 7) << 8 | i));
	return sort(head, by_index);
}

static struct item *cut(struct item *item)
{
	struct item *gone = item->next;
	struct says *says = item->says;
	item->says = gone->says;
	gone->says = says;
	item->next = gone->next;
	gone->next = 0;
	return gone;
}

static void put_back(struct item *gone, struct item *item)
{
	struct says *says = gone->says;
	gone->says = item->says;
	item->says = says;
	gone->next = item->next;
	item->next = gone;
}

static APART half sum_of(struct item *list, struct item *from, half sum)
{
	for (; from; from = from->next)
		sum = add_half((half)list->says->value, sum);
	return sum;
}

/* Finds FINDS values (or indices), the list turned round each time; what stood behind a found one comes to
 * the front. */
static struct item *search(struct item *list, struct says *wanted, half *sum)
{
	half found = 0, missed = 0;
	for (short i = 0; i < FINDS; i++) {
		wanted->value = i & 0xFF;
		struct item *hit = find(list, wanted);
		list = turn_round(list);
		if (!hit) {
			missed++;
			*sum += list->next->says->value >> 8 & 1;
		} else {
			found++;
			if (hit->says->value & 1)
				*sum += hit->says->value >> 9 & 1;
			struct item *next = hit->next;
			if (next) {
				hit->next = next->next;
				next->next = list->next;
				list->next = next;
			}
		}
		if (wanted->index >= 0)
			wanted->index++;
	}
	*sum += (half)(found * 4 - missed);
	return list;
}

static APART half list_work(struct item **kept, short index)
{
	struct says wanted = {0, index};
	half sum = 0;
	struct item *list = search(*kept, &wanted, &sum);
	if (index > 0)
		list = sort(list, by_worth);
	struct item *gone = cut(list->next), *from = find(list, &wanted);
	sum = sum_of(list, from ? from : list->next, sum);
	put_back(gone, list->next);
	list = sort(list, by_index);
	sum = sum_of(list, list->next, sum);
	*kept = list;
	return sum;
}

word mixture(word size, word rounds)
{
	struct item *list = make_list();
	(void)size;
	fill_text(0);
	fill_matrices();
	for (word i = 0; i < rounds; i++) {
		crc_now = add_half(list_work(&list, 1), crc_now);
		crc_now = add_half(list_work(&list, -1), crc_now);
		if (i == 0 && crc_now != CHECKSUM)
			return 0;
	}
	return 1;
}
