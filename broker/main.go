// Command thalweg-broker is a Kafka-protocol broker and a schema registry in one small process: what `thalweg broker`,
// `thalweg demo` and the tests run when no real Kafka is wanted. It stands on franz-go's kfake and srfake.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"strconv"
	"strings"
)

// topicSpec is one --topic NAME:PARTITIONS.
type topicSpec struct {
	name       string
	partitions int32
}

const noRegistry = -1

// settings is the parsed command line.
type settings struct {
	port         int
	registryPort int
	dataDir      string
	topics       []topicSpec
	parent       int
	withStdin    bool
}

func parseTopic(text string) (topicSpec, error) {
	name, count, given := strings.Cut(text, ":")
	spec := topicSpec{name: name, partitions: 1}
	if name == "" {
		return spec, fmt.Errorf("topic name is empty in %q: write NAME or NAME:PARTITIONS", text)
	}
	if given {
		partitions, err := strconv.ParseInt(count, 10, 32)
		if err != nil || partitions < 1 {
			return spec, fmt.Errorf("bad number of partitions in %q: write NAME:PARTITIONS", text)
		}
		spec.partitions = int32(partitions)
	}
	return spec, nil
}

func parseSettings(arguments []string) (settings, error) {
	var s settings
	flags := flag.NewFlagSet("thalweg-broker", flag.ContinueOnError)
	flags.IntVar(&s.port, "port", 9092, "port of the broker on 127.0.0.1; 0: any that is free, named in the line `ready`")
	flags.IntVar(&s.registryPort, "registry-port", noRegistry, "port of the schema registry on 127.0.0.1, as for -port; none if not given")
	flags.StringVar(&s.dataDir, "data-dir", "", "folder that keeps topics and schemas; empty: memory only")
	flags.IntVar(&s.parent, "with-parent", 0, "end when the process with this id is gone")
	flags.BoolVar(&s.withStdin, "with-stdin", false, "end when standard input closes")
	flags.Func("topic", "topic to create, as NAME or NAME:PARTITIONS (repeatable)", func(text string) error {
		spec, err := parseTopic(text)
		s.topics = append(s.topics, spec)
		return err
	})
	if err := flags.Parse(arguments); err != nil {
		return s, err
	}
	if flags.NArg() > 0 {
		return s, fmt.Errorf("unexpected argument %q", flags.Arg(0))
	}
	return s, nil
}

func run(s settings) error {
	ctx, stop := untilTold(s)
	defer stop()
	cluster, err := startBroker(s)
	if err != nil {
		return err
	}
	defer cluster.Close()
	ready := "ready kafka=" + cluster.ListenAddrs()[0]
	failed := make(chan error, 1)
	if s.registryPort != noRegistry {
		registry, err := startRegistry(s, failed)
		if err != nil {
			return err
		}
		defer registry.Shutdown(context.Background()) //nolint:errcheck // the process ends anyway
		ready += " registry=http://" + registry.Addr
	}
	fmt.Println(ready)
	select {
	case <-ctx.Done():
		return nil
	case err := <-failed:
		return err
	}
}

func main() {
	s, err := parseSettings(os.Args[1:])
	if errors.Is(err, flag.ErrHelp) {
		os.Exit(0)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "thalweg-broker:", err)
		os.Exit(2)
	}
	if err := run(s); err != nil {
		fmt.Fprintln(os.Stderr, "thalweg-broker:", err)
		os.Exit(1)
	}
}
