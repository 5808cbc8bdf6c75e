/* mail_message: names and files of owners, headers, and parts, hostile ones too. tests/live/mail.sh reads messages with
 * Python's email package. */
#include <stdlib.h>
#include <string.h>

#include "fleet/owners/mail_message.h"
#include "tests/unit/unit.h"

TEST(names_that_may_be_written_to)
{
	static const char *const good[] = {"ann", "a.b", "x-1", "_svc", "a+b", "A9"};
	static const char *const bad[] = {"",
	                                  ".a",
	                                  "a.",
	                                  "a..b",
	                                  "a b",
	                                  "a@b",
	                                  "-oQ/",
	                                  "a\nBcc: c",
	                                  "a,b",
	                                  "\"a\"",
	                                  "a<b>",
	                                  "ann\x80",
	                                  "gr\xc3\xbc\xc3\x9f"
	                                  "e",
	                                  "a/b",
	                                  "|sh",
	                                  "a:;"};
	char name[66];

	for (size_t i = 0; i < sizeof good / sizeof *good; i++)
		assert_true(mail_message_is_name(good[i]));
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		assert_false(mail_message_is_name(bad[i]));
	memset(name, 'a', sizeof name);
	name[64] = '\0';
	assert_true(mail_message_is_name(name));
	name[64] = 'a';
	name[65] = '\0';
	assert_false(mail_message_is_name(name));
}

static void expect_file(const char *owner, const char *file)
{
	struct buf out = {0};

	mail_message_file(&out, owner);
	assert_string_equal(buf_cstr(&out), file);
	assert_null(strchr(buf_cstr(&out), '/'));
	buf_free(&out);
}

TEST(files_of_owners)
{
	struct buf a = {0}, b = {0};
	char longer[200];

	expect_file("ann", "ann.eml");
	expect_file("a.b-c_9", "a.b-c_9.eml");
	expect_file("../etc/passwd", "_._etc_passwd-1d2ac60a1ef90730.eml");
	expect_file("..", "_.-f7da0d17ec4c71d6.eml");
	expect_file("", "-af64724c8602eb6e.eml");
	mail_message_file(&a, "a/b");
	mail_message_file(&b, "a_b");
	assert_string_not_equal(buf_cstr(&a), buf_cstr(&b));
	buf_clear(&a);
	memset(longer, 'x', sizeof longer);
	longer[sizeof longer - 1] = '\0';
	mail_message_file(&a, longer);
	assert_true(a.len < 100);
	buf_free(&a);
	buf_free(&b);
}

static char *message(const char *subject, const char *body)
{
	struct buf text = {0}, html = {0}, out = {0};

	buf_str(&text, body);
	buf_str(&html, "<p>");
	buf_str(&html, body);
	mail_message_write(&out, &(struct mail_message){.from = "",
	                                                .to = "ann",
	                                                .domain = "example.org",
	                                                .subject = subject,
	                                                .date = 1795502735,
	                                                .text = &text,
	                                                .html = &html});
	buf_free(&text);
	buf_free(&html);
	return buf_take(&out);
}

TEST(a_whole_message)
{
	char *m = message("fit could ask for less", "Hello\n\nFrom here: 1 = 1 \n.\nBye\n");

	assert_string_equal(m, "To: ann@example.org\n"
	                       "Subject: fit could ask for less\n"
	                       "Date: Tue, 24 Nov 2026 06:45:35 +0000\n"
	                       "Auto-Submitted: auto-generated\n"
	                       "MIME-Version: 1.0\n"
	                       "Content-Type: multipart/alternative;\n"
	                       " boundary=\"=_rtrack_alternative\"\n"
	                       "\n"
	                       "--=_rtrack_alternative\n"
	                       "Content-Type: text/plain; charset=utf-8\n"
	                       "Content-Transfer-Encoding: quoted-printable\n"
	                       "\n"
	                       "Hello\n\n=46rom here: 1 =3D 1=20\n=2E\nBye\n"
	                       "--=_rtrack_alternative\n"
	                       "Content-Type: text/html; charset=utf-8\n"
	                       "Content-Transfer-Encoding: quoted-printable\n"
	                       "\n"
	                       "<p>Hello\n\n=46rom here: 1 =3D 1=20\n=2E\nBye\n"
	                       "--=_rtrack_alternative--\n");
	free(m);
}

/* No line but those that are meant begins like a header, and none is too long. */
static void expect_safe(const char *m)
{
	const char *body = strstr(m, "\n\n");
	size_t headers = 0;

	assert_non_null(body);
	for (const char *line = m; line < body; line = strchr(line, '\n') + 1)
		headers += *line != ' ';
	assert_int_equal(headers, 6);
	for (const char *line = m; *line; line = strchr(line, '\n') + 1) {
		size_t n = strcspn(line, "\n");
		assert_true(n <= 76);
		assert_true(line[n] == '\n');
	}
	for (const char *c = m; *c; c++)
		assert_true(*c == '\n' || (*c >= ' ' && *c <= '~'));
}

TEST(hostile_subjects)
{
	static const char *const subjects[] = {
	    "a\nBcc: victim@example.org\n\nbody",
	    "a\r\n.\r\nQUIT",
	    "\xff\xfe\x00",
	    "=?utf-8?B?QQ==?=",
	    "größere Läufe könnten weniger anfordern, und zwar alle von ihnen: 日本語のジョブ名がここにあります",
	    "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
	    "many words that go on and on until the line has to be folded, which it is at a blank of it",
	    "",
	    " ",
	    "\xe2\x80\xae"
	    "reversed"};

	for (size_t i = 0; i < sizeof subjects / sizeof *subjects; i++) {
		char *m = message(subjects[i], "b\n");
		expect_safe(m);
		free(m);
	}
}

TEST(hostile_texts)
{
	static const char *const texts[] = {
	    "--=_rtrack_alternative--\n", "a\r\n.\r\nb", "\xff\x01\n",
	    "a line of more than 76 bytes with blanks at the end of what fits, äöüäöüäöü äöüäöüäöü and "
	    "then some more of it without an end"};

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		char *m = message("s", texts[i]);
		expect_safe(m);
		assert_non_null(strstr(m, "\n--=_rtrack_alternative--\n"));
		assert_true(strlen(strstr(m, "\n--=_rtrack_alternative--\n")) == 26);
		free(m);
	}
}
