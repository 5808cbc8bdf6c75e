/* discover_cloud: finds the cloud vendor, instance type and region while the command runs. */
#include "collect/cloud/discover_cloud.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

#include "collect/cloud/cloud_http.h"
#include "collect/cloud/cloud_vendor.h"
#include "collect/machine/clocks.h"
#include "collect/procfs/root.h"
#include "core/base/version.h"

#define HTTP_PORT   80
#define ALL_VENDORS ((1U << CLOUD_COUNT) - 1)

/* -- the vendor according to the firmware ------------------------------------------------------ */

/* The strings of SMBIOS types 0 to 3, in /sys/class/dmi/id, which every user may read, also in
 * containers. */
enum cloud_dmi_field {
	CLOUD_DMI_SYS_VENDOR,
	CLOUD_DMI_PRODUCT_NAME,
	CLOUD_DMI_PRODUCT_VERSION,
	CLOUD_DMI_PRODUCT_FAMILY,
	CLOUD_DMI_PRODUCT_SKU,
	CLOUD_DMI_BIOS_VENDOR,
	CLOUD_DMI_BIOS_VERSION,
	CLOUD_DMI_CHASSIS_ASSET_TAG,
	CLOUD_DMI_FIELDS,
};

/* Without the newline; "" if it could not be read. */
struct cloud_dmi {
	char v[CLOUD_DMI_FIELDS][128];
};

static const char *const dmi_files[CLOUD_DMI_FIELDS] = {
    [CLOUD_DMI_SYS_VENDOR] = "sys_vendor",
    [CLOUD_DMI_PRODUCT_NAME] = "product_name",
    [CLOUD_DMI_PRODUCT_VERSION] = "product_version",
    [CLOUD_DMI_PRODUCT_FAMILY] = "product_family",
    [CLOUD_DMI_PRODUCT_SKU] = "product_sku",
    [CLOUD_DMI_BIOS_VENDOR] = "bios_vendor",
    [CLOUD_DMI_BIOS_VERSION] = "bios_version",
    [CLOUD_DMI_CHASSIS_ASSET_TAG] = "chassis_asset_tag",
};

static void read_dmi(const struct root *r, struct cloud_dmi *out)
{
	*out = (struct cloud_dmi){.v = {""}};
	for (size_t i = 0; i < CLOUD_DMI_FIELDS; i++) {
		char path[64], *v = out->v[i];
		long n;

		snprintf(path, sizeof path, "sys/class/dmi/id/%s", dmi_files[i]);
		n = root_read(r, path, v, sizeof out->v[i]);
		if (n < 0)
			n = 0;
		while (n > 0 && (v[n - 1] == '\n' || v[n - 1] == ' '))
			n--;
		v[n] = '\0';
	}
}

enum match { EQUALS, BEGINS, CONTAINS };

/* The first matching row decides. sys_vendor does not identify GCP and Azure: a Chromebook's is
 * Google, a Surface laptop's or an on-premises Hyper-V's is Microsoft. */
static const struct {
	enum discover_cloud_says says;
	enum cloud_id id;
	enum cloud_dmi_field field;
	enum match match;
	const char *text;
} dmi_rows[] = {
    {DISCOVER_CLOUD_VENDOR, CLOUD_AWS, CLOUD_DMI_SYS_VENDOR, EQUALS, "Amazon EC2"},
    {DISCOVER_CLOUD_VENDOR, CLOUD_AWS, CLOUD_DMI_BIOS_VENDOR, EQUALS, "Amazon EC2"},
    {DISCOVER_CLOUD_VENDOR, CLOUD_AWS, CLOUD_DMI_BIOS_VERSION, CONTAINS, ".amazon"},
    {DISCOVER_CLOUD_VENDOR, CLOUD_GCP, CLOUD_DMI_PRODUCT_NAME, BEGINS, "Google Compute Engine"},
    {DISCOVER_CLOUD_VENDOR, CLOUD_AZURE, CLOUD_DMI_CHASSIS_ASSET_TAG, EQUALS,
     "7783-7084-3265-9085-8269-3286-77"},
    {DISCOVER_CLOUD_VENDOR, CLOUD_HCLOUD, CLOUD_DMI_SYS_VENDOR, EQUALS, "Hetzner"},
    {DISCOVER_CLOUD_VENDOR, CLOUD_UPCLOUD, CLOUD_DMI_SYS_VENDOR, EQUALS, "UpCloud"},
    {DISCOVER_CLOUD_VENDOR, CLOUD_ALICLOUD, CLOUD_DMI_SYS_VENDOR, BEGINS, "Alibaba Cloud"},
    {DISCOVER_CLOUD_VENDOR, CLOUD_ALICLOUD, CLOUD_DMI_PRODUCT_NAME, BEGINS, "Alibaba Cloud"},
    {DISCOVER_CLOUD_VENDOR, CLOUD_VULTR, CLOUD_DMI_SYS_VENDOR, EQUALS, "Vultr"},
    {DISCOVER_CLOUD_MAYBE, CLOUD_OVH, CLOUD_DMI_PRODUCT_NAME, BEGINS, "OpenStack"},
    {DISCOVER_CLOUD_MAYBE, CLOUD_OVH, CLOUD_DMI_SYS_VENDOR, BEGINS, "OpenStack"},
    {DISCOVER_CLOUD_NOTHING, 0, CLOUD_DMI_SYS_VENDOR, EQUALS, "QEMU"},
    {DISCOVER_CLOUD_NOTHING, 0, CLOUD_DMI_SYS_VENDOR, EQUALS, "Xen"},
    {DISCOVER_CLOUD_NOTHING, 0, CLOUD_DMI_SYS_VENDOR, EQUALS, "Red Hat"},
    {DISCOVER_CLOUD_NOTHING, 0, CLOUD_DMI_SYS_VENDOR, EQUALS, "KVM"},
    {DISCOVER_CLOUD_NOTHING, 0, CLOUD_DMI_SYS_VENDOR, EQUALS, "Bochs"},
};

static bool dmi_matches(const char *v, enum match match, const char *text)
{
	if (match == EQUALS)
		return strcmp(v, text) == 0;
	if (match == BEGINS)
		return strncmp(v, text, strlen(text)) == 0;
	return strstr(v, text) != NULL;
}

/* "cpx31": Hetzner has it in one of several fields. */
static bool is_hcloud_type(const char *v)
{
	static const char *const families[] = {"cpx", "cax", "ccx", "cx"};

	for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
		size_t n = strlen(families[i]);
		if (strncasecmp(v, families[i], n) == 0)
			return v[n] && v[n + strspn(v + n, "0123456789")] == '\0';
	}
	return false;
}

/* "m5.large"; Xen instances, before Nitro, have "HVM domU". */
static bool is_aws_type(const char *v)
{
	return strchr(v, '.') && !strchr(v, ' ');
}

static void dmi_type(const struct cloud_dmi *d, enum cloud_id id, char type[CLOUD_VALUE_MAX])
{
	const char *name = d->v[CLOUD_DMI_PRODUCT_NAME];

	if (id == CLOUD_AWS && is_aws_type(name))
		(void)cloud_vendor_value(name, strlen(name), type);
	for (size_t i = CLOUD_DMI_PRODUCT_NAME; id == CLOUD_HCLOUD && i <= CLOUD_DMI_PRODUCT_SKU;
	     i++)
		if (is_hcloud_type(d->v[i]))
			(void)cloud_vendor_value(d->v[i], strlen(d->v[i]), type);
}

/* Pure. type is set to the instance type if the firmware has it, else to "". */
static enum discover_cloud_says judge_dmi(const struct cloud_dmi *d, enum cloud_id *id,
                                          char type[CLOUD_VALUE_MAX])
{
	bool any = false;

	type[0] = '\0';
	for (size_t i = 0; i < sizeof dmi_rows / sizeof *dmi_rows; i++) {
		if (!dmi_matches(d->v[dmi_rows[i].field], dmi_rows[i].match, dmi_rows[i].text))
			continue;
		*id = dmi_rows[i].id;
		if (dmi_rows[i].says == DISCOVER_CLOUD_VENDOR)
			dmi_type(d, *id, type);
		return dmi_rows[i].says;
	}
	for (size_t i = 0; i < CLOUD_DMI_FIELDS; i++)
		any |= d->v[i][0] != '\0';
	return any ? DISCOVER_CLOUD_ELSEWHERE : DISCOVER_CLOUD_NOTHING;
}

/* -- asking ------------------------------------------------------------------------------------ */

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
	                 s->method, s->path, t->v->host, rtrack_version, s->header ? s->header : "",
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
		return cloud_vendor_token(a->body, a->n, t->token);
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

/* asked: a bit per cloud_id. to: where all requests go, with the vendor's own name in the Host
 * header; NULL: to the vendors. The first vendor whose answers are complete wins; after
 * limit_ms, a vendor whose answers so far identify it. Allocates at most 64 KiB per answer. 0,
 * or -1: none. */
static int ask_vendors(unsigned asked, const struct sockaddr_in *to, int limit_ms,
                       struct cloud_found *out)
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

/* -- where to ask ------------------------------------------------------------------------------ */

static bool parse_base(const char *base, struct sockaddr_in *out)
{
	const char *path;

	return cloud_http_url(base, out, &path) && !path[strspn(path, "/")] &&
	       ntohl(out->sin_addr.s_addr) >> 24 == 127;
}

int discover_cloud_open(struct discover_cloud *d, const char *base, struct err *e)
{
	*d = (struct discover_cloud){.opened = true};
	if (!base || !*base)
		return 0;
	if (!parse_base(base, &d->base))
		return err_set(e, "RTRACK_METADATA_BASE: \"%s\" is not http://127.0.0.1:PORT",
		               base);
	d->redirected = true;
	return 0;
}

static unsigned services_to_ask(const struct discover_cloud *d)
{
	if (d->replayed && !d->redirected)
		return 0;
	switch (d->says) {
	case DISCOVER_CLOUD_NOTHING:
		return ALL_VENDORS;
	case DISCOVER_CLOUD_MAYBE:
	case DISCOVER_CLOUD_VENDOR:
		return 1U << d->dmi;
	default:
		return 0;
	}
}

/* -- the process ------------------------------------------------------------------------------- */

static void ask_services(const void *ctx)
{
	const struct discover_cloud *d = ctx;
	struct cloud_found found;

	(void)ask_vendors(services_to_ask(d), d->redirected ? &d->base : NULL,
	                  DISCOVER_CLOUD_LIMIT_MS, &found);
	if (write(BACKGROUND_FD, &found, sizeof found) < 0)
		return; /* nobody reads it any more */
}

void discover_cloud_start(struct discover_cloud *d, const struct root *r)
{
	struct cloud_dmi dmi;

	if (!d->opened || d->begin_ns)
		return;
	d->begin_ns = clocks_now(CLOCK_MONOTONIC);
	d->replayed = r->replayed;
	read_dmi(r, &dmi);
	d->says = judge_dmi(&dmi, &d->dmi, d->type);
	d->end_ns = clocks_now(CLOCK_MONOTONIC);
	if (!services_to_ask(d))
		return;
	d->asked = true;
	(void)background_start(&d->process, "rtrack-cloud", false, -1, ask_services, d);
}

/* The process parsed answers from the network: do not trust what it wrote. */
static bool validate_found(struct cloud_found *f)
{
	char *const values[] = {f->instance_type, f->region, f->zone, f->account};
	char vendor[CLOUD_VALUE_MAX], value[CLOUD_VALUE_MAX];

	if (!cloud_vendor_value(f->vendor, strnlen(f->vendor, sizeof f->vendor), vendor) ||
	    strlen(vendor) >= sizeof f->vendor)
		return false;
	memcpy(f->vendor, vendor, strlen(vendor) + 1);
	for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
		(void)cloud_vendor_value(values[i], strnlen(values[i], CLOUD_VALUE_MAX), value);
		memcpy(values[i], value, strlen(value) + 1);
	}
	return true;
}

/* got: whether the process wrote an answer. */
static void take_found(struct discover_cloud *d, struct cloud_found *found, bool got)
{
	d->end_ns = clocks_now(CLOCK_MONOTONIC);
	if (!got || !validate_found(found))
		return;
	d->found = *found;
	d->answered = true;
}

void discover_cloud_collect(struct discover_cloud *d)
{
	struct cloud_found found;

	if (d->process.pid > 0)
		take_found(d, &found, background_read(&d->process, &found, sizeof found));
}

/* -- the snapshot ------------------------------------------------------------------------------ */

void discover_cloud_close(struct discover_cloud *d)
{
	background_end(&d->process);
	*d = (struct discover_cloud){.opened = false};
}

static const char *known_or_unknown(struct snapshot *s, const char *answered, const char *firmware)
{
	const char *text = *answered ? answered : firmware;

	return *text ? snapshot_strdup(s, text) : "unknown";
}

void discover_cloud_finish(struct discover_cloud *d, int64_t deadline_ns, struct snapshot *s)
{
	struct cloud_found found;
	const char *firmware;

	if (d->process.pid > 0)
		take_found(d, &found,
		           background_wait(&d->process, deadline_ns, &found, sizeof found));
	if (!d->begin_ns)
		return;
	firmware = d->says == DISCOVER_CLOUD_VENDOR ? cloud_vendors[d->dmi].name : "";
	s->cloud.vendor = known_or_unknown(s, d->found.vendor, firmware);
	s->cloud.instance_type = known_or_unknown(s, d->found.instance_type, d->type);
	s->cloud.region = known_or_unknown(s, d->found.region, "");
	s->machine.zone = *d->found.zone ? snapshot_strdup(s, d->found.zone) : NULL;
	s->machine.account = *d->found.account ? snapshot_strdup(s, d->found.account) : NULL;
	s->cloud.discovery_time = (double)(d->end_ns - d->begin_ns) / 1e9;
	s->cloud.known = d->answered || *firmware;
	if (d->asked && !d->answered && *firmware)
		snapshot_note(
		    s,
		    "This is a machine of %s, but its metadata service did not report the "
		    "instance type and region.",
		    firmware);
	discover_cloud_close(d);
}
