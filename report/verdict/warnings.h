/*
 * warnings: what a user who only looks at the terminal must not miss. The page says it too.
 */
#ifndef REPORT_VERDICT_WARNINGS_H
#define REPORT_VERDICT_WARNINGS_H

#include "core/base/err.h"
#include "report/prices/keeper_result.h"
#include "report/runs/load.h"

/* Each is a sentence, or empty. */
struct err warnings_future(const struct runs *r);
struct err warnings_others(const struct runs *r);
struct err warnings_copies(const struct runs *r);
struct err warnings_missing_parts(const struct run *run);
struct err warnings_no_prices(const struct keeper_result *k, double now);

#endif
