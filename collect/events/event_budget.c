/* event_budget: the share of a core that events of processes may take. */
#include "collect/events/event_budget.h"

#include "core/base/larger.h"

#define SHARE      0.003 /* of a core */
#define SAVED_NS   1e7   /* CPU time that a quiet job saves for a busy one, or the other way … */
#define WAKE_NS    2e4   /* of this, what waking up costs */
#define PAUSE_NS   INT64_C(10000000) /* the shortest: each event that comes is read at once, or */
#define PAUSE_MAX  INT64_C(40000000) /* all together after this; the socket takes about 500 */
#define PAUSE_FULL INT64_C(4000000)  /* after so many events … */
#define MANY       100               /* … as these */
#define PAUSE_IDLE INT64_C(20000000) /* after events that were all of others */

struct event_budget event_budget_full(void)
{
	return (struct event_budget){.saved_ns = SAVED_NS};
}

void event_budget_charge(struct event_budget *b, int64_t now, int64_t used_ns, int n,
                         bool concerned)
{
	double pause_ns;

	b->saved_ns += (double)(now - b->refilled) * SHARE;
	b->saved_ns = lesser(b->saved_ns, SAVED_NS) - (double)used_ns - WAKE_NS;
	b->refilled = now;
	b->hurries = b->saved_ns < -SAVED_NS;
	if (!concerned)
		b->pause = now + (n < MANY ? PAUSE_IDLE : PAUSE_FULL);
	if (b->saved_ns >= 0)
		return;
	pause_ns = larger(-b->saved_ns / SHARE, (double)PAUSE_NS);
	b->pause = now + (int64_t)lesser(pause_ns, (double)(n < MANY ? PAUSE_MAX : PAUSE_FULL));
	b->saved_ns = larger(b->saved_ns, -2 * SAVED_NS);
}
