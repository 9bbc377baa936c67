/* SPDX-License-Identifier: MIT */
/* The PL011 against DDI0183G, the PXA's 16550 against Intel 280000 chapter 10. */
#include "board_bench.h"

#define UART  0x09000000u
#define DR    (UART + 0x00)
#define RSR   (UART + 0x04)
#define FR    (UART + 0x18)
#define LCR_H (UART + 0x2C)
#define CR    (UART + 0x30)
#define IFLS  (UART + 0x34)
#define IMSC  (UART + 0x38)
#define RIS   (UART + 0x3C)
#define MIS   (UART + 0x40)
#define ICR   (UART + 0x44)

#define FFUART 0x40100000u
#define RBR    (FFUART + 0x00)
#define IER    (FFUART + 0x04)
#define IIR    (FFUART + 0x08)
#define LCR    (FFUART + 0x0C)
#define MCR    (FFUART + 0x10)
#define LSR    (FFUART + 0x14)
#define MSR    (FFUART + 0x18)

TEST(after_reset_the_pl011_has_the_manuals_values)
{
	struct board_bench b;

	board_bench(&b, "bare");
	CHECK_EQ(get(&b, CR), 0x300);
	CHECK_EQ(get(&b, IFLS), 0x12);
	CHECK_EQ(get(&b, FR), 0x90); /* TXFE, RXFE */
	CHECK_EQ(get(&b, IMSC), 0);
}

TEST(identification_registers_spell_a_pl011)
{
	static const uint8_t want[] = {0x11, 0x10, 0x14, 0x00, 0x0D, 0xF0, 0x05, 0xB1};
	struct board_bench b;

	board_bench(&b, "bare");
	identifies(&b, UART, want);
}

TEST(bytes_written_leave_in_order)
{
	struct board_bench b;

	board_bench(&b, "bare");
	put(&b, DR, 'H');
	CHECK(apmu_board__write(&b.board, DR, 1, 'i'));
	put(&b, DR, 0x100 | '!');
	CHECK_STR(b.sent, "Hi!");
	CHECK_EQ(get(&b, FR) & 0x80, 0x80);
}

TEST(a_received_byte_is_read_once)
{
	struct board_bench b;

	board_bench(&b, "bare");
	type(&b, "x");
	CHECK_EQ(get(&b, FR) & 0x50, 0x40); /* one holding register: full, not empty */
	CHECK_EQ(get(&b, DR), 'x');
	CHECK_EQ(get(&b, FR) & 0x50, 0x10);
	CHECK_EQ(get(&b, DR), 0);
}

TEST(the_fifo_holds_sixteen)
{
	struct board_bench b;

	board_bench(&b, "bare");
	put(&b, LCR_H, 0x70);
	CHECK_EQ(apmu_board__receive(&b.board, (const uint8_t *)"0123456789abcdefgh", 18), 16);
	CHECK_EQ(get(&b, FR) & 0x40, 0x40);
	for (unsigned i = 0; i < 16; i++)
		CHECK_EQ(get(&b, DR), "0123456789abcdef"[i]);
}

TEST(the_receive_interrupt_follows_the_level)
{
	struct board_bench b;

	board_bench(&b, "bare");
	put(&b, LCR_H, 0x10);
	put(&b, IFLS, 0); /* 1/8 of 16 */
	type(&b, "a");
	CHECK_EQ(get(&b, RIS) & 0x10, 0);
	type(&b, "b");
	CHECK_EQ(get(&b, RIS) & 0x10, 0x10);
	CHECK_EQ(lines(&b), 0);
	put(&b, IMSC, 0x10);
	CHECK_EQ(lines(&b), IRQ);
	CHECK_EQ(get(&b, MIS), 0x10);
	get(&b, DR);
	CHECK_EQ(lines(&b), 0);
}

/* DDI0183G 3.3.12: 1/8, 1/4, 1/2, 3/4, 7/8 of 16 bytes. */
TEST(the_receive_level_is_one_of_five)
{
	static const uint8_t bytes[] = {2, 4, 8, 12, 14};
	struct board_bench b;

	for (uint32_t k = 0; k < 5; k++) {
		board_bench(&b, "bare");
		put(&b, LCR_H, 0x10);
		put(&b, IFLS, k << 3 | 2);
		CHECK_EQ(get(&b, IFLS), k << 3 | 2);
		for (unsigned n = 1; n <= 16; n++) {
			type(&b, "x");
			CHECK_EQ(get(&b, RIS), n >= bytes[k] ? 0x50 : 0x40);
		}
	}
}

TEST(the_timeout_interrupt_lasts_until_the_fifo_is_empty)
{
	struct board_bench b;

	board_bench(&b, "bare");
	put(&b, LCR_H, 0x10);
	put(&b, IMSC, 0x40);
	type(&b, "ab");
	CHECK_EQ(lines(&b), IRQ);
	get(&b, DR);
	CHECK_EQ(lines(&b), IRQ);
	get(&b, DR);
	CHECK_EQ(lines(&b), 0);
}

TEST(the_transmit_interrupt_waits_for_a_byte_and_is_cleared_by_ICR)
{
	struct board_bench b;

	board_bench(&b, "bare");
	put(&b, IMSC, 0x20);
	CHECK_EQ(lines(&b), 0);
	put(&b, DR, 'a');
	CHECK_EQ(lines(&b), IRQ);
	put(&b, ICR, 0x20);
	CHECK_EQ(lines(&b), 0);
}

TEST(loopback_brings_the_byte_back_and_can_overrun)
{
	struct board_bench b;

	board_bench(&b, "bare");
	put(&b, CR, 0x381);
	put(&b, DR, 'a');
	put(&b, DR, 'b');
	CHECK_STR(b.sent, "");
	CHECK_EQ(get(&b, RSR), 8);
	CHECK_EQ(get(&b, RIS) & 0x400, 0x400);
	CHECK_EQ(get(&b, DR), 'a');
	put(&b, RSR, 0);
	CHECK_EQ(get(&b, RSR), 0);
}

TEST(the_fraction_registers_keep_their_widths)
{
	struct board_bench b;

	board_bench(&b, "bare");
	put(&b, UART + 0x24, 0xFFFFFFFF);
	put(&b, UART + 0x28, 0xFFFFFFFF);
	put(&b, IMSC, 0xFFFFFFFF);
	put(&b, UART + 0x20, 0x1FF);
	CHECK_EQ(get(&b, UART + 0x20), 0xFF); /* UARTILPR */
	CHECK_EQ(get(&b, UART + 0x24), 0xFFFF);
	CHECK_EQ(get(&b, UART + 0x28), 0x3F);
	CHECK_EQ(get(&b, IMSC), 0x7FF);
}

TEST(the_16550_sends_and_receives)
{
	struct board_bench b;

	board_bench(&b, "pxa");
	CHECK_EQ(get(&b, LSR), 0x60);
	put(&b, RBR, 'o');
	put(&b, RBR, 'k');
	CHECK_STR(b.sent, "ok");
	type(&b, "y");
	CHECK_EQ(get(&b, LSR), 0x61);
	CHECK_EQ(get(&b, RBR), 'y');
	CHECK_EQ(get(&b, LSR), 0x60);
}

TEST(the_16550s_divisor_hides_behind_DLAB)
{
	struct board_bench b;

	board_bench(&b, "pxa");
	put(&b, LCR, 0x83);
	put(&b, RBR, 0x18);
	put(&b, IER, 0x01);
	CHECK_STR(b.sent, "");
	CHECK_EQ(get(&b, RBR), 0x18);
	put(&b, LCR, 0x03);
	CHECK_EQ(get(&b, IER), 0);
}

TEST(the_16550s_line_needs_OUT2)
{
	struct board_bench b;

	board_bench(&b, "pxa");
	put(&b, 0x40D00004, 1u << 22); /* ICMR */
	put(&b, IER, 0x41);
	type(&b, "z");
	CHECK_EQ(get(&b, IIR), 0x04);
	CHECK_EQ(lines(&b), 0);
	put(&b, MCR, 8);
	CHECK_EQ(lines(&b), IRQ);
	get(&b, RBR);
	CHECK_EQ(lines(&b), 0);
	CHECK_EQ(get(&b, IIR), 0x01);
}

TEST(reading_IIR_clears_the_16550s_transmit_interrupt)
{
	struct board_bench b;

	board_bench(&b, "pxa");
	put(&b, IER, 0x42);
	CHECK_EQ(get(&b, IIR), 0x02);
	CHECK_EQ(get(&b, IIR), 0x01);
	put(&b, RBR, 'a');
	CHECK_EQ(get(&b, IIR), 0x02);
}

/* Intel 280000 10.4.8: a read of LSR takes the overrun away, and the line status interrupt with it. */
TEST(a_16550_that_overruns_says_so_once)
{
	struct board_bench b;

	board_bench(&b, "pxa");
	put(&b, IER, 0x44); /* RLSE */
	put(&b, MCR, 0x10); /* LOOP */
	put(&b, RBR, 'a');
	CHECK_EQ(get(&b, IIR), 0x01);
	put(&b, RBR, 'b');
	CHECK_EQ(get(&b, IIR), 0x06);
	CHECK_EQ(get(&b, LSR), 0x63);
	CHECK_EQ(get(&b, LSR), 0x61);
	CHECK_EQ(get(&b, IIR), 0x01);
	CHECK_EQ(get(&b, RBR), 'a');
	put(&b, IER, 0x40); /* without TIE the empty transmitter interrupts nobody */
	CHECK_EQ(get(&b, IIR), 0x01);
	put(&b, FFUART + 0x20, 0xFF);
	CHECK_EQ(get(&b, FFUART + 0x20), 0x1F); /* ISR */
}

/* As Linux's driver looks for one. */
TEST(in_loopback_the_16550s_modem_inputs_are_its_outputs)
{
	struct board_bench b;

	board_bench(&b, "pxa");
	CHECK_EQ(get(&b, MSR) & 0xF0, 0xB0);
	put(&b, MCR, 0x1A); /* LOOP, OUT2, RTS */
	CHECK_EQ(get(&b, MSR) & 0xF0, 0x90);
	put(&b, MCR, 0x15); /* LOOP, OUT1, DTR */
	CHECK_EQ(get(&b, MSR) & 0xF0, 0x60);
	put(&b, MCR, 0x05);
	CHECK_EQ(get(&b, MSR) & 0xF0, 0xB0);
}
