/* redact_sql: finds secrets in SQL by the statement or the function. */
#include "collect/redact/redact_sql.h"

#include "collect/redact/redact_name.h"
#include "collect/redact/redact_value.h"

#define LOOK        1024 /* bytes in which a list of columns or of arguments ends */
#define COLUMNS_MAX 64

/* Functions with a secret among their arguments. first, last: the arguments that are secrets,
 * counted from 1. least: the least number of arguments, so that s3('url', 'CSV') has no key. */
static const struct {
	const char *names;
	unsigned first, last, least;
} functions[] = {
    {"old_password set_api_key", 1, 1, 1},
    {"login", 1, 8, 1},
    {"encryptbypassphrase decryptbypassphrase crypt", 1, 1, 2},
    {"pgp_sym_decrypt pgp_sym_encrypt pgp_sym_decrypt_bytea pgp_sym_encrypt_bytea aes_decrypt "
     "aes_encrypt des_decrypt des_encrypt auth httpbasicauth",
     2, 2, 2},
    {"encrypt decrypt hmac", 2, 2, 3},
    {"encrypt_iv decrypt_iv", 2, 2, 4},
    {"s3", 2, 3, 4},
    {"pgp_pub_decrypt", 3, 3, 3},
    {"s3cluster", 3, 4, 5},
    {"remote remotesecure", 4, 5, 4},
    {"mysql postgresql mongodb azureblobstorage", 5, 5, 5},
};

static size_t next_text(const struct redact_text *t, size_t i)
{
	while (redact_blank(redact_at(t, i)))
		i++;
	return i;
}

/* Returns the position of the text after the keyword at i, or i. */
static size_t after_keyword(const struct redact_text *t, size_t i, const char *word)
{
	size_t n = redact_begins(t, i, word);

	return n && !redact_ident(redact_at(t, i + n)) ? next_text(t, i + n) : i;
}

/* Returns the end of the argument or value at i, which is a comma or a bracket. Strings, and all
 * that is in brackets, are part of it. hide: hides the strings. */
static size_t item_end(struct redact_text *t, size_t i, bool hide)
{
	size_t depth = 0, last = i + LOOK < t->n ? i + LOOK : t->n, from, end;

	while (i < last) {
		char c = t->s[i];
		if (!depth && (c == ',' || c == ')'))
			break;
		if ((redact_quote(c) && !redact_closes(t, c)) ||
		    (c == '\\' && redact_quote(redact_at(t, i + 1)))) {
			end = redact_value_end(t, i, &from, true);
			if (hide && from > i)
				redact_hide(t, from, end);
			i = end > i ? end : i + 1;
			while (redact_at(t, i) == '\\')
				i++;
			i += redact_quote(redact_at(t, i)) && !redact_closes(t, t->s[i]);
			continue;
		}
		depth += c == '(';
		depth -= c == ')';
		i++;
	}
	return i;
}

/* The name of the function, of n bytes, is at i. */
static size_t scan_call(struct redact_text *t, size_t i, size_t n)
{
	size_t k = i + n, begin[8];
	unsigned count = 0;
	char name[32];

	for (size_t c = 0; c < n; c++)
		name[c] = redact_upper(t->s[i + c]) ? (char)(t->s[i + c] + 32) : t->s[i + c];
	for (size_t row = 0; row < sizeof functions / sizeof *functions; row++) {
		if (!redact_listed(functions[row].names, name, n))
			continue;
		do {
			begin[count++] = k + 1;
			k = item_end(t, k + 1, false);
		} while (redact_at(t, k) == ',' && count < sizeof begin / sizeof *begin);
		if (count < functions[row].least)
			return i;
		for (unsigned a = functions[row].first; a <= functions[row].last && a <= count; a++)
			item_end(t, begin[a - 1], true);
		return k;
	}
	return i;
}

/* INSERT INTO t (a, b) VALUES (1, 2), (3, 4) */
static size_t scan_insert(struct redact_text *t, size_t i)
{
	bool secret[COLUMNS_MAX] = {false}, any = false;
	size_t k = i, columns = 0, name, end, last = i + LOOK / 4 < t->n ? i + LOOK / 4 : t->n;

	while (k < last && t->s[k] != '(')
		k++;
	while (k < t->n && t->s[k] != ')' && columns < COLUMNS_MAX && k - i < LOOK) {
		name = k + 1;
		while (redact_at(t, name) && strchr(" \t\n\r\"'`[\\", t->s[name]))
			name++;
		for (end = name; redact_ident(redact_at(t, end)); end++)
			;
		secret[columns] = redact_name(t->s + name, end - name, false) >= REDACT_NAME_KEY;
		any = any || secret[columns++];
		k = item_end(t, k + 1, false);
	}
	k = any && redact_at(t, k) == ')' ? next_text(t, k + 1) : t->n;
	if (!redact_is(t, k, "values") || redact_ident(redact_at(t, k + 6)))
		return i;
	for (k = next_text(t, k + 6); redact_at(t, k) == '('; k = next_text(t, k)) {
		for (size_t column = 0; k < t->n && (column == 0 || t->s[k] == ','); column++)
			k = item_end(t, k + 1, column < columns && secret[column]);
		k = next_text(t, k + 1);
		k += redact_at(t, k) == ',';
	}
	return k < t->n ? k : t->n;
}

/* Hides the string after the next "=", which is at most 128 bytes away. */
static size_t scan_equals(struct redact_text *t, size_t i, size_t k)
{
	size_t last = k + 128 < t->n ? k + 128 : t->n;

	while (k < last && t->s[k] != '=' && t->s[k] != ';' && t->s[k] != '\n')
		k++;
	return k < last && t->s[k] == '=' ? item_end(t, next_text(t, k + 1), true) : i;
}

size_t redact_sql(struct redact_text *t, size_t i)
{
	size_t n = 0, k;

	while (redact_ident(redact_at(t, i + n)) && n < 32)
		n++;
	if (redact_at(t, i + n) == '(')
		return scan_call(t, i, n);
	k = after_keyword(t, i, "set");
	if (k > i && after_keyword(t, k, "password") > k)
		return scan_equals(t, i, k + 8);
	/* IDENTIFIED BY 'X' REPLACE 'Y' of Oracle */
	k = after_keyword(t, i, "replace");
	if (k > i && redact_quote(redact_at(t, k)) && !redact_closes(t, t->s[k]))
		return item_end(t, k, true);
	/* sp_addlogin 'me', 'X' */
	k = after_keyword(t, i, "sp_addlogin sp_password");
	if (k > i)
		return item_end(t, item_end(t, k, false) + 1, true);
	k = after_keyword(t, i, "pragma");
	if (k > i && redact_begins(t, k, "key rekey hexkey"))
		return scan_equals(t, i, k);
	return after_keyword(t, i, "insert replace") > i ? scan_insert(t, i) : i;
}
