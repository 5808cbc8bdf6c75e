/* ci_prices: any bytes as a table of runners. What it takes is within its bounds. */
#include <math.h>
#include <string.h>

#include "fleet/ci/ci_prices.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct ci_prices p;
	struct err e = {0};

	if (ci_prices_parse(&p, (const char *)data, size, &e) == 0)
		for (size_t i = 0; i < p.n; i++) {
			const struct ci_runner *r = &p.v[i];
			must(*r->label && *r->provider && *r->source && r->kind < CI_KINDS);
			must(r->vcpus > 0 && r->memory_b > 0 && r->usd_minute >= 0);
			must(ci_prices_named(r, r->label, strlen(r->label)));
			must(isfinite(ci_prices_usd(r, 1e9)));
		}
	else
		must(*e.msg);
	ci_prices_free(&p);
	return 0;
}
