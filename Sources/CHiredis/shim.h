// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

#include <hiredis/hiredis.h>

// A server may be a stranger. hiredis 0.14 of Debian 12 refuses a reply that is nested deeper than
// seven lists by itself; since 1.0 it takes any depth, and whoever goes through such a reply or
// frees it runs out of stack. Nor does it refuse a count of parts that no reply of ours has.
enum { A11Y_REPLY_DEPTH_MAX = 7, A11Y_REPLY_PARTS_MAX = 1 << 20 };

#ifdef REDIS_READER_MAX_ARRAY_ELEMENTS
typedef struct {
  redisReplyObjectFunctions bounded, own;
} a11y_reply_makers;

static inline a11y_reply_makers *a11y_makers(void) {
  static a11y_reply_makers makers;
  return &makers;
}

// Without a list hiredis ends the connection, as out of memory.
static inline void *a11y_create_shallow_list(const redisReadTask *task, size_t count) {
  int depth = 1;
  for (const redisReadTask *above = task->parent; above != NULL; above = above->parent) depth++;
  return depth > A11Y_REPLY_DEPTH_MAX ? NULL : a11y_makers()->own.createArray(task, count);
}
#endif

// For a connection that was just made.
static inline void a11y_bound_replies(redisContext *context) {
#ifdef REDIS_READER_MAX_ARRAY_ELEMENTS
  a11y_reply_makers *makers = a11y_makers();
  makers->own = makers->bounded = *context->reader->fn;
  makers->bounded.createArray = a11y_create_shallow_list;
  context->reader->fn = &makers->bounded;
  context->reader->maxelements = A11Y_REPLY_PARTS_MAX;
#else
  (void)context;
#endif
}
