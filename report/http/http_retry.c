/* http_retry: which requests are sent again, how often, and after which pause. */
#include "report/http/http_retry.h"

#include <string.h>
#include <sys/random.h>

#define PAUSE_FIRST_MS  200L
#define RETRY_AFTER_MAX 3600

bool http_retry_answer(const struct http_reply *a)
{
	static const char slow[] = "<Code>SlowDown</Code>";

	switch (a->status) {
	case 429:
	case 500:
	case 502:
	case 503:
	case 504:
		return true;
	default: /* the text counts in errors only: a recording may contain it */
		return a->status >= 400 && memmem(a->body, a->len, slow, sizeof slow - 1);
	}
}

/* The first bytes on a kept connection may be the rest of a longer answer than was announced. */
static bool was_kept(CURL *h)
{
	long new = 1;

	curl_easy_getinfo(h, CURLINFO_NUM_CONNECTS, &new);
	return !new;
}

bool http_retry_failure(CURL *h, CURLcode code)
{
	switch (code) {
	case CURLE_UNSUPPORTED_PROTOCOL:
	case CURLE_WEIRD_SERVER_REPLY:
		return was_kept(h);
	case CURLE_COULDNT_CONNECT:
	case CURLE_OPERATION_TIMEDOUT:
	case CURLE_PARTIAL_FILE:
	case CURLE_SEND_ERROR:
	case CURLE_RECV_ERROR:
	case CURLE_GOT_NOTHING:
	case CURLE_SSL_CONNECT_ERROR:
		return true;
	default:
		return false;
	}
}

long http_retry_pause_ms(int tries, curl_off_t asked_s)
{
	long most = PAUSE_FIRST_MS << (tries > 10 ? 9 : tries - 1), ms = most / 2;
	unsigned r;

	if (getrandom(&r, sizeof r, 0) == sizeof r)
		ms = (long)(r % ((unsigned long)most + 1));
	if (asked_s > RETRY_AFTER_MAX)
		asked_s = RETRY_AFTER_MAX;
	return ms < asked_s * 1000 ? (long)asked_s * 1000 : ms;
}
