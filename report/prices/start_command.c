/* start_command: the command that starts a server. */
#include "report/prices/start_command.h"

#include <string.h>
#include <strings.h>

static void add_quoted_value(struct buf *b, const char *s)
{
	static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
				    "0123456789._/:@%+-";

	if (!s[strspn(s, plain)]) {
		buf_str(b, s);
		return;
	}
	buf_char(b, '\'');
	for (; *s; s++)
		if (*s == '\'')
			buf_str(b, "'\\''");
		else
			buf_char(b, *s);
	buf_char(b, '\'');
}

/* An option and its value, or the placeholder where that is not known. */
static void add_option_value(struct buf *b, const char *option, const char *value,
                             const char *otherwise)
{
	buf_str(b, option);
	add_quoted_value(b, *value && *value != '-' ? value : otherwise);
}

/* Without a zone, the vendor chooses one; spot prices differ between zones. */
static void aws_line(const struct keeper_server *s, bool spot, struct buf *out)
{
	add_option_value(out, "aws ec2 run-instances --region ", s->region, "REGION");
	add_option_value(out, " --instance-type ", s->api_reference, "");
	buf_str(out, " --image-id IMAGE_ID --key-name KEY_NAME");
	if (spot)
		buf_str(out, " --instance-market-options MarketType=spot");
	if (spot && *s->zone) /* use1-az1, which is the same in all accounts, or us-east-1a */
		add_option_value(out,
		                 strstr(s->zone, "-az") ? " --placement AvailabilityZoneId="
		                                        : " --placement AvailabilityZone=",
		                 s->zone, "ZONE");
}

static void gcp_line(const struct keeper_server *s, bool spot, struct buf *out)
{
	add_option_value(out, "gcloud compute instances create NAME --zone=", s->zone, "ZONE");
	add_option_value(out, " --machine-type=", s->api_reference, "");
	buf_str(out, " --image-family=IMAGE_FAMILY --image-project=IMAGE_PROJECT");
	if (spot)
		buf_str(out, " --provisioning-model=SPOT");
}

static void azure_line(const struct keeper_server *s, bool spot, struct buf *out)
{
	add_option_value(out,
	                 "az vm create --resource-group RESOURCE_GROUP --name NAME --location ",
	                 s->region, "LOCATION");
	add_option_value(out, " --size ", s->api_reference, "");
	buf_str(out, " --image IMAGE --ssh-key-name KEY_NAME");
	if (spot)
		buf_str(out, " --priority Spot");
}

/* The service's regions are data centres, such as nbg1-dc3, of a location. */
static void hcloud_line(const struct keeper_server *s, bool spot, struct buf *out)
{
	char location[sizeof s->region];
	char *dc;

	if (spot)
		return;
	memcpy(location, s->region, sizeof location);
	dc = strstr(location, "-dc");
	if (dc)
		*dc = '\0';
	add_option_value(out, "hcloud server create --name NAME --type ", s->api_reference, "");
	add_option_value(out, " --location ", location, "LOCATION");
	buf_str(out, " --image IMAGE --ssh-key KEY_NAME");
}

static const struct {
	const char *vendor;
	void (*line)(const struct keeper_server *s, bool spot, struct buf *out);
} lines[] = {{"aws", aws_line}, {"gcp", gcp_line}, {"azure", azure_line}, {"hcloud", hcloud_line}};

void start_command_add(const struct keeper_server *s, bool spot, struct buf *out)
{
	if (!*s->api_reference || *s->api_reference == '-')
		return;
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
		if (!strcasecmp(s->vendor_id, lines[i].vendor))
			lines[i].line(s, spot, out);
}
