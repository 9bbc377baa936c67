/* SPDX-License-Identifier: MIT */
/*
 * Traits of instructions: encodings as llvm-mc makes them, each with the event classes that follow from the
 * manual's index of instructions (DDI0487 C4, DDI0406C A5, A6).
 */
#include "../test.h"
#include "isa/classify.h"

#define T(x)  (1u << APMU_TRAIT_##x)
#define TYPES (~(uint64_t)0 << APMU_TRAIT_FP_HALF) /* test_classify_format.c has those */

/* clang-format off */
static const struct {
	enum apmu_isa__isa isa;
	uint32_t word;
	unsigned size;
	uint32_t traits;
	const char *text;
} cases[] = {
	{APMU_ISA__A64, 0xD4000001, 4, T(SVC), "svc #0"},
	{APMU_ISA__A64, 0xD4000002, 4, 0, "hvc #0"},
	{APMU_ISA__A64, 0xD4200020, 4, 0, "brk #1"},
	{APMU_ISA__A64, 0xD503201F, 4, 0, "nop"},
	{APMU_ISA__A64, 0xD503229F, 4, T(CSDB), "hint #20"},
	{APMU_ISA__A64, 0xD5033F9F, 4, T(DSB), "dsb sy"},
	{APMU_ISA__A64, 0xD5033B9F, 4, T(DSB), "dsb ish"},
	{APMU_ISA__A64, 0xD5033BBF, 4, T(DMB), "dmb ish"},
	{APMU_ISA__A64, 0xD50331BF, 4, T(DMB), "dmb oshld"},
	{APMU_ISA__A64, 0xD5033FDF, 4, T(ISB), "isb"},
	{APMU_ISA__A64, 0xD5033F5F, 4, 0, "clrex"},
	{APMU_ISA__A64, 0xD53BD040, 4, 0, "mrs x0, tpidr_el0"},
	{APMU_ISA__A64, 0xD50B7425, 4, T(ZVA), "dc zva, x5"},
	{APMU_ISA__A64, 0xD50B7B25, 4, 0, "dc cvau, x5"},
	{APMU_ISA__A64, 0x8B020020, 4, T(DP), "add x0, x1, x2"},
	{APMU_ISA__A64, 0xD2800020, 4, T(DP), "movz x0, #1"},
	{APMU_ISA__A64, 0x9B020C20, 4, T(DP), "madd x0, x1, x2, x3"},
	{APMU_ISA__A64, 0x1AC20C20, 4, T(DP), "sdiv w0, w1, w2"},
	{APMU_ISA__A64, 0x9BC27C20, 4, T(DP), "umulh x0, x1, x2"},
	{APMU_ISA__A64, 0x9A820020, 4, T(DP), "csel x0, x1, x2, eq"},
	{APMU_ISA__A64, 0x90000000, 4, T(DP), "adrp x0, #0"},
	{APMU_ISA__A64, 0x9AC24C20, 4, T(DP), "crc32x w0, w1, x2"},
	{APMU_ISA__A64, 0x14000004, 4, 0, "b #16"},
	{APMU_ISA__A64, 0xD65F03C0, 4, 0, "ret"},
	{APMU_ISA__A64, 0xD61F0060, 4, 0, "br x3"},
	{APMU_ISA__A64, 0xF9400020, 4, 0, "ldr x0, [x1]"},
	{APMU_ISA__A64, 0x3DC00020, 4, 0, "ldr q0, [x1]"},
	{APMU_ISA__A64, 0xF9800020, 4, T(PRELOAD), "prfm pldl1keep, [x1]"},
	{APMU_ISA__A64, 0xF9800028, 4, T(PRELOAD) | T(PLI), "prfm plil1keep, [x1]"},
	{APMU_ISA__A64, 0xC85F7C20, 4, T(LDREX), "ldxr x0, [x1]"},
	{APMU_ISA__A64, 0x885FFC20, 4, T(LDREX) | T(LDACQ), "ldaxr w0, [x1]"},
	{APMU_ISA__A64, 0x085FFC20, 4, T(LDREX) | T(LDACQ), "ldaxrb w0, [x1]"},
	{APMU_ISA__A64, 0xC87F0820, 4, T(LDREX), "ldxp x0, x2, [x1]"},
	{APMU_ISA__A64, 0xC87F8820, 4, T(LDREX) | T(LDACQ), "ldaxp x0, x2, [x1]"},
	{APMU_ISA__A64, 0xC8007C22, 4, T(STREX), "stxr w0, x2, [x1]"},
	{APMU_ISA__A64, 0xC800FC22, 4, T(STREX) | T(STREL), "stlxr w0, x2, [x1]"},
	{APMU_ISA__A64, 0xC8200C22, 4, T(STREX), "stxp w0, x2, x3, [x1]"},
	{APMU_ISA__A64, 0xC8208C22, 4, T(STREX) | T(STREL), "stlxp w0, x2, x3, [x1]"},
	{APMU_ISA__A64, 0xC8DFFC20, 4, T(LDACQ), "ldar x0, [x1]"},
	{APMU_ISA__A64, 0x08DFFC20, 4, T(LDACQ), "ldarb w0, [x1]"},
	{APMU_ISA__A64, 0xC89FFC20, 4, T(STREL), "stlr x0, [x1]"},
	{APMU_ISA__A64, 0xF8BFC020, 4, T(LDACQ), "ldapr x0, [x1]"},
	{APMU_ISA__A64, 0xD9008020, 4, T(STREL), "stlur x0, [x1, #8]"},
	{APMU_ISA__A64, 0xD9408020, 4, T(LDACQ), "ldapur x0, [x1, #8]"},
	{APMU_ISA__A64, 0xF8200022, 4, T(LSE), "ldadd x0, x2, [x1]"},
	{APMU_ISA__A64, 0xF8A00022, 4, T(LSE) | T(LDACQ), "ldadda x0, x2, [x1]"},
	{APMU_ISA__A64, 0xF8600022, 4, T(LSE) | T(STREL), "ldaddl x0, x2, [x1]"},
	{APMU_ISA__A64, 0xF8E00022, 4, T(LSE) | T(LDACQ) | T(STREL), "ldaddal x0, x2, [x1]"},
	{APMU_ISA__A64, 0xB8E08022, 4, T(LSE) | T(LDACQ) | T(STREL), "swpal w0, w2, [x1]"},
	{APMU_ISA__A64, 0xC8A07C22, 4, T(LSE) | T(CAS), "cas x0, x2, [x1]"},
	{APMU_ISA__A64, 0xC8E07C22, 4, T(LSE) | T(CAS) | T(LDACQ), "casa x0, x2, [x1]"},
	{APMU_ISA__A64, 0xC8A0FC22, 4, T(LSE) | T(CAS) | T(STREL), "casl x0, x2, [x1]"},
	{APMU_ISA__A64, 0x88E0FC22, 4, T(LSE) | T(CAS) | T(LDACQ) | T(STREL), "casal w0, w2, [x1]"},
	{APMU_ISA__A64, 0x48207C82, 4, T(LSE) | T(CAS), "casp x0, x1, x2, x3, [x4]"},
	{APMU_ISA__A64, 0x4860FC82, 4, T(LSE) | T(CAS) | T(LDACQ) | T(STREL), "caspal x0, x1, x2, x3, [x4]"},
	{APMU_ISA__A64, 0x1E622820, 4, T(VFP), "fadd d0, d1, d2"},
	{APMU_ISA__A64, 0x1E221820, 4, T(VFP), "fdiv s0, s1, s2"},
	{APMU_ISA__A64, 0x1E61C020, 4, T(VFP), "fsqrt d0, d1"},
	{APMU_ISA__A64, 0x1F420C20, 4, T(VFP), "fmadd d0, d1, d2, d3"},
	{APMU_ISA__A64, 0x9E780020, 4, T(VFP), "fcvtzs x0, d1"},
	{APMU_ISA__A64, 0x9E660020, 4, T(VFP), "fmov x0, d1"},
	{APMU_ISA__A64, 0x1E612000, 4, T(VFP), "fcmp d0, d1"},
	{APMU_ISA__A64, 0x4E62D420, 4, T(ASE), "fadd v0.2d, v1.2d, v2.2d"},
	{APMU_ISA__A64, 0x6E22FC20, 4, T(ASE), "fdiv v0.4s, v1.4s, v2.4s"},
	{APMU_ISA__A64, 0x6EA1F820, 4, T(ASE), "fsqrt v0.4s, v1.4s"},
	{APMU_ISA__A64, 0x4E228420, 4, T(ASE), "add v0.16b, v1.16b, v2.16b"},
	{APMU_ISA__A64, 0x4EA29C20, 4, T(ASE), "mul v0.4s, v1.4s, v2.4s"},
	{APMU_ISA__A64, 0x4E040C20, 4, T(ASE), "dup v0.4s, w1"},
	{APMU_ISA__A64, 0x4E020020, 4, T(ASE), "tbl v0.16b, {v1.16b}, v2.16b"},
	{APMU_ISA__A64, 0x6F00E400, 4, T(ASE), "movi v0.2d, #0"},
	{APMU_ISA__A64, 0x5E0C0420, 4, T(ASE), "mov s0, v1.s[1]"},
	{APMU_ISA__A64, 0x0EE2E020, 4, T(ASE), "pmull v0.1q, v1.1d, v2.1d"},
	{APMU_ISA__A64, 0x4E829420, 4, T(ASE), "sdot v0.4s, v1.16b, v2.16b"},
	{APMU_ISA__A64, 0x4E284820, 4, T(CRYPTO), "aese v0.16b, v1.16b"},
	{APMU_ISA__A64, 0x4E285820, 4, T(CRYPTO), "aesd v0.16b, v1.16b"},
	{APMU_ISA__A64, 0x4E286820, 4, T(CRYPTO), "aesmc v0.16b, v1.16b"},
	{APMU_ISA__A64, 0x4E287820, 4, T(CRYPTO), "aesimc v0.16b, v1.16b"},
	{APMU_ISA__A64, 0x5E020020, 4, T(CRYPTO), "sha1c q0, s1, v2.4s"},
	{APMU_ISA__A64, 0x5E280820, 4, T(CRYPTO), "sha1h s0, s1"},
	{APMU_ISA__A64, 0x5E023020, 4, T(CRYPTO), "sha1su0 v0.4s, v1.4s, v2.4s"},
	{APMU_ISA__A64, 0x5E281820, 4, T(CRYPTO), "sha1su1 v0.4s, v1.4s"},
	{APMU_ISA__A64, 0x5E024020, 4, T(CRYPTO), "sha256h q0, q1, v2.4s"},
	{APMU_ISA__A64, 0x5E282820, 4, T(CRYPTO), "sha256su0 v0.4s, v1.4s"},
	{APMU_ISA__A64, 0x5E026020, 4, T(CRYPTO), "sha256su1 v0.4s, v1.4s, v2.4s"},
	{APMU_ISA__A64, 0xCE628020, 4, T(CRYPTO), "sha512h q0, q1, v2.2d"},
	{APMU_ISA__A64, 0xCEC08020, 4, T(CRYPTO), "sha512su0 v0.2d, v1.2d"},
	{APMU_ISA__A64, 0xCE628820, 4, T(CRYPTO), "sha512su1 v0.2d, v1.2d, v2.2d"},
	{APMU_ISA__A64, 0xCE020C20, 4, T(CRYPTO), "eor3 v0.16b, v1.16b, v2.16b, v3.16b"},
	{APMU_ISA__A64, 0xCE220C20, 4, T(CRYPTO), "bcax v0.16b, v1.16b, v2.16b, v3.16b"},
	{APMU_ISA__A64, 0xCE628C20, 4, T(CRYPTO), "rax1 v0.2d, v1.2d, v2.2d"},
	{APMU_ISA__A64, 0xCE820C20, 4, T(CRYPTO), "xar v0.2d, v1.2d, v2.2d, #3"},
	{APMU_ISA__A64, 0xCE420C20, 4, T(CRYPTO), "sm3ss1 v0.4s, v1.4s, v2.4s, v3.4s"},
	{APMU_ISA__A64, 0xCE429020, 4, T(CRYPTO), "sm3tt1a v0.4s, v1.4s, v2.s[1]"},
	{APMU_ISA__A64, 0xCE62C020, 4, T(CRYPTO), "sm3partw1 v0.4s, v1.4s, v2.4s"},
	{APMU_ISA__A64, 0xCEC08420, 4, T(CRYPTO), "sm4e v0.4s, v1.4s"},
	{APMU_ISA__A64, 0xCE62C820, 4, T(CRYPTO), "sm4ekey v0.4s, v1.4s, v2.4s"},
	{APMU_ISA__A64, 0x04A20020, 4, T(SVE), "add z0.s, z1.s, z2.s"},
	{APMU_ISA__A64, 0x65E20020, 4, T(SVE), "fmla z0.d, p0/m, z1.d, z2.d"},
	{APMU_ISA__A64, 0x25A11400, 4, T(SVE), "whilelt p0.s, x0, x1"},
	{APMU_ISA__A64, 0x2518E3E0, 4, T(SVE), "ptrue p0.b"},
	{APMU_ISA__A64, 0xA540A020, 4, T(SVE), "ld1w {z0.s}, p0/z, [x1]"},
	{APMU_ISA__A64, 0xE5E0E020, 4, T(SVE), "st1d {z0.d}, p0, [x1]"},
	{APMU_ISA__A64, 0x85804020, 4, T(SVE), "ldr z0, [x1]"},
	{APMU_ISA__A32, 0xEF000000, 4, T(SVC), "svc #0"},
	{APMU_ISA__A32, 0xE1200070, 4, 0, "bkpt #0"},
	{APMU_ISA__A32, 0xE0810002, 4, T(DP), "add r0, r1, r2"},
	{APMU_ISA__A32, 0xE3000001, 4, T(DP), "movw r0, #1"},
	{APMU_ISA__A32, 0xE0203291, 4, T(DP), "mla r0, r1, r2, r3"},
	{APMU_ISA__A32, 0xE0E10392, 4, T(DP), "smlal r0, r1, r2, r3"},
	{APMU_ISA__A32, 0xE710F211, 4, T(DP), "sdiv r0, r1, r2"},
	{APMU_ISA__A32, 0xE1A0F001, 4, 0, "mov pc, r1"},
	{APMU_ISA__A32, 0xE16F0F11, 4, T(DP), "clz r0, r1"},
	{APMU_ISA__A32, 0xE320F014, 4, T(CSDB), "hint #20"},
	{APMU_ISA__A32, 0xE320F000, 4, 0, "nop"},
	{APMU_ISA__A32, 0xF57FF04F, 4, T(DSB), "dsb sy"},
	{APMU_ISA__A32, 0xF57FF05B, 4, T(DMB), "dmb ish"},
	{APMU_ISA__A32, 0xF57FF06F, 4, T(ISB), "isb sy"},
	{APMU_ISA__A32, 0xF57FF01F, 4, 0, "clrex"},
	{APMU_ISA__A32, 0xEE070F9A, 4, T(DSB), "mcr p15, #0, r0, c7, c10, #4"},
	{APMU_ISA__A32, 0xEE070FBA, 4, T(DMB), "mcr p15, #0, r0, c7, c10, #5"},
	{APMU_ISA__A32, 0xEE070F95, 4, T(ISB), "mcr p15, #0, r0, c7, c5, #4"},
	{APMU_ISA__A32, 0xE1910F9F, 4, T(LDREX), "ldrex r0, [r1]"},
	{APMU_ISA__A32, 0xE1B20F9F, 4, T(LDREX), "ldrexd r0, r1, [r2]"},
	{APMU_ISA__A32, 0xE1D10F9F, 4, T(LDREX), "ldrexb r0, [r1]"},
	{APMU_ISA__A32, 0xE1910E9F, 4, T(LDREX) | T(LDACQ), "ldaex r0, [r1]"},
	{APMU_ISA__A32, 0xE1B20E9F, 4, T(LDREX) | T(LDACQ), "ldaexd r0, r1, [r2]"},
	{APMU_ISA__A32, 0xE1910C9F, 4, T(LDACQ), "lda r0, [r1]"},
	{APMU_ISA__A32, 0xE1D10C9F, 4, T(LDACQ), "ldab r0, [r1]"},
	{APMU_ISA__A32, 0xE1F10C9F, 4, T(LDACQ), "ldah r0, [r1]"},
	{APMU_ISA__A32, 0xE1810F92, 4, T(STREX), "strex r0, r2, [r1]"},
	{APMU_ISA__A32, 0xE1A10F92, 4, T(STREX), "strexd r0, r2, r3, [r1]"},
	{APMU_ISA__A32, 0xE1810E92, 4, T(STREX) | T(STREL), "stlex r0, r2, [r1]"},
	{APMU_ISA__A32, 0xE1C10E92, 4, T(STREX) | T(STREL), "stlexb r0, r2, [r1]"},
	{APMU_ISA__A32, 0xE181FC92, 4, T(STREL), "stl r2, [r1]"},
	{APMU_ISA__A32, 0xE1E1FC92, 4, T(STREL), "stlh r2, [r1]"},
	{APMU_ISA__A32, 0xF5D0F000, 4, T(PRELOAD), "pld [r0]"},
	{APMU_ISA__A32, 0xF4D0F000, 4, T(PRELOAD) | T(PLI), "pli [r0]"},
	{APMU_ISA__A32, 0xE5910000, 4, 0, "ldr r0, [r1]"},
	{APMU_ISA__A32, 0xEE310B02, 4, T(VFP), "vadd.f64 d0, d1, d2"},
	{APMU_ISA__A32, 0xEE800A81, 4, T(VFP), "vdiv.f32 s0, s1, s2"},
	{APMU_ISA__A32, 0xEEB10BC1, 4, T(VFP), "vsqrt.f64 d0, d1"},
	{APMU_ISA__A32, 0xEE100A90, 4, T(VFP), "vmov r0, s1"},
	{APMU_ISA__A32, 0xEEBD0BC1, 4, T(VFP), "vcvt.s32.f64 s0, d1"},
	{APMU_ISA__A32, 0xEEF1FA10, 4, T(VFP), "vmrs apsr_nzcv, fpscr"},
	{APMU_ISA__A32, 0xED900B00, 4, 0, "vldr d0, [r0]"},
	{APMU_ISA__A32, 0xF2220844, 4, T(ASE), "vadd.i32 q0, q1, q2"},
	{APMU_ISA__A32, 0xF3010D12, 4, T(ASE), "vmul.f32 d0, d1, d2"},
	{APMU_ISA__A32, 0xF3E281C2, 4, T(ASE), "vmla.f32 q12, q9, d2[0]"},
	{APMU_ISA__A32, 0xF2D28AEA, 4, T(ASE), "vmull.s16 q12, d18, d2[3]"},
	{APMU_ISA__A32, 0xF2A10E02, 4, T(ASE), "vmull.p64 q0, d1, d2"},
	{APMU_ISA__A32, 0xF2020C54, 4, T(ASE), "vfma.f32 q0, q1, q2"},
	{APMU_ISA__A32, 0xF3220B54, 4, T(ASE), "vqrdmlah.s32 q0, q1, q2"},
	{APMU_ISA__A32, 0xF3B00042, 4, T(ASE), "vrev64.8 q0, q1"},
	{APMU_ISA__A32, 0xF3B00501, 4, T(ASE), "vcnt.8 d0, d1"},
	{APMU_ISA__A32, 0xF3B40C41, 4, T(ASE), "vdup.32 q0, d1[0]"},
	{APMU_ISA__A32, 0xF3B00302, 4, T(CRYPTO), "aese.8 q0, q1"},
	{APMU_ISA__A32, 0xF3B00342, 4, T(CRYPTO), "aesd.8 q0, q1"},
	{APMU_ISA__A32, 0xF3B00382, 4, T(CRYPTO), "aesmc.8 q0, q1"},
	{APMU_ISA__A32, 0xF3B003C2, 4, T(CRYPTO), "aesimc.8 q0, q1"},
	{APMU_ISA__A32, 0xF2020C44, 4, T(CRYPTO), "sha1c.32 q0, q1, q2"},
	{APMU_ISA__A32, 0xF3B902C2, 4, T(CRYPTO), "sha1h.32 q0, q1"},
	{APMU_ISA__A32, 0xF2320C44, 4, T(CRYPTO), "sha1su0.32 q0, q1, q2"},
	{APMU_ISA__A32, 0xF3BA0382, 4, T(CRYPTO), "sha1su1.32 q0, q1"},
	{APMU_ISA__A32, 0xF3020C44, 4, T(CRYPTO), "sha256h.32 q0, q1, q2"},
	{APMU_ISA__A32, 0xF3BA03C2, 4, T(CRYPTO), "sha256su0.32 q0, q1"},
	{APMU_ISA__A32, 0xF3220C44, 4, T(CRYPTO), "sha256su1.32 q0, q1, q2"},
	{APMU_ISA__A32, 0xE1010092, 4, T(LSE), "swp r0, r2, [r1]"},
	{APMU_ISA__T32, 0xDF00, 2, T(SVC), "svc #0"},
	{APMU_ISA__T32, 0xBE00, 2, 0, "bkpt #0"},
	{APMU_ISA__T32, 0xEB010002, 4, T(DP), "add r0, r1, r2"},
	{APMU_ISA__T32, 0xF2400001, 4, T(DP), "movw r0, #1"},
	{APMU_ISA__T32, 0xFB013002, 4, T(DP), "mla r0, r1, r2, r3"},
	{APMU_ISA__T32, 0xFBC20103, 4, T(DP), "smlal r0, r1, r2, r3"},
	{APMU_ISA__T32, 0xFB91F0F2, 4, T(DP), "sdiv r0, r1, r2"},
	{APMU_ISA__T32, 0x468F, 2, 0, "mov pc, r1"},
	{APMU_ISA__T32, 0xFAB1F081, 4, T(DP), "clz r0, r1"},
	{APMU_ISA__T32, 0xF3AF8014, 4, T(CSDB), "hint #20"},
	{APMU_ISA__T32, 0xBF00, 2, 0, "nop"},
	{APMU_ISA__T32, 0xF3BF8F4F, 4, T(DSB), "dsb sy"},
	{APMU_ISA__T32, 0xF3BF8F5B, 4, T(DMB), "dmb ish"},
	{APMU_ISA__T32, 0xF3BF8F6F, 4, T(ISB), "isb sy"},
	{APMU_ISA__T32, 0xF3BF8F2F, 4, 0, "clrex"},
	{APMU_ISA__T32, 0xE8510F00, 4, T(LDREX), "ldrex r0, [r1]"},
	{APMU_ISA__T32, 0xE8D2017F, 4, T(LDREX), "ldrexd r0, r1, [r2]"},
	{APMU_ISA__T32, 0xE8D10F4F, 4, T(LDREX), "ldrexb r0, [r1]"},
	{APMU_ISA__T32, 0xE8D10FEF, 4, T(LDREX) | T(LDACQ), "ldaex r0, [r1]"},
	{APMU_ISA__T32, 0xE8D201FF, 4, T(LDREX) | T(LDACQ), "ldaexd r0, r1, [r2]"},
	{APMU_ISA__T32, 0xE8D10FAF, 4, T(LDACQ), "lda r0, [r1]"},
	{APMU_ISA__T32, 0xE8D10F8F, 4, T(LDACQ), "ldab r0, [r1]"},
	{APMU_ISA__T32, 0xE8D10F9F, 4, T(LDACQ), "ldah r0, [r1]"},
	{APMU_ISA__T32, 0xE8412000, 4, T(STREX), "strex r0, r2, [r1]"},
	{APMU_ISA__T32, 0xE8C12370, 4, T(STREX), "strexd r0, r2, r3, [r1]"},
	{APMU_ISA__T32, 0xE8C12FE0, 4, T(STREX) | T(STREL), "stlex r0, r2, [r1]"},
	{APMU_ISA__T32, 0xE8C12FC0, 4, T(STREX) | T(STREL), "stlexb r0, r2, [r1]"},
	{APMU_ISA__T32, 0xE8C12FAF, 4, T(STREL), "stl r2, [r1]"},
	{APMU_ISA__T32, 0xE8C12F9F, 4, T(STREL), "stlh r2, [r1]"},
	{APMU_ISA__T32, 0xF890F000, 4, T(PRELOAD), "pld [r0]"},
	{APMU_ISA__T32, 0xF990F000, 4, T(PRELOAD) | T(PLI), "pli [r0]"},
	{APMU_ISA__T32, 0x6808, 2, 0, "ldr r0, [r1]"},
};
/* clang-format on */

static void expect(enum apmu_isa__isa isa, uint32_t word, size_t i)
{
	struct apmu_isa__stream stream = {.isa = (uint8_t)isa};
	struct apmu_insn got;

	if (!apmu_isa__classify(&stream, 0x10000, word, cases[i].size, &got) ||
	    (got.traits & ~TYPES) != cases[i].traits)
		fail_msg("%s, %08x: traits %#llx, not %#x", cases[i].text, word,
			 (unsigned long long)got.traits, cases[i].traits);
}

TEST(each_instruction_has_the_traits_of_its_kind_and_no_others)
{
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		expect(cases[i].isa, cases[i].word, i);
}

/* DDI0406C A5.6, A6.3.18, A7.4: coprocessor instructions are the same words in T32; Advanced SIMD data
 * processing has a first byte of 1111001U in A32 and 111U1111 in T32. */
TEST(coprocessor_and_simd_encodings_of_a32_have_the_same_traits_in_t32)
{
	unsigned found = 0;

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		uint32_t word = cases[i].word, top = word >> 24;
		bool simd = top == 0xF2 || top == 0xF3;
		if (cases[i].isa != APMU_ISA__A32 || !(simd || (top >= 0xEC && top <= 0xEE)))
			continue;
		expect(APMU_ISA__T32, simd ? 0xEF000000 | (top & 1) << 28 | (word & 0xFFFFFF) : word, i);
		found++;
	}
	CHECK_EQ(found, 31);
}
