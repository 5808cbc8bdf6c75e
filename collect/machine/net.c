/* net: bytes received and sent on the network, from /proc/net/dev. */
#include "collect/machine/net.h"

#include <stdbool.h>
#include <stdio.h>
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

static bool net_has(const struct root *r, const char *name, const char *file)
{
	char path[NET_NAME_MAX + 64];

	snprintf(path, sizeof path, "sys/class/net/%s%s", name, file);
	return root_exists(r, path);
}

enum net_behind net_judge_sysfs(const void *ctx, const char *name)
{
	const struct root *r = ctx;

	if (strchr(name, '/') || *name == '.' || !net_has(r, name, ""))
		return NET_UNKNOWN;
	if (!net_has(r, name, "/device"))
		return NET_VIRTUAL;
	return net_has(r, name, "/master/device") ? NET_REPEATED : NET_DEVICE;
}

static void net_grow(struct net *t, struct net_entry *e, const struct net_line *line)
{
	e->grew_recv_b = counter_grow(&e->recv, line->recv_b);
	e->grew_sent_b = counter_grow(&e->sent, line->sent_b);
	e->last = *line;
	e->seen = t->updates;
}

/* Drops the interfaces that are gone, and adds the growth of those that count. */
static void net_close(struct net *t)
{
	size_t kept = 0;

	for (size_t i = 0; i < t->n; i++)
		if (t->v[i].seen == t->updates)
			t->v[kept++] = t->v[i];
	t->n = kept;
	t->any_device = false;
	for (size_t i = 0; i < t->n; i++)
		t->any_device |= t->v[i].behind == NET_DEVICE;
	for (size_t i = 0; i < t->n; i++) {
		const struct net_entry *e = &t->v[i];
		double recv_b = (double)e->grew_recv_b, sent_b = (double)e->grew_sent_b;

		if (e->behind == NET_REPEATED || (e->behind == NET_VIRTUAL && t->any_device))
			continue;
		t->recv_b += recv_b;
		t->sent_b += sent_b;
		devices_add(t->devices, DETAIL_INTERFACE, e->last.name, recv_b, sent_b);
	}
}

int net_update(struct net *t, const char *text, size_t n, net_judge judge, const void *ctx)
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
			net_grow(t, &t->v[at], &now);
		} else {
			at = hint;
			memmove(t->v + at + 1, t->v + at, (t->n - at) * sizeof *t->v);
			t->v[at] =
			    (struct net_entry){.last = now,
			                       .recv = counter_begin(now.recv_b),
			                       .sent = counter_begin(now.sent_b),
			                       .behind = judge ? judge(ctx, now.name) : NET_UNKNOWN,
			                       .seen = t->updates};
			if (t->since_boot) {
				t->v[at].grew_recv_b = now.recv_b;
				t->v[at].grew_sent_b = now.sent_b;
			}
			t->n++;
		}
		hint = at + 1;
	}
	if (lines == 0)
		return -1;
	net_close(t);
	return 0;
}
