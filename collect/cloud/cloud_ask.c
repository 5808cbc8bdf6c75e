/* cloud_ask: asks metadata services, all at once, until one is recognized or the time is up. */
#include "collect/cloud/cloud_ask.h"

#include <arpa/inet.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "collect/cloud/cloud_http.h"
#include "collect/machine/clocks.h"

#define HTTP_PORT 80

/* The requests to one vendor, one after the other. */
struct talk {
	const struct cloud_vendor *v;
	struct sockaddr_in to;
	size_t step;
	bool over; /* no request is left */
	bool lost; /* it is not this vendor */
	struct cloud_http http;
	char *text[CLOUD_STEPS_MAX];
	struct cloud_texts texts;
	char token[CLOUD_TOKEN_MAX];
};

static int64_t monotonic_ms(void)
{
	return clocks_now(CLOCK_MONOTONIC) / 1000000;
}

static size_t request(const struct talk *t, char out[CLOUD_HTTP_REQUEST])
{
	const struct cloud_step *s = &t->v->steps[t->step];
	int n = snprintf(out, CLOUD_HTTP_REQUEST,
	                 "%s %s HTTP/1.1\r\nHost: %s\r\nUser-Agent: rtrack-collect/%s\r\n"
	                 "Accept: */*\r\nConnection: close\r\n%s%s%s%s%s%s%s\r\n",
	                 s->method, s->path, t->v->host, RTRACK_VERSION, s->header ? s->header : "",
	                 s->header ? "\r\n" : "", *t->token ? t->v->token_header : "",
	                 *t->token ? ": " : "", t->token, *t->token ? "\r\n" : "",
	                 *s->method == 'P' ? "Content-Length: 0\r\n" : "");

	return n > 0 && n < CLOUD_HTTP_REQUEST ? (size_t)n : 0;
}

/* Keeps the answer of the current step. False if it is none. */
static bool keep_answer(struct talk *t, const struct cloud_answer *a)
{
	if (a->status != 200)
		return false;
	if (t->v->steps[t->step].token)
		return cloud_token(a->body, a->n, t->token);
	t->texts.text[t->step] = a->body;
	t->texts.n[t->step] = a->n;
	return true;
}

static void ask_step(struct talk *t);

/* Ends the step, with or without an answer, and begins the next.
 * misc-no-recursion: once per step, at most CLOUD_STEPS_MAX times */
static void next_step(struct talk *t, bool answered)
{
	cloud_http_close(&t->http);
	if (!answered && t->v->steps[t->step].needed)
		t->lost = t->over = true;
	else if (++t->step == CLOUD_STEPS_MAX || !t->v->steps[t->step].method)
		t->over = true;
	else
		ask_step(t);
}

/* misc-no-recursion: see next_step */
static void ask_step(struct talk *t)
{
	char text[CLOUD_HTTP_REQUEST];

	t->text[t->step] = malloc(CLOUD_HTTP_MAX + 1);
	if (!t->text[t->step] ||
	    cloud_http_open(&t->http, &t->to, text, request(t, text), t->text[t->step]))
		next_step(t, false);
}

static void take_answer(struct talk *t)
{
	struct cloud_answer answer;
	int got = cloud_http_step(&t->http, &answer);

	if (got)
		next_step(t, got > 0 && keep_answer(t, &answer));
}

static void begin_vendor(struct talk *t, const struct cloud_vendor *v, const struct sockaddr_in *to)
{
	t->v = v;
	t->http.fd = -1;
	t->to.sin_family = AF_INET;
	t->to.sin_port = htons(HTTP_PORT);
	(void)inet_pton(AF_INET, v->address, &t->to.sin_addr);
	if (to)
		t->to = *to;
	ask_step(t);
}

/* A vendor is unknown while a needed answer is missing. */
static bool is_recognized(const struct talk *t, struct cloud_found *out)
{
	if (t->lost)
		return false;
	for (size_t i = t->step; !t->over && i < CLOUD_STEPS_MAX; i++)
		if (t->v->steps[i].needed)
			return false;
	return cloud_vendor_read(t->v, &t->texts, out) == 0;
}

/* Whether a vendor whose requests are done is recognized. */
static bool any_recognized(struct talk *talks, size_t n, struct cloud_found *out)
{
	for (size_t i = 0; i < n; i++) {
		if (talks[i].over && is_recognized(&talks[i], out))
			return true;
		talks[i].lost |= talks[i].over;
	}
	return false;
}

/* One poll(2). False if the time is up, or no answer is missing. */
static bool poll_answers(struct talk *talks, size_t n, int64_t deadline)
{
	struct pollfd fds[CLOUD_COUNT];
	int64_t left = deadline - monotonic_ms();
	bool any = false;

	for (size_t i = 0; i < n; i++) {
		fds[i].fd = talks[i].over ? -1 : talks[i].http.fd;
		fds[i].events = talks[i].over ? 0 : cloud_http_events(&talks[i].http);
		fds[i].revents = 0;
		any |= !talks[i].over;
	}
	if (!any || left <= 0)
		return false;
	(void)poll(fds, n, (int)left);
	for (size_t i = 0; i < n; i++)
		if (fds[i].revents)
			take_answer(&talks[i]);
	return true;
}

int cloud_ask(unsigned asked, const struct sockaddr_in *to, int limit_ms, struct cloud_found *out)
{
	int64_t deadline = monotonic_ms() + limit_ms;
	struct talk *talks = calloc(CLOUD_COUNT, sizeof *talks);
	bool found = false;
	size_t n = 0;

	*out = (struct cloud_found){.vendor = ""};
	if (!talks)
		return -1;
	for (size_t i = 0; i < CLOUD_COUNT; i++)
		if (asked & 1U << i)
			begin_vendor(&talks[n++], &cloud_vendors[i], to);
	do
		found = any_recognized(talks, n, out);
	while (!found && poll_answers(talks, n, deadline));
	for (size_t i = 0; !found && i < n; i++)
		found = is_recognized(&talks[i], out);
	for (size_t i = 0; i < n; i++) {
		cloud_http_close(&talks[i].http);
		for (size_t k = 0; k < CLOUD_STEPS_MAX; k++)
			free(talks[i].text[k]);
	}
	free(talks);
	return found ? 0 : -1;
}
