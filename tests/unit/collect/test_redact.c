/* redact: what must not be written down, and what must be left as it is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../../../collect/redact.h"
#include "../../../collect/secret.h"

/* The words, masked, joined by '|'. */
static char *masked(const char *const *argv)
{
	struct buf b = {0};

	for (size_t i = 0; argv[i]; i++) {
		if (i)
			buf_char(&b, '|');
		redact_word((char *const *)(uintptr_t)argv, i, &b);
	}
	return buf_take(&b);
}

#define WORDS(...) ((const char *const[]){__VA_ARGS__, NULL})

static void must_be_masked(void **state)
{
	const struct {
		const char *const *argv;
		const char *expect;
	} cases[] = {
	    {WORDS("x", "--password", "hunter2"), "x|--password|***"},
	    {WORDS("x", "--password=hunter2"), "x|--password=***"},
	    {WORDS("x", "--password=two words"), "x|--password=***"},
	    {WORDS("x", "--db-passwd", "a", "b"), "x|--db-passwd|***|b"},
	    {WORDS("x", "--api-key", "abc"), "x|--api-key|***"},
	    {WORDS("x", "--apiKey=abc"), "x|--apiKey=***"},
	    {WORDS("x", "-token", "abc"), "x|-token|***"},
	    {WORDS("x", "--access_key", "abc"), "x|--access_key|***"},
	    {WORDS("x", "--client-secret", "-abc"), "x|--client-secret|***"},
	    {WORDS("x", "--auth", "me:you"), "x|--auth|***"},
	    {WORDS("env", "PASSWORD=x y", "make"), "env|PASSWORD=***|make"},
	    {WORDS("env", "AWS_SECRET_ACCESS_KEY=abc/def+g", "aws"),
	     "env|AWS_SECRET_ACCESS_KEY=***|aws"},
	    {WORDS("docker", "run", "-e", "GITHUB_TOKEN=abc", "i"),
	     "docker|run|-e|GITHUB_TOKEN=***|i"},
	    {WORDS("x", "PGPASSWORD=a&b"), "x|PGPASSWORD=***"},
	    {WORDS("psql", "postgres://me:s3cret@db/x"), "psql|postgres://me:***@db/x"},
	    {WORDS("psql", "postgres://me:p:a@ss@db/x"), "psql|postgres://me:***@db/x"},
	    {WORDS("git", "clone",
	           "https://ghp_0123456789012345678901234567890123456@github.com/a"),
	     "git|clone|https://***@github.com/a"},
	    {WORDS("curl", "-H", "Authorization: Bearer abcdefghij"), "curl|-H|Authorization: ***"},
	    {WORDS("curl", "-H", "X-Api-Key: abc def"), "curl|-H|X-Api-Key: ***"},
	    {WORDS("curl", "-HAuthorization: Basic abc="), "curl|-HAuthorization: ***"},
	    {WORDS("curl", "-u", "me:you", "http://a"), "curl|-u|me:***|http://a"},
	    {WORDS("/usr/bin/curl", "--user", "me:you"), "/usr/bin/curl|--user|me:***"},
	    {WORDS("sshpass", "-p", "abc", "ssh", "h"), "sshpass|-p|***|ssh|h"},
	    {WORDS("curl", "https://h/p?token=abc&x=1"), "curl|https://h/p?token=***&x=1"},
	    {WORDS("wget", "https://h/b?sv=1&sig=a%2Bb%3D&se=2"),
	     "wget|https://h/b?sv=1&sig=***&se=2"},
	    {WORDS("curl", "https://h/?key=AIzzz&q=1"), "curl|https://h/?key=***&q=1"},
	    {WORDS("x", "https://h/?X-Amz-Signature=ab12"), "x|https://h/?X-Amz-Signature=***"},
	    {WORDS("x", "{\"user\": \"me\", \"password\": \"a b\", \"n\": 1}"),
	     "x|{\"user\": \"me\", \"password\": \"***\", \"n\": 1}"},
	    {WORDS("x", "{\"token\":\"ab\"}"), "x|{\"token\":\"***\"}"},
	    {WORDS("x", "bearer abcdefgh12"), "x|bearer ***"},
	    {WORDS("openssl", "-passin", "pass:abc"), "openssl|-passin|pass:***"},
	    {WORDS("x", "glpat-abcdefghijklmnop1234"), "x|***"},
	    {WORDS("x", "github_pat_11ABCDEFG0123456789_abc"), "x|***"},
	    {WORDS("x", "a=xoxb-1234567890-abcdef,b"), "x|a=***,b"},
	    {WORDS("x", "AKIAIOSFODNN7EXAMPLE"), "x|***"},
	    {WORDS("x", "sk-proj-abcdefghijklmnopqrs0123"), "x|***"},
	    {WORDS("x", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc-_d"), "x|***"},
	    {WORDS("x", "-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----"),
	     "x|***"},
	    /* a URL's user may be the token */
	    {WORDS("git", "clone", "https://0123456789abcdef0123456789abcdef01234567@github.com/a"),
	     "git|clone|https://***@github.com/a"},
	    {WORDS("x", "https://ghp_0123456789012345678901234567890123456:@h/a"),
	     "x|https://***:@h/a"},
	    {WORDS("x", "https://0123456789abcdef0123:x-oauth-basic@h/a"), "x|https://***:***@h/a"},
	    {WORDS("x", "https://hooks.slack.com/services/T00/B00/abc rest"),
	     "x|https://hooks.slack.com/services/*** rest"},
	    {WORDS("curl", "https://api.telegram.org/bot12:ABC/getMe"),
	     "curl|https://api.telegram.org/bot***"},
	    {WORDS("x", "https://discord.com/api/webhooks/1/abc"),
	     "x|https://discord.com/api/webhooks/***"},
	    /* short options of programs that are known */
	    {WORDS("mysql", "-uroot", "-phunter2", "db"), "mysql|-uroot|-p***|db"},
	    {WORDS("timeout", "5", "/usr/bin/mysqldump", "-px", "db"),
	     "timeout|5|/usr/bin/mysqldump|-p***|db"},
	    {WORDS("redis-cli", "-a", "abc", "ping"), "redis-cli|-a|***|ping"},
	    {WORDS("docker", "login", "-u", "me", "-p", "abc"), "docker|login|-u|me|-p|***"},
	    {WORDS("sudo", "sshpass", "-pabc", "ssh", "-p", "22"), "sudo|sshpass|-p***|ssh|-p|22"},
	    {WORDS("unzip", "-P", "abc", "a.zip"), "unzip|-P|***|a.zip"},
	    {WORDS("ldapsearch", "-w", "-x1", "-b", "dc=a"), "ldapsearch|-w|***|-b|dc=a"},
	    /* more forms and names */
	    {WORDS("x", "hvs.CAESIJabcdefghijklmnop"), "x|***"},
	    {WORDS("x", "glrt-abcdefghijklmnop1234"), "x|***"},
	    {WORDS("x", "A_VERY_LONG_NAME_OF_A_VARIABLE_THAT_GOES_ON_AND_ON_AND_ON_DB_PASSWORD=a"),
	     "x|A_VERY_LONG_NAME_OF_A_VARIABLE_THAT_GOES_ON_AND_ON_AND_ON_DB_PASSWORD=***"},
	    /* within a shell's script */
	    {WORDS("sh", "-c", "PASSWORD=abc make all"), "sh|-c|PASSWORD=*** make all"},
	    {WORDS("sh", "-c", "export TOKEN='a b'; make"), "sh|-c|export TOKEN='***'; make"},
	    {WORDS("bash", "-lc", "x --password abc && y"), "bash|-lc|x --password *** && y"},
	    {WORDS("sh", "-c", "x --token \"a \\\" b\" z"), "sh|-c|x --token \"***\" z"},
	    {WORDS("sh", "-c", "curl -H \"Authorization: Bearer abcdefghi\" http://a"),
	     "sh|-c|curl -H \"Authorization: ***\" http://a"},
	    {WORDS("sh", "-c", "curl -u me:you http://a"), "sh|-c|curl -u me:*** http://a"},
	    {WORDS("sh", "-c", "echo ghp_0123456789012345678901234567890123456|x"),
	     "sh|-c|echo ***|x"},
	    {WORDS("sh", "-c", "x=\"{\\\"password\\\": \\\"abc\\\"}\" y"),
	     "sh|-c|x=\"{\\\"password\\\": \\\"***\\\"}\" y"},
	    {WORDS("sh", "-c", "git push https://me:abc@h/r.git"),
	     "sh|-c|git push https://me:***@h/r.git"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char *got = masked(cases[i].argv);
		assert_string_equal(got, cases[i].expect);
		free(got);
	}
}

static void must_not_be_masked(void **state)
{
	static const char *const cases[][4] = {
	    {"x", "--tokenizer", "bert"},
	    {"x", "--max-tokens", "5"},
	    {"x", "--max-tokens=5"},
	    {"x", "--token-file", "/run/t"},
	    {"x", "--password-file=/run/p"},
	    {"x", "--pad-token-id", "0"},
	    {"x", "--no-password", "db"},
	    {"x", "--password", "--verbose"},
	    {"ffmpeg", "-pass", "2", "a.mp4"},
	    {"x", "monkey=1", "keyboard=us"},
	    {"sort", "-k", "2", "--key=3"},
	    {"x", "--sort-key", "name"},
	    {"x", "PWD=/home/me"},
	    {"x", "/etc/passwd", "passwd"},
	    {"x", "src/token/token.c"},
	    {"x", "author: me", "--author=me"},
	    {"x", "http://example.org:8080/a?b=c&d=e"},
	    {"git", "clone", "ssh://git@github.com/a/b"},
	    {"docker", "run", "-u", "1000:1000"},
	    {"x", "registry/auth:v1"},
	    {"x", "sk-learn", "hf_model"},
	    {"x", "--scikit=sk-learn-contrib-package"},
	    {"x", "s3://bucket/key=1/part"},
	    {"sh", "-c", "for i in 1 2 3; do echo $i; done"},
	    {"sh", "-c", "sort --key 3 a | uniq -c > b"},
	    {"python", "train.py", "--lr=1e-3", "--secrets-dir=/s"},
	    {"git", "clone", "https://me@dev.azure.com/org/p"},
	    {"git", "clone", "https://firstname.lastname@h/p"},
	    {"ssh", "-p", "2222", "host"},
	    {"mysql", "-p", "database"},
	    {"docker", "run", "-p", "8080:80"},
	    {"mkdir", "-pv", "a/b"},
	    {"x", "https://hooks.slack.com/apps"},
	    {"x", "glrt-short", "hvs.x"},
	    {"x", ""},
	    {"curl", "-u", "me:"},
	    {"x", "--password=", "--token"},
	    {"x", "a:b", "=", "--="},
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const char *argv[5] = {cases[i][0], cases[i][1], cases[i][2], cases[i][3], NULL};
		struct buf plain = {0};
		char *got = masked(argv);
		for (size_t k = 0; argv[k]; k++) {
			if (k)
				buf_char(&plain, '|');
			buf_str(&plain, argv[k]);
		}
		assert_string_equal(got, buf_cstr(&plain));
		buf_free(&plain);
		free(got);
	}
}

static void long_words_take_linear_time(void **state)
{
	static const char *const units[] = {"a-",          "password",
	                                    "://a:b@",     "\"token\": ",
	                                    "\\",          "-u ",
	                                    "eyJ.",        "AKIA",
	                                    "curl -u ",    "bearer ",
	                                    "pass:",       "=",
	                                    "'",           "s-",
	                                    "sk-",         "eyJ-",
	                                    "-----BEGIN ", "://a1b2c3d4e5f6:",
	                                    "://",         "hooks.slack.com/services/"};
	size_t n = 1 << 17;
	char *text = malloc(n + 1);

	(void)state;
	assert_non_null(text);
	for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
		struct buf b = {0};
		char *argv[] = {(char[]){"x"}, text, NULL};
		for (size_t k = 0; k < n; k++)
			text[k] = units[i][k % strlen(units[i])];
		text[n] = '\0';
		redact_word(argv, 1, &b);
		assert_false(b.failed);
		buf_free(&b);
	}
	free(text);
}

static void values(void **state)
{
	static const struct {
		const char *name, *value, *expect;
	} cases[] = {
	    {"token", "abc", "***"},
	    {"db.password", "a b", "***"},
	    {"password", "", ""},
	    {"ci.run_url", "https://me:pw@ci.example.org/job/1",
	     "https://me:***@ci.example.org/job/1"},
	    {"ci.run_url", "https://h/1?a=b&access_token=abc#x",
	     "https://h/1?a=b&access_token=***"},
	    {"url", "https://h/1?sig=abc&x=1", "https://h/1?sig=***&x=1"},
	    {"note", "ghp_0123456789012345678901234567890123456", "***"},
	    {"note", "run with --password abc", "run with --password ***"},
	    {"note", "PASSWORD=abc", "PASSWORD=***"},
	    /* left as they are */
	    {"stage", "train", "train"},
	    {"tokens", "5", "5"},
	    {"git.commit", "0123456789abcdef0123456789abcdef01234567",
	     "0123456789abcdef0123456789abcdef01234567"},
	    {"slurm.account", "physics", "physics"},
	    {"author", "me@example.org", "me@example.org"},
	    {"key", "value", "value"},
	    {"url", "https://example.org/a?b=c", "https://example.org/a?b=c"},
	    {"", "x", "x"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct buf b = {0};
		redact_value(cases[i].name, cases[i].value, &b);
		assert_string_equal(buf_cstr(&b), cases[i].expect);
		buf_free(&b);
	}
}

static void names(void **state)
{
	static const struct {
		const char *name;
		bool secret, in_query;
	} cases[] = {
	    {"password", true, true},
	    {"Password1", true, true},
	    {"userPass", true, true},
	    {"dbpwd", false, false},
	    {"db_pwd", true, true},
	    {"pwd", true, true},
	    {"PWD", false, false},
	    {"key", false, true},
	    {"sig", false, true},
	    {"api.key", true, true},
	    {"APIKey", true, true},
	    {"tokens", false, false},
	    {"tokenizer", false, false},
	    {"auth", true, true},
	    {"author", false, false},
	    {"secret_version", false, false},
	    {"", false, false},
	    {"---", false, false},
	    {"a.b.c.d.e.f.g.h.i.password", true, true},
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const char *name = cases[i].name;
		assert_int_equal(secret_name(name, strlen(name), false), cases[i].secret);
		assert_int_equal(secret_name(name, strlen(name), true), cases[i].in_query);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(must_be_masked),
	    cmocka_unit_test(must_not_be_masked),
	    cmocka_unit_test(long_words_take_linear_time),
	    cmocka_unit_test(values),
	    cmocka_unit_test(names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
