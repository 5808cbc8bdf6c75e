/*
 * cloud_vendor: the metadata services of eight cloud vendors, one row each: the address, the
 * requests, and how to read the answers.
 *
 * The content of the answers identifies a vendor, not the address, which most vendors share.
 * Answers of another vendor, the page of a captive portal, or incomplete answers match no
 * vendor.
 */
#ifndef COLLECT_CLOUD_CLOUD_VENDOR_H
#define COLLECT_CLOUD_CLOUD_VENDOR_H

#include <stdbool.h>
#include <stddef.h>

#define CLOUD_STEPS_MAX 6
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

/* The content of the answers; "" if unknown. Fixed in size, to pass through a pipe in one
 * write(2). */
struct cloud_found {
	char vendor[16], instance_type[CLOUD_VALUE_MAX], region[CLOUD_VALUE_MAX];
	char zone[CLOUD_VALUE_MAX], account[CLOUD_VALUE_MAX];
};

/* The bodies of the answers by step; NULL: none. */
struct cloud_texts {
	const char *text[CLOUD_STEPS_MAX];
	size_t n[CLOUD_STEPS_MAX];
};

struct cloud_step {
	const char *method, *path; /* method NULL: no such step */
	const char *header;        /* "Name: value", or NULL */
	bool token;                /* later steps send its answer in token_header */
	bool needed;               /* without an answer it is another vendor */
};

struct cloud_vendor {
	const char *name, *host, *address, *token_header;
	struct cloud_step steps[CLOUD_STEPS_MAX];
	/* Pure. 0: it is this vendor; the rest is set if the answers have it. Else -1. */
	int (*read)(const struct cloud_texts *t, struct cloud_found *out);
};

extern const struct cloud_vendor cloud_vendors[CLOUD_COUNT];

/* Calls the vendor's read and adds its name. 0, or -1 with *out empty. */
int cloud_vendor_read(const struct cloud_vendor *v, const struct cloud_texts *t,
                      struct cloud_found *out);

/* Copies a name of letters, digits, "." "-" "_", without surrounding blanks. False, with out "",
 * if it is anything else or too long. */
bool cloud_vendor_value(const char *text, size_t n, char out[CLOUD_VALUE_MAX]);

/* Copies a token: one line of visible ASCII. False, with out "", if it is anything else or too
 * long. */
bool cloud_vendor_token(const char *text, size_t n, char out[CLOUD_TOKEN_MAX]);

#endif
