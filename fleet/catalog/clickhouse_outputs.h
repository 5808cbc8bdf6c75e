/*
 * clickhouse_outputs: how ClickHouse's SQL says what catalog_engine.h asks for. Pure.
 */
#ifndef FLEET_CATALOG_CLICKHOUSE_OUTPUTS_H
#define FLEET_CATALOG_CLICKHOUSE_OUTPUTS_H

#include "fleet/catalog/catalog_engine.h"

/* The members of struct catalog_engine with these names. */
void clickhouse_pair(struct buf *sql, const char *column);
void clickhouse_outputs_quarters(struct buf *sql, const struct catalog_output *o);
void clickhouse_outputs(struct buf *sql, const struct catalog_output *v, size_t n);

#endif
