/* http_host: any text as an address; what is said of it has no password and is short. */
#include <string.h>

#include "report/http/http_host.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *url = malloc(size + 1), host[HTTP_HOST_MAX];

	must(url != NULL);
	if (size)
		memcpy(url, data, size);
	url[size] = '\0';
	memset(host, 'x', sizeof host);
	http_host(url, host);
	must(strnlen(host, sizeof host) < sizeof host && *host);
	must(!strchr(host, '@') && !strchr(host, '/') && !strchr(host, '?'));
	free(url);
	return 0;
}
