/* start_command: the command of each vendor, with placeholders for what is not known or not plain. */
#include <stdio.h>

#include "report/prices/start_command.h"
#include "tests/unit/unit.h"

TEST(each_vendor)
{
	static const struct {
		const char *vendor, *type, *region, *zone;
		bool spot;
		const char *says;
	} cases[] = {
	    {"aws", "c7a.xlarge", "us-east-1", "use1-az1", false,
	     "aws ec2 run-instances --region us-east-1 --instance-type c7a.xlarge --image-id "
	     "IMAGE_ID --key-name KEY_NAME"},
	    {"aws", "c7a.xlarge", "us-east-1", "use1-az1", true,
	     "aws ec2 run-instances --region us-east-1 --instance-type c7a.xlarge --image-id "
	     "IMAGE_ID --key-name KEY_NAME --instance-market-options MarketType=spot --placement "
	     "AvailabilityZoneId=use1-az1"},
	    {"aws", "c7a.xlarge", "us-east-1", "us-east-1a", true,
	     "aws ec2 run-instances --region us-east-1 --instance-type c7a.xlarge --image-id "
	     "IMAGE_ID --key-name KEY_NAME --instance-market-options MarketType=spot --placement "
	     "AvailabilityZone=us-east-1a"},
	    {"aws", "c7a.xlarge", "", "", true,
	     "aws ec2 run-instances --region REGION --instance-type c7a.xlarge --image-id "
	     "IMAGE_ID --key-name KEY_NAME --instance-market-options MarketType=spot"},
	    {"gcp", "e2-standard-4", "us-central1", "us-central1-a", false,
	     "gcloud compute instances create NAME --zone=us-central1-a "
	     "--machine-type=e2-standard-4 --image-family=IMAGE_FAMILY "
	     "--image-project=IMAGE_PROJECT"},
	    {"gcp", "e2-standard-4", "us-central1", "", true,
	     "gcloud compute instances create NAME --zone=ZONE --machine-type=e2-standard-4 "
	     "--image-family=IMAGE_FAMILY --image-project=IMAGE_PROJECT "
	     "--provisioning-model=SPOT"},
	    {"azure", "Standard_D4s_v5", "eastus", "", false,
	     "az vm create --resource-group RESOURCE_GROUP --name NAME --location eastus --size "
	     "Standard_D4s_v5 --image IMAGE --ssh-key-name KEY_NAME"},
	    {"azure", "Standard_D4s_v5", "", "", true,
	     "az vm create --resource-group RESOURCE_GROUP --name NAME --location LOCATION --size "
	     "Standard_D4s_v5 --image IMAGE --ssh-key-name KEY_NAME --priority Spot"},
	    {"hcloud", "cx23", "nbg1-dc3", "", false,
	     "hcloud server create --name NAME --type cx23 --location nbg1 --image IMAGE --ssh-key "
	     "KEY_NAME"},
	    {"hcloud", "cx23", "", "", false,
	     "hcloud server create --name NAME --type cx23 --location LOCATION --image IMAGE "
	     "--ssh-key KEY_NAME"},
	    {"hcloud", "cx23", "nbg1", "", true, ""},
	    {"upcloud", "2xCPU-4GB", "de-fra1", "", false, ""},
	    {"aws", "", "us-east-1", "", false, ""},
	    {"aws", "--profile", "us-east-1", "", false, ""},
	    {"hcloud", "a'; rm -rf $HOME", "nbg1-dc3", "", false, ""},
	    {"aws", "c7a,Tenancy=host", "us-east-1", "", false, ""},
	    {"aws", "file:///etc/passwd", "us-east-1", "", false, ""},
	    {"azure", "@/etc/passwd", "eastus", "", false, ""},
	    {"azure", "D4", "@/etc/passwd", "", false,
	     "az vm create --resource-group RESOURCE_GROUP --name NAME --location LOCATION --size "
	     "D4 --image IMAGE --ssh-key-name KEY_NAME"},
	    {"hcloud", "cx23", "$(x)-dc1", "", false,
	     "hcloud server create --name NAME --type cx23 --location LOCATION --image IMAGE "
	     "--ssh-key KEY_NAME"},
	    {"aws", "c7a", "file://x", "us-east-1a,Tenancy=host", true,
	     "aws ec2 run-instances --region REGION --instance-type c7a --image-id IMAGE_ID "
	     "--key-name KEY_NAME --instance-market-options MarketType=spot"},
	    {"gcp", "e2", "r", "--quiet", false,
	     "gcloud compute instances create NAME --zone=ZONE --machine-type=e2 "
	     "--image-family=IMAGE_FAMILY --image-project=IMAGE_PROJECT"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct keeper_server s = {.vcpus = 2};
		struct buf b = {.max = 1024};
		snprintf(s.vendor_id, sizeof s.vendor_id, "%s", cases[i].vendor);
		snprintf(s.api_reference, sizeof s.api_reference, "%s", cases[i].type);
		snprintf(s.region, sizeof s.region, "%s", cases[i].region);
		snprintf(s.zone, sizeof s.zone, "%s", cases[i].zone);
		start_command_add(&s, cases[i].spot, &b);
		assert_string_equal(buf_cstr(&b), cases[i].says);
		buf_free(&b);
	}
}
