/* fleet_money: what many runs cost. */
#include "fleet/groups/fleet_money.h"

#include "fleet/groups/keeper_machines.h"
#include "report/advice/recommend.h"
#include "report/prices/keeper.h"
#include "report/units/units.h"

void fleet_money_begin(struct fleet_money *m, const struct fleet_options *o,
                       const struct price_fetcher *fetcher)
{
	const struct keeper_query prices = report_options_prices(&o->page, fetcher);

	if (!fleet_options_rates(o))
		m->machines = keeper_machines_new(&prices);
}

static void rate_text(struct buf *out, double rate, const char *currency, const char *of)
{
	char text[UNITS_SIZE];

	if (rate > 0)
		buf_printf(out, "%s%s per %s", out->len ? ", " : "",
		           units_money(rate, currency, text), of);
}

static void rates_basis(const struct fleet_options *o, struct buf *out)
{
	struct buf rates = {0};

	rate_text(&rates, o->rate_cpu, o->page.currency, "core-hour");
	rate_text(&rates, o->rate_memory, o->page.currency, "GiB-hour of memory");
	rate_text(&rates, o->rate_gpu, o->page.currency, "GPU-hour");
	buf_printf(out, "The site's own rates: %s%s.", buf_cstr(&rates),
	           o->rate_cpu > 0 && o->rate_memory > 0
	               ? "; of CPUs and memory, what costs more counts"
	               : "");
	buf_free(&rates);
}

struct fleet_input fleet_money_input(const struct fleet_sources *s)
{
	const struct fleet_options *o = s->o;
	struct keeper_machines *machines = s->money->machines;

	return (struct fleet_input){
	    .catalog = s->catalog,
	    .query = s->query,
	    .rates = {o->rate_cpu, o->rate_memory, o->rate_gpu},
	    .policy = {.lambda = recommend_lambda(o->page.risk),
	               .slowdown = o->page.slowdown > 0 ? o->page.slowdown : -1},
	    .price = machines ? keeper_machines_price : NULL,
	    .price_ctx = machines};
}

void fleet_money_basis(const struct fleet_sources *s)
{
	const struct fleet_report_watch *watch = s->failed->watch;
	struct fleet_money *m = s->money;
	struct keeper_machines_count n;
	struct err line = {0};

	if (m->basis.len)
		return;
	if (!m->machines) {
		rates_basis(s->o, &m->basis);
		return;
	}
	keeper_machines_basis(m->machines, &m->basis);
	n = keeper_machines_counted(m->machines);
	if (n.types > n.unpriced) {
		keeper_attribution(n.retrieved_at, m->attribution);
	} else if (n.types && !s->o->page.offline) {
		err_set(&line, "no prices: %s", keeper_machines_why(m->machines));
		watch->say(watch->ctx, &line);
	}
}

void fleet_money_free(struct fleet_money *m)
{
	keeper_machines_free(m->machines);
	buf_free(&m->basis);
	*m = (struct fleet_money){0};
}
