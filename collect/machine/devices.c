/* devices: the parts that the machine's sums are made of. */
#include "collect/machine/devices.h"

#include <math.h>
#include <string.h>

void devices_begin(struct devices *d)
{
	d->reading++;
	d->hint = 0;
	memset(d->now_left, 0, sizeof d->now_left);
}

/* Devices mostly come in the order in which they were found. NULL: not known. */
static struct devices_entry *known_device(struct devices *d, enum detail_kind kind,
                                          const char *name)
{
	for (size_t i = 0; i < d->n; i++) {
		size_t at = d->hint + i < d->n ? d->hint + i : d->hint + i - d->n;
		struct devices_entry *e = &d->v[at];

		if (e->kind == kind && strcmp(e->name, name) == 0) {
			d->hint = at + 1 < d->n ? at + 1 : 0;
			return e;
		}
	}
	return NULL;
}

static size_t devices_of(const struct devices *d, enum detail_kind kind)
{
	size_t n = 0;

	for (size_t i = 0; i < d->n; i++)
		n += d->v[i].kind == kind;
	return n;
}

static struct devices_entry *new_device(struct devices *d, enum detail_kind kind, const char *name)
{
	const struct detail_kind_of *k = &detail_kinds[kind];
	struct devices_entry *e = &d->v[d->n];

	if (devices_of(d, kind) == k->most || d->used + k->cells > d->room ||
	    strlen(name) >= sizeof e->name) {
		d->now_left[kind]++;
		return NULL;
	}
	*e = (struct devices_entry){.kind = kind, .cell = d->used};
	memcpy(e->name, name, strlen(name) + 1);
	for (size_t i = 0; i < k->cells; i++)
		d->kind[d->used + i] = k->measure[i].kind;
	d->used += k->cells;
	d->n++;
	return e;
}

static struct devices_entry *device_of(struct devices *d, enum detail_kind kind, const char *name)
{
	struct devices_entry *e = known_device(d, kind, name);

	if (!e)
		e = new_device(d, kind, name);
	return e;
}

void devices_add(struct devices *d, enum detail_kind kind, const char *name, double first,
                 double second)
{
	struct devices_entry *e = d ? device_of(d, kind, name) : NULL;

	if (!e)
		return;
	e->seen = d->reading;
	d->value[e->cell] += first;
	d->value[e->cell + 1] += second;
}

void devices_set(struct devices *d, enum detail_kind kind, const char *name, double first,
                 double second)
{
	struct devices_entry *e = d ? device_of(d, kind, name) : NULL;

	if (!e)
		return;
	if (kind == DETAIL_CPU && (!e->seen || e->seen + 1 != d->reading))
		e->shown_s = first; /* new, or was offline */
	e->seen = d->reading;
	d->value[e->cell] = first;
	if (detail_kinds[kind].cells > 1)
		d->value[e->cell + 1] = second;
}

static double cpu_seconds(struct devices_entry *e, double read_s, double passed_s)
{
	double most = e->shown_s + passed_s;

	/* The kernel's counters fall at times: never report less than before. */
	if (read_s > e->shown_s)
		e->shown_s = read_s < most ? read_s : most;
	return e->shown_s;
}

void devices_end(struct devices *d, int64_t at, double *out)
{
	double passed_s = (double)(at - d->at) / 1e9;

	for (size_t i = 0; i < d->room; i++)
		out[i] = NAN;
	for (size_t i = 0; i < d->n; i++) {
		struct devices_entry *e = &d->v[i];
		if (e->seen != d->reading)
			continue;
		if (e->kind == DETAIL_CPU) {
			out[e->cell] = cpu_seconds(e, d->value[e->cell], passed_s);
			continue;
		}
		for (size_t k = 0; k < detail_kinds[e->kind].cells; k++)
			out[e->cell + k] = d->value[e->cell + k];
	}
	for (size_t i = 0; i < DETAIL_KINDS; i++)
		d->left[i] = d->now_left[i] > d->left[i] ? d->now_left[i] : d->left[i];
	d->at = at;
}
