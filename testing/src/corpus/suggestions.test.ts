import { LetheError } from "@lethe/core";
import { one } from "@lethe/core/numeric";
import {
  type Policy,
  parseQuestion,
  planQuestion,
  policyHash,
  readPolicy,
  resolveQuestion,
} from "@lethe/query";
import { describe, expect, it } from "vitest";
import { Dice } from "../dice.ts";
import { goldenPolicies } from "../golden-questions.ts";

/*
 * Refused questions of every form: whatever a refusal suggests is accepted, and either asks the same or says in what it does not. SUGGESTIONS=3000 makes more of them.
 */

const many = Number(process.env.SUGGESTIONS ?? 400);
const firstSeed = Number(process.env.SUGGESTIONS_SEED ?? 1);
const policy = readPolicy(goldenPolicies.shop);

/** What a question asks, each part as it is written, and what of it no answer is given to. */
interface Asked {
  readonly text: string;
  readonly conditions: number;
  readonly clauses: readonly string[];
}

const froms = [
  { sql: "people", columns: ["age"], keys: ["town"] },
  { sql: "people AS p", columns: ["p.age"], keys: ["p.town", "town"] },
  { sql: "public.people", columns: ["age"], keys: ["town"] },
  { sql: "visits v", columns: ["v.cost", "cost"], keys: ["v.ward"] },
  { sql: "people JOIN visits ON id = person_id", columns: ["age", "cost"], keys: ["town", "ward"] },
  {
    sql: "visits v LEFT JOIN items i ON v.visit_id = i.visit_id",
    columns: ["v.cost", "i.price"],
    keys: ["ward", "i.code"],
  },
  {
    sql: "items i JOIN codes c ON c.code = i.code",
    columns: ["price", "c.weight"],
    keys: ["c.kind", "kind"],
  },
  { sql: "items JOIN codes USING (code)", columns: ["price", "weight"], keys: ["kind", "code"] },
  { sql: "items i, visits v", columns: ["i.price", "v.cost"], keys: ["ward"] },
  { sql: "guests g JOIN codes c ON c.code = g.code", columns: ["g.fee", "c.weight"], keys: ["c.kind"] },
  { sql: "(SELECT person_id, cost, ward FROM visits WHERE cost > 1) t", columns: ["cost"], keys: ["ward"] },
  { sql: "nowhere n JOIN people p ON p.town = n.town", columns: ["p.age"], keys: ["p.town"] },
] as const;

/** What makes a question one that is refused. */
const spoilt = [
  { list: "FIRST(?)", clause: "" },
  { list: "BIT_OR(?)", clause: "" },
  { list: "ROUND(STRING_AGG(?, ','), 2)", clause: "" },
  { list: "SUM(? ORDER BY 1)", clause: "" },
  { list: "AVG(?) OVER (PARTITION BY nothing)", clause: "" },
  { list: "COUNT(DISTINCT ?, 1)", clause: "" },
  { list: "AVG(?, 3)", clause: "" },
  { list: "MODE(DISTINCT ?)", clause: "" },
  { list: "nothing_of(?)", clause: "" },
  { list: "MEDIAN(?)", clause: " HAVING FIRST(?) > 3" },
  { list: "SUM(?)", clause: " HAVING nothing > 3" },
  { list: "COUNT(*)", clause: " ORDER BY nothing" },
  { list: "COUNT(*)", clause: " FOR UPDATE" },
] as const;

function askedOf(dice: Dice): Asked {
  const from = dice.one(froms);
  const column = dice.one(from.columns);
  const spoil = dice.one(spoilt);
  const filled = (text: string): string => text.replaceAll("?", column);
  const key = dice.one(from.keys);
  const aggregates = dice.some(0, 2, () =>
    filled(
      dice.one([
        "COUNT(*)",
        "AVG(?) AS mean",
        "SUM(?) FILTER (WHERE ? > 1)",
        "ROUND(AVG(?), 1)",
        "COUNT(*) * 2",
      ]),
    ),
  );
  const grouping = dice.one([
    "",
    "",
    " GROUP BY @",
    " GROUP BY 1",
    " GROUP BY ROLLUP (@)",
    " GROUP BY CUBE (@)",
  ]);
  const isGrouped = grouping !== "";
  const all = [
    `${column} > 1`,
    `${column} BETWEEN 0 AND 4`,
    `${key} IS NOT NULL`,
    `${column} > (SELECT AVG(age) FROM people)`,
    `nothing = 3`,
    `${key} IN ('a', 'b', 'x')`,
    `NOT (${column} = 2 OR ${column} = 3)`,
  ];
  const conditions = dice.some(0, 3, () => dice.one(all));
  const options = dice.one([
    "",
    "",
    "WITH DIFFERENTIAL_PRIVACY OPTIONS(epsilon = 2) ",
    "WITH DIFFERENTIAL_PRIVACY OPTIONS(nothing = 2) ",
  ]);
  const end = dice.one(["", "", " LIMIT 3", " LIMIT 3 OFFSET 1"]);
  const list = [...(isGrouped ? [key] : []), filled(spoil.list), ...aggregates].join(", ");
  const where = conditions.length > 0 ? ` WHERE ${conditions.join(" AND ")}` : "";
  const isLast = / FOR |ORDER/.test(spoil.clause);
  const behind = isLast ? `${spoil.clause}` : `${filled(spoil.clause)}${end}`;
  const core = `SELECT ${options}${list} FROM ${from.sql}${where}${grouping.replace("@", key)}${behind}`;
  const clauses = [
    ...(/ROLLUP|CUBE/.test(grouping) ? ["by all its keys at once"] : []),
    ...(spoil.clause.includes("HAVING") ? ["without its HAVING"] : []),
    ...(!isLast && end !== "" ? ["without its LIMIT"] : []),
  ];
  const wrapped = dice.one(["", "", "", "named", "subquery"]);
  // Of a question over a subquery the subquery alone is suggested, and that is said.
  const isOverRows = from.sql.startsWith("(");
  if (isOverRows) return { text: core, conditions: 0, clauses: ["without the SELECT around it"] };
  if (wrapped === "" || options !== "") return { text: core, conditions: conditions.length, clauses };
  const around = ["without the SELECT around it", ...clauses];
  const text = wrapped === "named" ? `WITH w AS (${core}) SELECT * FROM w` : `SELECT * FROM (${core}) w`;
  return { text, conditions: conditions.length, clauses: around };
}

async function refusalOf(text: string): Promise<LetheError | null> {
  try {
    await planned(text, policy);
    return null;
  } catch (error) {
    if (error instanceof LetheError) return error;
    throw error;
  }
}

async function planned(text: string, under: Policy): Promise<void> {
  const question = resolveQuestion(await parseQuestion(text), under);
  const options = /epsilon *=/.test(text) ? {} : { epsilon: one };
  planQuestion(question, under, options, policyHash(under));
}

/** How many conditions a suggestion has: they are joined by AND, and each of several stands in brackets of its own. */
function conditionsIn(sql: string): readonly string[] {
  const [, where] =
    / WHERE ((?!.* WHERE ).*?)(?: GROUP BY .*)?$/.exec(sql.replaceAll(/FILTER \(WHERE /g, "FILTER (")) ?? [];
  return where === undefined ? [] : parts(where);
}

/** The parts of an AND, brackets around parts taken off. */
function parts(condition: string): readonly string[] {
  const found: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at < condition.length; at += 1) {
    if (condition[at] === "(") depth += 1;
    if (condition[at] === ")") depth -= 1;
    if (
      depth === 0 &&
      condition.startsWith(" AND ", at) &&
      !/ BETWEEN \S+$/.test(condition.slice(from, at))
    ) {
      found.push(condition.slice(from, at));
      from = at + 5;
    }
  }
  found.push(condition.slice(from));
  return found.flatMap((part) => {
    const inner = /^\((.*)\)$/.exec(part)?.[1];
    return inner !== undefined && found.length > 1 ? parts(inner) : [part];
  });
}

describe("what refusals suggest", () => {
  it("is accepted, keeps what it does not say it lost, and compares nothing with itself", async () => {
    const wrong: string[] = [];
    let suggested = 0;
    let same = 0;
    for (let seed = firstSeed; seed < firstSeed + many; seed += 1) {
      const { text, clauses } = askedOf(new Dice(seed));
      const refusal = await refusalOf(text);
      const { rewrite, rewriteDiffers = "" } = refusal?.fields ?? {};
      if (typeof rewrite !== "string") continue;
      suggested += 1;
      const differs = String(rewriteDiffers);
      if (differs === "") same += 1;
      const amiss = await refusalOf(rewrite);
      const say = (what: string): void => {
        wrong.push(`${what}: ${text} → ${rewrite} (${differs})`);
      };
      if (amiss) say(`refused: ${amiss.message}`);
      for (const clause of clauses) if (!differs.includes(clause)) say(`does not say "${clause}"`);
      for (const condition of conditionsIn(rewrite)) {
        const [left, right, ...more] = condition.split(" = ");
        if (left === right && more.length === 0) say("compares a value with itself");
      }
      if (
        /ROUND|\* 2/.test(text) &&
        !/ROUND|\* 2/.test(rewrite) &&
        !/computed|place of|without the SELECT/.test(differs)
      )
        say("loses what is computed");
    }
    expect(wrong).toEqual([]);
    expect(suggested).toBeGreaterThan(many / 3);
    expect(same).toBeGreaterThan(0);
  });

  it("keeps every condition but those that it says are lost", async () => {
    const wrong: string[] = [];
    for (let seed = firstSeed; seed < firstSeed + many; seed += 1) {
      const { text, conditions } = askedOf(new Dice(seed));
      const { rewrite, rewriteDiffers = "" } = (await refusalOf(text))?.fields ?? {};
      if (typeof rewrite !== "string") continue;
      const differs = String(rewriteDiffers);
      const lost = /without its WHERE/.test(differs)
        ? conditions
        : Number(/without (\d+) of its conditions/.exec(differs)?.[1] ?? 0);
      // BETWEEN may be two comparisons in a suggestion.
      if (conditionsIn(rewrite).length < conditions - lost) wrong.push(`${text} → ${rewrite} (${differs})`);
    }
    expect(wrong).toEqual([]);
  });
});
