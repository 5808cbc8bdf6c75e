/* scan_days: the folders of days, and which of them need not be read again. */
#include "fleet/scan/scan_days.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/base/fnv1a.h"
#include "core/base/quantity.h"
#include "fleet/catalog/catalog.h"

/* n digits. */
static int digits_as_int(const char *p, int n)
{
	return n ? 10 * digits_as_int(p, n - 1) + p[n - 1] - '0' : 0;
}

double scan_days_of_name(const char *name)
{
	static const char form[] = "0000-00-00";
	struct tm day = {.tm_mday = 0}, same;
	time_t s;

	for (size_t i = 0; i < sizeof form; i++)
		if (form[i] == '0' ? name[i] < '0' || name[i] > '9' : name[i] != form[i])
			return NAN;
	day.tm_year = digits_as_int(name, 4) - 1900;
	day.tm_mon = digits_as_int(name + 5, 2) - 1;
	day.tm_mday = digits_as_int(name + 8, 2);
	same = day;
	s = timegm(&same); /* another day if there is no such day */
	return same.tm_mon == day.tm_mon && same.tm_mday == day.tm_mday ? (double)s : NAN;
}

int64_t scan_days_ns(struct timespec t)
{
	int64_t ns;

	if (__builtin_mul_overflow((int64_t)t.tv_sec, 1000000000, &ns) ||
	    __builtin_add_overflow(ns, (int64_t)t.tv_nsec, &ns))
		return (int64_t)t.tv_sec;
	return ns;
}

bool scan_days_may_grow(const struct scan_days *d, int64_t mtime_ns)
{
	return (double)mtime_ns / 1e9 > d->now - SCAN_DAYS_OPEN * QUANTITY_DAY_S;
}

/* -- closed folders ---------------------------------------------------------------------------- */

static uint64_t hash_of_folder(const char *path, int64_t changed_ns)
{
	return (fnv1a_add(FNV1A_BEGIN, path) ^ (uint64_t)changed_ns) | 1;
}

static int note_closed(void *ctx, const struct catalog_folder *f, struct err *e)
{
	struct scan_days *d = ctx;
	uint64_t hash = hash_of_folder(f->path, f->changed_ns);

	return id_table_add(&d->closed, hash, sizeof hash)
	           ? 0
	           : err_set(e, "no memory to list the recordings");
}

int scan_days_begin(struct scan_days *d, struct catalog *c, double now, struct err *e)
{
	*d = (struct scan_days){.now = now};
	return catalog_each_closed(c, note_closed, d, e);
}

void scan_days_free(struct scan_days *d)
{
	id_table_free(&d->closed);
}

/* The time of change is that of names in it, and of the folder itself: nobody can set it. */
bool scan_days_is_closed(const struct scan_days *d, const char *path, const char *name,
                         int64_t *changed_ns)
{
	double day = scan_days_of_name(name);
	struct stat st;
	int64_t ns;

	*changed_ns = 0;
	if (!(d->now >= day + (1 + SCAN_DAYS_OPEN) * QUANTITY_DAY_S) || lstat(path, &st) ||
	    !S_ISDIR(st.st_mode))
		return false;
	ns = scan_days_ns(st.st_ctim);
	if (id_table_find(&d->closed, hash_of_folder(path, ns)))
		return true;
	if ((double)ns / 1e9 < d->now - SCAN_DAYS_QUIET_S)
		*changed_ns = ns;
	return false;
}
