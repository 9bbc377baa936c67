// SPDX-License-Identifier: MIT
// Goroutines that hand numbers to each other, a deep recursion that makes a stack grow, and work after both.
package main

import (
	"fmt"
	"sync"
)

//go:noinline
func burn(v int) int {
	s := v
	for i := 0; i < 2000; i++ {
		s = s*31 + i
	}
	return s
}

//go:noinline
func worker(in <-chan int, out chan<- int, wg *sync.WaitGroup) {
	defer wg.Done()
	for v := range in {
		out <- burn(v)
	}
}

//go:noinline
func deep(n int) int {
	var room [64]int
	if n == 0 {
		return burn(1)
	}
	room[n%64] = deep(n - 1)
	return room[n%64] + 1
}

//go:noinline
func last() (s int) {
	for i := 0; i < 500; i++ {
		s += burn(i)
	}
	return
}

func main() {
	in, out := make(chan int), make(chan int)
	var wg sync.WaitGroup
	for i := 0; i < 4; i++ {
		wg.Add(1)
		go worker(in, out, &wg)
	}
	go func() {
		for i := 0; i < 500; i++ {
			in <- i
		}
		close(in)
		wg.Wait()
		close(out)
	}()
	total := 0
	for v := range out {
		total += v
	}
	fmt.Println(total, deep(1000), last())
}
