/* Fuzzes the parsers of collect/waits: wait_look.c and wait_names.c. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "collect/waits/wait_look.h"
#include "collect/waits/wait_names.h"
#include "collect/waits/wait_polled.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data;
	struct wait_look_syscall call;
	char peer[WAIT_NAMES_PEER] = "", *link = malloc(size + 1);
	unsigned port = 0;
	int fds[WAIT_POLLED_MAX];
	bool takes_fd, remote = false;

	if (!link)
		return 0;
	memcpy(link, text, size);
	link[size] = '\0';
	if (wait_look_by_wchan(text, size) > WAIT_LOOK_NOTHING ||
	    wait_look_by_link(link) > WAIT_LOOK_NOTHING)
		abort();
	if (wait_look_syscall_parse(text, size, &call) == 0 &&
	    (wait_look_by_syscall(&call, &takes_fd) > WAIT_LOOK_NOTHING || call.fd < -1))
		abort();
	if (wait_names_parse_inet(text, size, 7, &port, peer) && port > 65535)
		abort();
	if (memchr(peer, '\0', sizeof peer) == NULL)
		abort();
	if (wait_polled_epoll(text, size, fds) > WAIT_POLLED_MAX)
		abort();
	wait_names_parse_mount(text, size, 30, &remote);
	free(link);
	return 0;
}
