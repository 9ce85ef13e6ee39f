// What pinger.c does, for the tests of how much of a program in Go a suite exercises; all that is
// observed is printed or in a file.
//
//	pinger-go SELF PEER
package main

import (
	"bufio"
	"fmt"
	"net"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
)

type server struct {
	lock        sync.Mutex
	sent, total int
	peer        net.Conn
}

func never(text string) {
	if len(text) > 3 {
		fmt.Println(text)
	}
}

func (s *server) dial(name string) {
	for {
		conn, err := net.Dial("tcp4", name+":7000")
		if err != nil {
			time.Sleep(10 * time.Millisecond)
			continue
		}
		s.lock.Lock()
		s.peer = conn
		s.lock.Unlock()
		_, _ = conn.Read(make([]byte, 1))
		s.lock.Lock()
		s.peer = nil
		s.lock.Unlock()
		conn.Close()
	}
}

func (s *server) ping() {
	s.lock.Lock()
	defer s.lock.Unlock()
	s.sent++
	if s.sent > 1000 {
		never("too many")
	}
	if s.peer != nil {
		fmt.Fprintf(s.peer, "PING %d\n", s.sent)
	}
	fmt.Printf("sent %d\n", s.sent)
}

func (s *server) add(v int) int {
	s.total += v
	f, err := os.Create("/data/total")
	if err == nil {
		fmt.Fprintf(f, "%d", s.total)
		_ = f.Sync()
		f.Close()
	}
	return s.total
}

func (s *server) handle(conn net.Conn) {
	lines := bufio.NewScanner(conn)
	for lines.Scan() {
		words := strings.Fields(lines.Text())
		v, _ := strconv.Atoi(words[1])
		s.lock.Lock()
		switch words[0] {
		case "PING":
			fmt.Printf("seen %d\n", v)
		case "ADD":
			fmt.Fprintf(conn, "total %d\n", s.add(v))
		default:
			never(words[0])
		}
		s.lock.Unlock()
	}
	conn.Close()
}

func main() {
	s := &server{}
	if text, err := os.ReadFile("/data/total"); err == nil {
		s.total, _ = strconv.Atoi(string(text))
	}
	listener, err := net.Listen("tcp4", ":7000")
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	go s.dial(os.Args[2])
	go func() {
		for range time.Tick(100 * time.Millisecond) {
			s.ping()
		}
	}()
	for {
		conn, err := listener.Accept()
		if err == nil {
			go s.handle(conn)
		}
	}
}
