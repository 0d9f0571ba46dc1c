package main

import (
	"net/http"
	"net/http/httptest"
	"path/filepath"
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
