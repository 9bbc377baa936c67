// SPDX-License-Identifier: MIT
// The design under test: an ARM11-like PMU as one might write it, with event 0x07 (instructions, 0 to 2 per cycle) and event
// 0x0B (data cache misses) wired, both hard-selected: PMN0 counts instructions, PMN1 misses. Divider and export are left out.
module pmu (
	input  logic        clk, reset,
	input  logic [1:0]  inst, // events of this cycle
	input  logic        miss,
	input  logic        we,   // MCR p15, 0, wdata, c15, c12, opc2
	input  logic [1:0]  opc2,
	input  logic [31:0] wdata,
	input  logic        bug,  // plants a bug: no wait after enabling
	output logic [31:0] pmnc, ccnt, pmn0, pmn1,
	output logic        irq
);
	localparam logic [27:12] EVENTS = 16'h070B;
	logic [2:0] flag, enable, carry, next_flag; // C, 1, 0
	logic       e, next_e, latch, raised, pending, on, write_pmnc;
	logic [1:0] wait_for;

	assign on = e && wait_for == 0;
	assign carry = on ? {&ccnt, miss && &pmn1, {1'b0, pmn0} + {31'b0, inst} > 33'h0FFFFFFFF} : 3'b000;
	assign write_pmnc = we && opc2 == 0;
	assign next_flag = (flag | carry) & ~(write_pmnc ? wdata[10:8] : 3'b000);
	assign next_e = write_pmnc ? wdata[0] : e;
	assign raised = |((flag | carry) & enable); // before this edge's write, and after it:
	assign pending = |(next_flag & (write_pmnc ? wdata[6:4] : enable));
	assign pmnc = {4'b0, EVENTS, 1'b0, flag, 1'b0, enable, 3'b0, e};
	assign irq = latch;

	always_ff @(posedge clk)
		if (reset) begin
			{flag, enable, e, latch, wait_for} <= '0;
			{ccnt, pmn0, pmn1} <= '0;
		end else begin
			if (on) begin
				ccnt <= ccnt + 1;
				pmn0 <= pmn0 + {30'b0, inst};
				pmn1 <= pmn1 + {31'b0, miss};
			end
			if (e && wait_for != 0) wait_for <= wait_for - 1;
			flag <= next_flag;
			e <= next_e;
			latch <= pending || ((latch || raised) && !next_e); // falls only while E is set
			if (write_pmnc) begin
				enable <= wdata[6:4];
				if (!e && wdata[0] && !bug) wait_for <= 3;
				if (wdata[2]) ccnt <= 0;
				if (wdata[1]) {pmn0, pmn1} <= '0;
			end
			if (we && opc2 == 1) ccnt <= wdata;
			if (we && opc2 == 2) pmn0 <= wdata;
			if (we && opc2 == 3) pmn1 <= wdata;
		end
endmodule
