package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync"

	"github.com/twmb/franz-go/pkg/sr/srfake"
)

// change is a request that altered the registry; the journal holds one as JSON on each line.
type change struct {
	Method string `json:"method"`
	Path   string `json:"path"`
	Body   string `json:"body"`
}

// journal keeps the registry's changes in the data folder and replays them at the next start: srfake has no storage of
// its own, and records in a kept topic are unreadable without their schemas. Ids come out equal, as they are counted.
type journal struct {
	mutex sync.Mutex
	file  *os.File
	next  http.Handler
}

func openJournal(path string, registry http.Handler) (*journal, error) {
	stored, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	for _, line := range bytes.SplitAfter(stored, []byte("\n")) {
		var c change
		if len(line) == 0 || line[len(line)-1] != '\n' || json.Unmarshal(line, &c) != nil {
			continue // the last line of a process that was killed while writing
		}
		request := httptest.NewRequest(c.Method, c.Path, bytes.NewReader([]byte(c.Body)))
		registry.ServeHTTP(httptest.NewRecorder(), request)
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return nil, err
	}
	return &journal{file: file, next: registry}, nil
}

func (j *journal) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodGet || r.Method == http.MethodHead {
		j.next.ServeHTTP(w, r)
		return
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	j.mutex.Lock()
	defer j.mutex.Unlock()
	answer := httptest.NewRecorder()
	j.next.ServeHTTP(answer, r)
	if answer.Code < 300 {
		line, err := json.Marshal(change{r.Method, r.URL.RequestURI(), string(body)})
		if err == nil {
			_, err = j.file.Write(append(line, '\n'))
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
	}
	for name, values := range answer.Header() {
		w.Header()[name] = values
	}
	w.WriteHeader(answer.Code)
	w.Write(answer.Body.Bytes()) //nolint:errcheck // the client is gone
}

// startRegistry listens on the asked port; a later failure to serve arrives in failed.
func startRegistry(s settings, failed chan<- error) (*http.Server, error) {
	handler := srfake.NewRegistry().Handler()
	if s.dataDir != "" {
		kept, err := openJournal(filepath.Join(s.dataDir, "registry.jsonl"), handler)
		if err != nil {
			return nil, fmt.Errorf("schema registry: %w", err)
		}
		handler = kept
	}
	listener, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", s.registryPort))
	if err != nil {
		return nil, fmt.Errorf("schema registry on port %d: %w", s.registryPort, err)
	}
	server := &http.Server{Addr: listener.Addr().String(), Handler: handler}
	go func() {
		if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			failed <- fmt.Errorf("schema registry: %w", err)
		}
	}()
	return server, nil
}
