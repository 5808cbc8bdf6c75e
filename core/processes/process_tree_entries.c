/* process_tree_entries: the rows of a process tree from the entries of a journal. */
#include "core/processes/process_tree_entries.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc_failed.h"
#include "core/base/larger.h"

#define CLASSES     PROCESS_TREE_ENTRIES_CLASSES
#define PER_OCTAVE  16
#define SHORTEST_S  1e-5
#define ENTRIES_MAX 1000000 /* of single processes in one journal */
#define NOT_KEPT    (-1)

struct item {
	uint32_t id, parent, at; /* at: which entry of the source it is */
	int32_t index;           /* its class, and later its row, or NOT_KEPT */
};

struct process_tree_index {
	struct process_tree_entries from;
	struct item *items; /* by id */
	size_t n_items, room;
	size_t kept;
	bool says_exact;
	unsigned command_class; /* the lowest with command lines */
	double n;
	const char *source;
	char why[PROCESS_ENTRY_COMMAND_MAX + 1];
	char **names; /* of groups */
	size_t n_names, room_names;
	struct process_tree_group *groups;
	size_t n_groups, room_groups;
};

unsigned process_tree_entries_class(double start_s, double end_s)
{
	double lived = (end_s - start_s) / SHORTEST_S;
	unsigned octave = 0;

	if (!isfinite(lived))
		return CLASSES - 1;
	/* Without libm: the octave, and 16 equal parts of it. */
	while (lived >= 2 && octave < CLASSES / PER_OCTAVE - 1) {
		lived /= 2;
		octave++;
	}
	if (lived < 1)
		return 0;
	lived = lesser((lived - 1) * PER_OCTAVE, PER_OCTAVE - 1);
	return (unsigned)lesser(octave * PER_OCTAVE + lived, CLASSES - 2);
}

unsigned process_tree_entries_least(const uint32_t in_class[CLASSES], size_t max)
{
	size_t n = 0;

	for (unsigned c = CLASSES; c-- > 0;) {
		n += in_class[c];
		if (n > max)
			return c + 1;
	}
	return 0;
}

static struct item *find_item(const struct process_tree_index *x, uint32_t id)
{
	size_t low = 0, high = x->n_items;

	while (low < high) {
		size_t middle = (low + high) / 2;
		if (x->items[middle].id < id)
			low = middle + 1;
		else
			high = middle;
	}
	return low < x->n_items && x->items[low].id == id ? &x->items[low] : NULL;
}

/* The row of the nearest ancestor that is kept. A parent has a lower number than its child, so this
 * ends. */
static long kept_row(const struct process_tree_index *x, uint32_t id)
{
	while (id) {
		const struct item *item = find_item(x, id);
		if (!item)
			return -1;
		if (item->index != NOT_KEPT)
			return item->index;
		id = item->parent < id ? item->parent : 0;
	}
	return -1;
}

/* -- choosing ---------------------------------------------------------------------------------- */

static int add_item(struct process_tree_index *x, const struct process_entry *entry, uint32_t at,
                    struct err *e)
{
	size_t room = x->room ? x->room + x->room / 2 : 256;
	struct item *grown;

	if (x->n_items == ENTRIES_MAX)
		return 0;
	if (x->n_items == x->room) {
		grown = alloc_failed_note(realloc(x->items, room * sizeof *grown));
		if (!grown)
			return err_set(e, "no memory for the processes");
		x->items = grown;
		x->room = room;
	}
	x->items[x->n_items++] =
	    (struct item){entry->id, entry->parent, at,
	                  (int32_t)process_tree_entries_class(entry->start_s, entry->end_s)};
	return 0;
}

static bool is_process(const struct process_entry *entry)
{
	return (entry->kind == PROCESS_ENTRY_ENDED || entry->kind == PROCESS_ENTRY_RUNNING) &&
	       entry->id;
}

/* By id, and of the same id the later one first. A Shell sort, since qsort(3) may allocate. */
static void sort_items(struct item *v, size_t n)
{
	for (size_t gap = n / 2; gap > 0; gap = gap == 2 ? 1 : gap * 5 / 11)
		for (size_t i = gap; i < n; i++) {
			struct item one = v[i];
			size_t k = i;
			for (; k >= gap && (v[k - gap].id > one.id ||
			                    (v[k - gap].id == one.id && v[k - gap].at < one.at));
			     k -= gap)
				v[k] = v[k - gap];
			v[k] = one;
		}
}

/* Reads all entries once: which processes there are. The last entry of a process counts. */
static int collect_items(struct process_tree_index *x, struct err *e)
{
	struct process_entry entry;
	size_t at[2] = {0, 0}, left = 0;
	int more;

	for (uint32_t i = 0; (more = x->from.next(x->from.ctx, at, &entry, e)) > 0; i++) {
		if (is_process(&entry) && add_item(x, &entry, i, e))
			return -1;
		x->says_exact |= is_process(&entry) && !isnan(entry.cpu_exact);
		if (entry.kind != PROCESS_ENTRY_SOURCE)
			continue;
		/* Once by samples, not all can be there. */
		if (!*x->why) {
			bool all = strcmp(entry.name, PROCESS_TREE_EVENTS) == 0;
			x->source = all ? PROCESS_TREE_EVENTS : PROCESS_TREE_SAMPLES;
			if (!all)
				memcpy(x->why, entry.command, sizeof x->why);
		}
	}
	sort_items(x->items, x->n_items);
	for (size_t i = 0; i < x->n_items; i++)
		if (!left || x->items[left - 1].id != x->items[i].id)
			x->items[left++] = x->items[i];
	x->n_items = left;
	return more;
}

static void choose_kept(struct process_tree_index *x)
{
	uint32_t in_class[CLASSES] = {0};
	unsigned least;

	for (size_t i = 0; i < x->n_items; i++)
		in_class[x->items[i].index]++;
	least = process_tree_entries_least(in_class, PROCESS_TREE_KEPT);
	x->command_class = process_tree_entries_least(in_class, PROCESS_TREE_COMMANDS);
	for (size_t i = 0; i < x->n_items; i++)
		x->items[i].index = x->items[i].index >= (int32_t)least ? 0 : NOT_KEPT;
}

/* Numbers the rows in the order of their entries. */
static int number_rows(struct process_tree_index *x, struct err *e)
{
	struct process_entry entry;
	size_t at[2] = {0, 0};
	int more;

	for (uint32_t i = 0; (more = x->from.next(x->from.ctx, at, &entry, e)) > 0; i++) {
		struct item *item = is_process(&entry) ? find_item(x, entry.id) : NULL;
		if (item && item->at == i && item->index != NOT_KEPT)
			item->index = (int32_t)x->kept++;
	}
	return more;
}

/* -- groups ------------------------------------------------------------------------------------ */

/* Makes room for one more element of an array. NULL without memory: the array is as it was. */
static void *with_room(void *v, size_t n, size_t *room, size_t size)
{
	size_t more = *room ? *room * 2 : 32;

	if (n < *room)
		return v;
	v = alloc_failed_note(realloc(v, more * size));
	if (v)
		*room = more;
	return v;
}

/* "" where there are too many. */
static const char *group_name(struct process_tree_index *x, const char *name)
{
	char **more, *copy;

	for (size_t i = 0; i < x->n_names; i++)
		if (strcmp(x->names[i], name) == 0)
			return x->names[i];
	more = x->n_names < PROCESS_TREE_NAMES / 2
	           ? with_room(x->names, x->n_names, &x->room_names, sizeof *x->names)
	           : NULL;
	if (!more)
		return "";
	x->names = more;
	copy = alloc_failed_note(strdup(name));
	if (copy)
		x->names[x->n_names++] = copy;
	return copy ? copy : "";
}

/* The last of PROCESS_TREE_GROUPS is for all others. NULL without memory. */
static struct process_tree_group *group_for(struct process_tree_index *x, const char *name,
                                            long parent)
{
	struct process_tree_group *more;

	for (size_t i = 0; i < x->n_groups; i++)
		if (x->groups[i].parent == parent && strcmp(x->groups[i].name, name) == 0)
			return &x->groups[i];
	if (x->n_groups == PROCESS_TREE_GROUPS)
		return &x->groups[PROCESS_TREE_GROUPS - 1];
	more = with_room(x->groups, x->n_groups, &x->room_groups, sizeof *x->groups);
	if (!more)
		return NULL;
	x->groups = more;
	if (x->n_groups == PROCESS_TREE_GROUPS - 1) {
		name = "";
		parent = -1;
	}
	x->groups[x->n_groups] = (struct process_tree_group){.name = name,
	                                                     .parent = parent,
	                                                     .cpu_exact = 1,
	                                                     .memory_b = NAN,
	                                                     .start_s = INFINITY,
	                                                     .end_s = NAN};
	return &x->groups[x->n_groups++];
}

static void count_in_group(struct process_tree_index *x, const struct process_entry *entry)
{
	struct process_tree_group *g =
	    group_for(x, group_name(x, entry->name), kept_row(x, entry->parent));

	if (!g)
		return;
	g->n += entry->kind == PROCESS_ENTRY_GROUP ? entry->n : 1;
	g->cpu_s += isnan(entry->cpu_s) ? 0 : entry->cpu_s;
	g->cpu_exact = g->cpu_exact > 0 && entry->cpu_exact > 0;
	if (!isnan(entry->memory_b))
		g->memory_b =
		    isnan(g->memory_b) ? entry->memory_b : larger(g->memory_b, entry->memory_b);
	g->start_s = lesser(g->start_s, entry->start_s);
	g->end_s = larger(g->end_s, entry->end_s);
}

static int sum_groups(struct process_tree_index *x, struct err *e)
{
	struct process_entry entry;
	size_t at[2] = {0, 0};
	int more;

	for (uint32_t i = 0; (more = x->from.next(x->from.ctx, at, &entry, e)) > 0; i++) {
		const struct item *item = is_process(&entry) ? find_item(x, entry.id) : NULL;
		if (entry.kind == PROCESS_ENTRY_GROUP ||
		    (item && item->at == i && item->index == NOT_KEPT))
			count_in_group(x, &entry);
	}
	for (size_t i = 0; i < x->n_groups; i++)
		x->n += x->groups[i].n;
	x->n += (double)x->kept;
	return more;
}

struct process_tree_index *process_tree_entries_open(const struct process_tree_entries *from,
                                                     struct err *e)
{
	struct process_tree_index *x = alloc_failed_note(calloc(1, sizeof *x));

	if (!x) {
		err_set(e, "no memory for the processes");
		return NULL;
	}
	x->from = *from;
	x->source = PROCESS_TREE_SAMPLES;
	if (collect_items(x, e) == 0) {
		choose_kept(x);
		if (number_rows(x, e) == 0 && sum_groups(x, e) == 0)
			return x;
	}
	process_tree_entries_close(x);
	return NULL;
}

/* -- rows -------------------------------------------------------------------------------------- */

static int each_row(void *ctx, process_tree_visit visit, void *to, struct err *e)
{
	struct process_tree_index *x = ctx;
	struct process_entry entry;
	size_t at[2] = {0, 0};
	int more;

	for (uint32_t i = 0; (more = x->from.next(x->from.ctx, at, &entry, e)) > 0; i++) {
		const struct item *item = is_process(&entry) ? find_item(x, entry.id) : NULL;
		bool commands;
		if (!item || item->at != i || item->index == NOT_KEPT)
			continue;
		commands =
		    process_tree_entries_class(entry.start_s, entry.end_s) >= x->command_class;
		visit(to, &(struct process_tree_node){
			      .pid = entry.pid,
			      .parent = entry.parent < entry.id ? kept_row(x, entry.parent) : -1,
			      .start_s = entry.start_s,
			      .end_s = entry.end_s,
			      .cpu_s = entry.cpu_s,
			      .cpu_exact = entry.cpu_exact,
			      .memory_b = entry.memory_b,
			      .status = entry.status > -256 && entry.status < 256
		                            ? entry.status
		                            : PROCESS_TREE_NO_STATUS,
			      .name = entry.name,
			      .command = commands ? entry.command : "",
			  });
	}
	return more;
}

struct process_tree_rows process_tree_entries_rows(struct process_tree_index *x)
{
	return (struct process_tree_rows){.source = x->source,
	                                  .why = x->why,
	                                  .says_exact = x->says_exact,
	                                  .n = x->n,
	                                  .kept = x->kept,
	                                  .each = each_row,
	                                  .ctx = x,
	                                  .groups = x->groups,
	                                  .n_groups = x->n_groups};
}

void process_tree_entries_close(struct process_tree_index *x)
{
	if (!x)
		return;
	free(x->items);
	while (x->n_names)
		free(x->names[--x->n_names]);
	free(x->names);
	free(x->groups);
	free(x);
}
