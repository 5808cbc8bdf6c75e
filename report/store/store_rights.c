/* store_rights: what the worker of the stores may be asked for. */
#include "report/store/store_rights.h"

#include <string.h>

#include "report/store/store_pieces_names.h"

/* Only a SOURCE may be a glob, in its last segment. */
struct store_grant store_rights_grant(const char *place, unsigned may)
{
	struct store_grant g = {.place = place, .may = may, .fixed = strlen(place)};
	struct store_address a;

	if (store_kind_of(place) != STORE_S3)
		g.may &= STORE_MAY_WRITE;
	if (!(may & STORE_MAY_READ) || store_address_parse(&a, place, NULL))
		return g;
	if (store_address_is_glob(&a)) {
		g.fixed = (size_t)(strrchr(place, '/') - place);
		g.fixed += strcspn(place + g.fixed, STORE_GLOB);
		g.open = true;
	}
	g.open |= place[g.fixed - 1] == '/';
	return g;
}

/* A bucket without a key has no pieces: b.partial is another bucket. */
static bool has_pieces(const struct store_grant *g)
{
	return (g->may & (STORE_MAY_READ | STORE_MAY_PIECE)) &&
	       strchr(g->place + strlen("s3://"), '/');
}

static bool allows(const struct store_grant *g, enum store_ask kind, const char *place)
{
	const char *rest = place + g->fixed;
	bool read = g->may & STORE_MAY_READ;

	if (strncmp(place, g->place, g->fixed) != 0)
		return false;
	switch (kind) {
	case STORE_ASK_LIST:
		return (read && (g->open || !*rest || *rest == '/')) ||
		       (has_pieces(g) && store_pieces_prefix_of(place, g->fixed));
	case STORE_ASK_READ:
	case STORE_ASK_HEAD:
		return (read && (g->open || !*rest || *rest == '/')) ||
		       (has_pieces(g) && store_pieces_of(place, g->fixed));
	case STORE_ASK_PUT:
		if ((g->may & STORE_MAY_WRITE) && !*rest)
			return true;
		/* fall through */
	case STORE_ASK_DELETE:
		return (g->may & STORE_MAY_PIECE) && store_pieces_of(place, g->fixed);
	default:
		return true; /* these have no address */
	}
}

bool store_rights_allow(struct store_rights *r, enum store_ask kind, const char *place)
{
	for (size_t i = 0; i < r->n; i++) {
		size_t at = (r->last + i) % r->n;
		if (allows(&r->v[at], kind, place)) {
			r->last = at;
			return true;
		}
	}
	return false;
}
