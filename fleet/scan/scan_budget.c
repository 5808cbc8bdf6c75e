/* scan_budget: how much of one add the folder of one user may take. */
#include "fleet/scan/scan_budget.h"

#include <stdio.h>

#include "fleet/scan/scan_users.h"
#include "report/units/units.h"

/* NULL: the user has no limits. */
static struct scan_budget_user *find_user(struct scan_budget *b, uint32_t id)
{
	return id == SCAN_USERS_ANYONE
	           ? NULL
	           : id_table_add(&b->users, (uint64_t)id + 1, sizeof(struct scan_budget_user));
}

bool scan_budget_file(struct scan_budget *b, uint32_t id)
{
	struct scan_budget_user *user = find_user(b, id);

	if (!user || !b->max.files)
		return true;
	user->too_many = user->too_many || user->of.files == b->max.files;
	user->of.files += !user->too_many;
	return !user->too_many;
}

void scan_budget_spend(struct scan_budget *b, uint32_t id, double bytes, double seconds)
{
	struct scan_budget_user *user = find_user(b, id);

	if (!user)
		return;
	/* A worker that a file has taken over may say anything. */
	user->of.bytes += bytes > 0 ? bytes : 0;
	user->of.seconds += seconds > 0 ? seconds : 0;
}

static bool is_over(double used, double max)
{
	return max > 0 && used >= max;
}

bool scan_budget_is_spent(struct scan_budget *b, uint32_t id, bool rest)
{
	struct scan_budget_user *user = find_user(b, id);
	bool spent = user && (is_over(user->of.bytes, b->max.bytes) ||
	                      is_over(user->of.seconds, b->max.seconds));

	if (spent) {
		user->unread++;
		user->rest = user->rest || rest;
	}
	return spent;
}

bool scan_budget_says(const struct scan_budget *b, const struct scan_budget_user *user,
                      const char *name, struct err *why)
{
	char n[UNITS_SIZE], limit[UNITS_SIZE], spent[UNITS_SIZE + 32];

	if (!user->too_many && !user->unread)
		return false;
	if (user->too_many) {
		err_set(why,
		        "the folder of user %s has more than %s file%s: the others were left out "
		        "(--user-files)",
		        name, units_count((double)b->max.files, n), b->max.files == 1 ? "" : "s");
		return true;
	}
	if (is_over(user->of.bytes, b->max.bytes))
		snprintf(spent, sizeof spent, "%s were read (--user-bytes)",
		         UNITS_TEXT(UNIT_BYTES, user->of.bytes));
	else
		snprintf(spent, sizeof spent, "%s of reading (--user-time)",
		         units_seconds(user->of.seconds, limit));
	err_set(why, "the folder of user %s: %s%s recording%s for the next add, after %s", name,
	        user->rest ? "at least " : "", units_count((double)user->unread, n),
	        user->unread == 1 ? " waits" : "s wait", spent);
	return true;
}

void scan_budget_free(struct scan_budget *b)
{
	id_table_free(&b->users);
}
