// Package testing stands in for the package of that name, as far as the bodies of tests need it. Programs that use it
// are ordinary ones: nothing of Go's own test support is linked in for them.
package testing

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"sync"
	"time"
	"unicode"
)

// TB is what T, B and F have in common.
type TB interface {
	Cleanup(func())
	Error(args ...interface{})
	Errorf(format string, args ...interface{})
	Fail()
	FailNow()
	Failed() bool
	Fatal(args ...interface{})
	Fatalf(format string, args ...interface{})
	Helper()
	Log(args ...interface{})
	Logf(format string, args ...interface{})
	Name() string
	Setenv(key, value string)
	Skip(args ...interface{})
	SkipNow()
	Skipf(format string, args ...interface{})
	Skipped() bool
	TempDir() string
}

type common struct {
	mu       sync.Mutex
	name     string
	parent   *common
	failed   bool
	skipped  bool
	left     bool
	panicked bool
	first    string
	names    map[string]int
	cleanups []func()
	barrier  chan struct{}
	paused   chan struct{}
	ended    chan struct{}
	waiting  []*T
	ctx      context.Context
	cancel   context.CancelFunc
}

func made(name string, parent *common) *common {
	ctx, cancel := context.WithCancel(context.Background())
	return &common{
		name: name, parent: parent, names: map[string]int{}, barrier: make(chan struct{}),
		paused: make(chan struct{}), ended: make(chan struct{}), ctx: ctx, cancel: cancel,
	}
}

func (c *common) note(say string, panicked bool) {
	for at := c; at != nil; at = at.parent {
		at.mu.Lock()
		at.failed = true
		at.panicked = at.panicked || panicked
		if at.first == "" {
			at.first = say
		}
		at.mu.Unlock()
	}
}

func (c *common) Name() string                            { return c.name }
func (c *common) Helper()                                 {}
func (c *common) Log(args ...interface{})                 {}
func (c *common) Logf(format string, args ...interface{}) {}
func (c *common) Attr(key, value string)                  {}
func (c *common) Output() io.Writer                       { return io.Discard }
func (c *common) Context() context.Context                { return c.ctx }
func (c *common) Fail()                                   { c.note("it failed", false) }
func (c *common) Error(args ...interface{})               { c.note(fmt.Sprintln(args...), false) }
func (c *common) Errorf(format string, args ...interface{}) {
	c.note(fmt.Sprintf(format, args...), false)
}

func (c *common) FailNow() {
	c.Fail()
	c.leave()
}

func (c *common) Fatal(args ...interface{}) {
	c.Error(args...)
	c.leave()
}

func (c *common) Fatalf(format string, args ...interface{}) {
	c.Errorf(format, args...)
	c.leave()
}

func (c *common) leave() {
	c.mu.Lock()
	c.left = true
	c.mu.Unlock()
	runtime.Goexit()
}

func (c *common) Skip(args ...interface{})                 { c.SkipNow() }
func (c *common) Skipf(format string, args ...interface{}) { c.SkipNow() }

func (c *common) SkipNow() {
	c.mu.Lock()
	c.skipped = true
	c.mu.Unlock()
	c.leave()
}

func (c *common) Skipped() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.skipped
}

func (c *common) Failed() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.failed
}

func (c *common) Cleanup(undo func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.cleanups = append(c.cleanups, undo)
}

func (c *common) clean() {
	defer func() {
		c.mu.Lock()
		more := len(c.cleanups) > 0
		c.mu.Unlock()
		if more {
			c.clean()
		}
	}()
	for {
		c.mu.Lock()
		count := len(c.cleanups)
		if count == 0 {
			c.mu.Unlock()
			return
		}
		undo := c.cleanups[count-1]
		c.cleanups = c.cleanups[:count-1]
		c.mu.Unlock()
		undo()
	}
}

func (c *common) TempDir() string {
	folder, err := os.MkdirTemp("", "")
	if err != nil {
		c.Fatal(err)
	}
	c.Cleanup(func() { os.RemoveAll(folder) })
	return folder
}

func (c *common) Setenv(key, value string) {
	old, there := os.LookupEnv(key)
	if err := os.Setenv(key, value); err != nil {
		c.Fatal(err)
	}
	c.Cleanup(func() {
		if there {
			os.Setenv(key, old)
		} else {
			os.Unsetenv(key)
		}
	})
}

func (c *common) Chdir(folder string) {
	old, err := os.Getwd()
	if err != nil {
		c.Fatal(err)
	}
	if err := os.Chdir(folder); err != nil {
		c.Fatal(err)
	}
	c.Cleanup(func() { os.Chdir(old) })
}

// The name of a subtest, by the rules of the original.
func (c *common) unique(sub string) string {
	shown := strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return '_'
		}
		return r
	}, sub)
	base := c.name + "/" + shown
	c.mu.Lock()
	defer c.mu.Unlock()
	for {
		count := c.names[base]
		c.names[base]++
		if shown != "" && count == 0 {
			return base
		}
		name := fmt.Sprintf("%s#%02d", base, count)
		if c.names[name] == 0 {
			c.names[name]++
			return name
		}
	}
}

// T is handed to a test's body.
type T struct{ *common }

func (t *T) Deadline() (time.Time, bool) { return time.Time{}, false }

// Parallel waits until the body around it has returned, as the original does.
func (t *T) Parallel() {
	t.parent.mu.Lock()
	t.parent.waiting = append(t.parent.waiting, t)
	t.parent.mu.Unlock()
	close(t.paused)
	<-t.parent.barrier
}

// Run calls a subtest.
func (t *T) Run(name string, body func(t *T)) bool {
	return !t.start(t.unique(name), body).Failed()
}

func (c *common) start(name string, body func(t *T)) *T {
	sub := &T{made(name, c)}
	go sub.call(body)
	select {
	case <-sub.ended:
	case <-sub.paused:
	}
	return sub
}

func (c *common) release() {
	close(c.barrier)
	for {
		c.mu.Lock()
		waiting := c.waiting
		c.waiting = nil
		c.mu.Unlock()
		if len(waiting) == 0 {
			return
		}
		for _, sub := range waiting {
			<-sub.ended
		}
	}
}

func (t *T) call(body func(t *T)) {
	defer close(t.ended)
	defer t.guard()
	defer t.clean()
	defer t.cancel()
	defer t.release()
	defer t.guard()
	body(t)
	t.mu.Lock()
	t.left = true
	t.mu.Unlock()
}

func (t *T) guard() {
	if reason := recover(); reason != nil {
		t.note(fmt.Sprint("panic: ", reason), true)
		return
	}
	t.mu.Lock()
	left := t.left
	t.mu.Unlock()
	if !left {
		t.note("it left its goroutine", true)
	}
}

// B is there so that benchmarks compile. None is run.
type B struct {
	*common
	N int
}

func (b *B) ResetTimer()                           {}
func (b *B) StartTimer()                           {}
func (b *B) StopTimer()                            {}
func (b *B) ReportAllocs()                         {}
func (b *B) SetBytes(n int64)                      {}
func (b *B) SetParallelism(p int)                  {}
func (b *B) ReportMetric(n float64, unit string)   {}
func (b *B) Elapsed() time.Duration                { return 0 }
func (b *B) Loop() bool                            { return false }
func (b *B) Run(name string, body func(b *B)) bool { return true }
func (b *B) RunParallel(body func(*PB))            {}

// PB is handed to the body of a parallel benchmark.
type PB struct{}

func (pb *PB) Next() bool { return false }

// F is there so that fuzz tests compile. None is run.
type F struct{ *common }

func (f *F) Add(args ...interface{}) {}
func (f *F) Fuzz(body interface{})   {}

func Short() bool       { return false }
func Verbose() bool     { return false }
func Testing() bool     { return false }
func CoverMode() string { return "" }
func Init()             {}

// AllocsPerRun counts as the original does.
func AllocsPerRun(runs int, f func()) float64 {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	f()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	before := stats.Mallocs
	for i := 0; i < runs; i++ {
		f()
	}
	runtime.ReadMemStats(&stats)
	return float64((stats.Mallocs - before) / uint64(runs))
}

// Step is one body and its name.
type Step struct {
	Name string
	Body func(t *T)
}

type told struct {
	Name string `json:"name"`
	End  string `json:"end"`
	Say  string `json:"say"`
}

// All calls the bodies in order and tells how each ended, in lines that begin with a word.
func All(word string, steps []Step) {
	if !flag.Parsed() {
		flag.Parse()
	}
	out := os.Stdout
	for _, step := range steps {
		root := made("", nil)
		top := root.start(step.Name, step.Body)
		root.release()
		line := told{Name: step.Name, End: "holds", Say: root.first}
		switch {
		case root.panicked:
			line.End = "panicked"
		case root.failed:
			line.End = "fails"
		case top.Skipped():
			line.End = "skipped"
		}
		tell(out, word, line)
	}
	tell(out, word, told{End: "all"})
}

func tell(out *os.File, word string, line told) {
	text, err := json.Marshal(line)
	if err == nil {
		fmt.Fprintf(out, "\n%s %s\n", word, text)
	}
}
