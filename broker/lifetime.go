package main

import (
	"context"
	"errors"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// parentCheckInterval bounds how long the broker outlives the process it was started for.
const parentCheckInterval = 200 * time.Millisecond

// untilTold gives a context that ends on SIGINT or SIGTERM and, where asked for, when the parent or standard input is gone.
func untilTold(s settings) (context.Context, context.CancelFunc) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	if s.parent != 0 {
		go func() {
			defer stop()
			awaitExit(ctx, s.parent)
		}()
	}
	if s.withStdin {
		go func() {
			defer stop()
			io.Copy(io.Discard, os.Stdin) //nolint:errcheck // an error ends the wait as a close does
		}()
	}
	return ctx, stop
}

// awaitExit returns when the process is gone. A direct parent may linger as a zombie, which still takes signals, so for
// it the change of our own parent is the sign.
func awaitExit(ctx context.Context, pid int) {
	direct := os.Getppid() == pid
	ticker := time.NewTicker(parentCheckInterval)
	defer ticker.Stop()
	for {
		if direct && os.Getppid() != pid || errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) {
			return
		}
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}
