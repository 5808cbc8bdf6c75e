/*
 * clickhouse_tsv: a row of an answer in ClickHouse's format TabSeparated. Pure.
 */
#ifndef FLEET_CATALOG_CLICKHOUSE_TSV_H
#define FLEET_CATALOG_CLICKHOUSE_TSV_H

#include "fleet/catalog/catalog_engine.h"

/* {0} is valid: no memory yet. It is used again for each row. */
struct clickhouse_row {
	struct catalog_result *v; /* n */
	size_t n;
	double *number;    /* of maps */
	const char **text; /* of lists */
	size_t numbers, texts;
};

/* Reads a line, without its newline, into r: n_keys texts, then a value for each output. The line
 * is changed, and r points into it. -1 if it is not such a row, or without memory. */
int clickhouse_row_read(struct clickhouse_row *r, char *line, size_t n_keys,
                        const struct catalog_output *output, size_t n_outputs);

void clickhouse_row_free(struct clickhouse_row *r);

/* The next field of a line, unescaped in place, and NUL-terminated; *at is then after it, or NULL
 * after the last. */
char *clickhouse_field(char **at);

#endif
