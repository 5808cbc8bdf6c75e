/* keeper_filters: the values that the Keeper API accepts for the filters of servers. */
#include "report/prices/keeper_filters.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "core/base/edit_distance.h"
#include "core/base/quantity.h"

/* -- countries --------------------------------------------------------------------------------- */

/* By their ISO 3166-1 codes, with their names in English and in their own languages. */
const struct keeper_filter_word keeper_filters_countries[] = {
    {"AD", "Andorra"},
    {"AE", "United Arab Emirates|UAE|Emirates|الإمارات"},
    {"AF", "Afghanistan"},
    {"AG", "Antigua and Barbuda"},
    {"AI", "Anguilla"},
    {"AL", "Albania"},
    {"AM", "Armenia"},
    {"AO", "Angola"},
    {"AQ", "Antarctica"},
    {"AR", "Argentina"},
    {"AS", "American Samoa"},
    {"AT", "Austria|Österreich|Oesterreich"},
    {"AU", "Australia"},
    {"AW", "Aruba"},
    {"AX", "Aland Islands"},
    {"AZ", "Azerbaijan"},
    {"BA", "Bosnia and Herzegovina"},
    {"BB", "Barbados"},
    {"BD", "Bangladesh"},
    {"BE", "Belgium|België|Belgique|Belgien"},
    {"BF", "Burkina Faso"},
    {"BG", "Bulgaria|България"},
    {"BH", "Bahrain"},
    {"BI", "Burundi"},
    {"BJ", "Benin"},
    {"BL", "St Barthelemy"},
    {"BM", "Bermuda"},
    {"BN", "Brunei"},
    {"BO", "Bolivia"},
    {"BQ", "Caribbean NL"},
    {"BR", "Brazil|Brasil"},
    {"BS", "Bahamas"},
    {"BT", "Bhutan"},
    {"BV", "Bouvet Island"},
    {"BW", "Botswana"},
    {"BY", "Belarus"},
    {"BZ", "Belize"},
    {"CA", "Canada"},
    {"CC", "Cocos Islands"},
    {"CD", "Democratic Republic of the Congo"},
    {"CF", "Central African Rep."},
    {"CG", "Congo"},
    {"CH", "Switzerland|Schweiz|Suisse|Svizzera"},
    {"CI", "Ivory Coast"},
    {"CK", "Cook Islands"},
    {"CL", "Chile"},
    {"CM", "Cameroon"},
    {"CN", "China|中国|Zhongguo"},
    {"CO", "Colombia"},
    {"CR", "Costa Rica"},
    {"CU", "Cuba"},
    {"CV", "Cape Verde"},
    {"CW", "Curacao"},
    {"CX", "Christmas Island"},
    {"CY", "Cyprus|Κύπρος"},
    {"CZ", "Czech Republic|Czechia|Česko|Cesko"},
    {"DE", "Germany|Deutschland"},
    {"DJ", "Djibouti"},
    {"DK", "Denmark|Danmark"},
    {"DM", "Dominica"},
    {"DO", "Dominican Republic"},
    {"DZ", "Algeria"},
    {"EC", "Ecuador"},
    {"EE", "Estonia|Eesti"},
    {"EG", "Egypt|مصر"},
    {"EH", "Western Sahara"},
    {"ER", "Eritrea"},
    {"ES", "Spain|España|Espana"},
    {"ET", "Ethiopia"},
    {"FI", "Finland|Suomi"},
    {"FJ", "Fiji"},
    {"FK", "Falkland Islands"},
    {"FM", "Micronesia"},
    {"FO", "Faroe Islands"},
    {"FR", "France"},
    {"GA", "Gabon"},
    {"GB", "United Kingdom|UK|Great Britain|Britain"},
    {"GD", "Grenada"},
    {"GE", "Georgia"},
    {"GF", "French Guiana"},
    {"GG", "Guernsey"},
    {"GH", "Ghana"},
    {"GI", "Gibraltar"},
    {"GL", "Greenland"},
    {"GM", "Gambia"},
    {"GN", "Guinea"},
    {"GP", "Guadeloupe"},
    {"GQ", "Equatorial Guinea"},
    {"GR", "Greece|Ελλάδα|Hellas"},
    {"GS", "South Georgia and the South Sandwich Islands"},
    {"GT", "Guatemala"},
    {"GU", "Guam"},
    {"GW", "Guinea-Bissau"},
    {"GY", "Guyana"},
    {"HK", "Hong Kong|香港"},
    {"HM", "Heard Island and McDonald Islands"},
    {"HN", "Honduras"},
    {"HR", "Croatia|Hrvatska"},
    {"HT", "Haiti"},
    {"HU", "Hungary|Magyarország|Magyarorszag"},
    {"ID", "Indonesia"},
    {"IE", "Ireland|Éire|Eire"},
    {"IL", "Israel|ישראל"},
    {"IM", "Isle of Man"},
    {"IN", "India|भारत|Bharat"},
    {"IO", "British Indian Ocean Territory"},
    {"IQ", "Iraq"},
    {"IR", "Iran"},
    {"IS", "Iceland|Ísland"},
    {"IT", "Italy|Italia"},
    {"JE", "Jersey"},
    {"JM", "Jamaica"},
    {"JO", "Jordan"},
    {"JP", "Japan|日本|Nippon"},
    {"KE", "Kenya"},
    {"KG", "Kyrgyzstan"},
    {"KH", "Cambodia"},
    {"KI", "Kiribati"},
    {"KM", "Comoros"},
    {"KN", "St Kitts and Nevis"},
    {"KP", "North Korea"},
    {"KR", "South Korea|Korea|대한민국|한국"},
    {"KW", "Kuwait"},
    {"KY", "Cayman Islands"},
    {"KZ", "Kazakhstan|Қазақстан"},
    {"LA", "Laos"},
    {"LB", "Lebanon"},
    {"LC", "St Lucia"},
    {"LI", "Liechtenstein"},
    {"LK", "Sri Lanka"},
    {"LR", "Liberia"},
    {"LS", "Lesotho"},
    {"LT", "Lithuania|Lietuva"},
    {"LU", "Luxembourg|Luxemburg"},
    {"LV", "Latvia|Latvija"},
    {"LY", "Libya"},
    {"MA", "Morocco"},
    {"MC", "Monaco"},
    {"MD", "Moldova"},
    {"ME", "Montenegro"},
    {"MF", "Saint Martin"},
    {"MG", "Madagascar"},
    {"MH", "Marshall Islands"},
    {"MK", "North Macedonia"},
    {"ML", "Mali"},
    {"MM", "Myanmar"},
    {"MN", "Mongolia"},
    {"MO", "Macau"},
    {"MP", "Northern Mariana Islands"},
    {"MQ", "Martinique"},
    {"MR", "Mauritania"},
    {"MS", "Montserrat"},
    {"MT", "Malta"},
    {"MU", "Mauritius"},
    {"MV", "Maldives"},
    {"MW", "Malawi"},
    {"MX", "Mexico|México"},
    {"MY", "Malaysia"},
    {"MZ", "Mozambique"},
    {"NA", "Namibia"},
    {"NC", "New Caledonia"},
    {"NE", "Niger"},
    {"NF", "Norfolk Island"},
    {"NG", "Nigeria"},
    {"NI", "Nicaragua"},
    {"NL", "Netherlands|Holland|Nederland"},
    {"NO", "Norway|Norge"},
    {"NP", "Nepal"},
    {"NR", "Nauru"},
    {"NU", "Niue"},
    {"NZ", "New Zealand"},
    {"OM", "Oman"},
    {"PA", "Panama"},
    {"PE", "Peru|Perú"},
    {"PF", "French Polynesia"},
    {"PG", "Papua New Guinea"},
    {"PH", "Philippines"},
    {"PK", "Pakistan"},
    {"PL", "Poland|Polska"},
    {"PM", "St Pierre and Miquelon"},
    {"PN", "Pitcairn"},
    {"PR", "Puerto Rico"},
    {"PS", "Palestine"},
    {"PT", "Portugal"},
    {"PW", "Palau"},
    {"PY", "Paraguay"},
    {"QA", "Qatar"},
    {"RE", "Reunion"},
    {"RO", "Romania|România"},
    {"RS", "Serbia|Srbija|Србија"},
    {"RU", "Russia|Россия|Rossiya"},
    {"RW", "Rwanda"},
    {"SA", "Saudi Arabia|السعودية"},
    {"SB", "Solomon Islands"},
    {"SC", "Seychelles"},
    {"SD", "Sudan"},
    {"SE", "Sweden|Sverige"},
    {"SG", "Singapore"},
    {"SH", "St Helena"},
    {"SI", "Slovenia|Slovenija"},
    {"SJ", "Svalbard and Jan Mayen"},
    {"SK", "Slovakia|Slovensko"},
    {"SL", "Sierra Leone"},
    {"SM", "San Marino"},
    {"SN", "Senegal"},
    {"SO", "Somalia"},
    {"SR", "Suriname"},
    {"SS", "South Sudan"},
    {"ST", "Sao Tome and Principe"},
    {"SV", "El Salvador"},
    {"SX", "Sint Maarten"},
    {"SY", "Syria"},
    {"SZ", "Eswatini"},
    {"TC", "Turks and Caicos Is"},
    {"TD", "Chad"},
    {"TF", "French S. Terr."},
    {"TG", "Togo"},
    {"TH", "Thailand|ไทย"},
    {"TJ", "Tajikistan"},
    {"TK", "Tokelau"},
    {"TL", "East Timor"},
    {"TM", "Turkmenistan"},
    {"TN", "Tunisia"},
    {"TO", "Tonga"},
    {"TR", "Turkey|Turkiye|Türkiye"},
    {"TT", "Trinidad and Tobago"},
    {"TV", "Tuvalu"},
    {"TW", "Taiwan|台灣|台湾"},
    {"TZ", "Tanzania"},
    {"UA", "Ukraine|Україна|Ukraina"},
    {"UG", "Uganda"},
    {"UM", "US minor outlying islands"},
    {"US", "United States|USA|United States of America|America"},
    {"UY", "Uruguay"},
    {"UZ", "Uzbekistan"},
    {"VA", "Vatican City"},
    {"VC", "St Vincent"},
    {"VE", "Venezuela"},
    {"VG", "British Virgin Islands"},
    {"VI", "US Virgin Islands"},
    {"VN", "Vietnam|Việt Nam|Viet Nam"},
    {"VU", "Vanuatu"},
    {"WF", "Wallis and Futuna"},
    {"WS", "Samoa"},
    {"YE", "Yemen"},
    {"YT", "Mayotte"},
    {"ZA", "South Africa|Suid-Afrika"},
    {"ZM", "Zambia"},
    {"ZW", "Zimbabwe"},
    {NULL, NULL},
};

/* -- vendors and other filters ----------------------------------------------------------------- */

#define WORD_MAX 64

const struct keeper_vendor keeper_filters_vendors[] = {
    {"aws", "AWS", 60, 1},
    {"gcp", "GCP", 60, 1},
    {"azure", "Azure", 300, 1},
    {"hcloud", "Hetzner", QUANTITY_HOUR_S, QUANTITY_HOUR_S},
    {"upcloud", "UpCloud", QUANTITY_HOUR_S, QUANTITY_HOUR_S},
    {"alicloud", "Alibaba", 600, 1},
    {"ovh", "OVH", QUANTITY_HOUR_S, QUANTITY_HOUR_S},
    {"vultr", "Vultr", QUANTITY_HOUR_S, QUANTITY_HOUR_S},
    {NULL, NULL, 0, 0},
};

static const struct keeper_filter_word vendors[] = {
    {"aws", "Amazon|Amazon Web Services|EC2"},
    {"gcp", "Google|Google Cloud|GCE"},
    {"azure", "Microsoft|Microsoft Azure|MS"},
    {"hcloud", "Hetzner|Hetzner Cloud"},
    {"upcloud", NULL},
    {"alicloud", "Alibaba|Alibaba Cloud|Aliyun"},
    {"ovh", "OVHcloud"},
    {"vultr", NULL},
    {NULL, NULL},
};

static const struct keeper_filter_word frameworks[] = {
    {"hipaa", NULL}, {"iso27001", NULL}, {"soc2t2", "soc2"}, {NULL, NULL}};

static const struct keeper_filter_word archs[] = {
    {"x86_64", "amd64|x86-64|x64"}, {"arm64", "aarch64"}, {"i386", "i686"}, {"arm64_mac", NULL},
    {"x86_64_mac", NULL},           {NULL, NULL},
};

static const struct keeper_filter_word allocations[] = {
    {"Shared", NULL}, {"Burstable", NULL}, {"Dedicated", NULL}, {NULL, NULL}};

/* The service converts with the European Central Bank's reference rates: their currencies. */
static const struct keeper_filter_word currencies[] = {
    {"AUD", NULL}, {"BRL", NULL}, {"CAD", NULL}, {"CHF", NULL}, {"CNY", NULL}, {"CZK", NULL},
    {"DKK", NULL}, {"EUR", NULL}, {"GBP", NULL}, {"HKD", NULL}, {"HUF", NULL}, {"IDR", NULL},
    {"ILS", NULL}, {"INR", NULL}, {"ISK", NULL}, {"JPY", NULL}, {"KRW", NULL}, {"MXN", NULL},
    {"MYR", NULL}, {"NOK", NULL}, {"NZD", NULL}, {"PHP", NULL}, {"PLN", NULL}, {"RON", NULL},
    {"SEK", NULL}, {"SGD", NULL}, {"THB", NULL}, {"TRY", NULL}, {"USD", NULL}, {"ZAR", NULL},
    {NULL, NULL},
};

/* The service's profiles, each of which weighs several benchmarks. */
static const struct keeper_filter_word workloads[] = {
    {"web", NULL}, {"compute", NULL},    {"cache", NULL}, {"data_analysis", "data-analysis"},
    {"llm", NULL}, {"cicd", "ci|ci/cd"}, {NULL, NULL}};

const struct keeper_filter_row keeper_filters[KEEPER_FILTERS] = {
#define FILTER(id, member, option, value, help, name, param, field, values, examples)              \
	{option, name, param, field, offsetof(struct keeper_lists, member)},
#include "report/prices/keeper_filters.def"
#undef FILTER
};

static const struct {
	const struct keeper_filter_word *words; /* NULL: the service lists them */
	const char *examples; /* for an error; NULL: few enough to list all of them there */
} accepted[] = {
#define FILTER(id, member, option, value, help, name, param, field, values, examples)              \
	{values, examples},
#include "report/prices/keeper_filters.def"
#undef FILTER
    [KEEPER_FILTER_CURRENCY] = {currencies, "one code, such as EUR or USD"},
    [KEEPER_FILTER_WORKLOAD] = {workloads, NULL},
};

static size_t to_lower(char out[WORD_MAX + 1], const char *word)
{
	size_t n = 0;

	for (; word[n] && n < WORD_MAX; n++)
		out[n] = (char)tolower((unsigned char)word[n]);
	out[n] = '\0';
	return n;
}

size_t keeper_filters_distance(const char *a, const char *b)
{
	char lower_a[WORD_MAX + 1], lower_b[WORD_MAX + 1];
	size_t n = to_lower(lower_a, a);

	return b && to_lower(lower_b, b) ? edit_distance(lower_a, n, lower_b) : EDIT_DISTANCE_FAR;
}

/* A word may differ from what was meant by a third of its letters, and one. Two letters are near to
 * too many codes. */
size_t keeper_filters_tolerance(const char *word)
{
	size_t n = strlen(word);

	return n <= 2 || n > WORD_MAX ? 0 : n / 3 + 1;
}

/* Copies the next of "A|B" to out; false at the end. */
static bool next_name(const char **names, char out[WORD_MAX + 1])
{
	size_t n = *names ? strcspn(*names, "|") : 0;

	if (!n)
		return false;
	snprintf(out, WORD_MAX + 1, "%.*s", (int)n, *names);
	*names += (*names)[n] ? n + 1 : n;
	return true;
}

/* NULL if none is near enough to be meant. */
static const char *nearest_value(const struct keeper_filter_word *words, const char *word)
{
	size_t least = keeper_filters_tolerance(word) + 1;
	const char *best = NULL;

	for (const struct keeper_filter_word *w = words; w->value; w++) {
		size_t d = keeper_filters_distance(word, w->value);
		const char *names = w->names;
		char name[WORD_MAX + 1];
		while (next_name(&names, name)) {
			size_t by_name = keeper_filters_distance(word, name);
			d = by_name < d ? by_name : d;
		}
		if (d >= least)
			continue;
		least = d;
		best = w->value;
	}
	return best;
}

static void report_unknown_value(enum keeper_filter filter, const char *word, struct err *e)
{
	const struct keeper_filter_word *words = accepted[filter].words;
	const char *nearest = nearest_value(words, word);
	struct buf known = {.max = 1024};

	for (const struct keeper_filter_word *w = words; !accepted[filter].examples && w->value;
	     w++)
		buf_printf(&known, "%s%s", known.len ? ", " : " (known: ", w->value);
	if (nearest)
		err_set(e, "unknown value \"%.64s\"; did you mean %s?%s%s", word, nearest,
		        buf_cstr(&known), known.len ? ")" : "");
	else if (known.len)
		err_set(e, "unknown value \"%.64s\"%s)", word, buf_cstr(&known));
	else
		err_set(e, "unknown value \"%.64s\"; give %s", word, accepted[filter].examples);
	buf_free(&known);
}

static bool is_accepted(const struct keeper_filter_word *w, const char *word)
{
	const char *names = w->names;
	char name[WORD_MAX + 1];

	while (next_name(&names, name))
		if (!strcasecmp(name, word))
			return true;
	return false;
}

const char *keeper_filters_value(enum keeper_filter filter, const char *word, struct err *e)
{
	for (const struct keeper_filter_word *w = accepted[filter].words; w->value; w++)
		if (!strcasecmp(w->value, word) || is_accepted(w, word))
			return w->value;
	report_unknown_value(filter, word, e);
	return NULL;
}

const char *keeper_filters_spelled(enum keeper_filter filter, const char *word)
{
	const char *value =
	    accepted[filter].words ? keeper_filters_value(filter, word, NULL) : NULL;

	return value ? value : word;
}

const struct opts_list *keeper_filters_list(const struct keeper_lists *all,
                                            enum keeper_filter filter)
{
	return (const void *)((const char *)all + keeper_filters[filter].at);
}

static int replace_values(enum keeper_filter filter, struct opts_list *list, struct err *e)
{
	size_t n = 0;

	for (size_t i = 0; i < list->n; i++) {
		const char *value = keeper_filters_value(filter, list->v[i], e);
		size_t had = 0;
		if (!value)
			return err_wrap(e, "--%s", keeper_filters[filter].option);
		while (had < n && list->v[had] != value)
			had++;
		list->v[had] = value;
		n += had == n;
	}
	list->n = n;
	return 0;
}

int keeper_filters_values(struct keeper_lists *all, struct err *e)
{
	for (enum keeper_filter f = 0; f < KEEPER_FILTERS; f++)
		if (accepted[f].words &&
		    replace_values(f, (void *)((char *)all + keeper_filters[f].at), e))
			return -1;
	return 0;
}

const struct keeper_vendor *keeper_filters_vendor(const char *id)
{
	for (const struct keeper_vendor *v = keeper_filters_vendors; v->id; v++)
		if (!strcasecmp(v->id, id))
			return v;
	return NULL;
}
