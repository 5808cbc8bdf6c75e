/* watch_terminal: the terminal as a screen and a keyboard. */
#include "report/watch/watch_terminal.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "report/output/terminal.h"

/* Control sequences of ECMA-48 and xterm. */
#define ENTER     "\x1b[?1049h\x1b[?25l" /* the alternate screen, without a cursor */
#define LEAVE     "\x1b[?25h\x1b[?1049l"
#define HOME      "\x1b[H"
#define LINE_END  "\x1b[K"
#define CLEAR     "\x1b[J"
#define HEIGHT_OF 24 /* lines, where the terminal does not say it */

static volatile sig_atomic_t caught; /* the last signal */

static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGWINCH};

static void note_signal(int number)
{
	caught = number;
}

static bool put(const char *text, size_t n)
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

/* Signals come only while it waits. */
static void set_signals(void (*handler)(int), sigset_t *all)
{
	struct sigaction a = {.sa_handler = handler};

	sigemptyset(all);
	for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
		sigaction(signals[i], &a, NULL);
		sigaddset(all, signals[i]);
	}
}

static void enter(struct watch_terminal *t)
{
	struct termios keys = t->before;

	keys.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
	keys.c_cc[VMIN] = 1;
	keys.c_cc[VTIME] = 0;
	if (t->has_keys)
		tcsetattr(STDIN_FILENO, TCSADRAIN, &keys);
	put(ENTER, strlen(ENTER));
}

static void leave(const struct watch_terminal *t)
{
	put(LEAVE, strlen(LEAVE));
	if (t->has_keys)
		tcsetattr(STDIN_FILENO, TCSADRAIN, &t->before);
}

int watch_terminal_open(struct watch_terminal *t, struct err *e)
{
	const char *term = getenv("TERM");
	sigset_t all;

	if (!isatty(STDOUT_FILENO))
		return err_set(e, "--watch needs a terminal, or --output FILE: standard output is "
		                  "not a terminal");
	if (!term || !*term || strcmp(term, "dumb") == 0)
		return err_set(e,
		               "--watch needs a terminal that can move its cursor, or --output "
		               "FILE; TERM is \"%s\"",
		               term ? term : "");
	*t = (struct watch_terminal){.is_open = true};
	t->has_keys = tcgetattr(STDIN_FILENO, &t->before) == 0;
	set_signals(note_signal, &all);
	sigprocmask(SIG_BLOCK, &all, NULL);
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
	ok = all.failed || put(all.s, all.len) || errno == EINTR;
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

int watch_terminal_wait(struct watch_terminal *t, double s)
{
	struct timespec limit = {.tv_sec = (time_t)s};
	struct pollfd in = {.fd = t->has_keys ? STDIN_FILENO : -1, .events = POLLIN};
	sigset_t none;
	int some;

	limit.tv_nsec = (long)((s - (double)limit.tv_sec) * 1e9);
	sigemptyset(&none);
	caught = 0;
	some = ppoll(&in, 1, &limit, &none);
	if (caught == SIGTSTP)
		stop_here(t);
	else if (caught && caught != SIGWINCH)
		return WATCH_TERMINAL_END;
	return some > 0 ? take_key(t) : 0;
}

void watch_terminal_close(struct watch_terminal *t)
{
	sigset_t all;

	if (!t->is_open)
		return;
	leave(t);
	set_signals(SIG_DFL, &all);
	sigprocmask(SIG_UNBLOCK, &all, NULL);
	t->is_open = false;
}
