/*
 * git: reads the commit and the branch of a directory from the files of its repository
 * (gitrepository-layout(5)), without running git.
 *
 * Supports worktrees and submodules (.git is a file that names the directory), packed refs,
 * symbolic refs, a detached HEAD and SHA-256 repositories, but not refs in the reftable format. The
 * content of these files may be hostile: only a hash, a branch name and a time are ever returned.
 */
#ifndef COLLECT_JOB_GIT_H
#define COLLECT_JOB_GIT_H

#include <stdbool.h>
#include <stddef.h>

#define GIT_HASH_MAX 65 /* SHA-256 in hexadecimal, and NUL */
#define GIT_REF_MAX  256

struct git {
	char commit[GIT_HASH_MAX]; /* "": the branch has no commit yet */
	char branch[GIT_REF_MAX];  /* without refs/heads/; "": HEAD is detached */
};

/* Searches dir and the directories above it. Returns 0, or -1 with an empty *out if there is no
 * repository or its format is not supported. */
int git_read(const char *dir, struct git *out);

/* When the commit was made, as its object says: Unix seconds. NAN if it is unknown, as of an object
 * in a pack. Searches dir and the directories above it. */
double git_commit_time(const char *dir, const char *commit);

/* The time of the committer in the inflated beginning of an object; NAN: it is no commit. Pure. */
double git_parse_commit(const char *text, size_t n);

enum git_ref { GIT_NONE, GIT_HASH, GIT_SYMBOLIC };

/* Parses HEAD or the file of a ref: a hash, or the name of another ref ("refs/heads/main").
 * Pure. */
enum git_ref git_parse_ref(const char *text, size_t n, char out[GIT_REF_MAX]);

/* Whether a line of packed-refs, without its newline, is for this ref. out gets the hash. Pure. */
bool git_packed_line(const char *line, size_t n, const char *ref, char out[GIT_REF_MAX]);

#endif
