// SPDX-License-Identifier: MIT
// The test bench: random events and register writes, cycle by cycle to the design and to the model, every register and
// the interrupt request compared in each. +bug plants a bug in the design, which must be found.
module bench;
	import "DPI-C" function void apmu_open(input string core);
	import "DPI-C" function int apmu_signal(input string name);
	import "DPI-C" function void apmu_pulse(input int signal, input int count);
	import "DPI-C" function void apmu_cycle();
	import "DPI-C" function void apmu_mcr(input int opc2, input int value);
	import "DPI-C" function int apmu_mrc(input int opc2);
	import "DPI-C" function int apmu_irq();

	localparam int CYCLES = 200000;
	logic clk = 0, reset = 1, miss = 0, we = 0, bug, irq;
	logic [1:0] inst = 0, opc2 = 0;
	logic [31:0] wdata = 0, pmnc, ccnt, pmn0, pmn1;
	int inst_signal, miss_signal;
	int unsigned seed = 1, interrupts = 0;
	logic was = 0;

	pmu dut (.*);

	function automatic int unsigned random();
		seed ^= seed << 13;
		seed ^= seed >> 17;
		seed ^= seed << 5;
		return seed;
	endfunction

	// Writes that have an effect: PMNC with the two events that the design has and D, X clear; counters near their end.
	task automatic draw();
		inst = 2'(random() % 3);
		miss = random() % 8 == 0;
		we = random() % 16 == 0;
		opc2 = 2'(random());
		wdata = opc2 == 0 ? (random() & 32'h773) | 32'h0070B000 | 32'(random() % 4 != 0) : -(random() % 64);
		if (opc2 == 0 && random() % 8 == 0) wdata[2] = 1;
	endtask

	task automatic same(input string what, input logic [31:0] is, input logic [31:0] should, input int cycle);
		if (is != should) begin
			$display("cycle %0d: %s is %h in the design, %h in the model", cycle, what, is, should);
			$fatal(1, "they differ");
		end
	endtask

	initial begin
		bug = $test$plusargs("bug") != 0;
		apmu_open("arm1136");
		inst_signal = apmu_signal("INST");
		miss_signal = apmu_signal("L1D_MISS");
		apmu_mcr(0, 32'h0070B000);
		#1 clk = 1;
		#1 clk = 0;
		reset = 0;
		for (int cycle = 0; cycle < CYCLES; cycle++) begin
			draw();
			#1 clk = 1; // the design runs this cycle
			#1 clk = 0;
			apmu_pulse(inst_signal, 32'(inst)); // the model gets the same cycle
			apmu_pulse(miss_signal, 32'(miss));
			apmu_cycle();
			if (we) apmu_mcr(32'(opc2), wdata);
			same("PMNC", pmnc, apmu_mrc(0), cycle);
			same("CCNT", ccnt, apmu_mrc(1), cycle);
			same("PMN0", pmn0, apmu_mrc(2), cycle);
			same("PMN1", pmn1, apmu_mrc(3), cycle);
			same("irq", 32'(irq), apmu_irq(), cycle);
			if (irq && !was) interrupts++;
			was = irq;
		end
		$display("%0d cycles, %0d interrupt requests: design and model agree", CYCLES, interrupts);
		$finish;
	end
endmodule
