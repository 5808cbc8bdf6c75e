/* report_options_mail: whose runs, and messages to owners (--mine, --mail). */
#include <errno.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/alloc_failed.h"
#include "report/input/store_address.h"
#include "report/mail/mail_message.h"
#include "report/options/report_options.h"

/* The name that rtrack-collect gives to the user of a run: from /etc/passwd, because getpwuid(3)
 * may ask the network; else $LOGNAME, else the number. */
static void own_name(struct buf *out)
{
	const struct passwd *user;
	FILE *f = fopen("/etc/passwd", "re");
	const char *login = getenv("LOGNAME");

	while (f && !out->len && (user = fgetpwent(f)))
		if (user->pw_uid == geteuid())
			buf_str(out, user->pw_name);
	if (f)
		fclose(f);
	if (!out->len && login)
		buf_str(out, login);
	if (!out->len)
		buf_printf(out, "%u", (unsigned)geteuid());
}

static int add_mine(struct report_options *o, struct err *e)
{
	struct buf condition = {0}, name = {0};

	if (!o->mine || o->mine_where)
		return 0;
	if (o->where.n == OPTS_LIST_MAX)
		return err_set(e, "--mine: more than %d conditions", OPTS_LIST_MAX - 1);
	own_name(&name);
	buf_printf(&condition, "user=%s", buf_cstr(&name));
	buf_free(&name);
	o->mine_where = alloc_failed_note(buf_take(&condition));
	if (!o->mine_where)
		return err_set(e, "no memory");
	o->where.v[o->where.n++] = o->mine_where;
	return 0;
}

static int check_mail_path(const char *option, const char *path, struct err *e)
{
	if (!*path || strcmp(path, "-") == 0 || store_kind_of(path) != STORE_NONE)
		return err_set(e, "%s: \"%.64s\" is not a path", option, path);
	return 0;
}

int report_options_mail_check(struct report_options *o, struct err *e)
{
	struct stat st;

	if (add_mine(o, e))
		return -1;
	if (!o->mail)
		return 0;
	if (check_mail_path("--mail", o->mail, e) ||
	    (o->mail_state && check_mail_path("--mail-state", o->mail_state, e)) ||
	    (o->mail_rules && check_mail_path("--mail-rules", o->mail_rules, e)))
		return -1;
	if (stat(o->mail, &st))
		return errno == ENOENT
		           ? err_set(e,
		                     "--mail: %s: there is no such folder (make it: mkdir -p %s)",
		                     o->mail, o->mail)
		           : err_set(e, "--mail: %s: %s", o->mail, strerror(errno));
	if (!S_ISDIR(st.st_mode))
		return err_set(e, "--mail: %s: is not a folder", o->mail);
	if (o->mail_domain && !mail_message_is_domain(o->mail_domain))
		return err_set(e, "--mail-domain: \"%.64s\" is not the name of a domain",
		               o->mail_domain);
	return 0;
}
