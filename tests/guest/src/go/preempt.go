// SPDX-License-Identifier: MIT
// Goroutines in loops that call nothing, more than there are processors: Go preempts them by signals whose handler
// makes the thread go on in runtime.asyncPreempt.
package main

import (
	"fmt"
	"sync"
)

//go:noinline
func spin(n, v int) int {
	s := v
	for i := 0; i < n; i++ {
		s = s*31 + i
	}
	return s
}

//go:noinline
func workerA(n int) int { return spin(n, 1) + 1 }

//go:noinline
func workerB(n int) int { return spin(n, 2) + 2 }

//go:noinline
func last(n int) int { return spin(n, 3) + 3 }

func main() {
	var wg sync.WaitGroup
	var total [4]int
	const n = 5000000
	for i := 0; i < 4; i++ {
		i := i
		wg.Add(1)
		go func() {
			defer wg.Done()
			for k := 0; k < 4; k++ {
				if i&1 == 0 {
					total[i] += workerA(n)
				} else {
					total[i] += workerB(n)
				}
			}
		}()
	}
	a := last(4 * n)
	wg.Wait()
	fmt.Println(total, a, last(n))
}
