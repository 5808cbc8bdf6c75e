/* s3_endpoint: which server a bucket is on: scheme, host, style and region. */
#include "report/aws_keys/s3_endpoint.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "report/aws_keys/s3_profile.h"

/* AWS' partitions with hosts of their own. */
static const struct {
	const char *region, *suffix;
} partitions[] = {
    {"cn-", "amazonaws.com.cn"},   {"eusc-", "amazonaws.eu"},      {"us-iso-", "c2s.ic.gov"},
    {"us-isob-", "sc2s.sgov.gov"}, {"us-isof-", "csp.hci.ic.gov"}, {"eu-isoe-", "cloud.adc-e.uk"},
};

const char *s3_endpoint_suffix(const char *region)
{
	for (size_t i = 0; i < sizeof partitions / sizeof *partitions; i++)
		if (strncmp(region, partitions[i].region, strlen(partitions[i].region)) == 0)
			return partitions[i].suffix;
	return "amazonaws.com";
}

/* Whether a name can stand before the endpoint's host. A certificate covers no dot; in clear text
 * there is none. */
static bool is_host_label(const char *bucket, bool dots)
{
	size_t n = strlen(bucket);

	if (n < 3 || n > 63 || !isalnum((unsigned char)*bucket) ||
	    !isalnum((unsigned char)bucket[n - 1]) || strstr(bucket, ".."))
		return false;
	for (; *bucket; bucket++)
		if (!islower((unsigned char)*bucket) && !isdigit((unsigned char)*bucket) &&
		    *bucket != '-' && !(dots && *bucket == '.'))
			return false;
	return true;
}

static int find_style(struct s3_endpoint *p, const struct s3_profile *profile, struct err *e)
{
	static const char *const words[] = {
	    [S3_STYLE_AUTO] = "auto",
	    [S3_STYLE_PATH] = "path",
	    [S3_STYLE_VIRTUAL] = "virtual",
	};
	const char *word = s3_profile_get(profile, "s3.addressing_style");

	for (enum s3_style i = 0; word && i < sizeof words / sizeof *words; i++)
		if (strcasecmp(word, words[i]) == 0) {
			p->style = i;
			return 0;
		}
	if (!word)
		return 0;
	return err_set(e, "s3.addressing_style of the profile %s is not auto, path or virtual",
	               profile->name);
}

static int find_all(struct s3_endpoint *p, const struct s3_profile *profile, struct err *e)
{
	struct s3_url u;
	bool found;

	if (s3_profile_endpoint(profile,
	                        "AWS_ENDPOINT_URL_S3 AWS_ENDPOINT_URL " S3_PROFILE_SERVICES
	                        "s3.endpoint_url endpoint_url",
	                        &u, &found, e))
		return -1;
	if (found) {
		memcpy(p->base, u.base, sizeof p->base);
		p->clear = !u.https;
	}
	if (s3_profile_region(profile, !found, p->region, e) || find_style(p, profile, e) ||
	    s3_profile_on(profile, "AWS_USE_DUALSTACK_ENDPOINT use_dualstack_endpoint",
	                  &p->dualstack, e) ||
	    s3_profile_on(profile, "AWS_USE_FIPS_ENDPOINT use_fips_endpoint", &p->fips, e))
		return -1;
	if (*p->base && p->fips)
		return err_set(e,
		               "AWS_USE_FIPS_ENDPOINT is for AWS' own endpoints: it cannot be used "
		               "together with an endpoint URL");
	if (*p->base && p->dualstack)
		return err_set(e,
		               "AWS_USE_DUALSTACK_ENDPOINT is for AWS' own endpoints: it cannot be "
		               "used together with an endpoint URL");
	return 0;
}

int s3_endpoint_find(struct s3_endpoint *p, char ca[PATH_MAX], struct err *e)
{
	struct s3_profile profile;
	int rc = -1;

	*p = (struct s3_endpoint){.base = ""};
	if (s3_profile_load(&profile, e) == 0 && find_all(p, &profile, e) == 0)
		rc = s3_profile_ca(&profile, ca, e);
	s3_profile_free(&profile);
	return rc;
}

/* The host and path before the bucket or the key. */
static void add_endpoint_base(const struct s3_endpoint *p, const char *bucket, bool in_host,
                              struct buf *out)
{
	const char *host = strstr(p->base, "://");

	if (*p->base) {
		host += 3;
		buf_add(out, p->base, (size_t)(host - p->base));
		buf_printf(out, "%s%s%s", in_host ? bucket : "", in_host ? "." : "", host);
	} else {
		buf_printf(out, "https://%s%ss3%s%s.%s.%s", in_host ? bucket : "",
		           in_host ? "." : "", p->fips ? "-fips" : "",
		           p->dualstack ? ".dualstack" : "", p->region,
		           s3_endpoint_suffix(p->region));
	}
}

void s3_endpoint_url(const struct s3_endpoint *p, const char *bucket, const char *key,
                     const char *query, struct buf *out)
{
	bool in_host = p->style == S3_STYLE_VIRTUAL || (p->style == S3_STYLE_AUTO && !*p->base);

	in_host = in_host && is_host_label(bucket, p->clear);
	add_endpoint_base(p, bucket, in_host, out);
	buf_char(out, '/');
	if (!in_host)
		buf_str(out, bucket);
	if (key) {
		if (!in_host)
			buf_char(out, '/');
		store_address_encode(out, key);
	}
	if (*query)
		buf_printf(out, "?%s", query);
}

bool s3_endpoint_move(struct s3_endpoint *p, const char *region)
{
	if (!s3_profile_is_region(region, !*p->base) || strcmp(region, p->region) == 0)
		return false;
	snprintf(p->region, sizeof p->region, "%s", region);
	return true;
}
