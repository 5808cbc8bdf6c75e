/*
 * family: the processes that descend from one, their head, by fork(2) alone.
 *
 * They share the head's anonymous memory until one of them writes to it or ends. So what one does
 * changes the PSS of the others, and the smaps_rollup of all, read one after the other, add up to
 * their memory only if nothing changed meanwhile. Where something did, their memory is
 *
 *     all of the head's anonymous memory
 *   + the private memory of each other one
 *   + what the others share beyond that: the most that one of them shares, less the head's
 *
 * Files and shared memory may be the same pages in all processes of the job, also in those of other
 * families. What they mapped since PSS was read counts once: the most that one of them mapped. And
 * the part of a process that was read before others mapped much may be theirs by now: it counts
 * again once it has been read again, or as far as one process alone has more.
 *
 * What a process gave up before the last one was read is not counted as its own.
 *
 * Each page counts once there, whatever the moment of each reading, so it is at most a little above
 * the truth, as any sum of readings is. Below it are only families of several generations, which
 * share what their head does not have.
 */
#ifndef COLLECT_PROCESS_FAMILY_H
#define COLLECT_PROCESS_FAMILY_H

#include "collect/process/process_table.h"

/* Finds the head of each process of the last reading (tracked_process.family), and what its family
 * has done. To be called before PSS is read. */
void family_find(struct process_table *t);

/* The counters of the family of a place, for pss_is_due. */
const struct pss_kin *family_kin(const struct process_table *t, int place);

/* PSS of a process was read now: before pss_was_read. */
void family_was_read(struct process_table *t, int place, const struct proc_pid_smaps *smaps);

/* Looks at a process again after the last one was read: its RSS was was_b by its stat, and is
 * now_b. If it gave up memory meanwhile (it ended, say), processes that were read after it have
 * what it shared with them, or took what it left: that would count twice. After family_find, before
 * family_add. */
void family_look(struct process_table *t, int place, double was_b, double now_b);
#define FAMILY_GAVE_B 1048576.0 /* less is not noticed */

/* The memory of a process, before its family is known. */
void family_memory(const struct process_table *t, int place, struct pss_memory *memory);

/* The family's readings of PSS are not of one moment. */
void family_set_changing(struct process_table *t, int place);

/* Adds what a process holds to its family: for each process, parents before children, after PSS was
 * read. */
void family_add(struct process_table *t, int place, const struct pss_memory *memory);

/* The part of its family's memory that counts as that of one process, after all were added. */
double family_part_b(const struct process_table *t, int place, const struct pss_memory *memory);

/* Takes what it gave up from its memory, whose .pss_b is family_part_b. The bounds between two
 * readings are of the time before, too. */
void family_left(const struct process_table *t, int place, struct pss_memory *memory);

/* The growth of files and shared memory since PSS was read, as it counts for all processes
 * together. With the parts of the processes it adds up to the memory of all. */
double family_grown_b(const struct process_table *t);

/* The part of it, after family_left, that is no estimate. memory: before family_part_b. */
double family_sure_b(const struct process_table *t, int place, const struct pss_memory *memory);

/* The most of the machine's huge pages that one process of its family has, if it is the head. */
double family_hugetlb_b(const struct process_table *t, int place);

/* As family_part_b if something had changed, which other processes affect least: for the bounds
 * between two readings. */
double family_steady_part_b(const struct process_table *t, int place,
                            const struct pss_memory *memory);

/* How much more than before its family has beyond the sum of the steady parts, if it is the head.
 */
double family_surplus_rise_b(const struct process_table *t, int place);

/* Sets in the mark of a process what depends on its family, after its own_b. before_b: its own_b at
 * the reading before. */
void family_mark(const struct process_table *t, int place, double before_b,
                 struct memory_mark *mark);

/* Whether it lives and has memory of its own: not a zombie, nor between vfork(2) and exec. */
bool family_holds_memory(const struct process_table *t, int place);

#endif
