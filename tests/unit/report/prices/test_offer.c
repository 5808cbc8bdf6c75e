/* offer: spot prices are compared with spot prices, on-demand prices with on-demand prices. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/prices/offer.h"
#include "tests/unit/unit.h"

static struct keeper_result *prices(bool spot, double here_ondemand, double here_spot,
                                    double there_ondemand, double there_spot)
{
	struct keeper_result *k = calloc(1, sizeof *k);

	assert_non_null(k);
	*k = (struct keeper_result){.known = true, .n = 1, .present_known = true, .spot = spot};
	k->present = k->server[0] = keeper_result_no_server();
	k->present.price_hour = k->present.price_ondemand = here_ondemand;
	k->present.price_spot = here_spot;
	k->server[0].price_ondemand = there_ondemand;
	k->server[0].price_spot = there_spot;
	k->server[0].price_hour = spot ? there_spot : there_ondemand;
	return k;
}

static bool same(double a, double b)
{
	return isnan(a) ? isnan(b) : !(fabs(a - b) > 0);
}

TEST(pairs)
{
	static const struct {
		bool asked;
		double here[2], there[2], pair[2];
		bool spot, why;
	} cases[] = {
	    {false, {4, 2}, {3, 1}, {4, 3}, false, false},
	    {false, {4, NAN}, {3, 1}, {4, 3}, false, false},
	    {true, {4, 2}, {3, 1}, {2, 1}, true, false},
	    {true, {4, 2}, {NAN, 1}, {2, 1}, true, false},
	    {true, {4, NAN}, {3, 1}, {4, 3}, false, false},
	    {true, {4, NAN}, {NAN, 1}, {NAN, NAN}, false, true},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct keeper_result *k = prices(cases[i].asked, cases[i].here[0], cases[i].here[1],
		                                 cases[i].there[0], cases[i].there[1]);
		struct offer_pair p = offer_pair(k);
		if (!same(p.here, cases[i].pair[0]) || !same(p.there, cases[i].pair[1]) ||
		    p.spot != cases[i].spot || (*p.why != '\0') != cases[i].why)
			fail_msg("case %zu: %g and %g: %s", i, p.here, p.there, p.why);
		assert_int_equal(*p.end != '\0', cases[i].asked && !cases[i].why);
		k->known = false;
		assert_true(isnan(offer_pair(k).here) && !*offer_pair(k).why);
		free(k);
	}
}

TEST(price_of_the_run)
{
	struct keeper_result *k = prices(true, 4, 2, 3, 1);
	struct offer_price p = offer_price_of_run(k);

	assert_true(p.server == &k->present && same(p.hour, 4) && p.present && !p.spot);
	k->present_known = false;
	p = offer_price_of_run(k);
	assert_true(p.server == &k->server[0] && same(p.hour, 1) && !p.present && p.spot);
	k->known = false;
	assert_true(isnan(offer_price_of_run(k).hour));
	free(k);
}

/* A machine's metadata has the vendor's API reference; the service also has an id of its own. */
TEST(the_present_server)
{
	struct keeper_result *k = prices(false, 4, 2, 3, 1);

	strcpy(k->present.vendor_id, "hcloud");
	strcpy(k->present.server_id, "cx23");
	strcpy(k->server[0].vendor_id, "hcloud");
	strcpy(k->server[0].server_id, "114");
	assert_false(offer_is_present(k));
	strcpy(k->server[0].api_reference, "CX23");
	assert_true(offer_is_present(k));
	assert_string_equal(offer_vendor(&k->server[0]), "hcloud");
	assert_string_equal(offer_vendor_short(&k->server[0]), "Hetzner");
	strcpy(k->server[0].vendor_id, "new");
	assert_string_equal(offer_vendor_short(&k->server[0]), "new");
	assert_false(offer_is_present(k));
	free(k);
}

TEST(addresses)
{
	static const struct {
		const char *vendor, *reference, *url;
	} cases[] = {
	    {"hcloud", "cx23", "https://sparecores.com/server/hcloud/cx23"},
	    {"azure", "Standard_D2s_v5", "https://sparecores.com/server/azure/Standard_D2s_v5"},
	    {"alicloud", "ecs.g6-1.large", "https://sparecores.com/server/alicloud/ecs.g6-1.large"},
	    {"", "cx23", ""},
	    {"hcloud", "", ""},
	    {"hcloud", "..", ""},
	    {"hcloud", "a/../../b", ""},
	    {"hcloud", "a b", ""},
	    {"hcloud", "a\"onclick=", ""},
	    {"hcloud", "a?b#c%2f", ""},
	    {"javascript:", "x", ""},
	};
	char url[OFFER_URL_MAX];

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct keeper_server s = keeper_result_no_server();
		snprintf(s.vendor_id, sizeof s.vendor_id, "%s", cases[i].vendor);
		snprintf(s.api_reference, sizeof s.api_reference, "%s", cases[i].reference);
		assert_string_equal(offer_url(&s, url), cases[i].url);
	}
}
