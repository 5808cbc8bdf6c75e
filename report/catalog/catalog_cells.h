/*
 * catalog_cells: groups of runs and their days, asked of an engine (catalog.h).
 */
#ifndef REPORT_CATALOG_CATALOG_CELLS_H
#define REPORT_CATALOG_CATALOG_CELLS_H

#include "report/catalog/catalog_row.h"

/* Marks the columns that catalog_cells and catalog_days need of any query. */
void catalog_cells_columns(bool used[CATALOG_COLUMNS]);

#endif
