/*
 * ci_prices: the table of runners of CI systems and their prices (assets/ci_runners.tsv, which says
 * what its columns are, or a file of --runner-prices). Pure.
 */
#ifndef FLEET_CI_CI_PRICES_H
#define FLEET_CI_CI_PRICES_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/err.h"
#include "core/base/quantity.h"

#define CI_PRICES_MAX      ((size_t)500)     /* runners */
#define CI_PRICES_BYTES    ((size_t)1 << 20) /* of a table */
#define CI_PRICES_LABEL    64                /* bytes of a label, and its end */
#define CI_PRICES_LABELS   192
#define CI_PRICES_PROVIDER 32
#define CI_PRICES_SOURCE   192

/* A price that is known for an earlier day than this many seconds ago is old. */
#define CI_PRICES_OLD_S (366 * QUANTITY_DAY_S)

enum ci_kind {
	CI_STANDARD,
	CI_PUBLIC, /* of public repositories alone */
	CI_LARGER, /* an organisation sets it up, and names it */
	CI_SLIM,   /* a container with fewer tools */
	CI_OWN,
	CI_KINDS
};

struct ci_runner {
	char provider[CI_PRICES_PROVIDER];
	char label[CI_PRICES_LABEL];   /* for runs-on: or tags: */
	char labels[CI_PRICES_LABELS]; /* ",label,another,": all names of it */
	enum ci_kind kind;
	double vcpus, memory_b;
	char arch[16];     /* "x64", "arm64" */
	double usd_minute; /* 0: it costs nothing */
	double billed_s;   /* a job's time is rounded up to multiples of it */
	double most_s;     /* a job may take so long; 0: any time */
	double known;      /* Unix seconds: the day for which the price is known */
	char source[CI_PRICES_SOURCE];
};

/* Valid when zero: none. */
struct ci_prices {
	struct ci_runner *v;
	size_t n;
};

/* Reads a table of n bytes. -1 with a sentence that names the line. Free it either way. */
int ci_prices_parse(struct ci_prices *out, const char *text, size_t n, struct err *e);
void ci_prices_free(struct ci_prices *p);

/* Whether the runner has this label, of n bytes, among its names. */
bool ci_prices_named(const struct ci_runner *r, const char *label, size_t n);

/* The cost of a job of so many seconds, and the minutes that are billed. */
double ci_prices_minutes(const struct ci_runner *r, double wall_s);
double ci_prices_usd(const struct ci_runner *r, double wall_s);

#endif
