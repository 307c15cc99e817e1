/*
 * Which texts are numbers and truths, in every dialect alike: the blanks of ASCII may stand around them and none of Unicode's; no digits in
 * groups (1_000), no other bases. Longer texts are neither: what it costs to look has a bound.
 */

/** The blanks that may stand around a number or a truth. */
export const blanks = " \t\n\r\f\v";

/** Bytes of the longest text that may be a number. */
export const longestNumber = 1000;

/** Bytes of the longest text that may be a truth. */
export const longestTruth = 100;

/** The spellings of a truth, in small letters. */
export const truths: readonly string[] = ["true", "t", "yes", "1"];
export const falsehoods: readonly string[] = ["false", "f", "no", "0"];
