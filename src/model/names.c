/* SPDX-License-Identifier: MIT */
/* Outcomes, lines and notes in words, for hosts that print them. */
#include "model/model.h"

static const char *const outcomes[] = {
	[APMU_DONE] = "done",
	[APMU_UNDEFINED] = "Undefined",
	[APMU_TRAP_EL1] = "trapped to EL1",
	[APMU_TRAP_EL2] = "trapped to EL2",
	[APMU_TRAP_EL3] = "trapped to EL3",
};

static const char *const lines[APMU_LINES] = {
	[APMU_LINE_IRQ] = "PMUIRQ",
	[APMU_LINE_FIQ] = "PMUFIQ",
	[APMU_LINE_PROFILING] = "PMU Profiling exception",
	[APMU_LINE_TRIGGER] = "trigger to CTI and ETE",
	[APMU_LINE_DEBUG] = "External Debug Request",
	[APMU_LINE_BRBE] = "Branch Record Buffer freeze",
};

static const char *const notes[APMU_NOTES] = {
	[APMU_NOTE_RESERVED_BITS] = "reserved bits written as 1",
	[APMU_NOTE_RESERVED_EVENT] = "an event number that this core lacks",
	[APMU_NOTE_SELECT_WHILE_ON] = "an event selected while counters are enabled",
	[APMU_NOTE_EXPORT_UNHEARD] = "events exported to nobody",
	[APMU_NOTE_ABSENT_COUNTER] = "a counter that is not there",
	[APMU_NOTE_HPMN_RANGE] = "HPMN is 0 or more than there are counters",
	[APMU_NOTE_NOT_SOFTWARE] = "a software increment of a counter of another event",
};

#define TEXT(of, i) ((size_t)(i) < sizeof(of) / sizeof((of)[0]) && (of)[i] ? (of)[i] : "unknown")

const char *apmu_outcome_text(enum apmu_outcome outcome)
{
	return TEXT(outcomes, outcome);
}

const char *apmu_line_text(enum apmu_line line)
{
	return TEXT(lines, line);
}

const char *apmu_note_text(enum apmu_note note)
{
	return TEXT(notes, note);
}
