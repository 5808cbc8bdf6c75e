/* catalog_pack: the numbers of a run that groups are made of, as one blob. */
#include "fleet/catalog/catalog_pack.h"

#include <endian.h>
#include <math.h>
#include <string.h>

#include "core/base/quantity.h"
#include "core/end/end_cause.h"

#define AMOUNT_MAX 1e40   /* no run has a larger number */
#define NONE       0xffff /* a small number that is NULL */

/* Whole numbers below NONE, 2 bytes each, in this order. */
static const int small[] = {CATALOG_COLUMN_CLASS,         CATALOG_COLUMN_OOM,
                            CATALOG_COLUMN_MEMORY_BUCKET, CATALOG_COLUMN_WALL_BUCKET,
                            CATALOG_COLUMN_CORES_BUCKET,  CATALOG_COLUMN_GPUS_BUCKET};

/* The same at the end of a blob that has the bit MORE; those of version 2 have not. */
static const int more[] = {CATALOG_COLUMN_MOSTLY_CODE, CATALOG_COLUMN_END_CODE};

/* After these where the bit INPUT is set. */
static const int input[] = {CATALOG_COLUMN_INPUT_BUCKET};

/* After these where the bit ORIGIN is set. */
static const int origin[] = {CATALOG_COLUMN_ORIGIN_CODE};

/* And after these where the bit TIMES is set: shares of a wall time with three digits. */
static const int times[] = {
    CATALOG_COLUMN_TIME_ASKED, RTRACK_ROW_TIME_AT_1,  RTRACK_ROW_TIME_AT_2,  RTRACK_ROW_TIME_AT_4,
    RTRACK_ROW_TIME_AT_8,      RTRACK_ROW_TIME_AT_16, RTRACK_ROW_TIME_AT_32, RTRACK_ROW_TIME_AT_64,
    RTRACK_ROW_TIME_AT_128,    RTRACK_ROW_TIME_AT_256};

/* 8 bytes each, in this order, of those whose bit is set before them. The bits from DERIVED on are
 * set only in sums of parts: of a run they are computed. */
static const int numbers[] = {RTRACK_ROW_WALL,
                              RTRACK_ROW_ASKED_CPUS,
                              RTRACK_ROW_ASKED_MEMORY,
                              RTRACK_ROW_ASKED_GPUS,
                              RTRACK_ROW_ASKED_TIME,
                              CATALOG_COLUMN_MEMORY_NEED,
                              CATALOG_COLUMN_USED_CORE_S,
                              CATALOG_COLUMN_USED_BYTE_S,
                              CATALOG_COLUMN_USED_GPU_S,
                              CATALOG_COLUMN_PAID_S,
                              CATALOG_COLUMN_UNUSED_S,
                              CATALOG_COLUMN_STOP,
                              CATALOG_COLUMN_ASKED_CORE_S,
                              CATALOG_COLUMN_ASKED_BYTE_S,
                              CATALOG_COLUMN_ASKED_GPU_S,
                              CATALOG_COLUMN_UNUSED_CORE_S,
                              CATALOG_COLUMN_UNUSED_BYTE_S,
                              CATALOG_COLUMN_UNUSED_GPU_S,
                              CATALOG_COLUMN_NODE_S,
                              CATALOG_COLUMN_RECORDINGS};

#define SMALL   (sizeof small / sizeof *small)
#define NUMBERS (sizeof numbers / sizeof *numbers)
#define WORDS   (sizeof more / sizeof *more)
#define DERIVED 11
#define MORE    (1u << 31)
#define TIMES   (1u << 30)
#define INPUT   (1u << 29)
#define ORIGIN  (1u << 28)
#define SHARES  (sizeof times / sizeof *times)
#define HEAD    (sizeof(uint32_t) + SMALL * sizeof(uint16_t))

_Static_assert(HEAD + NUMBERS * sizeof(double) + (WORDS + 2 + SHARES) * sizeof(uint16_t) <=
                   CATALOG_PACK_MAX,
               "a longer blob");

static unsigned char *pack_words(unsigned char *at, const int *columns, size_t n,
                                 const double column[CATALOG_COLUMNS])
{
	for (size_t i = 0; i < n; i++) {
		double v = column[columns[i]];
		uint16_t word = htole16(v >= 0 && v < NONE ? (uint16_t)v : NONE);
		memcpy(at, &word, sizeof word);
		at += sizeof word;
	}
	return at;
}

/* Three digits in 10 bits, and above them where the point is: v = digits / points[i]. 0.01 is the
 * least. */
static const double points[8] = {1e4, 1e3, 1e2, 1e1, 1, NAN, NAN, NAN};
#define POINTS 5
#define DIGITS 1023

static double code_of_share(double v)
{
	size_t i = 0;

	while (i + 1 < POINTS && v * points[i] >= 999.5)
		i++;
	return v > 0 ? (double)(i * (DIGITS + 1)) + fmin(fmax(round(v * points[i]), 100), 999)
	             : NONE;
}

static unsigned char *pack_shares(unsigned char *at, const double column[CATALOG_COLUMNS])
{
	double code[CATALOG_COLUMNS];

	for (size_t i = 0; i < SHARES; i++)
		code[times[i]] = code_of_share(column[times[i]]);
	return pack_words(at, times, SHARES, code);
}

static size_t pack_columns(const double column[CATALOG_COLUMNS], size_t n,
                           unsigned char out[CATALOG_PACK_MAX])
{
	uint32_t mask = MORE;
	unsigned char *at = pack_words(out + sizeof mask, small, SMALL, column);

	for (size_t i = 0; i < n; i++) {
		uint64_t bits;
		if (isnan(column[numbers[i]]))
			continue;
		mask |= 1u << i;
		memcpy(&bits, &column[numbers[i]], sizeof bits);
		bits = htole64(bits);
		memcpy(at, &bits, sizeof bits);
		at += sizeof bits;
	}
	at = pack_words(at, more, WORDS, column);
	if (column[CATALOG_COLUMN_INPUT_BUCKET] >= 0) {
		mask |= INPUT;
		at = pack_words(at, input, 1, column);
	}
	if (column[CATALOG_COLUMN_ORIGIN_CODE] > 0) {
		mask |= ORIGIN;
		at = pack_words(at, origin, 1, column);
	}
	if (column[CATALOG_COLUMN_TIME_ASKED] > 0) {
		mask |= TIMES;
		at = pack_shares(at, column);
	}
	mask = htole32(mask);
	memcpy(out, &mask, sizeof mask);
	return (size_t)(at - out);
}

/* Not of rows of several nodes, and of those inside of others. */
static bool is_derived(const double column[CATALOG_COLUMNS])
{
	double node_s = column[CATALOG_COLUMN_NODE_S];

	return isnan(node_s) || node_s == column[RTRACK_ROW_WALL];
}

static double number_in_value(const struct catalog_value *v)
{
	if (v->kind == CATALOG_INTEGER)
		return (double)v->integer;
	return v->kind == CATALOG_NUMBER ? v->number : (double)NAN;
}

size_t catalog_pack(const struct catalog_value v[CATALOG_COLUMNS],
                    unsigned char out[CATALOG_PACK_MAX])
{
	double column[CATALOG_COLUMNS];

	for (int i = 0; i < CATALOG_COLUMNS; i++)
		column[i] = number_in_value(&v[i]);
	return pack_columns(column, is_derived(column) ? DERIVED : NUMBERS, out);
}

size_t catalog_pack_numbers(const double column[CATALOG_COLUMNS],
                            unsigned char out[CATALOG_PACK_MAX])
{
	double counted[CATALOG_COLUMNS];

	memcpy(counted, column, sizeof counted);
	if (column[CATALOG_COLUMN_CLASS] != CATALOG_COUNTED)
		counted[CATALOG_COLUMN_INPUT_BUCKET] = NAN;
	for (size_t i = 0; i < SMALL; i++)
		if (catalog_columns[small[i]].join == CATALOG_JOIN_COUNTED &&
		    column[CATALOG_COLUMN_CLASS] != CATALOG_COUNTED)
			counted[small[i]] = NAN;
	return pack_columns(counted, NUMBERS, out);
}

/* As catalog_row.c computes them. */
static void derive(double c[CATALOG_COLUMNS], int asked_s, int used_s, int unused_s, double asked)
{
	c[asked_s] = isnan(c[used_s]) ? NAN : asked * c[RTRACK_ROW_WALL];
	c[unused_s] = c[asked_s] - c[used_s];
	if (c[unused_s] < 0)
		c[unused_s] = 0;
}

static void derive_columns(double c[CATALOG_COLUMNS])
{
	c[CATALOG_COLUMN_STOP] = c[RTRACK_ROW_START] + c[RTRACK_ROW_WALL];
	c[CATALOG_COLUMN_NODE_S] = c[RTRACK_ROW_WALL];
	c[CATALOG_COLUMN_RECORDINGS] = 1;
	derive(c, CATALOG_COLUMN_ASKED_CORE_S, CATALOG_COLUMN_USED_CORE_S,
	       CATALOG_COLUMN_UNUSED_CORE_S, c[RTRACK_ROW_ASKED_CPUS]);
	derive(c, CATALOG_COLUMN_ASKED_BYTE_S, CATALOG_COLUMN_USED_BYTE_S,
	       CATALOG_COLUMN_UNUSED_BYTE_S, c[RTRACK_ROW_ASKED_MEMORY]);
	derive(c, CATALOG_COLUMN_ASKED_GPU_S, CATALOG_COLUMN_USED_GPU_S,
	       CATALOG_COLUMN_UNUSED_GPU_S, c[RTRACK_ROW_ASKED_GPUS]);
}

static void unpack_words(const unsigned char *at, const int *columns, size_t n,
                         double column[CATALOG_COLUMNS])
{
	for (size_t i = 0; i < n; i++) {
		uint16_t word;
		memcpy(&word, at, sizeof word);
		at += sizeof word;
		word = le16toh(word);
		column[columns[i]] = word == NONE ? NAN : word;
	}
}

static void unpack_shares(const unsigned char *at, double column[CATALOG_COLUMNS])
{
	for (size_t i = 0; i < SHARES; i++) {
		uint16_t word;
		memcpy(&word, at + i * sizeof word, sizeof word);
		word = le16toh(word);
		column[times[i]] = (word & DIGITS) / points[word / (DIGITS + 1) % 8];
	}
}

static bool unpack_numbers(const unsigned char *p, size_t n, uint32_t mask,
                           double column[CATALOG_COLUMNS])
{
	const unsigned char *at = p + HEAD, *end = p + n;

	for (size_t i = 0; i < NUMBERS; i++) {
		uint64_t bits;
		double v;
		if (!(mask & 1u << i)) {
			column[numbers[i]] = NAN;
			continue;
		}
		if ((size_t)(end - at) < sizeof bits)
			return false;
		memcpy(&bits, at, sizeof bits);
		at += sizeof bits;
		bits = le64toh(bits);
		memcpy(&v, &bits, sizeof v);
		column[numbers[i]] = fabs(v) <= AMOUNT_MAX ? v : NAN;
	}
	for (size_t i = 0; i < WORDS; i++)
		column[more[i]] = NAN;
	column[CATALOG_COLUMN_INPUT_BUCKET] = NAN;
	column[CATALOG_COLUMN_ORIGIN_CODE] = IMPORT_RECORDED;
	for (size_t i = 0; !(mask & TIMES) && i < SHARES; i++)
		column[times[i]] = NAN;
	if (!(mask & MORE))
		return at == end;
	if ((size_t)(end - at) != (WORDS + (mask & INPUT ? 1 : 0) + (mask & ORIGIN ? 1 : 0) +
	                           (mask & TIMES ? SHARES : 0)) *
	                              sizeof(uint16_t))
		return false;
	unpack_words(at, more, WORDS, column);
	at += WORDS * sizeof(uint16_t);
	if (mask & INPUT) {
		unpack_words(at, input, 1, column);
		at += sizeof(uint16_t);
	}
	if (mask & ORIGIN) {
		unpack_words(at, origin, 1, column);
		at += sizeof(uint16_t);
	}
	if (mask & TIMES)
		unpack_shares(at, column);
	return true;
}

void catalog_unpack(double start, const unsigned char *p, size_t n, double column[CATALOG_COLUMNS])
{
	uint32_t mask = 0;

	column[RTRACK_ROW_START] = start;
	column[CATALOG_COLUMN_DAY] = floor(start / QUANTITY_DAY_S);
	if (n >= HEAD) {
		memcpy(&mask, p, sizeof mask);
		mask = le32toh(mask);
	}
	if (n < HEAD || !unpack_numbers(p, n, mask, column)) {
		for (size_t i = 0; i < NUMBERS; i++)
			column[numbers[i]] = NAN;
		for (size_t i = 0; i < SMALL; i++)
			column[small[i]] = NAN;
		for (size_t i = 0; i < WORDS; i++)
			column[more[i]] = NAN;
		for (size_t i = 0; i < SHARES; i++)
			column[times[i]] = NAN;
		column[CATALOG_COLUMN_INPUT_BUCKET] = NAN;
		column[CATALOG_COLUMN_ORIGIN_CODE] = NAN;
		return;
	}
	unpack_words(p + sizeof mask, small, SMALL, column);
	if (!((mask & ~(MORE | TIMES | INPUT | ORIGIN)) >> DERIVED))
		derive_columns(column);
}

/* -- parts of a run ---------------------------------------------------------------------------- */

/* A run that was killed for memory counts even if its other parts do not. */
static double join_class(const double sum[CATALOG_COLUMNS], const double part[CATALOG_COLUMNS])
{
	double a = sum[CATALOG_COLUMN_CLASS], b = part[CATALOG_COLUMN_CLASS];

	if ((sum[CATALOG_COLUMN_OOM] == 1 && a == CATALOG_COUNTED) ||
	    (part[CATALOG_COLUMN_OOM] == 1 && b == CATALOG_COUNTED))
		return CATALOG_COUNTED;
	return fmax(a, b);
}

static double join_mostly(double a, double b)
{
	if (isnan(a) || isnan(b))
		return isnan(a) ? b : a;
	return a == b ? a : CATALOG_MIXED;
}

/* The failure that comes first in the list; a run of which all parts ended well did. */
static double join_end(double a, double b)
{
	if (isnan(a) || isnan(b))
		return isnan(a) ? b : a;
	if (a > END_CAUSE_FINISHED && b > END_CAUSE_FINISHED)
		return fmin(a, b);
	return fmax(a, b);
}

void catalog_pack_add(double sum[CATALOG_COLUMNS], const double part[CATALOG_COLUMNS], bool first)
{
	double class;

	if (first) {
		memcpy(sum, part, CATALOG_COLUMNS * sizeof *sum);
		return;
	}
	class = join_class(sum, part);
	for (size_t i = 0; i < SMALL; i++)
		sum[small[i]] = fmax(sum[small[i]], part[small[i]]);
	sum[CATALOG_COLUMN_INPUT_BUCKET] =
	    fmax(sum[CATALOG_COLUMN_INPUT_BUCKET], part[CATALOG_COLUMN_INPUT_BUCKET]);
	sum[CATALOG_COLUMN_ORIGIN_CODE] =
	    fmax(sum[CATALOG_COLUMN_ORIGIN_CODE], part[CATALOG_COLUMN_ORIGIN_CODE]);
	for (size_t i = 0; i < SHARES; i++)
		sum[times[i]] = fmax(sum[times[i]], part[times[i]]);
	for (size_t i = 0; i < NUMBERS; i++) {
		double *to = &sum[numbers[i]], from = part[numbers[i]];
		if (catalog_columns[numbers[i]].join == CATALOG_JOIN_SUM && !isnan(*to) &&
		    !isnan(from))
			*to += from;
		else
			*to = fmax(*to, from);
	}
	sum[CATALOG_COLUMN_CLASS] = class;
	sum[CATALOG_COLUMN_MOSTLY_CODE] =
	    join_mostly(sum[CATALOG_COLUMN_MOSTLY_CODE], part[CATALOG_COLUMN_MOSTLY_CODE]);
	sum[CATALOG_COLUMN_END_CODE] =
	    join_end(sum[CATALOG_COLUMN_END_CODE], part[CATALOG_COLUMN_END_CODE]);
}
