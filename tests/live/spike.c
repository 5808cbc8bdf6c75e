/* spike: holds memory for times that are known, so that its peak is known. Words, from the left:
 *   nap S          sleeps S seconds
 *   touch MIB S    has MIB MiB for S seconds
 *   hold MIB       has MIB MiB from now on
 *   drop           gives that back; a child gives back its own copy
 *   dirty          writes to all of it again: a child gets pages of its own
 *   share MIB      has MIB MiB from now on that it shares with its later children
 *   look           reads all of that, and unmaps it
 *   fork WORDS ,   a child does WORDS, meanwhile the parent goes on with what follows the comma
 *   storm N WORDS ,  the same N times, one child after the other
 *   wait           waits for all children
 *   ignore         ignores SIGCHLD: the kernel keeps nothing of its children
 *   tell, await    a child goes on at await once the first process has come to tell, and the other
 *                  way round
 *   exec           becomes another image of this program, for the words that follow */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static struct {
	char *at;
	size_t n;
} held, shared;
static int told[2][2]; /* pipes: to the children, and to the first process */
static int child;

static void nap(double s)
{
	struct timespec t = {(time_t)s, (long)((s - (double)(time_t)s) * 1e9)};

	nanosleep(&t, NULL);
}

/* Each page has bytes of its own, so that no two are merged. */
static void dirty(char *at, size_t n)
{
	for (size_t i = 0; i < n; i += 4096)
		*(volatile size_t *)(at + i) = i + (size_t)getpid();
}

static char *map(double mib, int flags, size_t *n)
{
	char *at;

	*n = (size_t)(mib * 1048576);
	at = mmap(NULL, *n, PROT_READ | PROT_WRITE, flags | MAP_ANONYMOUS, -1, 0);
	if (at == MAP_FAILED)
		exit(9);
	dirty(at, *n);
	return at;
}

static void touch(double mib, double s)
{
	size_t n;
	char *at = map(mib, MAP_PRIVATE, &n);

	nap(s);
	munmap(at, n);
}

static void look(void)
{
	volatile char sum = 0;

	for (size_t i = 0; i < shared.n; i += 4096)
		sum = (char)(sum + shared.at[i]);
	munmap(shared.at, shared.n);
	shared.n = 0;
}

static void run_words(char **word);

/* The word after the comma that ends what begins here. */
static char **after(char **word)
{
	for (int depth = 1; *word && depth; word++)
		depth += strcmp(*word, ",") == 0                                     ? -1
		         : strcmp(*word, "fork") == 0 || strcmp(*word, "storm") == 0 ? 1
		                                                                     : 0;
	return word;
}

static char **start_children(char **word, int n, int at_once)
{
	for (int i = 0; i < n; i++) {
		pid_t pid = fork();
		if (pid == 0) {
			child = 1;
			run_words(word);
			_exit(0);
		}
		if (!at_once)
			waitpid(pid, NULL, 0);
	}
	return after(word);
}

static char **run_word(char **word)
{
	const char *w = *word++;

	if (strcmp(w, "nap") == 0) {
		nap(atof(*word++));
	} else if (strcmp(w, "touch") == 0) {
		touch(atof(word[0]), atof(word[1]));
		word += 2;
	} else if (strcmp(w, "hold") == 0) {
		held.at = map(atof(*word++), MAP_PRIVATE, &held.n);
	} else if (strcmp(w, "drop") == 0) {
		munmap(held.at, held.n);
	} else if (strcmp(w, "dirty") == 0) {
		dirty(held.at, held.n);
	} else if (strcmp(w, "share") == 0) {
		shared.at = map(atof(*word++), MAP_SHARED, &shared.n);
	} else if (strcmp(w, "look") == 0) {
		look();
	} else if (strcmp(w, "fork") == 0) {
		word = start_children(word, 1, 1);
	} else if (strcmp(w, "storm") == 0) {
		word = start_children(word + 1, atoi(word[0]), 0);
	} else if (strcmp(w, "wait") == 0) {
		while (wait(NULL) > 0)
			;
	} else if (strcmp(w, "ignore") == 0) {
		signal(SIGCHLD, SIG_IGN);
	} else if (strcmp(w, "tell") == 0) {
		if (write(told[child][1], "", 1) != 1)
			_exit(9);
	} else if (strcmp(w, "await") == 0) {
		char byte;
		if (read(told[!child][0], &byte, 1) != 1)
			_exit(9);
	} else if (strcmp(w, "exec") == 0) {
		word[-1] = (char *)"spike";
		execv("/proc/self/exe", word - 1);
		_exit(9);
	}
	return word;
}

static void run_words(char **word)
{
	while (*word && strcmp(*word, ",") != 0)
		word = run_word(word);
}

int main(int argc, char **argv)
{
	(void)argc;
	if (pipe(told[0]) || pipe(told[1]))
		return 9;
	run_words(argv + 1);
	return 0;
}
