/* mail_message: a message as a file that sendmail(8) -t takes. */
#include "fleet/owners/mail_message.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "core/base/fnv1a.h"
#include "report/render/escape.h"

#define NAME_MAX_BYTES 64 /* of a local part: RFC 5321 */
#define LINE           76
#define WORD_BYTES     39 /* 52 characters of Base64: a line has at most LINE */

/* No text that is quoted-printable can have "=_". */
#define BOUNDARY "=_rtrack_alternative"

static bool is_word_character(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_' || c == '-';
}

bool mail_message_is_name(const char *name)
{
	size_t n = strlen(name);

	for (size_t i = 0; i < n; i++)
		if (!is_word_character(name[i]) && name[i] != '+' && name[i] != '.')
			return false;
	return n && n <= NAME_MAX_BYTES && name[0] != '.' && name[0] != '-' && name[n - 1] != '.' &&
	       !strstr(name, "..");
}

void mail_message_file(struct buf *out, const char *owner)
{
	size_t n = strlen(owner), shown = n < NAME_MAX_BYTES ? n : NAME_MAX_BYTES;

	for (size_t i = 0; i < shown; i++)
		buf_char(out,
		         is_word_character(owner[i]) || (i && owner[i] == '.') ? owner[i] : '_');
	if (n != shown || !mail_message_is_name(owner) || strchr(owner, '+'))
		buf_printf(out, "-%016" PRIx64, fnv1a_add(FNV1A_BEGIN, owner));
	buf_str(out, ".eml");
}

bool mail_message_is_ours(const char *head, size_t n)
{
	return memmem(head, n, BOUNDARY, sizeof BOUNDARY - 1);
}

/* -- headers ----------------------------------------------------------------------------------- */

static const char base64[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static void add_encoded_word(struct buf *out, const char *s, size_t n)
{
	buf_str(out, "=?UTF-8?B?");
	for (size_t i = 0; i < n; i += 3) {
		unsigned v = (unsigned)(unsigned char)s[i] << 16;
		v |= i + 1 < n ? (unsigned)(unsigned char)s[i + 1] << 8 : 0;
		v |= i + 2 < n ? (unsigned)(unsigned char)s[i + 2] : 0;
		buf_char(out, base64[v >> 18]);
		buf_char(out, base64[v >> 12 & 63]);
		buf_char(out, i + 1 < n ? base64[v >> 6 & 63] : '=');
		buf_char(out, i + 2 < n ? base64[v & 63] : '=');
	}
	buf_str(out, "?=");
}

/* At most WORD_BYTES, and no part of a character. */
static size_t encoded_length(const char *s, size_t n)
{
	size_t length = n < WORD_BYTES ? n : WORD_BYTES;

	while (length < n && length > 1 && ((unsigned char)s[length] & 0xc0) == 0x80)
		length--;
	return length;
}

static bool needs_no_encoding(const char *s)
{
	for (; *s; s++)
		if ((unsigned char)*s < ' ' || (unsigned char)*s > '~' ||
		    (s[0] == '=' && s[1] == '?'))
			return false;
	return true;
}

/* Folded at blanks; a word that is longer than a line is encoded, because it cannot be folded. */
static void add_folded(struct buf *out, const char *s, size_t column)
{
	while (*s) {
		size_t blanks = strspn(s, " "), word = strcspn(s + blanks, " ");
		if (column + blanks + word > LINE && column > 1) {
			buf_str(out, "\n");
			column = 0;
		}
		buf_add(out, s, blanks + word);
		column += blanks + word;
		s += blanks + word;
	}
}

static bool has_unfoldable_word(const char *s)
{
	while (*s) {
		size_t word = strcspn(s, " ");
		if (word > LINE - 20)
			return true;
		s += word + strspn(s + word, " ");
	}
	return false;
}

/* The text of a subject: one line of valid UTF-8, whatever it holds. */
static void add_subject_header(struct buf *out, const char *text)
{
	struct buf line = {0};
	const char *s;
	size_t left;

	escape_add(&line, ESCAPE_LINE, text, strlen(text));
	s = buf_cstr(&line);
	left = strlen(s);
	buf_str(out, "Subject: ");
	if (needs_no_encoding(s) && !has_unfoldable_word(s) && !strstr(s, "  ")) {
		add_folded(out, s, strlen("Subject: "));
	} else {
		for (const char *first = s; left;) {
			size_t n = encoded_length(s, left);
			buf_str(out, s > first ? "\n " : "");
			add_encoded_word(out, s, n);
			s += n;
			left -= n;
		}
	}
	buf_char(out, '\n');
	buf_free(&line);
}

/* Not strftime: its names of days are those of the locale. */
static void add_date_header(struct buf *out, double unix_s)
{
	static const char days[] = "SunMonTueWedThuFriSat";
	static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
	time_t t = (time_t)fmin(fmax(unix_s, 0), 253402300799.0);
	struct tm tm = {0};

	gmtime_r(&t, &tm);
	buf_printf(out, "Date: %.3s, %02d %.3s %04d %02d:%02d:%02d +0000\n", days + 3 * tm.tm_wday,
	           tm.tm_mday, months + 3 * tm.tm_mon, tm.tm_year + 1900, tm.tm_hour, tm.tm_min,
	           tm.tm_sec);
}

/* -- parts ------------------------------------------------------------------------------------- */

/* Whether a byte may stand as it is. A blank at the end of a line may not. "From " and "." at its
 * beginning mean something to programs that pass messages on. */
static bool stands_as_it_is(const char *s, size_t n, size_t column)
{
	unsigned char c = (unsigned char)*s;

	if (c == ' ')
		return n > 1 && s[1] != '\n';
	return c > ' ' && c <= '~' && c != '=' && !(column == 0 && (c == '.' || c == 'F'));
}

static void add_quoted_printable(struct buf *out, const struct buf *text)
{
	const char *s = buf_cstr(text);
	size_t column = 0;

	for (size_t i = 0; i < text->len; i++) {
		bool plain = stands_as_it_is(s + i, text->len - i, column);
		if (s[i] == '\n') {
			buf_char(out, '\n');
			column = 0;
			continue;
		}
		if (column + (plain ? 1 : 3) > LINE - 1) {
			buf_str(out, "=\n");
			column = 0;
			plain = stands_as_it_is(s + i, text->len - i, column);
		}
		if (plain)
			buf_char(out, s[i]);
		else
			buf_printf(out, "=%02X", (unsigned)(unsigned char)s[i]);
		column += plain ? 1 : 3;
	}
	if (column)
		buf_char(out, '\n');
}

static void add_mime_part(struct buf *out, const char *type, const struct buf *text)
{
	buf_printf(out,
	           "--" BOUNDARY "\nContent-Type: text/%s; charset=utf-8\n"
	           "Content-Transfer-Encoding: quoted-printable\n\n",
	           type);
	add_quoted_printable(out, text);
}

void mail_message_write(struct buf *out, const struct mail_message *m)
{
	if (*m->from)
		buf_printf(out, "From: %s\n", m->from);
	buf_printf(out, "To: %s%s%s\n", m->to, m->domain ? "@" : "", m->domain ? m->domain : "");
	add_subject_header(out, m->subject);
	add_date_header(out, m->date);
	buf_str(out, "Auto-Submitted: auto-generated\nMIME-Version: 1.0\n"
	             "Content-Type: multipart/alternative;\n boundary=\"" BOUNDARY "\"\n\n");
	add_mime_part(out, "plain", m->text);
	add_mime_part(out, "html", m->html);
	buf_str(out, "--" BOUNDARY "--\n");
}
