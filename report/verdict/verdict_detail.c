/* verdict_detail: a file system that the run filled (--detail). */
#include <math.h>
#include <stdlib.h>

#include "report/stats/device_use.h"
#include "report/units/model_json.h"
#include "report/verdict/verdict.h"

#define NEARLY_FULL 0.95

verdict_level verdict_say_file_systems(const struct model_input *in, struct buf *text)
{
	struct device_uses u;
	struct err e;
	size_t n = 0;

	if (device_use_make(&u, &in->runs->v[0], DETAIL_FILE_SYSTEM, &e))
		return NULL;
	/* The fullest come first. */
	for (size_t i = 0; i < u.n; i++) {
		char full[UNITS_SIZE], grown[64];
		const struct device_use *d = &u.v[i];
		if (!(d->full >= NEARLY_FULL && d->grown >= DEVICE_USE_GROWN) || n++)
			continue;
		buf_str(text, "The file system on ");
		model_json_cut_text(text, d->name, MODEL_JSON_NAME_MAX);
		buf_printf(text, " filled up to %s during the run: %s more was used on it",
		           units_percent(stats_round(100 * d->full, 1), full),
		           units_text(UNIT_BYTES, d->of[0]->max - d->of[0]->first, NULL, grown));
	}
	if (n > 1)
		buf_printf(text, "; so did %zu other%s", n - 1, n > 2 ? "s" : "");
	if (n)
		buf_char(text, '.');
	free(u.v);
	return n ? "warn" : NULL;
}
