/* SPDX-License-Identifier: MIT */
/* PrimeCell UART (DDI0183G). */
#include "board/bytes.h"

#include <string.h>

enum {
	DR = 0x00,
	RSR = 0x04,
	FR = 0x18,
	ILPR = 0x20,
	IBRD = 0x24,
	FBRD = 0x28,
	LCR_H = 0x2C,
	CR = 0x30,
	IFLS = 0x34,
	IMSC = 0x38,
	RIS = 0x3C,
	MIS = 0x40,
	ICR = 0x44,
	DMACR = 0x48,
	ID = 0xFE0,
};

#define FR_RXFE   0x10u
#define FR_RXFF   0x40u
#define FR_TXFE   0x80u
#define LCR_H_FEN 0x10u
#define CR_LBE    0x80u
#define CR_RESET  0x300u
#define IFLS_HALF 0x12u
#define INT_RX    0x010u
#define INT_TX    0x020u
#define INT_RT    0x040u
#define INT_OE    0x400u
#define INT_ALL   0x7FFu
#define RSR_OE    0x8u

static const uint8_t id[] = {0x11, 0x10, 0x14, 0x00, 0x0D, 0xF0, 0x05, 0xB1};

static void reset(void *state)
{
	struct apmu_board__pl011 *uart = state;

	memset(uart, 0, sizeof(*uart));
	uart->cr = CR_RESET;
	uart->ifls = IFLS_HALF;
}

static size_t depth(const struct apmu_board__pl011 *uart)
{
	return uart->lcr_h & LCR_H_FEN ? APMU_BOARD__FIFO_DEPTH : 1;
}

/* UARTIFLS.RXIFLSEL: 1/8, 1/4, 1/2, 3/4, 7/8 of the FIFO; the rest reserved. */
static size_t threshold(const struct apmu_board__pl011 *uart)
{
	static const uint8_t level[8] = {2, 4, 8, 12, 14, 14, 14, 14};

	return uart->lcr_h & LCR_H_FEN ? level[uart->ifls >> 3 & 7] : 1;
}

size_t apmu_board__pl011_room(const struct apmu_board__pl011 *uart)
{
	return uart->bytes.count < depth(uart) ? depth(uart) - uart->bytes.count : 0;
}

void apmu_board__pl011_receive(struct apmu_board__pl011 *uart, uint8_t byte)
{
	if (!apmu_board__pl011_room(uart)) {
		uart->overrun = true;
		uart->ris |= INT_OE;
		return;
	}
	apmu_board__bytes_push(&uart->bytes, byte);
	uart->ris |= INT_RT;
	if (uart->bytes.count >= threshold(uart))
		uart->ris |= INT_RX;
}

/* Reads a byte. Below the threshold this takes the receive request away, and emptying the FIFO takes the
 * time-out away too (DDI0183 2.8). */
static uint32_t take(struct apmu_board__pl011 *uart)
{
	uint32_t byte = apmu_board__bytes_pop(&uart->bytes);

	if (uart->bytes.count < threshold(uart))
		uart->ris &= ~INT_RX;
	if (!uart->bytes.count)
		uart->ris &= ~INT_RT;
	return byte;
}

static uint32_t flags(const struct apmu_board__pl011 *uart)
{
	uint32_t receive = uart->bytes.count ? 0 : FR_RXFE;

	return FR_TXFE | receive | (apmu_board__pl011_room(uart) ? 0 : FR_RXFF);
}

static uint64_t read(void *state, uint32_t offset, unsigned size)
{
	struct apmu_board__pl011 *uart = state;

	(void)size;
	if (offset >= ID && (offset - ID) / 4 < sizeof(id))
		return id[(offset - ID) / 4];
	switch (offset) {
	case DR: return take(uart);
	case RSR: return uart->overrun ? RSR_OE : 0;
	case FR: return flags(uart);
	case ILPR: return uart->ilpr;
	case IBRD: return uart->ibrd;
	case FBRD: return uart->fbrd;
	case LCR_H: return uart->lcr_h;
	case CR: return uart->cr;
	case IFLS: return uart->ifls;
	case IMSC: return uart->imsc;
	case RIS: return uart->ris;
	case MIS: return uart->ris & uart->imsc;
	case DMACR: return uart->dmacr;
	default: return 0;
	}
}

/* The byte is sent at once, so the transmit FIFO has just fallen below its threshold. */
static void send(struct apmu_board__pl011 *uart, uint8_t byte)
{
	if (uart->cr & CR_LBE)
		apmu_board__pl011_receive(uart, byte);
	else
		apmu_board__bytes_send(&uart->bytes, byte);
	uart->ris |= INT_TX;
}

/* Switching the FIFO off leaves one holding register: what was beyond it is lost. */
static void write_lcr_h(struct apmu_board__pl011 *uart, uint32_t value)
{
	uart->lcr_h = value & 0xFF;
	if (uart->bytes.count > depth(uart))
		uart->bytes.count = (uint8_t)depth(uart);
}

static void write(void *state, uint32_t offset, uint64_t value, unsigned size)
{
	struct apmu_board__pl011 *uart = state;
	uint32_t word = (uint32_t)value;

	(void)size;
	switch (offset) {
	case DR: send(uart, (uint8_t)word); break;
	case RSR: uart->overrun = false; break;
	case ILPR: uart->ilpr = word & 0xFF; break;
	case IBRD: uart->ibrd = word & 0xFFFF; break;
	case FBRD: uart->fbrd = word & 0x3F; break;
	case LCR_H: write_lcr_h(uart, word); break;
	case CR: uart->cr = word & 0xFF87; break;
	case IFLS: uart->ifls = word & 0x3F; break;
	case IMSC: uart->imsc = word & INT_ALL; break;
	case ICR: uart->ris &= ~word; break;
	case DMACR: uart->dmacr = word & 7; break;
	default: break;
	}
}

static uint32_t lines(const void *state)
{
	const struct apmu_board__pl011 *uart = state;

	return (uart->ris & uart->imsc) != 0;
}

const struct apmu_board__device_ops apmu_board__pl011_ops = {
	.name = "PL011 UART",
	.reset = reset,
	.read = read,
	.write = write,
	.lines = lines,
};
