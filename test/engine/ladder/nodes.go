// Three nodes, for measuring: each sends a message to both others over TCP every few milliseconds and gets an answer. `nodes I N`:
// node I of N, at 10.0.0.1 and following.
package main

import (
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"os"
	"strconv"
	"sync/atomic"
	"time"
)

const every = 23 * time.Millisecond

var back atomic.Uint64

func answer(conn net.Conn) {
	var message [16]byte
	for {
		if _, err := io.ReadFull(conn, message[:]); err != nil {
			return
		}
		conn.Write(message[:])
	}
}

func call(peer string) net.Conn {
	for {
		conn, err := net.Dial("tcp", peer)
		if err == nil {
			return conn
		}
		time.Sleep(10 * time.Millisecond)
	}
}

func ask(peer string) {
	conn := call(peer)
	ticker := time.NewTicker(every)
	answers := make(chan uint64)
	go func() {
		var message [16]byte
		for {
			if _, err := io.ReadFull(conn, message[:]); err != nil {
				return
			}
			answers <- binary.LittleEndian.Uint64(message[:])
		}
	}()
	var message [16]byte
	for number := uint64(1); ; number++ {
		<-ticker.C
		binary.LittleEndian.PutUint64(message[:], number)
		if _, err := conn.Write(message[:]); err != nil {
			return
		}
		if <-answers == number {
			back.Add(1)
		}
	}
}

func main() {
	index, _ := strconv.Atoi(os.Args[1])
	n, _ := strconv.Atoi(os.Args[2])
	listener, err := net.Listen("tcp", fmt.Sprintf("10.0.0.%d:7200", index))
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	for i := 1; i <= n; i++ {
		if i != index {
			go ask(fmt.Sprintf("10.0.0.%d:7200", i))
		}
	}
	go func() {
		for {
			time.Sleep(time.Second)
			fmt.Println("came back:", back.Load())
		}
	}()
	for {
		conn, err := listener.Accept()
		if err != nil {
			return
		}
		go answer(conn)
	}
}
