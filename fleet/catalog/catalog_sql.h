/*
 * catalog_sql: the statements that catalog_query.c asks of an engine. Pure: texts and values.
 *
 * A run of several recordings (nodes, tasks) is one row for an aggregate: such rows come from a
 * subquery, grouped by `joined`, and follow the others in a UNION ALL.
 */
#ifndef FLEET_CATALOG_CATALOG_SQL_H
#define FLEET_CATALOG_CATALOG_SQL_H

#include "fleet/catalog/catalog_engine.h"
#include "fleet/catalog/catalog_where.h"

/* A query whose words are understood. Texts are borrowed from it. */
struct catalog_asked {
	struct catalog_key key[CATALOG_KEYS + 1]; /* and room for the machine */
	size_t n_keys;
	size_t n_whole; /* of key, as in struct catalog_statement */
	bool apart;     /* one more key: runs of one recording "", of several "1" */
	struct catalog_condition where[OPTS_LIST_MAX];
	size_t n_where;
	const struct catalog_query *query;
};

int catalog_asked_read(const struct catalog_query *q, struct catalog_asked *out, struct err *e);

/* {0} is valid: empty. */
struct catalog_sql {
	struct buf text;
	struct catalog_value *value;
	size_t n, cap;
	bool ordered; /* as in struct catalog_statement */
	bool failed;  /* no memory, or a query that is too long */
};

/* The groups of a->key and the outputs of each; for an engine that groups rows itself, the rows. No
 * keys: one row. days: without the runs that no day has. */
void catalog_sql_groups(struct catalog_sql *s, const struct catalog_engine *engine,
                        const struct catalog_asked *a, const struct catalog_output *output,
                        size_t n, bool days);

/* Columns of the worst and the newest runs of groups, which are found by their sources. */
void catalog_sql_rows(struct catalog_sql *s, const struct catalog_engine *engine,
                      const struct catalog_output *plain, size_t n, const struct catalog_detail *of,
                      size_t n_of);

/* Columns of the newest recordings that fulfil the conditions, at most `most`. */
void catalog_sql_newest(struct catalog_sql *s, const struct catalog_engine *engine,
                        const struct catalog_asked *a, const struct catalog_output *plain, size_t n,
                        size_t most);

/* Columns of the recordings whose column has one of these texts, and that fulfil the conditions of
 * a (NULL: none), by their sources. */
void catalog_sql_whole(struct catalog_sql *s, const struct catalog_engine *engine,
                       const struct catalog_asked *a, const struct catalog_output *plain, size_t n,
                       const char *column, const char *const *value, size_t n_values);

/* " FROM " and the table; with --since, without rows that came before it if that is cheaper: no run
 * that began since then is among them. */
void catalog_sql_from(struct catalog_sql *s, const struct catalog_engine *engine,
                      const struct catalog_asked *a);

/* Pieces: the conditions of --where, --since and --until, each after " AND "; the value of a `?`;
 * what one column of a run's recordings makes of the run, as j_COLUMN. */
void catalog_sql_where(struct catalog_sql *s, const struct catalog_engine *engine,
                       const struct catalog_asked *a);
void catalog_sql_number(struct catalog_sql *s, double number);
void catalog_sql_joined(struct buf *sql, int column);

/* Whether an index has all that the conditions and the keys read of a run. */
bool catalog_sql_covered(const struct catalog_engine *engine, const struct catalog_asked *a);

/* Asks the engine. *st has what is expected; the text, its values and their order are filled in. */
int catalog_sql_select(const struct catalog_sql *s, const struct catalog_engine *engine,
                       struct catalog_statement *st, catalog_each_row *each, void *ctx,
                       struct err *e);

void catalog_sql_free(struct catalog_sql *s);

#endif
