/* discover_cloud: finds the cloud vendor, instance type and region while the command runs. */
#include "collect/cloud/discover_cloud.h"

#include <arpa/inet.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "collect/cloud/cloud_ask.h"
#include "collect/cloud/cloud_http.h"
#include "collect/machine/clocks.h"

#define ALL ((1U << CLOUD_COUNT) - 1)

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
	case CLOUD_DMI_NOTHING:
		return ALL;
	case CLOUD_DMI_MAYBE:
	case CLOUD_DMI_VENDOR:
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

	(void)cloud_ask(services_to_ask(d), d->redirected ? &d->base : NULL,
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
	cloud_dmi_read(r, &dmi);
	d->says = cloud_dmi_judge(&dmi, &d->dmi, d->type);
	d->end_ns = clocks_now(CLOCK_MONOTONIC);
	if (!services_to_ask(d))
		return;
	d->asked = true;
	(void)background_start(&d->process, "rtrack-cloud", false, -1, ask_services, d);
}

int discover_cloud_pid(const struct discover_cloud *d)
{
	return d->process.pid;
}

int discover_cloud_fd(const struct discover_cloud *d)
{
	return background_fd(&d->process);
}

/* The process parsed answers from the network: do not trust what it wrote. */
static bool validate_found(struct cloud_found *f)
{
	char *const values[] = {f->instance_type, f->region, f->zone, f->account};
	char vendor[CLOUD_VALUE_MAX], value[CLOUD_VALUE_MAX];

	if (!cloud_value(f->vendor, strnlen(f->vendor, sizeof f->vendor), vendor) ||
	    strlen(vendor) >= sizeof f->vendor)
		return false;
	memcpy(f->vendor, vendor, strlen(vendor) + 1);
	for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
		(void)cloud_value(values[i], strnlen(values[i], CLOUD_VALUE_MAX), value);
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

static const char *known_or_unknown(struct snapshot *s, const char *told, const char *firmware)
{
	const char *text = *told ? told : firmware;

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
	firmware = d->says == CLOUD_DMI_VENDOR ? cloud_vendors[d->dmi].name : "";
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
