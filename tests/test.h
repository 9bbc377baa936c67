/* SPDX-License-Identifier: MIT */
/**
 * A thin layer over cmocka: TEST(name) { ... } registers itself, so a file needs no list and no main().
 *
 * Name a test as a sentence about hardware. CHECK_EQ compares integers, CHECK_STR compares strings, CHECK
 * takes a condition.
 */
#ifndef APMU_TEST_H
#define APMU_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define APMU_TESTS_MAX 512
static struct CMUnitTest apmu_tests[APMU_TESTS_MAX];
static size_t apmu_tests_n;

#define TEST(test_name)                                                                                    \
	static void test_name(void **state);                                                               \
	__attribute__((constructor)) static void register_##test_name(void)                                \
	{                                                                                                  \
		apmu_tests[apmu_tests_n++] = (struct CMUnitTest){#test_name, test_name, NULL, NULL, NULL}; \
	}                                                                                                  \
	static void test_name(void **state __attribute__((unused)))

#define CHECK(truth)         assert_true(truth)
#define CHECK_EQ(got, want)  assert_int_equal((uint64_t)(got), (uint64_t)(want))
#define CHECK_STR(got, want) assert_string_equal(got, want)

int main(void)
{
	return _cmocka_run_group_tests(__FILE__, apmu_tests, apmu_tests_n, NULL, NULL);
}

#endif
