/* parts: the recordings of one job. */
#include "report/runs/parts.h"

size_t parts_nodes(const struct run *run)
{
	return run->parts ? run->parts->n_nodes : 1;
}
