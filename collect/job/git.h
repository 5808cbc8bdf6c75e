/*
 * git: the commit and the branch that a directory stands on, read from the files of its repository
 * (gitrepository-layout(5)) without running git.
 *
 * Understood are worktrees and submodules (.git is a file that names the directory), packed refs,
 * symbolic refs, a detached HEAD, and SHA-256 repositories; refs in the reftable format are not.
 * What those files hold is hostile: nothing is returned but a hash and the name of a branch.
 */
#ifndef COLLECT_JOB_GIT_H
#define COLLECT_JOB_GIT_H

#include <stdbool.h>
#include <stddef.h>

#define GIT_HASH_MAX 65 /* SHA-256 in hexadecimal, and NUL */
#define GIT_REF_MAX  256

struct git {
	char commit[GIT_HASH_MAX]; /* "": a branch without a commit yet */
	char branch[GIT_REF_MAX];  /* without refs/heads/; "": HEAD is detached */
};

/* Looks in dir and the directories above it. 0, or -1: there is no repository, or it is not
 * understood; then *out is empty. */
int git_read(const char *dir, struct git *out);

enum git_ref { GIT_NONE, GIT_HASH, GIT_SYMBOLIC };

/* What HEAD or the file of a ref says: a hash, or the name of another ref ("refs/heads/main").
 * Pure. */
enum git_ref git_parse_ref(const char *text, size_t n, char out[GIT_REF_MAX]);

/* Whether a line of packed-refs, without its newline, is that of ref; out gets its hash. Pure. */
bool git_packed_line(const char *line, size_t n, const char *ref, char out[GIT_REF_MAX]);

#endif
