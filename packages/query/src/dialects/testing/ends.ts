import type { Domain, TextDomain } from "../../expressions/domain.ts";
import type { Expression } from "../../expressions/expression.ts";
import type { Operator } from "../../expressions/operator.ts";
import type { Call } from "../dialect.ts";

/* Operands at the ends of what doubles and texts of numbers can be, and expressions over them. */

export const unbounded: Domain = {
  type: "number",
  bounds: null,
  integer: false,
  nullable: true,
  values: null,
};
export const anyText: TextDomain = { type: "text", nullable: true, values: null, maxLength: 4096 };

const least = 5e-324;
const ends = [
  0,
  least,
  2 * least,
  3 * least,
  2 ** -1022,
  2 ** -1022 - least,
  2 ** -1022 * 1.5,
  2 ** -538,
  2 ** -537,
  2 ** -537 * 1.25,
  2 ** -536,
  1e-160,
  1e-100,
  2 ** -52,
  0.1,
  0.3,
  0.49999999999999994,
  0.5,
  0.9999999999999999,
  1,
  1.0000000000000002,
  1.5,
  2.5,
  3,
  7,
  700,
  709.7,
  710,
  745,
  746,
  1e15,
  2 ** 52 - 0.5,
  2 ** 53,
  2 ** 53 + 2,
  2 ** 63,
  1e100,
  2 ** 511,
  2 ** 512,
  2 ** 512 * 1.5,
  1e200,
  2 ** 1022,
  2 ** 1023,
  2 ** 1023 * 1.5,
  Number.MAX_VALUE / 2,
  Number.MAX_VALUE * (1 - 2 ** -53),
  Number.MAX_VALUE,
];
export const numbers: readonly (number | null)[] = [null, ...ends, ...ends.map((x) => -x)];

export const texts: readonly (string | null)[] = [
  ...[
    null,
    "",
    " ",
    "1",
    " 1",
    "+1",
    "-1.5",
    ".5",
    "5.",
    ".",
    "e5",
    "1e5",
    "1E-5",
    "1e400",
    "1e-400",
    "-1e-400",
  ],
  ...[
    "1e999",
    "-1e999",
    "1e-999",
    "0e999",
    "1e1000",
    "0x10",
    "1_0",
    "nan",
    "inf",
    "Infinity",
    "١",
    "1\n",
    "\ufeff1",
  ],
  ...[
    "9".repeat(300),
    "9".repeat(301),
    `${"9".repeat(300)}e99`,
    `.${"0".repeat(299)}1`,
    `.${"0".repeat(300)}1`,
  ],
  ...[
    `${"1".repeat(300)}.${"1".repeat(300)}e-300`,
    `${"0".repeat(301)}`,
    "4.9e-324",
    "2.4e-324",
    "1.7976931348623159e308",
  ],
];

export const column = (name: string): Expression => ({
  kind: "column",
  name,
  domain: name === "t" ? anyText : unbounded,
});
/** An operand that is no bare column, so that it is bound to a name of its own. */
export const computed = (name: string): Expression => call("negate", call("negate", column(name)));
export const literal = (value: number): Expression => ({
  kind: "literal",
  value,
  domain: {
    type: "number",
    bounds: [value, value],
    integer: Number.isSafeInteger(value),
    nullable: false,
    values: [value],
  },
});
export const call = (operator: Operator, ...args: Expression[]): Call => ({
  kind: "call",
  operator,
  args,
  domain: operator === "to-number" || operator === "to-integer" ? unbounded : { ...unbounded },
});

/** Compares results; 0 for operators that every engine computes alike, else the largest relative difference. */
export function isClose(found: number | null, due: number | null, tolerance: number): boolean {
  if (found === due) return true;
  if (tolerance === 0) return false;
  // Next to where a power overflows, libraries may disagree about whether it does.
  if (found === null || due === null) return Math.abs(found ?? due!) > 1.79e308;
  return Math.abs(found - due) <= tolerance * Math.abs(due) + least;
}
