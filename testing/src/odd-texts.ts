import type { Dice } from "./dice.ts";

/*
 * Texts that readers of numbers, truths and times disagree about: blanks of all kinds, digits grouped or of other scripts, literals of
 * other bases, what C, SQL and YAML call infinite or true, exponents beyond every double, digits beyond every limit.
 */

/** ASCII's blanks, Unicode's, and what looks like one or like nothing. */
const blanks = [
  ...[" ", "  ", "\t", "\n", "\r\n", "\f", "\v", "\u0085", "\u00a0", "\u1680", "\u2003", "\u2009", "\u2028"],
  ...[
    "\u202f",
    "\u205f",
    "\u3000",
    "\u200b",
    "\u2060",
    "\ufeff",
    "\u0001",
    "\u001f",
    "\u007f",
    " ".repeat(120),
  ],
];
const truths = [
  "true",
  "t",
  "yes",
  "1",
  "on",
  "y",
  "TRUE",
  "Yes",
  "T",
  "oN",
  "wahr",
  "tru",
  "ye",
  "1.0",
  "01",
];
const falsehoods = [
  "false",
  "f",
  "no",
  "0",
  "off",
  "n",
  "FALSE",
  "No",
  "F",
  "oFF",
  "-0",
  "00",
  "0.0",
  "fals",
];
const words = [
  ...[
    "inf",
    "infinity",
    "Infinity",
    "-inf",
    "+Infinity",
    "-INFINITY",
    "nan",
    "NaN",
    "-nan",
    "NULL",
    "null",
    "none",
  ],
  ...[
    "0x1F",
    "0X1f",
    "-0x10",
    "0o17",
    "0b101",
    "0B1",
    "1e",
    "1e+",
    "e5",
    ".",
    "-",
    "+",
    "",
    "++1",
    "--1",
    "+-1",
  ],
  ...[
    "1d",
    "1f",
    "1L",
    "1.5e3.2",
    "1,000",
    "1 000",
    "1'000",
    "1.000,5",
    "$1",
    "1%",
    "½",
    "１２",
    "٣",
    "१",
    "−1",
    "1e１",
  ],
  ...[
    "1_000",
    "_1",
    "1_",
    "1__0",
    "1_000.5",
    "1.5_5",
    "1e1_0",
    "1_e5",
    "0_1",
    "1._5",
    "1_.5",
    "\u212a",
    "ſ",
    "yeſ",
  ],
];
const exponents = [
  "",
  "",
  "e5",
  "E+5",
  "e-5",
  "e308",
  "e309",
  "e-324",
  "e-400",
  "e400",
  "e00005",
  "e99999",
  "e-99999",
  "e1000000",
];

const chance = (dice: Dice, sides: number): boolean => dice.below(sides) === 0;

function digits(dice: Dice): string {
  const length = chance(dice, 10)
    ? dice.one([255, 300, 301, 400, 997, 999, 1000, 1001, 1100])
    : dice.below(21);
  return Array.from({ length }, () => dice.below(10)).join("");
}

function number(dice: Dice): string {
  const [sign, whole, exponent] = [dice.one(["", "", "-", "+"]), digits(dice), dice.one(exponents)];
  const body = chance(dice, 2) ? `${whole}.${!chance(dice, 3) ? digits(dice) : ""}` : whole;
  const written = `${sign}${body}${exponent}`;
  if (!chance(dice, 4)) return written;
  const at = dice.below(written.length + 1);
  return `${written.slice(0, at)}${dice.one(["_", ...blanks, "x", "."])}${written.slice(at)}`;
}

const day = (dice: Dice): string =>
  `${dice.one(["2020", "1970", "0000", "9999", "20", "02020"])}-${dice.one(["02", "12", "13", "2"])}-${dice.one(["29", "30", "31", "01", "1"])}`;
const clock = (dice: Dice): string =>
  `${dice.one([" ", "T", "t", "  ", "\u00a0"])}${dice.one(["00:00:00", "23:59:59.999999", "24:00:00", "23:59:60", "7:05", "12:30:00.1234567", "12:30"])}`;
const zone = (dice: Dice): string => dice.one(["", "Z", "z", "+00", "+00:00", "-00", "+01", " UTC"]);

/** One such text. PostgreSQL holds no U+0000, so there is none. */
export function oddText(dice: Dice): string {
  const kind = dice.below(10);
  const text =
    kind < 4
      ? number(dice)
      : kind < 6
        ? dice.one([...truths, ...falsehoods])
        : kind < 8
          ? dice.one(words)
          : `${day(dice)}${!chance(dice, 3) ? clock(dice) : ""}${zone(dice)}`;
  const before = chance(dice, 4) ? dice.one(blanks) : "";
  const after = chance(dice, 3) ? dice.one(blanks) : "";
  return `${before}${text}${after}`;
}
