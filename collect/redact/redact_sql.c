/* redact_sql: finds secrets in SQL. */
#include "collect/redact/redact_sql.h"

#include "collect/redact/redact_name.h"
#include "collect/redact/redact_value.h"

#define COUNT(a)    (sizeof(a) / sizeof *(a))
#define LOOK        1024 /* bytes in which a list of columns or of arguments ends */
#define COLUMNS_MAX 64

/* Functions with a secret among their arguments. first, last: the arguments that are secrets,
 * counted from 1. least: the least number of arguments, so that s3('url', 'CSV') has no key. */
static const struct {
	const char *name;
	unsigned first, last, least;
} functions[] = {
    {"pgp_sym_decrypt", 2, 2, 2},
    {"pgp_sym_encrypt", 2, 2, 2},
    {"pgp_sym_decrypt_bytea", 2, 2, 2},
    {"pgp_sym_encrypt_bytea", 2, 2, 2},
    {"pgp_pub_decrypt", 3, 3, 3},
    {"aes_decrypt", 2, 2, 2},
    {"aes_encrypt", 2, 2, 2},
    {"des_decrypt", 2, 2, 2},
    {"des_encrypt", 2, 2, 2},
    {"encryptbypassphrase", 1, 1, 2},
    {"decryptbypassphrase", 1, 1, 2},
    {"encrypt", 2, 2, 3},
    {"decrypt", 2, 2, 3},
    {"encrypt_iv", 2, 2, 4},
    {"decrypt_iv", 2, 2, 4},
    {"hmac", 2, 2, 3},
    {"crypt", 1, 1, 2},
    {"old_password", 1, 1, 1},
    {"mysql", 5, 5, 5},
    {"postgresql", 5, 5, 5},
    {"mongodb", 5, 5, 5},
    {"remote", 4, 5, 4},
    {"remotesecure", 4, 5, 4},
    {"s3", 2, 3, 4},
    {"s3cluster", 3, 4, 5},
    {"azureblobstorage", 5, 5, 5},
    {"login", 1, 9, 1},
    {"auth", 2, 2, 2},
    {"set_api_key", 1, 1, 1},
    {"httpbasicauth", 2, 2, 2},
};

static size_t next_text(const struct redact_text *t, size_t i)
{
	while (redact_blank(redact_at(t, i)))
		i++;
	return i;
}

static bool is_word_end(const struct redact_text *t, size_t i)
{
	return !redact_letter(redact_at(t, i)) && !redact_digit(redact_at(t, i));
}

static size_t after_keyword(const struct redact_text *t, size_t i, const char *word)
{
	size_t end = i + strlen(word);

	return redact_is(t, i, word) && is_word_end(t, end) ? next_text(t, end) : i;
}

/* Returns the end of the argument or value at i, which is a comma or a bracket. Strings, and all
 * that is in brackets, are part of it. */
static size_t item_end(const struct redact_text *t, size_t i, char open)
{
	size_t depth = 0, last = i + LOOK < t->n ? i + LOOK : t->n, from;

	while (i < last) {
		char c = t->s[i];
		if (!depth && (c == ',' || c == ')'))
			break;
		if ((redact_quote(c) && c != open) ||
		    (c == '\\' && redact_quote(redact_at(t, i + 1)))) {
			size_t end = redact_value_end(t, open, i, &from, true);
			i = end > i ? end : i + 1;
			while (redact_at(t, i) == '\\')
				i++;
			i += redact_quote(redact_at(t, i)) && redact_at(t, i) != open;
			continue;
		}
		depth += c == '(';
		depth -= c == ')';
		i++;
	}
	return i;
}

/* Hides the strings in begin..end. */
static void hide_strings(struct redact_text *t, size_t begin, size_t end, char open)
{
	size_t i = begin, from, last;

	while (i < end) {
		if (t->s[i] != '\\' && (!redact_quote(t->s[i]) || t->s[i] == open)) {
			i++;
			continue;
		}
		last = redact_value_end(t, open, i, &from, true);
		if (from > i)
			redact_hide(t, from, last);
		i = (last > i ? last : i) + 1;
		while (i < end && t->s[i] == '\\')
			i++;
		i += i < end && redact_quote(t->s[i]);
	}
}

static size_t scan_call(struct redact_text *t, size_t i, size_t n, char open)
{
	size_t row = 0, k = i + n + 1, begin[8], end[8];
	unsigned count = 0;

	while (row < COUNT(functions) &&
	       (strlen(functions[row].name) != n || !redact_is(t, i, functions[row].name)))
		row++;
	if (row == COUNT(functions))
		return i;
	while (count < COUNT(begin)) {
		begin[count] = k;
		k = end[count++] = item_end(t, k, open);
		if (redact_at(t, k) != ',')
			break;
		k++;
	}
	if (count < functions[row].least)
		return i;
	for (unsigned a = functions[row].first; a <= functions[row].last && a <= count; a++)
		hide_strings(t, begin[a - 1], end[a - 1], open);
	return k;
}

/* INSERT INTO t (a, b) VALUES (1, 2), (3, 4) */
static size_t scan_insert(struct redact_text *t, size_t i, char open)
{
	bool secret[COLUMNS_MAX] = {false}, any = false;
	size_t k = i, columns = 0, column, end, last = i + LOOK / 4 < t->n ? i + LOOK / 4 : t->n;

	while (k < last && t->s[k] != '(')
		k++;
	while (k < t->n && t->s[k] != ')' && columns < COLUMNS_MAX && k - i < LOOK) {
		size_t name = k + 1;
		while (redact_blank(redact_at(t, name)) || redact_quote(redact_at(t, name)) ||
		       redact_at(t, name) == '[' || redact_at(t, name) == '\\')
			name++;
		for (end = name; !is_word_end(t, end); end++)
			;
		secret[columns] = redact_name(t->s + name, end - name, false) >= REDACT_NAME_KEY;
		any = any || secret[columns];
		columns++;
		k = item_end(t, k + 1, '\0');
	}
	k = any && redact_at(t, k) == ')' ? next_text(t, k + 1) : t->n;
	if (after_keyword(t, k, "values") == k && !redact_is(t, k, "values("))
		return i;
	for (k = next_text(t, k + 6); redact_at(t, k) == '('; k = next_text(t, k)) {
		for (column = 0; k < t->n && (column == 0 || t->s[k] == ','); column++) {
			end = item_end(t, k + 1, open);
			if (column < columns && secret[column])
				hide_strings(t, k + 1, end, open);
			k = end;
		}
		k = next_text(t, k + 1);
		k += redact_at(t, k) == ',';
	}
	return k < t->n ? k : t->n;
}

/* Hides the string after the next "=", which is at most 128 bytes away. */
static size_t scan_equals(struct redact_text *t, size_t i, size_t k, char open)
{
	size_t last = k + 128 < t->n ? k + 128 : t->n, end;

	while (k < last && t->s[k] != '=' && t->s[k] != ';' && t->s[k] != '\n')
		k++;
	if (k == last || t->s[k] != '=')
		return i;
	end = item_end(t, next_text(t, k + 1), open);
	hide_strings(t, k + 1, end, open);
	return end;
}

size_t redact_sql(struct redact_text *t, size_t i, char open)
{
	size_t n = 0, k;

	while (!is_word_end(t, i + n) && n < 32)
		n++;
	if (redact_at(t, i + n) == '(')
		return scan_call(t, i, n, open);
	k = after_keyword(t, i, "set");
	if (k > i && after_keyword(t, k, "password") > k)
		return scan_equals(t, i, k + 8, open);
	/* IDENTIFIED BY 'X' REPLACE 'Y' of Oracle */
	k = after_keyword(t, i, "replace");
	if (k > i && redact_quote(redact_at(t, k)) && t->s[k] != open) {
		hide_strings(t, k, item_end(t, k, open), open);
		return k + 1;
	}
	k = after_keyword(t, i, "sp_addlogin");
	k = k > i ? k : after_keyword(t, i, "sp_password");
	if (k > i) {
		k = item_end(t, k, open);
		hide_strings(t, k, item_end(t, k + 1, open), open);
		return k;
	}
	k = after_keyword(t, i, "pragma");
	if (k > i &&
	    (redact_is(t, k, "key") || redact_is(t, k, "rekey") || redact_is(t, k, "hexkey")))
		return scan_equals(t, i, k, open);
	if (after_keyword(t, i, "insert") > i || after_keyword(t, i, "replace") > i)
		return scan_insert(t, i, open);
	return i;
}
