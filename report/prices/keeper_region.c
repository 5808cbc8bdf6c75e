/* keeper_region: a vendor's region as the Keeper API lists it. */
#include "report/prices/keeper_region.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

bool keeper_region_is_called(const struct keeper_region *r, const char *name)
{
	size_t n = strlen(name);

	if (!n)
		return false;
	if (!strcasecmp(r->region_id, name) || !strcasecmp(r->name, name) ||
	    !strcasecmp(r->api_reference, name))
		return true;
	for (const char *p = r->aliases; *p; p += strcspn(p, "\n") + 1)
		if (strcspn(p, "\n") == n && !strncasecmp(p, name, n))
			return true;
	return false;
}

const char *keeper_region_name(const struct keeper_region *r)
{
	return *r->name ? r->name : *r->api_reference ? r->api_reference : r->region_id;
}

bool keeper_region_is_number(const char *id)
{
	return *id && id[strspn(id, "0123456789")] == '\0';
}

void keeper_region_list_free(struct keeper_region_list *r)
{
	free(r->v);
	*r = (struct keeper_region_list){0};
}
