/* redact_token: recognises secrets by their form alone. */
#include "collect/redact/redact_token.h"

#include <string.h>

#include "collect/redact/redact_text.h"

/* Bytes that decide whether a text is a token. The limit keeps the scan linear: a long text that
 * only resembles a token is not read to its end from each of its positions. */
#define LOOK 1024

/* Tokens that begin with one of these words, separated by blanks. min: the least number of bytes
 * after it. digit: one of them must be a digit, because words of letters alone are names. hex: they
 * must be hexadecimal digits. */
static const struct {
	const char *begins;
	size_t min;
	bool digit, hex;
} forms[] = {
    /* GitHub, GitLab, Bitbucket, Atlassian, Gitea, Sourcegraph, Linear */
    {"ghp_ gho_ ghu_ ghs_ ghr_ github_pat_ ATATT3 ATCTT3 BBDC- lin_api_ lin_oauth_", 20, 0, 0},
    {"glpat- gldt- glptt- glrt- glcbt- gloas- glft- glimt- glagent- glsoat- glffct- GR1348941", 16,
     0, 0},
    {"ATBB", 20, 1, 0},
    {"sgp_", 30, 1, 0},
    /* Slack, Discord, Telegram, Twilio, mail */
    {"xoxa- xoxb- xoxc- xoxd- xoxe- xoxe. xoxp- xoxr- xoxs- xapp-", 10, 0, 0},
    {"SK AC key-", 32, 1, 1},
    {"xkeysib- xsmtpsib-", 20, 0, 0},
    {"re_", 24, 1, 0},
    {"SG.", 30, 1, 0},
    /* clouds */
    {"AKIA ASIA ABIA ACCA", 16, 0, 0},
    {"4/0A", 12, 0, 0},
    {"pscale_tkn_ pscale_pw_ pscale_oauth_", 16, 0, 0},
    {"LTAI", 16, 1, 0},
    {"amzn.mws. GOCSPX- ya29. fo1_ fm1r_ fm2_ hvs. hvb. hvr. dt0c01. dt0s16. dp.pt. dp.st. dp.ct. "
     "dp.sa. ops_eyJ",
     20, 0, 0},
    {"nfp_ tskey-", 20, 1, 0},
    {"A3-", 28, 1, 0},
    {"AIza 1//0 dop_v1_ doo_v1_ dor_v1_ AGE-SECRET-KEY-1", 30, 0, 0},
    {"dapi", 32, 1, 0},
    {"pul-", 32, 1, 1},
    {"ABSK", 40, 1, 0},
    /* payments */
    {"sk_live_ rk_live_ pk_live_ sk_test_ rk_test_", 16, 0, 0},
    {"whsec_ sq0atp- sq0csp- shpat_ shpca_ shppa_ shpss_ shippo_live_", 20, 0, 0},
    {"FLWSECK", 20, 1, 0},
    {"EAAA EZAK EZTK", 40, 1, 0},
    /* AI models */
    {"KGAT_", 20, 0, 0},
    {"sk-", 20, 1, 0},
    {"hf_ api_org_ nvapi- gsk_", 30, 0, 0},
    {"xai- pplx- r8_ pcsk_ lsv2_", 30, 1, 0},
    /* packages */
    {"dckr_pat_ dckr_oat_", 20, 0, 0},
    {"npm_", 30, 0, 0},
    {"pypi- rubygems_", 30, 1, 0},
    {"cio", 32, 1, 0},
    {"oy2 AKCp cmVmd", 40, 1, 0},
    /* monitoring, and others */
    {"NRJS-", 16, 0, 0},
    {"glsa_ eyJrIjoi NRAK- NRII- NRIQ- NRRA- NRAA- sntrys_ sntryu_ PMAK- figd_ CFPAT- sk.eyJ", 20,
     0, 0},
    {"glc_", 20, 1, 0},
    {"aio_", 24, 1, 0},
    {"phx_ secret_ ntn_ perm:", 30, 1, 0},
    {"EAAC", 40, 1, 0},
    {"sl.", 60, 1, 0},
};

static bool is_hex(char c)
{
	return redact_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

static bool is_token_byte(char c)
{
	return redact_ident(c) || c == '-' || c == '.' || c == '=' || c == '+';
}

static bool is_base64_byte(char c)
{
	return (redact_ident(c) && c != '_') || c == '+' || c == '/';
}

static bool is_any_byte(char c)
{
	return is_token_byte(c) || c == '/' || c == ':';
}

/* Returns the number of bytes of this kind at the beginning of the text, at most max. */
static size_t run_length(const char *text, size_t n, size_t max, bool (*kind)(char))
{
	size_t run = 0;

	while (run < n && run < max && kind(text[run]))
		run++;
	return run;
}

static bool has_byte_of(const char *text, size_t n, bool (*kind)(char))
{
	for (size_t i = 0; i < n; i++)
		if (kind(text[i]))
			return true;
	return false;
}

/* Returns the length of the known beginning of the text, or 0 if too little follows. */
static size_t known_beginning(const char *text, size_t n)
{
	for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
		for (const char *p = forms[i].begins; *p; p += *p == ' ') {
			size_t length = 0, run;
			while (p[length] && p[length] != ' ' && length < n &&
			       p[length] == text[length])
				length++;
			if (p[length] == ' ' || !p[length]) {
				run = run_length(text + length, n - length, LOOK / 8,
				                 forms[i].hex ? is_hex : is_token_byte);
				if (run >= forms[i].min &&
				    (!forms[i].digit ||
				     has_byte_of(text + length, run, redact_digit)))
					return length;
			}
			while (*p && *p != ' ')
				p++;
		}
	return 0;
}

/* A JSON web token: parts separated by dots; the first is a JSON object in base64 ("eyJ" is {"). */
static bool is_web_token(const char *text, size_t n)
{
	size_t run = memcmp(text, "eyJ", 3) == 0 ? run_length(text, n, LOOK, is_token_byte) : 0;

	return run >= 20 && (run == LOOK || memchr(text, '.', run));
}

/* A Telegram bot's token: "123456789:AA" and 33 more bytes. */
static size_t telegram_bot_token(const char *text, size_t n)
{
	size_t number = run_length(text, n, 12, redact_digit), rest;

	if (number < 8 || number + 3 >= n || memcmp(text + number, ":AA", 3) != 0)
		return 0;
	rest = run_length(text + number + 1, n - number - 1, LOOK, is_token_byte);
	return rest >= 35 ? number + 1 + rest : 0;
}

/* A Discord bot's token has 23 to 28, 6, and 27 or more bytes between dots. An Airtable token has
 * "pat" and 14 bytes, a dot, and 64 hexadecimal digits. */
static size_t dotted_token(const char *text, size_t n)
{
	size_t first = 0, run;

	while (first < n && first < 32 && text[first] != '.' && is_token_byte(text[first]))
		first++;
	if (first == n || text[first] != '.' || first < 17)
		return 0;
	run = run_length(text, n, LOOK, is_token_byte);
	if (first == 17 && memcmp(text, "pat", 3) == 0 && run == 82 &&
	    run_length(text + 18, 64, 64, is_hex) == 64)
		return run;
	if (first >= 23 && first <= 28 && run >= first + 35 && text[first + 7] == '.' &&
	    has_byte_of(text, first, redact_upper) && has_byte_of(text, first, redact_digit) &&
	    !memchr(text + first + 1, '.', 6))
		return run;
	return 0;
}

/* Counts the neighbours of different kinds (lower case, upper case, digit) in n bytes. */
static size_t count_changes(const char *text, size_t n)
{
	static bool (*const kinds[])(char) = {redact_lower, redact_upper, redact_digit};
	size_t count = 0, kind, before = 3;

	for (size_t i = 0; i < n; i++, before = kind) {
		kind = 0;
		while (kind < 3 && !kinds[kind](text[i]))
			kind++;
		count += kind < 3 && before < 3 && kind != before;
	}
	return count;
}

/* Letters of both cases and digits, mixed more than in any name. Hexadecimal hashes and UUIDs have
 * only one case. */
static bool is_mixed(const char *text, size_t n, size_t percent)
{
	return has_byte_of(text, n, redact_lower) && has_byte_of(text, n, redact_upper) &&
	       has_byte_of(text, n, redact_digit) && count_changes(text, n) * 100 >= n * percent;
}

/* At least 32 random bytes in base 62 or base64, or the exactly 40 bytes of an AWS secret key,
 * which may contain slashes like a path. */
static size_t random_token(const char *text, size_t n)
{
	size_t run = run_length(text, n, LOOK / 16, is_base64_byte);
	size_t word = 0;

	if (run == 40 && text[0] != '/' && (n == run || !is_token_byte(text[run])) &&
	    is_mixed(text, run, 25))
		return run;
	while (word < n && word < LOOK / 16 && text[word] != '.' && is_token_byte(text[word]))
		word++;
	if (word < 32 || !is_mixed(text, word, 45))
		return 0;
	run = run_length(text, n, n, is_base64_byte);
	word = run_length(text, n, n, is_token_byte);
	return run > word ? run : word;
}

/* Mailchimp (32 hexadecimal digits and "-us6"), New Relic (36 and "NRAL") and Mailgun. */
static size_t hex_token(const char *text, size_t n)
{
	size_t run = run_length(text, n, 64, is_hex);

	if (run == 32 && n >= run + 4 && memcmp(text + run, "-us", 3) == 0 &&
	    redact_digit(text[run + 3]))
		return run + 4;
	if (run == 36 && n >= run + 4 && memcmp(text + run, "NRAL", 4) == 0)
		return run + 4;
	/* Mailgun: 32, 8 and 8 digits. The parts of a UUID have other lengths. */
	if (run == 32 && n >= 50 && text[32] == '-' && text[41] == '-' &&
	    run_length(text + 33, n - 33, 9, is_hex) == 8 &&
	    run_length(text + 42, n - 42, 9, is_hex) == 8)
		return 50;
	return 0;
}

size_t redact_token(const char *text, size_t n)
{
	size_t found;

	if (run_length(text, n, 14, is_any_byte) < 14)
		return 0;
	found = known_beginning(text, n);
	if (found || is_web_token(text, n))
		return found + run_length(text + found, n - found, n, is_token_byte);
	found = telegram_bot_token(text, n);
	if (!found)
		found = hex_token(text, n);
	if (!found)
		found = dotted_token(text, n);
	return found ? found : random_token(text, n);
}

bool redact_token_random(const char *text, size_t n)
{
	size_t letters = 0, digits = 0;

	for (size_t i = 0; i < n; i++) {
		if (!is_token_byte(text[i]))
			return false;
		letters += redact_lower(text[i]) || redact_upper(text[i]);
		digits += redact_digit(text[i]);
	}
	return n >= 16 && letters && digits >= 2;
}

bool redact_token_chosen(const char *value, size_t n)
{
	bool letter = false, mixed = false, digit = false, sign = false;

	for (size_t i = 0; i < n; i++) {
		bool is_letter = redact_lower(value[i]) || redact_upper(value[i]);
		if (!is_letter && !redact_digit(value[i]) && !strchr("!@#^&*-+=?$", value[i]))
			return false;
		mixed = mixed || (is_letter && letter && digit);
		digit = digit || (letter && redact_digit(value[i]));
		sign = sign || strchr("!@#^&*?", value[i]);
		letter = letter || is_letter;
	}
	return n >= 6 && (mixed || (sign && letter));
}
