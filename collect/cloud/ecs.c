/* ecs: what a container of AWS Batch or ECS was given. */
#include "collect/cloud/ecs.h"

#include <arpa/inet.h>
#include <math.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cjson/cJSON.h>

#include "collect/cloud/cloud_http.h"
#include "collect/machine/clocks.h"
#include "core/base/version.h"

#define MIB        0x1p20
#define VCPU_UNITS 1024
#define UNITS_MIN  2 /* Docker's least share: what a container gets that asked for nothing */

/* -- the answers ------------------------------------------------------------------------------- */

static double limit_number(const cJSON *limits, const char *key)
{
	const cJSON *v = cJSON_GetObjectItemCaseSensitive(limits, key);

	return cJSON_IsNumber(v) && v->valuedouble > 0 ? v->valuedouble : NAN;
}

void ecs_read(const char *text, size_t n, bool task, struct ecs_limits *l)
{
	cJSON *root = cJSON_ParseWithLength(text, n);
	const cJSON *limits = cJSON_GetObjectItemCaseSensitive(root, "Limits");
	double cpu = limit_number(limits, "CPU"), memory = limit_number(limits, "Memory");

	if (!task)
		cpu = cpu > UNITS_MIN ? cpu / VCPU_UNITS : NAN;
	if (isnan(l->cpus))
		l->cpus = cpu;
	if (isnan(l->memory_b))
		l->memory_b = memory * MIB;
	cJSON_Delete(root);
}

/* -- the requests ------------------------------------------------------------------------------ */

static bool split_uri(const char *uri, struct sockaddr_in *to, const char **path)
{
	uint32_t address;

	if (strlen(uri) >= ECS_URI_MAX || !cloud_http_url(uri, to, path))
		return false;
	for (const char *p = *path; *p; p++)
		if (*p <= ' ' || *p > '~')
			return false;
	address = ntohl(to->sin_addr.s_addr);
	return address >> 24 == 127 || address >> 16 == (169 << 8 | 254);
}

bool ecs_uri(const char *uri)
{
	struct sockaddr_in to;
	const char *path;

	return split_uri(uri, &to, &path);
}

/* One exchange. Returns whether there is an answer, in the caller's text. */
static bool ask_ecs(const struct sockaddr_in *to, const char *path, const char *more,
                    int64_t deadline, char *text, struct cloud_answer *answer)
{
	char request[CLOUD_HTTP_REQUEST], host[INET_ADDRSTRLEN] = "";
	struct cloud_http http;
	int n, got = 0;

	(void)inet_ntop(AF_INET, &to->sin_addr, host, sizeof host);
	n = snprintf(request, sizeof request,
	             "GET %s%s HTTP/1.1\r\nHost: %s:%d\r\nUser-Agent: rtrack-collect/%s\r\n"
	             "Accept: */*\r\nConnection: close\r\n\r\n",
	             path, more, host, ntohs(to->sin_port), rtrack_version);
	if (n < 0 || n >= (int)sizeof request ||
	    cloud_http_open(&http, to, request, (size_t)n, text))
		return false;
	while (got == 0) {
		struct pollfd fd = {.fd = http.fd, .events = cloud_http_events(&http)};
		int64_t left = (deadline - clocks_now(CLOCK_MONOTONIC)) / 1000000;
		if (left <= 0)
			break;
		if (poll(&fd, 1, (int)left) > 0)
			got = cloud_http_step(&http, answer);
	}
	cloud_http_close(&http);
	return got > 0 && answer->status == 200;
}

void ecs_ask(const char *uri, int limit_ms, struct ecs_limits *l)
{
	int64_t deadline = clocks_now(CLOCK_MONOTONIC) + limit_ms * INT64_C(1000000);
	char *text = malloc(CLOUD_HTTP_MAX + 1);
	struct cloud_answer answer;
	struct sockaddr_in to;
	const char *path;

	*l = (struct ecs_limits){NAN, NAN};
	if (text && split_uri(uri, &to, &path)) {
		if (ask_ecs(&to, path, "/task", deadline, text, &answer))
			ecs_read(answer.body, answer.n, true, l);
		if ((isnan(l->cpus) || isnan(l->memory_b)) &&
		    ask_ecs(&to, *path ? path : "/", "", deadline, text, &answer))
			ecs_read(answer.body, answer.n, false, l);
	}
	free(text);
}
