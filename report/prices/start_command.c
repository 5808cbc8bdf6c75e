/* start_command: the command that starts a server. */
#include "report/prices/start_command.h"

#include <string.h>
#include <strings.h>

#include "report/prices/offer.h"

/* An option and its value, or the placeholder where that is not known. Only a plain value: vendors'
 * programs read files of file://… and @…, and further settings after a comma. */
static void add_option_value(struct buf *b, const char *option, const char *value,
                             const char *otherwise)
{
	buf_printf(b, "%s%s", option, offer_is_plain(value) ? value : otherwise);
}

/* Without a zone, the vendor chooses one; spot prices differ between zones. */
static void aws_line(const struct keeper_server *s, bool spot, struct buf *out)
{
	add_option_value(out, "aws ec2 run-instances --region ", s->region, "REGION");
	add_option_value(out, " --instance-type ", s->api_reference, "");
	buf_str(out, " --image-id IMAGE_ID --key-name KEY_NAME");
	if (spot)
		buf_str(out, " --instance-market-options MarketType=spot");
	/* use1-az1, which is the same in all accounts, or us-east-1a */
	if (spot && offer_is_plain(s->zone))
		buf_printf(out, " --placement AvailabilityZone%s=%s",
		           strstr(s->zone, "-az") ? "Id" : "", s->zone);
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
	if (!offer_is_plain(s->api_reference))
		return;
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
		if (!strcasecmp(s->vendor_id, lines[i].vendor))
			lines[i].line(s, spot, out);
}
