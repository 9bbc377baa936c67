/* SPDX-License-Identifier: MIT */
/* The PXA27x's UARTs: a 16550 with registers 4 bytes apart and a unit enable (Intel 280000, chapter 10). */
#include "board/bytes.h"

#include <string.h>

enum {
	RBR = 0x00,
	IER = 0x04,
	IIR = 0x08,
	LCR = 0x0C,
	MCR = 0x10,
	LSR = 0x14,
	MSR = 0x18,
	SPR = 0x1C,
	ISR = 0x20
};

#define IER_RAVIE     0x01u
#define IER_TIE       0x02u
#define IER_RLSE      0x04u
#define IER_RTOIE     0x10u
#define IIR_NONE      0x01u
#define IIR_TRANSMIT  0x02u
#define IIR_RECEIVE   0x04u
#define IIR_LINE      0x06u
#define IIR_FIFO      0xC0u
#define FCR_ENABLE    0x01u
#define FCR_EMPTY     0x02u
#define LCR_DLAB      0x80u
#define MCR_OUT2      0x08u
#define MCR_LOOP      0x10u
#define LSR_DATA      0x01u
#define LSR_OVERRUN   0x02u
#define LSR_SENT      0x60u /* TDRQ, TEMT: a byte that is written is sent at once */
#define MSR_CONNECTED 0xB0u /* DCD, DSR, CTS */

static void reset(void *state)
{
	memset(state, 0, sizeof(struct apmu_board__uart16));
}

static size_t depth(const struct apmu_board__uart16 *uart)
{
	return uart->fifo ? APMU_BOARD__FIFO_DEPTH : 1;
}

size_t apmu_board__uart16_room(const struct apmu_board__uart16 *uart)
{
	return uart->bytes.count < depth(uart) ? depth(uart) - uart->bytes.count : 0;
}

void apmu_board__uart16_receive(struct apmu_board__uart16 *uart, uint8_t byte)
{
	if (apmu_board__uart16_room(uart))
		apmu_board__bytes_push(&uart->bytes, byte);
	else
		uart->overrun = true;
}

/* The interrupt of the highest priority, in the order of the IIR table. */
static uint8_t cause(const struct apmu_board__uart16 *uart)
{
	if (uart->overrun && uart->ier & IER_RLSE)
		return IIR_LINE;
	if (uart->bytes.count && uart->ier & (IER_RAVIE | IER_RTOIE))
		return IIR_RECEIVE;
	if (uart->thre && uart->ier & IER_TIE)
		return IIR_TRANSMIT;
	return IIR_NONE;
}

static uint8_t read_iir(struct apmu_board__uart16 *uart)
{
	uint8_t why = cause(uart);

	if (why == IIR_TRANSMIT)
		uart->thre = false;
	return uart->fifo ? why | IIR_FIFO : why;
}

static uint8_t read_lsr(struct apmu_board__uart16 *uart)
{
	uint8_t overrun = uart->overrun ? LSR_OVERRUN : 0;

	uart->overrun = false;
	return LSR_SENT | overrun | (uart->bytes.count ? LSR_DATA : 0);
}

/* With MCR.LOOP the modem's inputs are MCR's outputs: DTR is DSR, RTS is CTS, OUT1 is RI, OUT2 is DCD. */
static uint8_t read_msr(const struct apmu_board__uart16 *uart)
{
	uint8_t mcr = uart->mcr;

	if (!(mcr & MCR_LOOP))
		return MSR_CONNECTED;
	return (uint8_t)((mcr & 1) << 5 | (mcr & 2) << 3 | (mcr & 0xC) << 4);
}

static uint64_t read(void *state, uint32_t offset, unsigned size)
{
	struct apmu_board__uart16 *uart = state;

	(void)size;
	switch (offset) {
	case RBR: return uart->lcr & LCR_DLAB ? uart->dll : apmu_board__bytes_pop(&uart->bytes);
	case IER: return uart->lcr & LCR_DLAB ? uart->dlh : uart->ier;
	case IIR: return read_iir(uart);
	case LCR: return uart->lcr;
	case MCR: return uart->mcr;
	case LSR: return read_lsr(uart);
	case MSR: return read_msr(uart);
	case SPR: return uart->spr;
	case ISR: return uart->isr;
	default: return 0;
	}
}

static void write_thr(struct apmu_board__uart16 *uart, uint8_t byte)
{
	if (uart->lcr & LCR_DLAB) {
		uart->dll = byte;
		return;
	}
	if (uart->mcr & MCR_LOOP)
		apmu_board__uart16_receive(uart, byte);
	else
		apmu_board__bytes_send(&uart->bytes, byte);
	uart->thre = true;
}

/* Enabling the transmit interrupt with the transmitter empty raises it at once: drivers start that way. */
static void write_ier(struct apmu_board__uart16 *uart, uint8_t byte)
{
	if (uart->lcr & LCR_DLAB) {
		uart->dlh = byte;
		return;
	}
	if (byte & ~uart->ier & IER_TIE)
		uart->thre = true;
	uart->ier = byte;
}

static void write_fcr(struct apmu_board__uart16 *uart, uint8_t byte)
{
	bool fifo = byte & FCR_ENABLE;

	if (fifo != uart->fifo || byte & FCR_EMPTY)
		uart->bytes.count = 0;
	uart->fifo = fifo;
}

static void write(void *state, uint32_t offset, uint64_t value, unsigned size)
{
	struct apmu_board__uart16 *uart = state;
	uint8_t byte = (uint8_t)value;

	(void)size;
	switch (offset) {
	case RBR: write_thr(uart, byte); break;
	case IER: write_ier(uart, byte); break;
	case IIR: write_fcr(uart, byte); break;
	case LCR: uart->lcr = byte; break;
	case MCR: uart->mcr = byte & 0x3F; break;
	case SPR: uart->spr = byte; break;
	case ISR: uart->isr = byte & 0x1F; break;
	default: break;
	}
}

static uint32_t lines(const void *state)
{
	const struct apmu_board__uart16 *uart = state;

	return uart->mcr & MCR_OUT2 && cause(uart) != IIR_NONE;
}

const struct apmu_board__device_ops apmu_board__uart16_ops = {
	.name = "16550 UART",
	.reset = reset,
	.read = read,
	.write = write,
	.lines = lines,
};
