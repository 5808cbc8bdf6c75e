/* cloud_vendor: the metadata services of eight cloud vendors. */
#include "collect/cloud/cloud_vendor.h"

#include <string.h>

#include <cjson/cJSON.h>

#include "collect/procfs/scan.h"

#define LINK_LOCAL "169.254.169.254"

/* -- values ------------------------------------------------------------------------------------ */

static bool is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static void trim_spaces(const char **text, size_t *n)
{
	while (*n && is_space((*text)[*n - 1]))
		--*n;
	while (*n && is_space(**text)) {
		++*text;
		--*n;
	}
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_name_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '.' ||
	       c == '-' || c == '_';
}

bool cloud_vendor_value(const char *text, size_t n, char out[CLOUD_VALUE_MAX])
{
	out[0] = '\0';
	trim_spaces(&text, &n);
	if (n == 0 || n >= CLOUD_VALUE_MAX)
		return false;
	for (size_t i = 0; i < n; i++)
		if (!is_name_char(text[i]))
			return false;
	memcpy(out, text, n);
	out[n] = '\0';
	return true;
}

bool cloud_vendor_token(const char *text, size_t n, char out[CLOUD_TOKEN_MAX])
{
	out[0] = '\0';
	trim_spaces(&text, &n);
	if (n == 0 || n >= CLOUD_TOKEN_MAX)
		return false;
	for (size_t i = 0; i < n; i++)
		if (text[i] < '!' || text[i] > '~')
			return false;
	memcpy(out, text, n);
	out[n] = '\0';
	return true;
}

static bool step_value(const struct cloud_texts *t, size_t i, char out[CLOUD_VALUE_MAX])
{
	out[0] = '\0';
	return t->text[i] && cloud_vendor_value(t->text[i], t->n[i], out);
}

/* The text after the last slash, if part comes just before it: projects/1/zones/x. */
static bool last_part(const struct cloud_texts *t, size_t i, const char *part,
                      char out[CLOUD_VALUE_MAX])
{
	const char *text = t->text[i], *slash, *found;
	size_t n = t->n[i];

	out[0] = '\0';
	if (!text)
		return false;
	trim_spaces(&text, &n);
	found = memmem(text, n, part, strlen(part));
	slash = n ? memrchr(text, '/', n) : NULL;
	if (!found || found + strlen(part) != slash + 1)
		return false;
	return cloud_vendor_value(slash + 1, n - (size_t)(slash + 1 - text), out);
}

/* -- JSON -------------------------------------------------------------------------------------- */

static cJSON *parse_json(const struct cloud_texts *t, size_t i)
{
	return t->text[i] ? cJSON_ParseWithLength(t->text[i], t->n[i]) : NULL;
}

static const cJSON *json_item(const cJSON *object, const char *key)
{
	return cJSON_GetObjectItemCaseSensitive(object, key);
}

static const char *json_string(const cJSON *object, const char *key)
{
	const char *text = cJSON_GetStringValue(json_item(object, key));

	return text ? text : "";
}

static bool json_value(const cJSON *object, const char *key, char out[CLOUD_VALUE_MAX])
{
	const char *text = json_string(object, key);

	return cloud_vendor_value(text, strlen(text), out);
}

/* -- readers ----------------------------------------------------------------------------------- */

static int read_aws(const struct cloud_texts *t, struct cloud_found *out)
{
	char domain[CLOUD_VALUE_MAX];
	cJSON *identity;

	if (!step_value(t, 1, domain) ||
	    (strcmp(domain, "amazonaws.com") != 0 && strcmp(domain, "amazonaws.com.cn") != 0))
		return -1;
	(void)step_value(t, 2, out->instance_type);
	(void)step_value(t, 3, out->region);
	identity = parse_json(t, 4);
	(void)json_value(identity, "availabilityZone", out->zone);
	(void)json_value(identity, "accountId", out->account);
	cJSON_Delete(identity);
	return 0;
}

static int read_gcp(const struct cloud_texts *t, struct cloud_found *out)
{
	char *dash;

	if (!last_part(t, 0, "/machineTypes/", out->instance_type))
		return -1;
	if (last_part(t, 1, "/zones/", out->zone)) {
		memcpy(out->region, out->zone, sizeof out->region);
		if ((dash = strrchr(out->region, '-')))
			*dash = '\0';
	}
	(void)step_value(t, 2, out->account);
	return 0;
}

static int read_azure(const struct cloud_texts *t, struct cloud_found *out)
{
	cJSON *root = parse_json(t, 0);
	const cJSON *compute = json_item(root, "compute");
	bool found = json_value(compute, "vmSize", out->instance_type);

	found = json_value(compute, "location", out->region) && found;
	(void)json_value(compute, "zone", out->zone);
	(void)json_value(compute, "subscriptionId", out->account);
	cJSON_Delete(root);
	return found ? 0 : -1;
}

/* Lines "key: value". The numeric instance-id distinguishes Hetzner from other vendors. */
static int read_hcloud(const struct cloud_texts *t, struct cloud_found *out)
{
	struct scan s, line;
	char region[CLOUD_VALUE_MAX] = "";
	bool number = false;

	if (!t->text[0])
		return -1;
	s = scan_text(t->text[0], t->n[0]);
	while (scan_line(&s, &line)) {
		struct scan at = line;
		uint64_t id;
		if (scan_literal(&at, "instance-id:"))
			number |= scan_u64(&at, &id) && (at.p == at.end || is_space(*at.p));
		else if (scan_literal(&at, "availability-zone:"))
			(void)cloud_vendor_value(at.p, (size_t)(at.end - at.p), out->zone);
		else if (scan_literal(&at, "region:"))
			(void)cloud_vendor_value(at.p, (size_t)(at.end - at.p), region);
	}
	memcpy(out->region, *out->zone ? out->zone : region, sizeof region);
	return number && *out->region ? 0 : -1;
}

static int read_upcloud(const struct cloud_texts *t, struct cloud_found *out)
{
	cJSON *root = parse_json(t, 0);
	bool found = strcmp(json_string(root, "cloud_name"), "upcloud") == 0;

	(void)json_value(root, "region", out->region);
	cJSON_Delete(root);
	return found ? 0 : -1;
}

/* Every instance type of Alibaba begins with "ecs.". */
static int read_alicloud(const struct cloud_texts *t, struct cloud_found *out)
{
	if (!step_value(t, 1, out->instance_type) || strncmp(out->instance_type, "ecs.", 4) != 0)
		return -1;
	(void)step_value(t, 2, out->region);
	(void)step_value(t, 3, out->zone);
	(void)step_value(t, 4, out->account);
	return 0;
}

/* Many vendors run OpenStack; OVH's networks have its name server. */
static bool has_ovh_dns(const cJSON *network)
{
	const cJSON *service;

	cJSON_ArrayForEach (service, json_item(network, "services")) {
		if (strcmp(json_string(service, "type"), "dns") == 0 &&
		    strcmp(json_string(service, "address"), "213.186.33.99") == 0)
			return true;
	}
	return false;
}

static int read_ovh(const struct cloud_texts *t, struct cloud_found *out)
{
	cJSON *network = parse_json(t, 0), *meta = parse_json(t, 1);
	bool found = has_ovh_dns(network);

	(void)json_value(meta, "availability_zone", out->region);
	(void)json_value(meta, "project_id", out->account);
	(void)step_value(t, 2, out->instance_type);
	cJSON_Delete(network);
	cJSON_Delete(meta);
	return found ? 0 : -1;
}

static int read_vultr(const struct cloud_texts *t, struct cloud_found *out)
{
	cJSON *root = parse_json(t, 0);
	char id[CLOUD_VALUE_MAX];
	bool found = json_value(root, "instanceid", id);

	found = json_value(json_item(root, "region"), "regioncode", out->region) && found;
	cJSON_Delete(root);
	return found ? 0 : -1;
}

int cloud_vendor_read(const struct cloud_vendor *v, const struct cloud_texts *t,
                      struct cloud_found *out)
{
	*out = (struct cloud_found){.vendor = ""};
	if (v->read(t, out)) {
		*out = (struct cloud_found){.vendor = ""};
		return -1;
	}
	memcpy(out->vendor, v->name, strlen(v->name) + 1);
	return 0;
}

/* -- the table --------------------------------------------------------------------------------- */

#define GCP      "/computeMetadata/v1"
#define FLAVOR   "Metadata-Flavor: Google"
#define EC2      "/latest/meta-data"
#define IDENTITY "/latest/dynamic/instance-identity/document"
#define EC2_TTL  "X-aws-ec2-metadata-token-ttl-seconds: 21600"
#define ECS_TTL  "X-aliyun-ecs-metadata-token-ttl-seconds: 21600"

const struct cloud_vendor cloud_vendors[CLOUD_COUNT] = {
    [CLOUD_AWS] = {.name = "aws",
                   .host = LINK_LOCAL,
                   .address = LINK_LOCAL,
                   .token_header = "X-aws-ec2-metadata-token",
                   .steps = {{"PUT", "/latest/api/token", EC2_TTL, true, true},
                             {"GET", EC2 "/services/domain", NULL, false, true},
                             {"GET", EC2 "/instance-type", NULL, false, false},
                             {"GET", EC2 "/placement/region", NULL, false, false},
                             {"GET", IDENTITY, NULL, false, false}},
                   .read = read_aws},
    [CLOUD_GCP] = {.name = "gcp",
                   .host = "metadata.google.internal",
                   .address = LINK_LOCAL,
                   .steps = {{"GET", GCP "/instance/machine-type", FLAVOR, false, true},
                             {"GET", GCP "/instance/zone", FLAVOR, false, false},
                             {"GET", GCP "/project/project-id", FLAVOR, false, false}},
                   .read = read_gcp},
    [CLOUD_AZURE] = {.name = "azure",
                     .host = LINK_LOCAL,
                     .address = LINK_LOCAL,
                     .steps = {{"GET", "/metadata/instance?api-version=2021-02-01",
                                "Metadata: true", false, true}},
                     .read = read_azure},
    [CLOUD_HCLOUD] = {.name = "hcloud",
                      .host = LINK_LOCAL,
                      .address = LINK_LOCAL,
                      .steps = {{"GET", "/hetzner/v1/metadata", NULL, false, true}},
                      .read = read_hcloud},
    [CLOUD_UPCLOUD] = {.name = "upcloud",
                       .host = LINK_LOCAL,
                       .address = LINK_LOCAL,
                       .steps = {{"GET", "/metadata/v1.json", NULL, false, true}},
                       .read = read_upcloud},
    [CLOUD_ALICLOUD] = {.name = "alicloud",
                        .host = "100.100.100.200",
                        .address = "100.100.100.200",
                        .token_header = "X-aliyun-ecs-metadata-token",
                        .steps = {{"PUT", "/latest/api/token", ECS_TTL, true, true},
                                  {"GET", EC2 "/instance/instance-type", NULL, false, true},
                                  {"GET", EC2 "/region-id", NULL, false, false},
                                  {"GET", EC2 "/zone-id", NULL, false, false},
                                  {"GET", EC2 "/owner-account-id", NULL, false, false}},
                        .read = read_alicloud},
    [CLOUD_OVH] = {.name = "ovh",
                   .host = LINK_LOCAL,
                   .address = LINK_LOCAL,
                   .steps = {{"GET", "/openstack/latest/network_data.json", NULL, false, true},
                             {"GET", "/openstack/latest/meta_data.json", NULL, false, false},
                             {"GET", EC2 "/instance-type", NULL, false, false}},
                   .read = read_ovh},
    [CLOUD_VULTR] = {.name = "vultr",
                     .host = LINK_LOCAL,
                     .address = LINK_LOCAL,
                     .steps = {{"GET", "/v1.json", NULL, false, true}},
                     .read = read_vultr},
};
