/*
 * catalog_details: what is shown of a group that is opened, asked of an engine (catalog.h).
 */
#ifndef REPORT_CATALOG_CATALOG_DETAILS_H
#define REPORT_CATALOG_CATALOG_DETAILS_H

#include "report/catalog/catalog_row.h"

/* Marks the columns of worst runs. */
void catalog_details_columns(bool used[CATALOG_COLUMNS]);

#endif
