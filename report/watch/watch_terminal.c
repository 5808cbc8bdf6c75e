/* watch_terminal: the terminal as a screen and a keyboard. */
#include "report/watch/watch_terminal.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "report/output/terminal.h"

/* Control sequences of ECMA-48 and xterm. */
#define ENTER     "\x1b[?1049h\x1b[?25l" /* the alternate screen, without a cursor */
#define LEAVE     "\x1b[?25h\x1b[?1049l"
#define HOME      "\x1b[H"
#define LINE_END  "\x1b[K"
#define CLEAR     "\x1b[J"
#define HEIGHT_OF 24 /* lines, where the terminal does not say it */

static bool send_all(const char *text, size_t n)
{
	while (n) {
		ssize_t did = write(STDOUT_FILENO, text, n);
		if (did < 0)
			return false;
		text += did;
		n -= (size_t)did;
	}
	return true;
}

/* Signals are read from a descriptor. */
static int take_signals(sigset_t *before)
{
	static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGWINCH};
	sigset_t all;

	sigemptyset(&all);
	for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
		sigaddset(&all, signals[i]);
	sigprocmask(SIG_BLOCK, &all, before);
	return signalfd(-1, &all, SFD_CLOEXEC | SFD_NONBLOCK);
}

static void enter(struct watch_terminal *t)
{
	struct termios keys = t->before;

	keys.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
	keys.c_cc[VMIN] = 1;
	keys.c_cc[VTIME] = 0;
	if (t->has_keys)
		tcsetattr(STDIN_FILENO, TCSADRAIN, &keys);
	send_all(ENTER, strlen(ENTER));
}

static void leave(const struct watch_terminal *t)
{
	send_all(LEAVE, strlen(LEAVE));
	if (t->has_keys)
		tcsetattr(STDIN_FILENO, TCSADRAIN, &t->before);
}

int watch_terminal_open(struct watch_terminal *t, struct err *e)
{
	const char *term = getenv("TERM");

	if (!isatty(STDOUT_FILENO))
		return err_set(e, "--watch needs a terminal, or --output FILE: standard output is "
		                  "not a terminal");
	if (!term || !*term || strcmp(term, "dumb") == 0)
		return err_set(e,
		               "--watch needs a terminal that can move its cursor, or --output "
		               "FILE; TERM is \"%s\"",
		               term ? term : "");
	*t = (struct watch_terminal){.is_open = true, .signals = -1};
	t->has_keys = tcgetattr(STDIN_FILENO, &t->before) == 0;
	t->signals = take_signals(&t->mask);
	if (t->signals < 0)
		return err_set(e, "no descriptor for signals: %s", strerror(errno));
	enter(t);
	return 0;
}

static bool is_utf8(void)
{
	static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		const char *v = getenv(names[i]);
		if (v && *v)
			return strcasestr(v, "utf-8") || strcasestr(v, "utf8");
	}
	return false;
}

struct watch_size watch_terminal_size(void)
{
	struct winsize size = {0};
	bool known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row;

	return (struct watch_size){.width = terminal_columns(STDOUT_FILENO),
	                           .height = known ? size.ws_row : HEIGHT_OF,
	                           .colour = terminal_of(STDOUT_FILENO).colour,
	                           .utf8 = is_utf8()};
}

bool watch_terminal_draw(const struct buf *lines)
{
	const char *at = buf_cstr(lines), *end;
	struct buf all = {0};
	bool ok;

	buf_str(&all, HOME);
	for (; (end = strchr(at, '\n')); at = end + 1) {
		buf_add(&all, at, (size_t)(end - at));
		buf_str(&all, LINE_END "\r\n");
	}
	buf_str(&all, at);
	buf_str(&all, LINE_END CLEAR);
	ok = all.failed || send_all(all.s, all.len) || errno == EINTR;
	buf_free(&all);
	return ok;
}

/* Ctrl-Z: the shell has its terminal back until it continues this process. */
static void stop_here(struct watch_terminal *t)
{
	leave(t);
	kill(getpid(), SIGSTOP);
	enter(t);
}

static int take_key(struct watch_terminal *t)
{
	char key;

	if (read(STDIN_FILENO, &key, 1) == 1)
		return (unsigned char)key;
	t->has_keys = false; /* the other side has hung up, or something else reads the keys */
	return 0;
}

/* All signals that have come: whether one of them ends the program. */
static bool take_ends(struct watch_terminal *t)
{
	struct signalfd_siginfo info;
	bool end = false;

	while (read(t->signals, &info, sizeof info) == sizeof info)
		if (info.ssi_signo == SIGTSTP)
			stop_here(t);
		else if (info.ssi_signo != SIGWINCH)
			end = true;
	return end;
}

int watch_terminal_wait(struct watch_terminal *t, double s)
{
	struct pollfd fds[] = {{.fd = t->signals, .events = POLLIN},
	                       {.fd = t->has_keys ? STDIN_FILENO : -1, .events = POLLIN}};

	if (poll(fds, 2, (int)(s * 1000)) <= 0)
		return 0;
	if (fds[0].revents && take_ends(t))
		return WATCH_TERMINAL_END;
	return fds[1].revents ? take_key(t) : 0;
}

void watch_terminal_close(struct watch_terminal *t)
{
	if (!t->is_open)
		return;
	if (t->signals >= 0) {
		leave(t);
		close(t->signals);
	}
	sigprocmask(SIG_SETMASK, &t->mask, NULL);
	t->is_open = false;
}
