package main

import (
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/sr/srfake"
)

func TestParseTopic(t *testing.T) {
	for text, want := range map[string]topicSpec{"a": {"a", 1}, "a.b:4": {"a.b", 4}} {
		if got, err := parseTopic(text); err != nil || got != want {
			t.Errorf("%q: %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", ":3", "a:0", "a:x"} {
		if _, err := parseTopic(text); err == nil {
			t.Errorf("%q was taken", text)
		}
	}
}

func port(t *testing.T, address string) int {
	_, text, err := net.SplitHostPort(address)
	if err != nil {
		t.Fatal(err)
	}
	number, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}
	return number
}

func TestAnyFreePort(t *testing.T) {
	s, err := parseSettings([]string{"-port", "0", "-registry-port", "0", "-topic", "a"})
	if err != nil {
		t.Fatal(err)
	}
	cluster, err := startBroker(s)
	if err != nil {
		t.Fatal(err)
	}
	defer cluster.Close()
	registry, err := startRegistry(s, make(chan error, 1))
	if err != nil {
		t.Fatal(err)
	}
	defer registry.Close()
	first, second := port(t, cluster.ListenAddrs()[0]), port(t, registry.Addr)
	if first == 0 || second == 0 || first == second {
		t.Errorf("ports %d and %d", first, second)
	}
	s.port = first
	if another, err := startBroker(s); err == nil {
		another.Close()
		t.Error("a port that is taken was given again")
	}
}

func call(h http.Handler, method, path, body string) string {
	answer := httptest.NewRecorder()
	h.ServeHTTP(answer, httptest.NewRequest(method, path, strings.NewReader(body)))
	return answer.Body.String()
}

func TestRegistrySurvivesRestart(t *testing.T) {
	path := filepath.Join(t.TempDir(), "registry.jsonl")
	first, err := openJournal(path, srfake.NewRegistry().Handler())
	if err != nil {
		t.Fatal(err)
	}
	call(first, "POST", "/subjects/a-value/versions", `{"schema":"\"int\""}`)
	call(first, "POST", "/subjects/b-value/versions", `{"schema":"\"string\""}`)
	second, err := openJournal(path, srfake.NewRegistry().Handler())
	if err != nil {
		t.Fatal(err)
	}
	if got := call(second, "GET", "/schemas/ids/2", ""); !strings.Contains(got, "string") {
		t.Errorf("schema 2 after the restart: %s", got)
	}
}
