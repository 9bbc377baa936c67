# SPDX-License-Identifier: MIT
# Debian's Xen for arm64, unmodified, at EL2: stage 2, list registers, the EL2 timer, traps. It starts Debian's arm64 kernel as
# domain 0, whose init sleeps once and switches the machine off. One to two minutes.
. "$SRC/tests/guest/lib.sh"
"$SRC/tools/fetch-guests" "$BUILD/guests" --kernel || fail "Debian's kernel cannot be fetched"
"$SRC/tools/fetch-guests" "$BUILD/guests" --xen || fail "Xen cannot be fetched"
kernel=$(echo "$BUILD"/guests/kernel/arm64/boot/vmlinuz-*)

cat >"$work/init.c" <<'C'
#include <stdio.h>
#include <sys/reboot.h>
#include <time.h>

int main(void)
{
	struct timespec pause = {.tv_nsec = 50000000};

	puts("init runs");
	nanosleep(&pause, NULL);
	puts("init has slept");
	fflush(stdout);
	reboot(RB_POWER_OFF);
	return 0;
}
C
aarch64-linux-gnu-gcc -O1 -static -s "$work/init.c" -o "$work/init" || fail "init does not build"
python3 "$SRC/tests/guest/initrd.py" "$work/init" "$work/initrd"

# virt-gicv3 as its own tree has it, and what Xen loads: docs/misc/arm/device-tree/booting.txt of its source
cat >"$work/xen.dts" <<DTS
/dts-v1/;
/ {
	compatible = "linux,dummy-virt";
	#address-cells = <2>;
	#size-cells = <2>;
	interrupt-parent = <&gic>;
	chosen {
		#address-cells = <1>;
		#size-cells = <1>;
		stdout-path = "/pl011@9000000";
		xen,xen-bootargs = "dom0_mem=256M console=dtuart";
		xen,dom0-bootargs = "console=hvc0 nokaslr";
		module@50000000 {
			compatible = "xen,linux-zimage", "xen,multiboot-module";
			reg = <0x50000000 $(stat -c %s "$kernel")>;
		};
		module@58000000 {
			compatible = "xen,linux-initrd", "xen,multiboot-module";
			reg = <0x58000000 $(stat -c %s "$work/initrd")>;
		};
	};
	memory@40000000 { device_type = "memory"; reg = <0 0x40000000 0 0x40000000>; };
	cpus {
		#address-cells = <1>;
		#size-cells = <0>;
		cpu@0 { device_type = "cpu"; compatible = "arm,cortex-a53"; reg = <0>; enable-method = "psci"; };
	};
	psci { compatible = "arm,psci-1.0", "arm,psci-0.2"; method = "smc"; };
	timer { compatible = "arm,armv8-timer"; interrupts = <1 13 4 1 14 4 1 11 4 1 10 4>; };
	gic: intc@8000000 {
		compatible = "arm,gic-v3";
		#interrupt-cells = <3>;
		#address-cells = <0>;
		interrupt-controller;
		reg = <0 0x8000000 0 0x10000 0 0x80a0000 0 0x20000>;
		interrupts = <1 9 4>;
	};
	clock: apb-pclk { compatible = "fixed-clock"; #clock-cells = <0>; clock-frequency = <24000000>; };
	pl011@9000000 {
		compatible = "arm,pl011", "arm,primecell";
		reg = <0 0x9000000 0 0x1000>;
		interrupts = <0 1 4>;
		clocks = <&clock &clock>;
		clock-names = "uartclk", "apb_pclk";
	};
};
DTS
dtc -q -O dtb -o "$work/xen.dtb" "$work/xen.dts" || fail "no device tree"

"$APMU" run -c cortex-a53 -b virt-gicv3 --el 2 --cpi 1 --hz 100000000 --timeout 60 --ram 1024 --dtb "$work/xen.dtb" \
	--load "$kernel@0x50000000" --load "$work/initrd@0x58000000" --kernel "$BUILD/guests/xen/boot/xen-4.17-arm64" \
	>"$work/out" 2>"$work/err" || fail "Xen: $(head -n 3 "$work/err")"
for word in 'Extensions: .*GICv3-SysReg' 'GICv3: CPU0: Found redistributor' 'LOADING DOMAIN 0' 'Xen 4.17 support found' \
	'CPU: All CPU(s) started at EL1' 'init has slept' 'Hardware Dom0 halted'; do
	grep -q "$word" "$work/out" || fail "no '$word': $(tail -n 3 "$work/out")"
done
finish
