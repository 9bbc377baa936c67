// SPDX-License-Identifier: MIT
// Goroutines that wait for each other's mutex and are preempted as functions begin, after their stacks have moved to grow.
package main

import (
	"fmt"
	"sync"
)

func main() {
	var wg sync.WaitGroup
	var lock sync.Mutex
	sum := map[string]int{}
	for i := 0; i < 4; i++ {
		i := i
		wg.Add(1)
		go func() {
			defer wg.Done()
			for k := 0; k < 1000; k++ {
				name := fmt.Sprintf("k%d", i*k%31)
				lock.Lock()
				sum[name] += k
				lock.Unlock()
			}
		}()
	}
	wg.Wait()
	fmt.Println(len(sum))
}
