package main

import (
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kmsg"
	"github.com/twmb/franz-go/pkg/kversion"
)

// startBroker listens on the asked port and creates the asked topics.
//
// The offered versions end at Kafka 3.6: kfake's answer to DescribeTopicPartitions (3.7) makes Java's admin client fail.
func startBroker(s settings) (*kfake.Cluster, error) {
	options := []kfake.Opt{
		kfake.NumBrokers(1),
		kfake.Ports(s.port),
		kfake.ClusterID("thalweg"),
		kfake.AllowAutoTopicCreation(),
		kfake.DefaultNumPartitions(1),
		kfake.MaxVersions(kversion.V3_6_0()),
	}
	if s.dataDir != "" {
		options = append(options, kfake.DataDir(s.dataDir))
	}
	cluster, err := kfake.NewCluster(options...)
	if err != nil {
		return nil, fmt.Errorf("broker on port %d: %w", s.port, err)
	}
	if err := createTopics(cluster.ListenAddrs()[0], s.topics); err != nil {
		cluster.Close()
		return nil, err
	}
	return cluster, nil
}

// createTopics asks the broker over its own protocol: kfake seeds topics only into an empty data folder, and a folder
// from an earlier run may lack some of them. Topics that exist are left as they are.
func createTopics(address string, topics []topicSpec) error {
	if len(topics) == 0 {
		return nil
	}
	request := kmsg.NewPtrCreateTopicsRequest()
	request.Version = 4
	for _, spec := range topics {
		topic := kmsg.NewCreateTopicsRequestTopic()
		topic.Topic = spec.name
		topic.NumPartitions = spec.partitions
		topic.ReplicationFactor = 1
		request.Topics = append(request.Topics, topic)
	}
	response := kmsg.NewPtrCreateTopicsResponse()
	response.Version = request.Version
	if err := roundTrip(address, request, response); err != nil {
		return fmt.Errorf("creating topics: %w", err)
	}
	for _, topic := range response.Topics {
		if err := kerr.ErrorForCode(topic.ErrorCode); err != nil && err != kerr.TopicAlreadyExists {
			return fmt.Errorf("creating topic %s: %w", topic.Topic, err)
		}
	}
	return nil
}

// roundTrip sends one request of a version without tagged fields and reads its answer.
func roundTrip(address string, request kmsg.Request, response kmsg.Response) error {
	connection, err := net.DialTimeout("tcp", address, 5*time.Second)
	if err != nil {
		return err
	}
	defer connection.Close()
	if err := connection.SetDeadline(time.Now().Add(30 * time.Second)); err != nil {
		return err
	}
	message := kmsg.NewRequestFormatter(kmsg.FormatterClientID("thalweg-broker")).AppendRequest(nil, request, 1)
	if _, err := connection.Write(message); err != nil {
		return err
	}
	header := make([]byte, 4)
	if _, err := io.ReadFull(connection, header); err != nil {
		return err
	}
	body := make([]byte, binary.BigEndian.Uint32(header))
	if _, err := io.ReadFull(connection, body); err != nil {
		return err
	}
	return response.ReadFrom(body[4:]) // after the correlation id
}
