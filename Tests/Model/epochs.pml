/* SPDX-FileCopyrightText: The a11yd authors
   SPDX-License-Identifier: Apache-2.0

   The protocol of cursor, epoch and resume, for Spin: a bus, a follower that obeys docs/protocol.md,
   and a world that kills the bus, cuts the power, fills the disk, copies the log and puts copies back.

   The follower has to hold, at any time, what one life of the log began with, and to know which life
   that is. A life is what an epoch names: the entries that were there when it began, and then those
   that were given numbers in it, each number once.

   Each entry ever made has a content of its own. An entry is in one of three places: in the bus's
   memory alone while the disk takes nothing, with the kernel (a killed process leaves it there), or
   on the medium (a power cut leaves it there).

   With -DNO_BIRTH, -DNO_MARK, -DMARK_WITHOUT_EPOCH, -DNO_BOOT or -DBLIND the bus or the follower
   lacks one of its means, and Spin has to find how that goes wrong. */

/* Numbers are 1..SEQS, epochs 1..EPOCHS; 0 is none. */
#ifndef SEQS
#define SEQS 3
#endif
#ifndef EPOCHS
#define EPOCHS 3
#endif
#ifndef ENTRIES
#define ENTRIES 4  /* entries ever made */
#endif
#ifndef EVILS
#define EVILS 3    /* kills, cuts, and copies that are put back */
#endif

typedef Log {
  byte line[SEQS + 1];      /* content by number */
  byte last;                /* the last one that was written */
  byte first[EPOCHS + 1];   /* where each known epoch begins; 0: not known to this log */
  byte epoch;               /* the one in force */
  bool isClosed;            /* a clean stop has ended it */
  bool isUnkept;            /* the marker: entries have left that were not written */
  bool isOtherBoot;         /* the newest header is of an earlier boot */
  bool isStranger           /* its file is not the one that it names */
};

typedef Life { byte line[SEQS + 1] };

Log disk;                 /* the log as programs read it */
byte synced;              /* what a power cut leaves of it */

bool isRunning;
byte top;                 /* the last number the bus has given, be it in memory alone */
byte held[SEQS + 1];      /* content of those in memory */
bool isFull;              /* the disk takes nothing */

/* The mark in the runtime directory. */
byte markEpoch, markSeq;

Log copy; bool hasCopy;
Log between, nothing;
bool needsThisBoot;       /* content was put back into the same files: beyond a reboot nobody knows */

byte made, evils, epochsMade;
Life life[EPOCHS + 1];    /* what is true, whoever knows it */

/* The follower: what it holds, and its cursor. */
byte has[SEQS + 1];
byte atEpoch, atSeq;
bool isConnected;

inline assign(target, source) {
  d_step {
    for (k : 0 .. SEQS) { target.line[k] = source.line[k] }
    for (k : 0 .. EPOCHS) { target.first[k] = source.first[k] }
    target.last = source.last; target.epoch = source.epoch; target.isClosed = source.isClosed;
    target.isUnkept = source.isUnkept; target.isOtherBoot = source.isOtherBoot;
    target.isStranger = source.isStranger;
    k = 0
  }
}

/* The end of what an epoch has given, as far as this log knows: one before the next epoch begins. */
inline reach(epoch, result) {
  d_step {
    result = top;
    for (k : 1 .. EPOCHS) {
      if
      :: k > epoch && disk.first[k] > 0 && disk.first[k] - 1 < result ->
         result = disk.first[k] - 1
      :: else
      fi
    }
    k = 0
  }
}

/* Recovery.mayHaveLeft, and the segment that a start begins. */
inline start() {
  d_step {
    isNew = disk.epoch == 0 || disk.isUnkept;
#ifndef NO_BOOT
    isNew = isNew || (!disk.isClosed && disk.isOtherBoot);
#endif
#ifndef NO_BIRTH
    isNew = isNew || disk.isStranger;
#endif
#ifndef NO_MARK
    isNew = isNew || (markEpoch > 0 && markSeq > disk.last);
#ifndef MARK_WITHOUT_EPOCH
    isNew = isNew || (markEpoch > 0 && markEpoch != disk.epoch);
#endif
#endif
    if
    :: isNew ->
       epochsMade++;
       disk.epoch = epochsMade;
       disk.first[disk.epoch] = disk.last + 1;
       for (k : 1 .. SEQS) {
         if
         :: k <= disk.last -> life[disk.epoch].line[k] = disk.line[k]
         :: else
         fi
       }
       k = 0
    :: else
    fi;
    /* A segment of its own, on the medium before anything leaves. */
    disk.isOtherBoot = false; disk.isStranger = false;
    disk.isClosed = false; disk.isUnkept = false;
    synced = disk.last; top = disk.last;
    markEpoch = disk.epoch; markSeq = disk.last;
    needsThisBoot = false; isFull = false;
    isRunning = true; isNew = false
  }
}

inline append() {
  d_step {
    made++;
    top++;
    /* No number means two things in one life. */
    assert(life[disk.epoch].line[top] == 0);
    life[disk.epoch].line[top] = made;
    held[top] = made;
    if
    :: isFull -> disk.isUnkept = true
    :: else -> disk.line[top] = made; disk.last = top
    fi;
    markSeq = top
  }
}

/* The process is gone; what it had in memory alone is gone, too. */
inline end() {
  d_step {
    isRunning = false; isConnected = false; top = 0;
    for (k : 0 .. SEQS) { held[k] = 0 }
    k = 0
  }
}

active proctype World() {
  byte k; bool isNew;
  do
  :: atomic { !isRunning && epochsMade < EPOCHS -> start() }
  :: atomic { isRunning && made < ENTRIES && top < SEQS -> append() }
  :: atomic { isRunning && !isFull && synced < disk.last -> synced = disk.last }
  :: atomic { isRunning && !isFull && evils < EVILS -> evils++; isFull = true }
  :: atomic { isRunning && isFull ->
       d_step {
         for (k : 1 .. SEQS) {
           if
           :: k > disk.last && k <= top -> disk.line[k] = held[k]
           :: else
           fi
         }
         k = 0; disk.last = top; disk.isUnkept = false; isFull = false
       } }
  /* A clean stop: with a full disk it cannot be told from a kill. */
  :: atomic { isRunning -> 
       if
       :: !isFull -> synced = disk.last; disk.isClosed = true
       :: else
       fi;
       end() }
  :: atomic { isRunning && evils < EVILS -> evils++; end() }
  /* The power goes: what was not synced may be there or not. */
  :: atomic { !needsThisBoot && evils < EVILS ->
       evils++; disk.isOtherBoot = true; copy.isOtherBoot = true; markEpoch = 0; markSeq = 0;
       do
       :: disk.last > synced ->
          disk.line[disk.last] = 0; disk.last--
       :: break
       od;
       end(); synced = disk.last }
  /* A copy, of a running bus or not. */
  :: atomic { disk.epoch > 0 && !hasCopy -> assign(copy, disk); hasCopy = true }
  /* It is put back: other files. */
  :: atomic { !isRunning && hasCopy && evils < EVILS ->
       evils++; assign(disk, copy); hasCopy = false;
       disk.isStranger = true; synced = disk.last }
  /* It is put back: into the same files, or by a file system that is turned back. */
  :: atomic { !isRunning && hasCopy && markEpoch > 0 && evils < EVILS ->
       evils++; assign(disk, copy); hasCopy = false;
       disk.isStranger = false; synced = disk.last; needsThisBoot = true }
  /* What is there and what is put back change places, files and all. */
  :: atomic { !isRunning && hasCopy && evils < EVILS && disk.epoch > 0 ->
       evils++;
       assign(between, disk); assign(disk, copy); assign(copy, between); assign(between, nothing);
       disk.isStranger = true; synced = disk.last }
  od
}

/* What the follower holds is what its epoch's life begins with. */
inline holds() {
  d_step {
    for (k : 1 .. SEQS) {
      if
      :: k <= atSeq -> assert(has[k] == life[atEpoch].line[k])
      :: else -> assert(has[k] == 0)
      fi
    }
    k = 0
  }
}

inline dropFrom(seq) {
  d_step {
    for (k : 1 .. SEQS) {
      if
      :: k > seq -> has[k] = 0
      :: else
      fi
    }
    k = 0; atSeq = seq
  }
}

active proctype Follower() {
  byte k, limit;
  do
  /* Subscribe, from the cursor. */
  :: atomic { isRunning && !isConnected ->
       if
       :: atEpoch == 0 || disk.first[atEpoch] == 0 -> dropFrom(0)  /* cursor.epoch */
       :: else ->
          reach(atEpoch, limit);
          if
#ifndef BLIND
          :: atSeq > limit -> dropFrom(limit)  /* cursor.future, which says up to where */
#endif
          :: else
          fi
       fi;
       limit = 0; isConnected = true;
       /* The answer's cursor names the epoch in force. */
       atEpoch = disk.epoch;
       holds() }
  /* The next entry, from the log or from memory. */
  :: atomic { isConnected && atSeq < top ->
       atSeq++;
       if
       :: atSeq <= disk.last -> has[atSeq] = disk.line[atSeq]
       :: else -> has[atSeq] = held[atSeq]
       fi;
       holds() }
  :: atomic { isConnected -> isConnected = false }
  od
}
