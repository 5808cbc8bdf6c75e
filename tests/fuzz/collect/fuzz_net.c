/* Fuzzes collect/machine/net.c: two readings, the halves of the input; the sums never fall. */
#include <stdint.h>
#include <stdlib.h>

#include "collect/machine/net.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data;
	struct net *t = calloc(1, sizeof *t);
	double recv_b = 0, sent_b = 0;

	if (!t)
		return 0;
	for (int i = 0; i < 4; i++) {
		size_t half = size / 2;

		if (i % 2 == 0)
			net_update(t, text, half, NULL, NULL);
		else
			net_update(t, text + half, size - half, NULL, NULL);
		if (t->recv_b < recv_b || t->sent_b < sent_b || t->n > NET_MAX)
			abort();
		recv_b = t->recv_b;
		sent_b = t->sent_b;
	}
	free(t);
	return 0;
}
