/* states: where the time of a job went. */
#include "core/recording/states.h"

#include <string.h>

static const struct {
	const char *word;
	enum metric_id metric;
} states[STATES_N] = {
#define STATE(id, word, ...) [STATES_##id] = {word, METRIC_PROCESS_STATE_##id},
#include "core/numbers/job_states.def"
#undef STATE
};

const char *states_word(enum states_id id)
{
	return states[id].word;
}

enum states_id states_find(const char *word)
{
	int id = 0;

	while (id < STATES_N && strcmp(states[id].word, word) != 0)
		id++;
	return (enum states_id)id;
}

enum metric_id states_metric(enum states_id id)
{
	return states[id].metric;
}

enum states_id states_of_metric(enum metric_id id)
{
	int k = 0;

	while (k < STATES_N && states[k].metric != id)
		k++;
	return (enum states_id)k;
}

static const struct {
	const char *word;
	enum states_id first, last;
} groups[STATES_GROUPS] = {
    [STATES_GROUP_CPU] = {"cpu", STATES_CPU, STATES_THROTTLED},
    [STATES_GROUP_MEMORY] = {"memory", STATES_MEMORY, STATES_MEMORY},
    [STATES_GROUP_DISK] = {"disk", STATES_DISK, STATES_NET_DISK},
    [STATES_GROUP_NET] = {"net", STATES_NET, STATES_NET},
    [STATES_GROUP_IDLE] = {"idle", STATES_LOCK, STATES_STOPPED},
    [STATES_GROUP_UNKNOWN] = {"unknown", STATES_UNKNOWN, STATES_UNKNOWN},
};

const char *states_group_word(enum states_group group)
{
	return groups[group].word;
}

enum states_group states_group_find(const char *word)
{
	int i = 0;

	while (i < STATES_GROUPS && strcmp(groups[i].word, word) != 0)
		i++;
	return (enum states_group)i;
}

const char *states_mostly(const struct stats *columns)
{
	const char *word = "";
	double most = 0;

	for (size_t i = 0; i < STATES_GROUPS; i++) {
		double sum = 0;
		for (int k = groups[i].first; k <= (int)groups[i].last; k++) {
			const struct stats *s = &columns[states_metric((enum states_id)k)];
			sum += s->n && s->sum > 0 ? s->sum : 0;
		}
		word = sum > most ? groups[i].word : word;
		most = sum > most ? sum : most;
	}
	return word;
}
