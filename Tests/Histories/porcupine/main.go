// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

// Has Porcupine say whether histories are linearizable: `histories FILE...`.
//
// The model is that of ../check.py, which explains it. For each file a line is printed, "yes" or "no"
// and what was found. The exit code is 0 if Porcupine has come to an answer for each of them.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"sort"
	"strings"
	"time"

	"github.com/anishathalye/porcupine"
)

const patience = 10 * time.Second

// Never is said by a daemon that takes its leave and carries out nothing more.
const never = "shutting-down"

// A line of a history.
type line struct {
	Op        string
	Client    int
	Call      int64
	Return    *int64
	Error     string
	ID        string
	App       string
	Seq       *int64
	Duplicate bool
	From      int64
	End       int64
	Lines     []shown
	Complete  bool
	Last      *int64
	Epoch     string
}

// What a read has shown at a seq: "" is a forgotten entry.
type shown struct {
	seq  int64
	what string
}

func (it *shown) UnmarshalJSON(data []byte) error {
	var what *string
	if err := json.Unmarshal(data, &[]interface{}{&it.seq, &what}); err != nil {
		return err
	}
	if what != nil {
		it.what = *what
	}
	return nil
}

func (it shown) isOwn() bool { return strings.HasPrefix(it.what, "=") }

// Inputs of the models.
type publish struct {
	name string
	seq  int64
	how  how
}
type read struct{ line }
type ping struct{ last int64 }
type forget struct{ isSure bool }
type sight struct{ what string }

// How a publish came out: as new to the log, as known to it, or without an answer.
type how int

const (
	fresh how = iota
	known
	unsure
)

// An event on the log, and what stands before it. A log is its last event; equal logs are one.
type event struct {
	seq       int64
	name      string
	before    *event
	count     int
	followers map[shown]*event
}

func (it *event) append(seq int64, name string) *event {
	key := shown{seq, name}
	if it.followers[key] == nil {
		if it.followers == nil {
			it.followers = map[shown]*event{}
		}
		it.followers[key] = &event{seq: seq, name: name, before: it, count: it.count + 1}
	}
	return it.followers[key]
}

func (it *event) holds(seq int64, name string) bool {
	for it.seq > seq {
		it = it.before
	}
	return it.seq == seq && it.name == name
}

// The events that a history tells of: who was said to stand where.
type register struct {
	seqs   []int64
	names  map[int64]map[string]bool
	places map[string][]int64
}

func newRegister(history []line) *register {
	it := &register{names: map[int64]map[string]bool{}, places: map[string][]int64{}}
	add := func(seq int64, name string) {
		if it.names[seq] == nil {
			it.names[seq] = map[string]bool{}
			it.seqs = append(it.seqs, seq)
		}
		if !it.names[seq][name] {
			it.names[seq][name] = true
			it.places[name] = append(it.places[name], seq)
		}
	}
	for _, one := range history {
		if one.Op == "publish" && one.Seq != nil {
			add(*one.Seq, one.ID)
		}
		for _, at := range one.Lines {
			if at.what != "" && !at.isOwn() {
				add(at.seq, at.what)
			}
		}
	}
	sort.Slice(it.seqs, func(a, b int) bool { return it.seqs[a] < it.seqs[b] })
	return it
}

// The events up to a seq.
func (it *register) count(seq int64) int {
	return sort.Search(len(it.seqs), func(index int) bool { return it.seqs[index] > seq })
}

func (it *register) publish(log *event, one publish) []interface{} {
	if one.how == known {
		if log.holds(one.seq, one.name) {
			return []interface{}{log}
		}
		return nil
	}
	isNew := log.count < len(it.seqs) && it.seqs[log.count] == one.seq
	for _, place := range it.places[one.name] {
		isNew = isNew && !log.holds(place, one.name)
	}
	var states []interface{}
	if isNew {
		states = append(states, log.append(one.seq, one.name))
	}
	if one.how == unsure {
		states = append(states, log)
	}
	return states
}

func (it *register) shows(log *event, one read) bool {
	count := it.count(one.End)
	if log.count < count || one.Complete && log.count > count {
		return false
	}
	for log.count > count {
		log = log.before
	}
	for log.seq > one.From {
		if what := one.Lines[log.seq-one.From-1].what; what != "" && what != log.name {
			return false
		}
		log = log.before
	}
	return true
}

func (it *register) model() porcupine.Model {
	model := porcupine.NondeterministicModel{
		Init: func() []interface{} { return []interface{}{&event{}} },
		Step: func(state, input, output interface{}) []interface{} {
			log := state.(*event)
			isSo := false
			switch one := input.(type) {
			case publish:
				return it.publish(log, one)
			case read:
				isSo = it.shows(log, one)
			case ping:
				isSo = log.count == it.count(one.last)
			}
			if isSo {
				return []interface{}{log}
			}
			return nil
		},
		Hash: func(state interface{}) uint64 { return uint64(state.(*event).seq) },
	}
	return model.ToModel()
}

// What stands at a seq: an id, a checksum, or one of these.
type entry string

const (
	absent    entry = "absent"
	unknown   entry = "unknown"
	forgotten entry = ""
)

// Each partition is a seq; its first operation has the state that it begins with.
func entryModel(partitions [][]porcupine.Operation) porcupine.Model {
	model := porcupine.NondeterministicModel{
		Partition: func([]porcupine.Operation) [][]porcupine.Operation { return partitions },
		Init:      func() []interface{} { return []interface{}{entry("")} },
		Step: func(state, input, output interface{}) []interface{} {
			at := state.(entry)
			switch one := input.(type) {
			case entry:
				return []interface{}{one}
			case publish:
				switch {
				case at != absent:
					if one.how == fresh {
						return nil
					}
					return []interface{}{at}
				case one.how == known:
					return nil
				case one.how == unsure:
					return []interface{}{entry(one.name), at}
				}
				return []interface{}{entry(one.name)}
			case forget:
				if at == absent {
					return []interface{}{at}
				}
				if one.isSure {
					return []interface{}{forgotten}
				}
				return []interface{}{at, forgotten}
			case sight:
				if what := entry(one.what); what == at || at == unknown && what != forgotten {
					return []interface{}{what}
				}
			}
			return nil
		},
	}
	return model.ToModel()
}

// When the daemon of a request without an answer was gone.
func stopped(history []line, call int64) int64 {
	for _, one := range history {
		if one.Op == "stop" && *one.Return >= call {
			return *one.Return
		}
	}
	return math.MaxInt64
}

// When the next daemon was ready. One may take requests before it is.
func startedAgain(history []line, call int64) int64 {
	for _, one := range history {
		if one.Op == "start" && one.Call >= call {
			return *one.Return
		}
	}
	return math.MaxInt64
}

func publishes(history []line, it *register) []porcupine.Operation {
	attempts := map[string][]line{}
	for _, one := range history {
		if one.Op == "publish" && one.Error != never {
			attempts[one.ID] = append(attempts[one.ID], one)
		}
	}
	var operations []porcupine.Operation
	add := func(one line, end int64, input publish) {
		operations = append(operations, porcupine.Operation{
			ClientId: one.Client, Input: input, Call: one.Call, Return: end})
	}
	for name, tries := range attempts {
		var lost []line
		isFresh := false
		for _, one := range tries {
			switch {
			case one.Seq == nil:
				lost = append(lost, one)
			case one.Duplicate:
				add(one, *one.Return, publish{name, *one.Seq, known})
			default:
				isFresh = true
				add(one, *one.Return, publish{name, *one.Seq, fresh})
			}
		}
		if isFresh {
			continue
		}
		how := unsure
		if len(lost) == 1 {
			how = fresh
		}
		for _, one := range lost {
			for _, seq := range it.places[name] {
				add(one, stopped(history, one.Call), publish{name, seq, how})
			}
		}
	}
	return operations
}

// The operations on the log, each in the time that the others leave it.
//
// Events stand on the log in the order of their seqs, and each read and ping tells how many there
// are: so it is known from when on, and by when, the log has its first, its second event and so on.
// An operation outside of these times is in no order, so that what is asked for stays the same. But
// Porcupine, which tries what comes of leaving out a read until that has returned, need not look
// so far.
type timeline struct {
	it *register
	// By the count of events: no log has as many before, each has as many behind.
	begins, ends []int64
	operations   []timed
}

// An operation with the least and the most events of the logs that it fits to, or leads to.
type timed struct {
	porcupine.Operation
	least, most int
}

func newTimeline(history []line, it *register, published []porcupine.Operation) *timeline {
	all := len(it.seqs)
	own := &timeline{it: it, begins: make([]int64, all+1), ends: make([]int64, all+2)}
	for _, one := range published {
		if input := one.Input.(publish); input.how == fresh {
			count := it.count(input.seq)
			own.operations = append(own.operations, timed{one, count, count})
		} else {
			own.operations = append(own.operations, timed{one, 0, all})
		}
	}
	for _, one := range history {
		operation := porcupine.Operation{ClientId: one.Client, Call: one.Call}
		least, most := it.count(one.End), all
		if one.Op == "read" {
			operation.Input = read{one}
			if one.Complete {
				most = least
			}
		} else if one.Op == "ping" && one.Last != nil {
			operation.Input = ping{*one.Last}
			least = it.count(*one.Last)
			most = least
		} else {
			continue
		}
		operation.Return = *one.Return
		own.operations = append(own.operations, timed{operation, least, most})
	}
	for index := range own.ends {
		own.ends[index] = math.MaxInt64
	}
	for _, one := range own.operations {
		own.ends[one.least] = min(own.ends[one.least], one.Return)
		// A publish itself has the log grow; behind a read it grows on.
		if _, grows := one.Input.(publish); !grows && one.most < all {
			own.begins[one.most+1] = max(own.begins[one.most+1], one.Call)
		} else if grows && one.least == one.most {
			own.begins[one.most] = max(own.begins[one.most], one.Call)
		}
	}
	for count := 1; count <= all; count++ {
		own.begins[count] = max(own.begins[count], own.begins[count-1])
	}
	for count := all; count >= 0; count-- {
		own.ends[count] = min(own.ends[count], own.ends[count+1])
	}
	return own
}

func (own *timeline) narrowed() []porcupine.Operation {
	var operations []porcupine.Operation
	for _, one := range own.operations {
		begin, end := max(one.Call, own.begins[one.least]), one.Return
		if _, isRead := one.Input.(read); isRead && one.most == len(own.it.seqs) {
			// It fits as soon as its entries are there, and ever after: it need not wait.
			end = min(end, max(begin, own.ends[one.least]))
		} else if one.most < len(own.it.seqs) {
			after := one.most + 1
			if _, grows := one.Input.(publish); grows {
				after = one.most
			}
			end = min(end, own.ends[after])
		}
		if begin > end {
			// No time is left to it. It does not fit at this moment either.
			begin = min(begin, one.Return)
			end = begin
		}
		operation := one.Operation
		operation.Call, operation.Return = begin, end
		operations = append(operations, operation)
	}
	return operations
}

type asked struct {
	app       string
	operation porcupine.Operation
}

func partitions(
	history []line, it *register, published []porcupine.Operation,
) [][]porcupine.Operation {
	apps := map[string]string{}
	seqs := map[int64][]porcupine.Operation{}
	hasGone := map[int64]bool{}
	for _, one := range published {
		seq := one.Input.(publish).seq
		seqs[seq] = append(seqs[seq], one)
	}
	var forgets []asked
	for _, one := range history {
		if one.Op == "publish" {
			apps[one.ID] = one.App
		} else if one.Op == "forget" && one.Error == "" {
			operation := porcupine.Operation{
				ClientId: one.Client, Input: forget{one.Return != nil}, Call: one.Call}
			if one.Return != nil {
				operation.Return = *one.Return
			} else {
				operation.Return = startedAgain(history, one.Call)
			}
			forgets = append(forgets, asked{one.App, operation})
		}
		for _, at := range one.Lines {
			hasGone[at.seq] = hasGone[at.seq] || at.what == ""
			seqs[at.seq] = append(seqs[at.seq], porcupine.Operation{
				ClientId: one.Client, Input: sight{at.what}, Call: one.Call, Return: *one.Return})
		}
	}
	var all [][]porcupine.Operation
	for seq, operations := range seqs {
		begin, end := int64(math.MaxInt64), int64(0)
		for _, one := range operations {
			begin, end = min(begin, one.Call), max(end, one.Return)
		}
		state := absent
		names := it.names[seq]
		if len(names) == 0 {
			state, begin = unknown, 0
		}
		for _, one := range forgets {
			isMeant := len(names) == 0 && hasGone[seq]
			for name := range names {
				isMeant = isMeant || apps[name] == one.app
			}
			if isMeant && one.operation.Return >= begin && one.operation.Call <= end {
				operation := one.operation
				operation.Input = forget{len(names) > 0 && operation.Input.(forget).isSure}
				operations = append(operations, operation)
			}
		}
		all = append(all, append(operations, porcupine.Operation{Input: state, Call: -2, Return: -1}))
	}
	return all
}

func min(a, b int64) int64 {
	if a < b {
		return a
	}
	return b
}

func max(a, b int64) int64 {
	if a > b {
		return a
	}
	return b
}

// What needs no order.
func fault(history []line) string {
	epoch := ""
	for _, one := range history {
		if one.Op == "start" && epoch != "" && epoch != one.Epoch {
			return "the epoch has changed"
		} else if one.Op == "start" {
			epoch = one.Epoch
		}
		if one.Error != "" && one.Error != never {
			return fmt.Sprintf("a %s was refused: %s", one.Op, one.Error)
		}
		if one.Op == "read" && int64(len(one.Lines)) != one.End-one.From {
			return fmt.Sprintf("the read from %d to %d leaves entries out", one.From, one.End)
		}
		for index, at := range one.Lines {
			if at.seq != one.From+int64(index)+1 {
				return fmt.Sprintf("the read from %d to %d leaves entries out", one.From, one.End)
			}
		}
	}
	return ""
}

func load(path string) ([]line, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var history []line
	decoder := json.NewDecoder(bufio.NewReader(file))
	for decoder.More() {
		var one line
		if err := decoder.Decode(&one); err != nil {
			return nil, err
		}
		history = append(history, one)
	}
	return history, nil
}

func judge(history []line) (porcupine.CheckResult, string) {
	if what := fault(history); what != "" {
		return porcupine.Illegal, what
	}
	it := newRegister(history)
	published := publishes(history, it)
	operations := newTimeline(history, it, published).narrowed()
	if result := porcupine.CheckOperationsTimeout(it.model(), operations, patience); result != porcupine.Ok {
		return result, "no order explains the log"
	}
	entries := partitions(history, it, published)
	if result := porcupine.CheckOperationsTimeout(entryModel(entries), nil, patience); result != porcupine.Ok {
		return result, "no order explains what was seen of each entry"
	}
	return porcupine.Ok, fmt.Sprintf("%d operations on the log, %d entries", len(operations), len(entries))
}

func main() {
	status := 0
	for _, path := range os.Args[1:] {
		history, err := load(path)
		if err != nil {
			fmt.Fprintf(os.Stderr, "%s: %v.\n", path, err)
			os.Exit(66)
		}
		begin := time.Now()
		result, what := judge(history)
		word := map[porcupine.CheckResult]string{porcupine.Ok: "yes", porcupine.Illegal: "no"}[result]
		if word == "" {
			word, status = "unknown", 1
		}
		fmt.Printf("%s %.1f %s: %s\n", word, time.Since(begin).Seconds(), path, what)
	}
	os.Exit(status)
}
