/* redact: which texts are hidden, and which are kept. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "collect/redact/redact.h"
#include "tests/unit/unit.h"

#define LINE      4096
#define WORDS_MAX 40

/* A row of the table. */
struct row {
	char text[LINE];    /* the words, each ended by a NUL */
	char secrets[LINE]; /* likewise */
	const char *words[WORDS_MAX];
	const char *secret[WORDS_MAX];
	size_t n, n_secrets;
	bool leak;
	bool known; /* is not redacted right, as is known */
};

/* Copies a byte of the table, or the byte that an escape stands for. */
static const char *copy_byte(const char *p, char **out)
{
	if (*p == '\\' && p[1] && strchr("nt\\", p[1])) {
		*(*out)++ = p[1] == 'n' ? '\n' : p[1] == 't' ? '\t' : '\\';
		return p + 2;
	}
	*(*out)++ = *p;
	return p + 1;
}

/* Returns false if the line is not a row. */
static bool parse(const char *line, struct row *r)
{
	static const char separator[] = " ¦ ";
	char *text = r->text, *secrets = r->secrets, *begin = NULL;

	bool known = strncmp(line, "known ", 6) == 0;

	line += known ? 6 : 0;
	*r = (struct row){.leak = strncmp(line, "leak ", 5) == 0, .known = known};
	if (!r->leak && strncmp(line, "stay ", 5) != 0)
		return false;
	r->words[r->n++] = text;
	for (const char *p = line + 5; *p && *p != '\n';) {
		assert_true(r->n < WORDS_MAX && r->n_secrets < WORDS_MAX);
		if (strncmp(p, separator, sizeof separator - 1) == 0) {
			*text++ = '\0';
			r->words[r->n++] = text;
			p += sizeof separator - 1;
		} else if (r->leak && strncmp(p, "[[", 2) == 0) {
			begin = text;
			p += 2;
		} else if (begin && strncmp(p, "]]", 2) == 0) {
			r->secret[r->n_secrets++] = secrets;
			memcpy(secrets, begin, (size_t)(text - begin));
			secrets += text - begin + 1;
			begin = NULL;
			p += 2;
		} else {
			p = copy_byte(p, &text);
		}
	}
	assert_null(begin);
	return true;
}

/* Joins the words, redacted or not, with '|'. */
static char *joined(const char *const *words, size_t n, bool redacted)
{
	struct redact r = {.n_rows = 0};
	struct buf b = {0};

	for (size_t i = 0; i < n; i++) {
		if (i)
			buf_char(&b, '|');
		if (redacted)
			redact_word(&r, words[i], &b);
		else
			buf_str(&b, words[i]);
	}
	return buf_take(&b);
}

/* Whether the words are redacted as the row says. stable: and redacting the result changes nothing. */
static bool is_right(const char *const *words, size_t n, const struct row *r, bool stable)
{
	char *got = joined(words, n, true), *plain = joined(words, n, false), *again;
	char *copy[WORDS_MAX];
	struct redact state = {.n_rows = 0};
	bool right = true;

	for (size_t i = 0; i < n; i++) {
		struct buf b = {0};
		redact_word(&state, words[i], &b);
		copy[i] = buf_take(&b);
	}
	again = joined((const char *const *)copy, n, true);
	for (size_t i = 0; i < r->n_secrets; i++) {
		/* A row tests nothing if its secret occurs twice, or not at all. */
		assert_non_null(strstr(plain, r->secret[i]));
		right = right && !strstr(got, r->secret[i]);
	}
	if (r->leak)
		right = right && r->n_secrets && strstr(got, "***") &&
		        (n == 1 || strncmp(got, words[0], strlen(words[0])) == 0);
	else
		right = strcmp(got, plain) == 0;
	right = right && (!stable || strcmp(again, got) == 0);
	if (right == r->known)
		print_error("%s\n  again: %s\n", got, again);
	for (size_t i = 0; i < n; i++)
		free(copy[i]);
	free(got);
	free(plain);
	free(again);
	return right;
}

/* Joins the words of a row to a line of a shell's script. */
static char *as_script(const struct row *r)
{
	static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
				    "0123456789_./:=@%+,~-";
	struct buf b = {0};

	for (size_t i = 0; i < r->n; i++) {
		const char *word = r->words[i];
		if (i)
			buf_char(&b, ' ');
		if (*word && strspn(word, plain) == strlen(word)) {
			buf_str(&b, word);
			continue;
		}
		buf_char(&b, '\'');
		for (; *word; word++)
			if (*word == '\'')
				buf_str(&b, "'\\''");
			else
				buf_char(&b, *word);
		buf_char(&b, '\'');
	}
	return buf_take(&b);
}

/* whole: quotes and brackets are closed, so that the result can be redacted again; the same words are
 * tried in sh -c '…' as well. */
static size_t check(const struct row *r, const char *table, int line, bool whole)
{
	bool right = is_right(r->words, r->n, r, whole), script = whole;

	for (size_t i = 0; i < r->n_secrets; i++) /* is written otherwise there */
		script = script && !strchr(r->secret[i], '\'');
	if (script && r->n > 1) {
		char *text = as_script(r);
		const char *const words[] = {"sh", "-c", text};
		right = is_right(words, 3, r, true) && right;
		free(text);
	}
	if (right == r->known)
		print_error("%s:%d%s\n", table, line, r->known ? ": right by now" : "");
	return right == r->known;
}

static void check_table(const char *table, size_t least_leaks, size_t least_stays, bool whole)
{
	static struct row row;
	FILE *f = fopen(table, "r");
	char line[LINE];
	size_t leaks = 0, stays = 0, bad = 0;

	assert_non_null(f);
	for (int number = 1; fgets(line, sizeof line, f); number++) {
		if (!parse(line, &row))
			continue;
		leaks += row.leak;
		stays += !row.leak;
		bad += check(&row, table, number, whole);
	}
	fclose(f);
	assert_int_equal(bad, 0);
	assert_true(leaks >= least_leaks && stays >= least_stays);
}

TEST(table)
{
	check_table("tests/fixtures/secrets.txt", 300, 150, false);
}

TEST(programs)
{
	check_table("tests/fixtures/secrets_programs.txt", 800, 400, true);
}

TEST(tools)
{
	check_table("tests/fixtures/secrets_tools.txt", 450, 350, true);
}

TEST(looks)
{
	check_table("tests/fixtures/secrets_looks.txt", 240, 260, true);
}

#define WORDS(...) ((const char *const[]){__VA_ARGS__, NULL})

/* The rest of a line, after its secret is hidden. */
TEST(only_the_secret)
{
	const struct {
		const char *const *argv;
		const char *expect;
	} cases[] = {
	    {WORDS("x", "--password", "hunter2"), "x|--password|***"},
	    {WORDS("x", "--password=hunter2"), "x|--password=***"},
	    {WORDS("sh", "-c", "aws u --access-token abc1 --a Name=\"n\",Value=\"Dan\""),
	     "sh|-c|aws u --access-token *** --a Name=\"n\",Value=\"Dan\""},
	    {WORDS("x", "--password=two words"), "x|--password=***"},
	    {WORDS("x", "--db-passwd", "a", "b"), "x|--db-passwd|***|b"},
	    {WORDS("x", "--api-key", "abc1"), "x|--api-key|***"},
	    {WORDS("x", "--apiKey=abc1"), "x|--apiKey=***"},
	    {WORDS("x", "-token", "abc1"), "x|-token|***"},
	    {WORDS("x", "--access_key", "abc1"), "x|--access_key|***"},
	    {WORDS("x", "--client-secret", "-abc1"), "x|--client-secret|***"},
	    {WORDS("x", "--auth", "me:you"), "x|--auth|***"},
	    {WORDS("env", "PASSWORD=x y", "make"), "env|PASSWORD=***|make"},
	    {WORDS("env", "AWS_SECRET_ACCESS_KEY=abc1/def+g", "aws"),
	     "env|AWS_SECRET_ACCESS_KEY=***|aws"},
	    {WORDS("docker", "run", "-e", "GITHUB_TOKEN=abc1", "i"),
	     "docker|run|-e|GITHUB_TOKEN=***|i"},
	    {WORDS("x", "PGPASSWORD=a&b"), "x|PGPASSWORD=***"},
	    {WORDS("psql", "postgres://me:s3cret@db/x"), "psql|postgres://me:***@db/x"},
	    {WORDS("psql", "postgres://me:p:a@ss@db/x"), "psql|postgres://me:***@db/x"},
	    {WORDS("git", "clone",
	           "https://ghp_0123456789012345678901234567890123456@github.com/a"),
	     "git|clone|https://***@github.com/a"},
	    {WORDS("curl", "-H", "Authorization: Bearer abcdefghij"), "curl|-H|Authorization: ***"},
	    {WORDS("curl", "-H", "X-Api-Key: abc1 def"), "curl|-H|X-Api-Key: ***"},
	    {WORDS("curl", "-HAuthorization: Basic abc1="), "curl|-HAuthorization: ***"},
	    {WORDS("curl", "-u", "me:you", "http://a"), "curl|-u|me:***|http://a"},
	    {WORDS("/usr/bin/curl", "--user", "me:you"), "/usr/bin/curl|--user|me:***"},
	    {WORDS("sshpass", "-p", "abc1", "ssh", "h"), "sshpass|-p|***|ssh|h"},
	    {WORDS("curl", "https://h/p?token=abc1&x=1"), "curl|https://h/p?token=***&x=1"},
	    {WORDS("wget", "https://h/b?sv=1&sig=a%2Bb%3D&se=2"),
	     "wget|https://h/b?sv=1&sig=***&se=2"},
	    {WORDS("curl", "https://h/?key=AIzzz&q=1"), "curl|https://h/?key=***&q=1"},
	    {WORDS("x", "https://h/?X-Amz-Signature=ab12"), "x|https://h/?X-Amz-Signature=***"},
	    {WORDS("x", "{\"user\": \"me\", \"password\": \"a b\", \"n\": 1}"),
	     "x|{\"user\": \"me\", \"password\": \"***\", \"n\": 1}"},
	    {WORDS("x", "{\"token\":\"abc1\"}"), "x|{\"token\":\"***\"}"},
	    {WORDS("x", "bearer abcdefgh12"), "x|bearer ***"},
	    {WORDS("openssl", "-passin", "pass:abc1"), "openssl|-passin|pass:***"},
	    {WORDS("x", "glpat-abcdefghijklmnop1234"), "x|***"},
	    {WORDS("x", "github_pat_11ABCDEFG0123456789_abc"), "x|***"},
	    {WORDS("x", "a=xoxb-1234567890-abcdef,b"), "x|a=***,b"},
	    {WORDS("x", "AKIAIOSFODNN7EXAMPLE"), "x|***"},
	    {WORDS("x", "sk-proj-abcdefghijklmnopqrs0123"), "x|***"},
	    {WORDS("x", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc1-_d"), "x|***"},
	    {WORDS("x", "-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----"),
	     "x|***"},
	    /* a URL's user may be the token */
	    {WORDS("git", "clone", "https://0123456789abcdef0123456789abcdef01234567@github.com/a"),
	     "git|clone|https://***@github.com/a"},
	    {WORDS("x", "https://ghp_0123456789012345678901234567890123456:@h/a"),
	     "x|https://***:@h/a"},
	    {WORDS("x", "https://0123456789abcdef0123:x-oauth-basic@h/a"), "x|https://***:***@h/a"},
	    {WORDS("x", "https://hooks.slack.com/services/T00/B00/abc1 rest"),
	     "x|https://hooks.slack.com/services/*** rest"},
	    {WORDS("curl", "https://api.telegram.org/bot12:ABC/getMe"),
	     "curl|https://api.telegram.org/bot***"},
	    {WORDS("x", "https://discord.com/api/webhooks/1/abc1"),
	     "x|https://discord.com/api/webhooks/***"},
	    /* short options of known programs */
	    {WORDS("mysql", "-uroot", "-phunter2", "db"), "mysql|-uroot|-p***|db"},
	    {WORDS("timeout", "5", "/usr/bin/mysqldump", "-px", "db"),
	     "timeout|5|/usr/bin/mysqldump|-p***|db"},
	    {WORDS("redis-cli", "-a", "abc1", "ping"), "redis-cli|-a|***|ping"},
	    {WORDS("docker", "login", "-u", "me", "-p", "abc1"), "docker|login|-u|me|-p|***"},
	    {WORDS("sudo", "sshpass", "-pabc", "ssh", "-p", "22"), "sudo|sshpass|-p***|ssh|-p|22"},
	    {WORDS("unzip", "-P", "abc1", "a.zip"), "unzip|-P|***|a.zip"},
	    {WORDS("ldapsearch", "-w", "-x1", "-b", "dc=a"), "ldapsearch|-w|***|-b|dc=a"},
	    /* more forms and names */
	    {WORDS("x", "hvs.CAESIJabcdefghijklmnop"), "x|***"},
	    {WORDS("x", "glrt-abcdefghijklmnop1234"), "x|***"},
	    {WORDS("x", "A_VERY_LONG_NAME_OF_A_VARIABLE_THAT_GOES_ON_AND_ON_AND_ON_DB_PASSWORD=a"),
	     "x|A_VERY_LONG_NAME_OF_A_VARIABLE_THAT_GOES_ON_AND_ON_AND_ON_DB_PASSWORD=***"},
	    /* inside a shell script */
	    {WORDS("sh", "-c", "PASSWORD=abc1 make all"), "sh|-c|PASSWORD=*** make all"},
	    {WORDS("sh", "-c", "export TOKEN='a b'; make"), "sh|-c|export TOKEN='***'; make"},
	    {WORDS("bash", "-lc", "x --password abc1 && y"), "bash|-lc|x --password *** && y"},
	    {WORDS("sh", "-c", "x --token \"a \\\" b\" z"), "sh|-c|x --token \"***\" z"},
	    {WORDS("sh", "-c", "curl -H \"Authorization: Bearer abcdefghi\" http://a"),
	     "sh|-c|curl -H \"Authorization: ***\" http://a"},
	    {WORDS("sh", "-c", "curl -u me:you http://a"), "sh|-c|curl -u me:*** http://a"},
	    {WORDS("sh", "-c", "echo ghp_0123456789012345678901234567890123456|x"),
	     "sh|-c|echo ***|x"},
	    {WORDS("sh", "-c", "x=\"{\\\"password\\\": \\\"abc1\\\"}\" y"),
	     "sh|-c|x=\"{\\\"password\\\": \\\"***\\\"}\" y"},
	    {WORDS("sh", "-c", "git push https://me:abc1@h/r.git"),
	     "sh|-c|git push https://me:***@h/r.git"},
	    /* the rest of a nested script stays readable */
	    {WORDS("sh", "-c", "bash -c 'curl -H \"X-Api-Key: abc1\" h'"),
	     "sh|-c|bash -c 'curl -H \"X-Api-Key: ***\" h'"},
	    {WORDS("sh", "-c", "ssh h \"sudo bash -c 'echo \\\"token=abc1\\\" > f'\""),
	     "sh|-c|ssh h \"sudo bash -c 'echo \\\"token=***\\\" > f'\""},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		size_t n = 0;
		char *got;
		while (cases[i].argv[n])
			n++;
		got = joined(cases[i].argv, n, true);
		assert_string_equal(got, cases[i].expect);
		free(got);
	}
}

TEST(long_words_take_linear_time)
{
	static const char *const units[] = {"a-",
	                                    "password",
	                                    "://a:b@",
	                                    "\"token\": ",
	                                    "\\",
	                                    "-u ",
	                                    "eyJ.",
	                                    "AKIA",
	                                    "curl -u ",
	                                    "bearer ",
	                                    "pass:",
	                                    "=",
	                                    "'",
	                                    "s-",
	                                    "sk-",
	                                    "eyJ-",
	                                    "-----BEGIN ",
	                                    "://a1b2c3d4e5f6:",
	                                    "://",
	                                    "hooks.slack.com/services/",
	                                    "$(",
	                                    "a=$(",
	                                    "\\\\",
	                                    "echo x | ",
	                                    "\"'`",
	                                    "mysql -p",
	                                    "key=",
	                                    "a:b@",
	                                    "A1b2C3d4-",
	                                    "login ",
	                                    "{\"key\":[",
	                                    "secret,",
	                                    "%22token%3a",
	                                    "',['",
	                                    "'\\''",
	                                    "'\"'\"' ",
	                                    "crypt(",
	                                    "crypt('a',",
	                                    "insert into t (password) values (",
	                                    "insert (",
	                                    "set password ",
	                                    "{{",
	                                    "password=$(",
	                                    "os.environ[",
	                                    "password=os.environ[",
	                                    "/t/",
	                                    "https://conda/t/",
	                                    "rtmp://a/",
	                                    "password=a.",
	                                    "auth: a b ",
	                                    "read TOKEN <<E\n",
	                                    "<<",
	                                    "password=f('",
	                                    "token.a.",
	                                    "login a ",
	                                    "$$",
	                                    "password $$",
	                                    "p=",
	                                    "password=%a"};
	size_t n = 1 << 15;
	char *text = malloc(n + 1);

	assert_non_null(text);
	for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
		struct buf b = {0};
		struct redact r = {.n_rows = 0};
		clock_t start = clock();
		for (size_t k = 0; k < n; k++)
			text[k] = units[i][k % strlen(units[i])];
		text[n] = '\0';
		redact_word(&r, text, &b);
		assert_false(b.failed);
		/* Takes milliseconds if linear, many seconds if quadratic. */
		assert_true(clock() - start < CLOCKS_PER_SEC);
		buf_free(&b);
	}
	free(text);
}

TEST(values)
{
	static const struct {
		const char *name, *value, *expect;
	} cases[] = {
	    {"token", "abc1", "***"},
	    {"db.password", "a b", "***"},
	    {"password", "", ""},
	    {"ci.run_url", "https://me:pw@ci.example.org/job/1",
	     "https://me:***@ci.example.org/job/1"},
	    {"ci.run_url", "https://h/1?a=b&access_token=abc1#x",
	     "https://h/1?a=b&access_token=***"},
	    {"url", "https://h/1?sig=abc1&x=1", "https://h/1?sig=***&x=1"},
	    {"note", "ghp_0123456789012345678901234567890123456", "***"},
	    {"note", "run with --password abc1", "run with --password ***"},
	    {"note", "PASSWORD=abc1", "PASSWORD=***"},
	    /* not secrets */
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

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct buf b = {0};
		redact_value(cases[i].name, cases[i].value, &b);
		assert_string_equal(buf_cstr(&b), cases[i].expect);
		buf_free(&b);
	}
}

TEST(marks)
{
	static const struct {
		const char *line, *expect;
	} cases[] = {
	    {"load", "load"},
	    {"load end", "load end"},
	    {"load end \r", "load end"},
	    {"deploy with --token abc1", "deploy with --token ***"},
	    {"deploy TOKEN=abc1 end", "deploy TOKEN=*** end"},
	    {"Authorization: Bearer abcdefgh end", "Authorization: *** end"},
	    {"end", "end"},
	    {"", ""},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct buf b = {0};
		redact_mark(cases[i].line, strlen(cases[i].line), &b);
		assert_string_equal(buf_cstr(&b), cases[i].expect);
		buf_free(&b);
	}
}

#define P REDACT_NAME_PLAIN
#define C REDACT_NAME_COMMAND
#define M REDACT_NAME_MAYBE
#define L REDACT_NAME_LIKELY
#define K REDACT_NAME_KEY
#define S REDACT_NAME_SECRET

TEST(names)
{
	static const struct {
		const char *name;
		enum redact_name kind, in_query;
	} cases[] = {
	    {"password", S, S},
	    {"Password1", S, S},
	    {"userPass", S, S},
	    {"dbpwd", S, S},
	    {"db_pwd", S, S},
	    {"pwd", S, S},
	    {"PWD", P, P},
	    {"key", L, K},
	    {"cond_key", L, K},
	    {"key_value", K, K},
	    {"token", K, K},
	    {"salt", K, K},
	    {"x-foo-api", P, K},
	    {"password_command", C, C},
	    {"BORG_PASSCOMMAND", C, C},
	    {"token_classification", M, M},
	    {"TOKEN_PROD", K, K},
	    {"token-prod", K, K},
	    {"secretome", P, P},
	    {"secret_santa_list", P, P},
	    {"existingSecret", P, P},
	    {"secretKeyRef.password", P, P},
	    {"secret-id", M, M},
	    {"starting-token", P, P},
	    {"KEY", K, K},
	    {"STRIPE_KEY", K, K},
	    {"STRIPEKEY", K, K},
	    {"monkey", L, L},
	    {"sort_key", P, P},
	    {"sig", M, K},
	    {"api.key", K, K},
	    {"APIKey", K, K},
	    {"GH_PAT", S, S},
	    {"file_pat", P, P},
	    {"pattern", P, P},
	    {"SSHPASS", S, S},
	    {"bypass", P, P},
	    {"first_pass", P, P},
	    {"tokens", M, M},
	    {"api_tokens", S, S},
	    {"tokenizer", P, P},
	    {"eos_token", P, P},
	    {"auth", S, S},
	    {"auth_user", P, P},
	    {"author", P, P},
	    {"secret_version", P, P},
	    {"secretary", P, P},
	    {"slack_webhook_url", S, S},
	    {"", P, P},
	    {"---", P, P},
	    {"a.b.c.d.e.f.g.h.i.password", S, S},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const char *name = cases[i].name;
		assert_int_equal(redact_name(name, strlen(name), false), cases[i].kind);
		assert_int_equal(redact_name(name, strlen(name), true), cases[i].in_query);
	}
}
