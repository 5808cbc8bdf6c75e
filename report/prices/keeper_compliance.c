/* keeper_compliance: which of the query's vendors comply with one of its frameworks. */
#include "report/prices/keeper_compliance.h"

#include <stdio.h>
#include <string.h>

#include "report/prices/keeper_parse.h"
#include "report/prices/keeper_url.h"

struct confirmation {
	const char *vendor;
	bool confirmed;
};

static int read_confirmation(const char *json, size_t n, void *into, struct err *e)
{
	struct confirmation *c = into;

	return keeper_parse_confirms(json, n, c->vendor, &c->confirmed, e);
}

static int complies(struct keeper_fetch *f, const char *vendor, bool *out, struct err *e)
{
	const struct opts_list *frameworks = &f->q->compliance;

	*out = false;
	for (size_t i = 0; !*out && i < frameworks->n; i++) {
		struct confirmation one = {.vendor = vendor};
		struct keeper_fetch_call c = {
		    KEEPER_FETCH_SPECS, {.max = KEEPER_FETCH_URL_MAX}, read_confirmation, &one, 0};
		keeper_url_compliance(&c.url, f->q, vendor, frameworks->v[i]);
		if (keeper_fetch(f, &c, e))
			return -1;
		*out = one.confirmed;
	}
	return 0;
}

static void say_left_out(const struct opts_list *out, const struct opts_list *frameworks,
                         char why[512])
{
	struct buf b = {.max = 512};

	if (*why)
		buf_printf(&b, "%s ", why);
	buf_str(&b, "Left out because the service does not confirm compliance with ");
	for (size_t i = 0; i < frameworks->n; i++)
		buf_printf(&b, "%s%s", i ? " or " : "", frameworks->v[i]);
	for (size_t i = 0; i < out->n; i++)
		buf_printf(&b, "%s%s", i ? ", " : ": ", out->v[i]);
	buf_char(&b, '.');
	snprintf(why, 512, "%s", buf_cstr(&b));
	buf_free(&b);
}

int keeper_compliance_filter(struct keeper_fetch *f, struct opts_list *vendors, char why[512],
                             struct err *e)
{
	struct opts_list left_out = {.n = 0};
	size_t n = 0;

	if (!f->q->compliance.n)
		return 0;
	for (size_t i = 0; i < vendors->n; i++) {
		bool confirmed;
		if (complies(f, vendors->v[i], &confirmed, e))
			return -1;
		if (confirmed)
			vendors->v[n++] = vendors->v[i];
		else
			left_out.v[left_out.n++] = vendors->v[i];
	}
	vendors->n = n;
	if (left_out.n)
		say_left_out(&left_out, &f->q->compliance, why);
	return 0;
}
