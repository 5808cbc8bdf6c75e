/* catalog_pack: the numbers of a run that groups are made of, as one blob. */
#include "report/catalog/catalog_pack.h"

#include <endian.h>
#include <math.h>
#include <string.h>

#define AMOUNT_MAX 1e40 /* no run has a larger number */
#define DAY_S      86400
#define NONE       0xffff /* a small number that is NULL */

/* Whole numbers below NONE, 2 bytes each, in this order. */
static const int small[] = {CATALOG_COLUMN_CLASS,         CATALOG_COLUMN_OOM,
                            CATALOG_COLUMN_MEMORY_BUCKET, CATALOG_COLUMN_WALL_BUCKET,
                            CATALOG_COLUMN_CORES_BUCKET,  CATALOG_COLUMN_GPUS_BUCKET};

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
#define DERIVED 11
#define HEAD    (sizeof(uint32_t) + SMALL * sizeof(uint16_t))

_Static_assert(HEAD + NUMBERS * sizeof(double) <= CATALOG_PACK_MAX, "a longer blob");

static size_t pack_columns(const double column[CATALOG_COLUMNS], size_t n,
                           unsigned char out[CATALOG_PACK_MAX])
{
	unsigned char *at = out + HEAD;
	uint32_t mask = 0;

	for (size_t i = 0; i < SMALL; i++) {
		double v = column[small[i]];
		uint16_t word = htole16(v >= 0 && v < NONE ? (uint16_t)v : NONE);
		memcpy(out + sizeof mask + i * sizeof word, &word, sizeof word);
	}
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
	mask = htole32(mask);
	memcpy(out, &mask, sizeof mask);
	return (size_t)(at - out);
}

size_t catalog_pack(const struct catalog_value v[CATALOG_COLUMNS],
                    unsigned char out[CATALOG_PACK_MAX])
{
	double column[CATALOG_COLUMNS];

	for (int i = 0; i < CATALOG_COLUMNS; i++)
		column[i] = v[i].kind == CATALOG_INTEGER  ? (double)v[i].integer
		            : v[i].kind == CATALOG_NUMBER ? v[i].number
		                                          : NAN;
	return pack_columns(column, DERIVED, out);
}

size_t catalog_pack_numbers(const double column[CATALOG_COLUMNS],
                            unsigned char out[CATALOG_PACK_MAX])
{
	double counted[CATALOG_COLUMNS];

	memcpy(counted, column, sizeof counted);
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

static const unsigned char *unpack_numbers(const unsigned char *p, size_t n, uint32_t mask,
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
			return NULL;
		memcpy(&bits, at, sizeof bits);
		at += sizeof bits;
		bits = le64toh(bits);
		memcpy(&v, &bits, sizeof v);
		column[numbers[i]] = fabs(v) <= AMOUNT_MAX ? v : NAN;
	}
	return at == end ? at : NULL;
}

void catalog_unpack(double start, const unsigned char *p, size_t n, double column[CATALOG_COLUMNS])
{
	uint32_t mask = 0;
	uint16_t word;

	column[RTRACK_ROW_START] = start;
	column[CATALOG_COLUMN_DAY] = floor(start / DAY_S);
	if (n >= HEAD) {
		memcpy(&mask, p, sizeof mask);
		mask = le32toh(mask);
	}
	if (n < HEAD || !unpack_numbers(p, n, mask, column)) {
		for (size_t i = 0; i < NUMBERS; i++)
			column[numbers[i]] = NAN;
		for (size_t i = 0; i < SMALL; i++)
			column[small[i]] = NAN;
		return;
	}
	for (size_t i = 0; i < SMALL; i++) {
		memcpy(&word, p + sizeof mask + i * sizeof word, sizeof word);
		word = le16toh(word);
		column[small[i]] = word == NONE ? NAN : word;
	}
	if (!(mask >> DERIVED))
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
	for (size_t i = 0; i < NUMBERS; i++) {
		double *to = &sum[numbers[i]], from = part[numbers[i]];
		if (catalog_columns[numbers[i]].join == CATALOG_JOIN_SUM && !isnan(*to) &&
		    !isnan(from))
			*to += from;
		else
			*to = fmax(*to, from);
	}
	sum[CATALOG_COLUMN_CLASS] = class;
}
