/* redact_token: recognises secrets by their form alone. */
#include "collect/redact/redact_token.h"

#include <string.h>

#include "collect/redact/redact_text.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

/* Bytes that decide whether a text is a token. The limit keeps the scan linear: a long text that
 * only resembles a token is not read to its end from each of its positions. */
#define LOOK 1024

enum bytes { TOKEN, HEX }; /* the bytes after the prefix */

/* min: the least number of bytes after the prefix. DIGIT: one of them must be a digit, because
 * words of letters alone are names. */
#define DIGIT true

static const struct {
	const char *prefix;
	size_t min;
	bool digit;
	enum bytes bytes;
} forms[] = {
    /* GitHub, GitLab, Bitbucket, Atlassian, Gitea, Sourcegraph */
    {"ghp_", 20, 0, TOKEN},
    {"gho_", 20, 0, TOKEN},
    {"ghu_", 20, 0, TOKEN},
    {"ghs_", 20, 0, TOKEN},
    {"ghr_", 20, 0, TOKEN},
    {"github_pat_", 20, 0, TOKEN},
    {"glpat-", 16, 0, TOKEN},
    {"gldt-", 16, 0, TOKEN},
    {"glptt-", 16, 0, TOKEN},
    {"glrt-", 16, 0, TOKEN},
    {"glcbt-", 16, 0, TOKEN},
    {"gloas-", 16, 0, TOKEN},
    {"glft-", 16, 0, TOKEN},
    {"glimt-", 16, 0, TOKEN},
    {"glagent-", 16, 0, TOKEN},
    {"glsoat-", 16, 0, TOKEN},
    {"glffct-", 16, 0, TOKEN},
    {"GR1348941", 16, 0, TOKEN},
    {"ATATT3", 20, 0, TOKEN},
    {"ATCTT3", 20, 0, TOKEN},
    {"ATBB", 20, DIGIT, TOKEN},
    {"BBDC-", 20, 0, TOKEN},
    {"sgp_", 30, DIGIT, TOKEN},
    {"lin_api_", 20, 0, TOKEN},
    {"lin_oauth_", 20, 0, TOKEN},
    /* Slack, Discord, Telegram, Twilio, mail */
    {"xoxa-", 10, 0, TOKEN},
    {"xoxb-", 10, 0, TOKEN},
    {"xoxc-", 10, 0, TOKEN},
    {"xoxd-", 10, 0, TOKEN},
    {"xoxe-", 10, 0, TOKEN},
    {"xoxe.", 10, 0, TOKEN},
    {"xoxp-", 10, 0, TOKEN},
    {"xoxr-", 10, 0, TOKEN},
    {"xoxs-", 10, 0, TOKEN},
    {"xapp-", 10, 0, TOKEN},
    {"SK", 32, DIGIT, HEX},
    {"AC", 32, DIGIT, HEX},
    {"key-", 32, DIGIT, HEX},
    {"SG.", 30, DIGIT, TOKEN},
    {"xkeysib-", 20, 0, TOKEN},
    {"xsmtpsib-", 20, 0, TOKEN},
    {"re_", 24, DIGIT, TOKEN},
    /* clouds */
    {"AKIA", 16, 0, TOKEN},
    {"ASIA", 16, 0, TOKEN},
    {"ABIA", 16, 0, TOKEN},
    {"ACCA", 16, 0, TOKEN},
    {"ABSK", 40, DIGIT, TOKEN},
    {"amzn.mws.", 20, 0, TOKEN},
    {"AIza", 30, 0, TOKEN},
    {"GOCSPX-", 20, 0, TOKEN},
    {"ya29.", 20, 0, TOKEN},
    {"1//0", 30, 0, TOKEN},
    {"4/0A", 12, 0, TOKEN},
    {"LTAI", 16, DIGIT, TOKEN},
    {"dop_v1_", 30, 0, TOKEN},
    {"doo_v1_", 30, 0, TOKEN},
    {"dor_v1_", 30, 0, TOKEN},
    {"fo1_", 20, 0, TOKEN},
    {"fm1r_", 20, 0, TOKEN},
    {"fm2_", 20, 0, TOKEN},
    {"nfp_", 20, DIGIT, TOKEN},
    {"hvs.", 20, 0, TOKEN},
    {"hvb.", 20, 0, TOKEN},
    {"hvr.", 20, 0, TOKEN},
    {"tskey-", 20, DIGIT, TOKEN},
    {"pul-", 32, DIGIT, HEX},
    {"dt0c01.", 20, 0, TOKEN},
    {"dt0s16.", 20, 0, TOKEN},
    {"pscale_tkn_", 16, 0, TOKEN},
    {"pscale_pw_", 16, 0, TOKEN},
    {"pscale_oauth_", 16, 0, TOKEN},
    {"dapi", 32, DIGIT, TOKEN},
    {"dp.pt.", 20, 0, TOKEN},
    {"dp.st.", 20, 0, TOKEN},
    {"dp.ct.", 20, 0, TOKEN},
    {"dp.sa.", 20, 0, TOKEN},
    {"ops_eyJ", 20, 0, TOKEN},
    {"A3-", 28, DIGIT, TOKEN},
    {"AGE-SECRET-KEY-1", 30, 0, TOKEN},
    /* payments */
    {"sk_live_", 16, 0, TOKEN},
    {"rk_live_", 16, 0, TOKEN},
    {"pk_live_", 16, 0, TOKEN},
    {"sk_test_", 16, 0, TOKEN},
    {"rk_test_", 16, 0, TOKEN},
    {"whsec_", 20, 0, TOKEN},
    {"sq0atp-", 20, 0, TOKEN},
    {"sq0csp-", 20, 0, TOKEN},
    {"EAAA", 40, DIGIT, TOKEN},
    {"shpat_", 20, 0, TOKEN},
    {"shpca_", 20, 0, TOKEN},
    {"shppa_", 20, 0, TOKEN},
    {"shpss_", 20, 0, TOKEN},
    {"EZAK", 40, DIGIT, TOKEN},
    {"EZTK", 40, DIGIT, TOKEN},
    {"FLWSECK", 20, DIGIT, TOKEN},
    /* AI models */
    {"sk-", 20, DIGIT, TOKEN},
    {"hf_", 30, 0, TOKEN},
    {"api_org_", 30, 0, TOKEN},
    {"nvapi-", 30, 0, TOKEN},
    {"gsk_", 30, 0, TOKEN},
    {"xai-", 30, DIGIT, TOKEN},
    {"pplx-", 30, DIGIT, TOKEN},
    {"r8_", 30, DIGIT, TOKEN},
    {"KGAT_", 20, 0, TOKEN},
    {"pcsk_", 30, DIGIT, TOKEN},
    {"lsv2_", 30, DIGIT, TOKEN},
    /* packages */
    {"npm_", 30, 0, TOKEN},
    {"pypi-", 30, DIGIT, TOKEN},
    {"rubygems_", 30, DIGIT, TOKEN},
    {"dckr_pat_", 20, 0, TOKEN},
    {"dckr_oat_", 20, 0, TOKEN},
    {"cio", 32, DIGIT, TOKEN},
    {"oy2", 40, DIGIT, TOKEN},
    {"AKCp", 40, DIGIT, TOKEN},
    {"cmVmd", 40, DIGIT, TOKEN},
    /* monitoring, and others */
    {"glsa_", 20, 0, TOKEN},
    {"glc_", 20, DIGIT, TOKEN},
    {"eyJrIjoi", 20, 0, TOKEN},
    {"NRAK-", 20, 0, TOKEN},
    {"NRJS-", 16, 0, TOKEN},
    {"NRII-", 20, 0, TOKEN},
    {"NRIQ-", 20, 0, TOKEN},
    {"NRRA-", 20, 0, TOKEN},
    {"NRAA-", 20, 0, TOKEN},
    {"sntrys_", 20, 0, TOKEN},
    {"sntryu_", 20, 0, TOKEN},
    {"phx_", 30, DIGIT, TOKEN},
    {"PMAK-", 20, 0, TOKEN},
    {"figd_", 20, 0, TOKEN},
    {"secret_", 30, DIGIT, TOKEN},
    {"ntn_", 30, DIGIT, TOKEN},
    {"CFPAT-", 20, 0, TOKEN},
    {"sl.", 60, DIGIT, TOKEN},
    {"EAAC", 40, DIGIT, TOKEN},
    {"sk.eyJ", 20, 0, TOKEN},
    {"shippo_live_", 20, 0, TOKEN},
    {"aio_", 24, DIGIT, TOKEN},
    {"perm:", 30, DIGIT, TOKEN},
};

static bool is_hex(char c)
{
	return redact_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

static bool is_token_byte(char c)
{
	return redact_lower(c) || redact_upper(c) || redact_digit(c) || c == '_' || c == '-' ||
	       c == '.' || c == '=' || c == '+';
}

static bool is_base64_byte(char c)
{
	return redact_lower(c) || redact_upper(c) || redact_digit(c) || c == '+' || c == '/';
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

static bool is_dot(char c)
{
	return c == '.';
}

/* A JSON web token: parts separated by dots; the first is a JSON object in base64 ("eyJ" is {"). */
static bool is_web_token(const char *text, size_t n)
{
	size_t run;

	if (n < 20 || memcmp(text, "eyJ", 3) != 0)
		return false;
	run = run_length(text, n, LOOK, is_token_byte);
	return run >= 20 && (run == LOOK || has_byte_of(text, run, is_dot));
}

/* Returns the length of the known prefix at the beginning of the text, or 0 if too little
 * follows. */
static size_t prefix_token(const char *text, size_t n)
{
	for (size_t i = 0; i < COUNT(forms); i++) {
		const char *prefix = forms[i].prefix;
		size_t length, run;
		if (*prefix != *text)
			continue;
		length = strlen(prefix);
		if (n < length + forms[i].min || memcmp(text, prefix, length) != 0)
			continue;
		run = run_length(text + length, n - length, LOOK / 8,
		                 forms[i].bytes == HEX ? is_hex : is_token_byte);
		if (run >= forms[i].min &&
		    (!forms[i].digit || has_byte_of(text + length, run, redact_digit)))
			return length;
	}
	return 0;
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
	    !has_byte_of(text + first + 1, 6, is_dot))
		return run;
	return 0;
}

/* Counts the neighbours of different kinds (lower case, upper case, digit) in n bytes. */
static size_t count_changes(const char *text, size_t n)
{
	size_t count = 0;

	for (size_t i = 1; i < n; i++) {
		int a = redact_lower(text[i - 1])   ? 1
		        : redact_upper(text[i - 1]) ? 2
		        : redact_digit(text[i - 1]) ? 3
		                                    : 0;
		int b = redact_lower(text[i])   ? 1
		        : redact_upper(text[i]) ? 2
		        : redact_digit(text[i]) ? 3
		                                : 0;
		count += a && b && a != b;
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

	if (n < 14)
		return 0;
	found = prefix_token(text, n);
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
