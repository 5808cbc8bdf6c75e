/* net: bytes received and sent on every interface but lo, from /proc/net/dev. */
#include "collect/machine/net.h"

#include <stdbool.h>
#include <string.h>

#include "collect/procfs/scan.h"

int net_parse_line(const char *text, size_t n, struct net_line *out)
{
	struct scan s = scan_text(text, n), name;
	const char *colon = n ? memrchr(text, ':', n) : NULL;

	*out = (struct net_line){0};
	if (!colon)
		return -1;
	scan_blanks(&s);
	name = (struct scan){s.p, colon};
	if (s.p >= colon || !scan_copy(name, out->name, sizeof out->name))
		return -1;
	/* bytes packets errs drop fifo frame compressed multicast, bytes … */
	s.p = colon + 1;
	if (!scan_u64(&s, &out->recv_b) || !scan_skip(&s, 7) || !scan_u64(&s, &out->sent_b))
		return -1;
	return 0;
}

/* Returns the index of an interface, or t->n. Lines keep their order, so it is mostly the hint. */
static size_t net_find(const struct net *t, const char *name, size_t hint)
{
	/* All interfaces are new at the first reading. */
	for (size_t i = 0; t->updates > 1 && i < t->n; i++) {
		size_t at = hint + i < t->n ? hint + i : hint + i - t->n;

		if (strcmp(t->v[at].last.name, name) == 0)
			return at;
	}
	return t->n;
}

static double counter_growth(uint64_t last, uint64_t now)
{
	return (double)(now >= last ? now - last : now);
}

static void net_add(struct net *t, struct net_entry *e, const struct net_line *line)
{
	double recv_b = counter_growth(e->last.recv_b, line->recv_b);
	double sent_b = counter_growth(e->last.sent_b, line->sent_b);

	t->recv_b += recv_b;
	t->sent_b += sent_b;
	devices_add(t->devices, DETAIL_INTERFACE, line->name, recv_b, sent_b);
	e->last = *line;
	e->seen = t->updates;
}

static void net_sweep(struct net *t)
{
	size_t kept = 0;

	for (size_t i = 0; i < t->n; i++)
		if (t->v[i].seen == t->updates)
			t->v[kept++] = t->v[i];
	t->n = kept;
}

int net_update(struct net *t, const char *text, size_t n)
{
	struct scan s = scan_text(text, n), line;
	struct net_line now;
	size_t hint = 0, lines = 0;

	t->updates++;
	while (scan_line(&s, &line)) {
		size_t at;

		if (net_parse_line(line.p, (size_t)(line.end - line.p), &now) < 0)
			continue;
		lines++;
		if (strcmp(now.name, "lo") == 0)
			continue;
		at = net_find(t, now.name, hint);
		if (at == t->n && t->n == NET_MAX)
			continue;
		if (at < t->n) {
			net_add(t, &t->v[at], &now);
		} else {
			at = hint;
			memmove(t->v + at + 1, t->v + at, (t->n - at) * sizeof *t->v);
			t->v[at] = (struct net_entry){.last = now, .seen = t->updates};
			if (t->since_boot)
				t->v[at].last.recv_b = t->v[at].last.sent_b = 0;
			t->n++;
			net_add(t, &t->v[at], &now); /* nothing, but the interface is there */
		}
		hint = at + 1;
	}
	if (lines == 0)
		return -1;
	net_sweep(t);
	return 0;
}
