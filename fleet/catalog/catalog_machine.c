/* catalog_machine: the text of a type of machine, and back. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fleet/catalog/catalog_row.h"

#define MACHINE_FIELDS 6

static char *put_name(char *at, const char *name)
{
	for (; *name; name++)
		*at++ = (unsigned char)*name < ' ' || *name == 0x7f ? '?' : *name;
	*at++ = '\t';
	return at;
}

static char *put_amount(char *at, double v, int digits, char end)
{
	if (isfinite(v))
		at += snprintf(at, 24, "%.*g", digits, v);
	*at++ = end;
	return at;
}

void catalog_machine_text(const struct catalog_machine *m, char out[CATALOG_MACHINE_MAX])
{
	char *at = out;

	at = put_name(at, m->vendor);
	at = put_name(at, m->instance);
	at = put_name(at, m->region);
	at = put_amount(at, m->vcpus, 6, '\t');
	at = put_amount(at, m->memory_b, 15, '\t');
	put_amount(at, m->gpus, 6, '\0');
}

static int read_name(const char *from, size_t n, char *into, size_t size)
{
	if (n >= size)
		return -1;
	memcpy(into, from, n);
	into[n] = '\0';
	return 0;
}

static int read_amount(const char *from, size_t n, double *v)
{
	char text[32], *end;

	*v = NAN;
	if (n == 0)
		return 0;
	if (read_name(from, n, text, sizeof text) || !isdigit((unsigned char)*text))
		return -1;
	*v = strtod(text, &end);
	return *end || !isfinite(*v) ? -1 : 0;
}

int catalog_machine_parse(const char *text, struct catalog_machine *out)
{
	const char *field[MACHINE_FIELDS];
	size_t n[MACHINE_FIELDS];

	for (int i = 0; i < MACHINE_FIELDS; i++) {
		field[i] = text;
		n[i] = strcspn(text, "\t");
		text += n[i];
		if ((*text == '\t') != (i < MACHINE_FIELDS - 1))
			return -1;
		text++;
	}
	if (read_name(field[0], n[0], out->vendor, sizeof out->vendor) ||
	    read_name(field[1], n[1], out->instance, sizeof out->instance) ||
	    read_name(field[2], n[2], out->region, sizeof out->region))
		return -1;
	if (read_amount(field[3], n[3], &out->vcpus) || read_amount(field[4], n[4], &out->memory_b))
		return -1;
	return read_amount(field[5], n[5], &out->gpus);
}
