// Two goroutines, each with a thread of its own, add to a counter in a file, and neither locks it.
package main

import (
	"fmt"
	"os"
	"runtime"
	"sync"
)

const times = 5

func main() {
	runtime.GOMAXPROCS(2)
	f, err := os.Create("counter")
	if err != nil {
		panic(err)
	}
	f.WriteAt([]byte{0}, 0)
	var ready, done sync.WaitGroup
	ready.Add(2)
	done.Add(2)
	for i := 0; i < 2; i++ {
		go func() {
			runtime.LockOSThread()
			ready.Done()
			ready.Wait()
			b := []byte{0}
			for k := 0; k < times; k++ {
				f.ReadAt(b, 0)
				b[0]++
				f.WriteAt(b, 0)
			}
			done.Done()
		}()
	}
	done.Wait()
	b := []byte{0}
	f.ReadAt(b, 0)
	if b[0] == 2*times {
		fmt.Println("all there")
	} else {
		fmt.Println("lost update", b[0])
	}
}
