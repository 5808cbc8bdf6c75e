/*
 * cloud_vendor: the eight vendors whose machines can tell what they are: whom to ask, what to ask,
 * and how to read the answers. One row each.
 *
 * A vendor is known by what its answers say, not by the address, which most of them share: answers
 * of another vendor, a page of a captive network, or a row with a part missing match nothing.
 */
#ifndef COLLECT_CLOUD_CLOUD_VENDOR_H
#define COLLECT_CLOUD_CLOUD_VENDOR_H

#include <stdbool.h>
#include <stddef.h>

#define CLOUD_STEPS_MAX 4
#define CLOUD_TOKEN_MAX 512
#define CLOUD_VALUE_MAX 64

enum cloud_id {
	CLOUD_AWS,
	CLOUD_GCP,
	CLOUD_AZURE,
	CLOUD_HCLOUD,
	CLOUD_UPCLOUD,
	CLOUD_ALICLOUD,
	CLOUD_OVH,
	CLOUD_VULTR,
	CLOUD_COUNT,
};

/* What was found; "" where it was not. Fixed in size: it goes through a pipe in one write. */
struct cloud_found {
	char vendor[16], instance_type[CLOUD_VALUE_MAX], region[CLOUD_VALUE_MAX];
};

/* The bodies of the answers, by step; NULL where there is none. */
struct cloud_texts {
	const char *text[CLOUD_STEPS_MAX];
	size_t n[CLOUD_STEPS_MAX];
};

struct cloud_step {
	const char *method, *path; /* method NULL: no such step */
	const char *header;        /* "Name: value", or NULL */
	bool token;                /* its answer is sent with the later steps, in token_header */
	bool needed;               /* without it the vendor is another */
};

struct cloud_vendor {
	const char *name, *host, *address, *token_header;
	struct cloud_step steps[CLOUD_STEPS_MAX];
	/* Pure. 0: it is this vendor, and type and region are set as far as they are told; or -1.
	 */
	int (*read)(const struct cloud_texts *t, struct cloud_found *out);
};

extern const struct cloud_vendor cloud_vendors[CLOUD_COUNT];

/* Asks the vendor's rule: fills *out with its name too. 0, or -1, and then *out is empty. */
int cloud_vendor_read(const struct cloud_vendor *v, const struct cloud_texts *t,
                      struct cloud_found *out);

/* Takes a name of letters, digits, "." "-" "_", without the blanks around it. False, and out is "",
 * where it is anything else, or too long. */
bool cloud_value(const char *text, size_t n, char out[CLOUD_VALUE_MAX]);

/* Takes a token: one line of visible ASCII. The same on failure. */
bool cloud_token(const char *text, size_t n, char out[CLOUD_TOKEN_MAX]);

#endif
