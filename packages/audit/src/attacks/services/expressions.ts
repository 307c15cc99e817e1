import { elementAt } from "@lethe/core/numeric";

/** Values that only the person in question has: a number where each expression breaks, and a text that must never come back. */
export const canary = { number: 31337, text: "kanarienvogel-31337" } as const;

const n = canary.number;

/** Numeric expressions that raise, overflow or turn into NaN or infinity for the one person, in one database or another. */
const atoms = [
  `1 / (x - ${n})`,
  `1.0 / (x - ${n})`,
  `10 % (x - ${n})`,
  `LN(${n} - x)`,
  `LN(x - ${n})`,
  `SQRT(${n - 1} - x)`,
  "EXP(x)",
  "EXP(EXP(x))",
  "POWER(x, 300)",
  `POWER(x - ${n}, -1)`,
  `POWER(${n - 1} - x, 0.5)`,
  "x * 1e305 * 1e305",
  "x * 9223372036854775807",
  "x * x * x * x * x * x",
  "CAST(x * 1000000000000000 AS INTEGER)",
  "CAST(name AS INTEGER)",
  "CAST(name AS DOUBLE PRECISION)",
  "LENGTH(name)",
  `ABS(x) / (x - ${n})`,
  `LN(LENGTH(name) - ${canary.text.length})`,
  `CASE WHEN name = '${canary.text}' THEN 1 / (x - ${n}) ELSE 1 END`,
  `CASE WHEN x = ${n} THEN CAST(name AS INTEGER) ELSE 0 END`,
  `COALESCE(1 / (x - ${n}), 7)`,
  `NULLIF(x, ${n}) / (x - ${n})`,
  "LENGTH(SUBSTR(name, CAST(x AS INTEGER)))",
  "LENGTH(REPLACE(name, '', name))",
  `POSITION('${canary.text}' IN name) / (x - ${n})`,
  `FLOOR(1e300 / (x - ${n}))`,
  `ROUND(x / (x - ${n}), 2)`,
  `SIGN(x - ${n}) / (x - ${n})`,
];

const around: readonly ((e: string, f: string) => string)[] = [
  (e) => e,
  (e, f) => `(${e}) + (${f})`,
  (e, f) => `(${e}) * (${f})`,
  (e, f) => `(${e}) / (${f})`,
  (e) => `-(${e})`,
  (e) => `ABS(${e})`,
  (e, f) => `COALESCE(${e}, ${f})`,
  (e, f) => `CASE WHEN (${e}) > 0 THEN (${f}) ELSE (${e}) END`,
  (e, f) => `GREATEST(${e}, ${f})`,
  (e) => `CAST(${e} AS INTEGER)`,
];

const shapes: readonly ((e: string) => string)[] = [
  (e) => `SELECT SUM(GREATEST(-100, LEAST(100, ${e}))) AS n FROM people`,
  (e) => `SELECT COUNT(*) AS n FROM people WHERE ${e} > 1`,
  (e) => `SELECT COUNT(${e}) AS n FROM people`,
  (e) => `SELECT AVG(GREATEST(0, LEAST(10, ${e}))) AS n FROM people WHERE x > 5`,
  (e) => `SELECT team, COUNT(*) AS n FROM people WHERE NOT (${e} < 0) GROUP BY team`,
];

/** Returns the member whose turn it is, where a list is gone through again and again. */
const turnOf = <T extends string | object>(list: readonly T[], turn: number): T =>
  elementAt(list, turn % list.length);

/** `count` questions, each another one, of which each holds an expression that somebody's database cannot compute for one person. */
export function errorQuestions(count: number): readonly string[] {
  const made = new Set<string>();
  for (let at = 0; made.size < count && at < 100 * count; at += 1) {
    const first = turnOf(atoms, at);
    const second = turnOf(atoms, at * 7 + Math.floor(at / atoms.length));
    const wrap = turnOf(around, Math.floor(at / atoms.length));
    const shape = turnOf(shapes, Math.floor(at / (atoms.length * around.length) + at));
    made.add(shape(wrap(first, second)));
  }
  return [...made];
}
