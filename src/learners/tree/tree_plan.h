/* SPDX-License-Identifier: MIT */
/* A tree, or the top of one, that was given by hand: which column every node asks. The grower
 * follows it and takes the counts from the rows; where the plan ends with "..." it goes on by
 * itself.
 *
 *     outlook = sunny:
 *         humidity = high: no
 *         humidity = normal: yes
 *     outlook = overcast: ?          what the rows say
 *     outlook = rain: ...            grow on here
 *
 * The answer `reject` is no class at all, unless there is a class of that name. The answer @12 is
 * what the lines below a line "@12:" say, which stands farther down: deep trees need no deep
 * indentation.
 *
 * Lines of the same indentation under one branch are the branches of one node and ask the same
 * column: a value each (= v), one value and the rest (= v, != v), two sets of values (= [u, v] and
 * = [w], or = [u, v] and != [u, v]), or a cut (<= v and >, or < and
 * >=; one of the two forms in all of the tree). = ? is a branch for missing cells. */
#ifndef CAIRN_LEARNERS_TREE_TREE_PLAN_H
#define CAIRN_LEARNERS_TREE_TREE_PLAN_H

#include "learners/tree/grow/grow.h"
#include "model/learner.h"

/* Read a plan. *form and *missing_branch say which cuts it uses and whether it has branches for
 * missing cells. All memory is scratch. */
CAIRN_CHECKED cairn_status cairn_plan_read(cairn_context *ctx, cairn_tree_plan *out,
                                           const cairn_given *given, const cairn_job *job,
                                           cairn_tree_cut *form, bool *missing_branch);

#endif
