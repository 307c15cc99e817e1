import { duckdb, mostJoinedRows, type Plan, printQuery, relationRows } from "@lethe/query";
import { paired } from "../paired.ts";
import type { Attack, AttackResult } from "./attack.ts";
import { numberIn } from "./services/people.ts";
import type { Asked, Laboratory, World } from "./services/service.ts";

/** Her neighbourhood's rows in a public table, which is joined on it; the others' neighbourhoods have one. */
const rowsOfHer = 60;
const visitsOfHer = 12;
const sizes = 12;

/** The joins that multiply a person's row; the WHERE clause leaves one person in each, so the joined rows are hers. */
const questions = [
  "people p JOIN zips a ON a.zip = p.zip",
  "people p JOIN zips a ON a.zip = p.zip JOIN zips b ON b.zip = p.zip",
  "people p JOIN zips a ON a.zip = p.zip JOIN zips b ON b.zip = p.zip JOIN zips c ON c.zip = p.zip",
  "people p LEFT JOIN zips a ON a.zip = p.zip LEFT JOIN zips b ON b.zip = a.zip LEFT JOIN zips c ON c.zip = b.zip",
  "people p CROSS JOIN sizes a CROSS JOIN sizes b",
  "people p CROSS JOIN sizes a CROSS JOIN sizes b CROSS JOIN sizes c CROSS JOIN sizes d",
  "people p JOIN visits a ON a.person = p.id",
  "people p JOIN visits a ON a.person = p.id JOIN visits b ON b.person = p.id JOIN visits c ON c.person = p.id JOIN visits d ON d.person = p.id",
] as const;
const her = "p.zip = 'hers'";

/**
 * Work as an oracle: one row that is joined with many costs as much as many. What is compared is the number of joined rows with her one row and
 * without it, counted; a clock would say the same with less certainty.
 */
export const amplifiedWork: Attack = {
  id: "amplified-work",
  describes:
    "joins one known person's row with as many rows as a join allows, so that her presence costs the database time",
  source: "Haeberlen, Pierce & Narayan 2011 (execution time as a channel)",
  async run(laboratory) {
    const [without, having] = [worldOf(false), worldOf(true)] as const;
    const naive = await Promise.all([joinedExactly(laboratory, without), joinedExactly(laboratory, having)]);
    const ours = await Promise.all([joinedByLethe(laboratory, without), joinedByLethe(laboratory, having)]);
    const note = "the rows of the join itself are counted";
    return [
      { ...added("exact answers", naive), control: 10_000, note },
      { ...added("Lethe", ours), ceiling: mostJoinedRows, note },
    ];
  },
};

function added(
  service: string,
  [without, having]: readonly [readonly number[], readonly number[]],
): AttackResult {
  const most = Math.max(...paired(without, having).map(([less, more]) => Math.abs(more - less)));
  return {
    attack: "amplified-work",
    service,
    measure: "the most joined rows that one private row adds to a question",
    value: most,
    interval: [most, most],
    trials: Math.max(...having),
    blind: 0,
    ceiling: null,
    control: null,
    note: null,
  };
}

async function joinedExactly(laboratory: Laboratory, world: World): Promise<readonly number[]> {
  const service = await laboratory.exact(world);
  try {
    const counts: number[] = [];
    for (const from of questions)
      counts.push(numberIn(await service.ask(`SELECT COUNT(*) AS n FROM ${from}`, asked)) ?? 0);
    return counts;
  } finally {
    await service.close();
  }
}

/** The rows of the very join that Lethe runs, from the plan in its certificate; none where it refuses. */
async function joinedByLethe(laboratory: Laboratory, world: World): Promise<readonly number[]> {
  const [lethe, database] = [await laboratory.lethe(world, account), await laboratory.exact(world)] as const;
  try {
    const counts: number[] = [];
    for (const from of questions) {
      const { text, reply } = await lethe.whole(`SELECT COUNT(*) AS n FROM ${from} WHERE ${her}`, asked);
      const sql = reply.kind === "refused" ? null : joinOf(JSON.parse(text).certificate.plan);
      const counted =
        sql === null ? null : await database.ask(`SELECT COUNT(*) AS n FROM (${sql}) AS joined`, asked);
      if (counted?.kind === "refused") throw new Error(counted.message);
      const count = counted === null ? 0 : numberIn(counted);
      if (count === null) throw new TypeError("a count of joined rows is no number");
      counts.push(count);
    }
    return counts;
  } finally {
    await lethe.close();
    await database.close();
  }
}

/** Returns the SQL of a plan's join. Its caps choose rows by a seed, and any seed keeps the same number of them. */
function joinOf({ from }: Plan): string {
  const { query } = relationRows(from, (table) => ({ relation: [table], layout: "raw" }), duckdb);
  return printQuery(query, duckdb.words).replaceAll("$1", "'any seed'");
}

const account = { epsilon: "100", delta: "0", analysts: { attacker: "100" } };
const asked: Asked = { as: "attacker", epsilon: "1/100", delta: "0" };

/** Forty people with a visit each, and her visits, which are there without her row too. */
function worldOf(isThere: boolean): World {
  const crowd = Array.from({ length: 40 }, (_, at) => [at + 1, `zip-${at}`] as const);
  const zips = crowd.map(([, zip], at) => [zip, at] as const);
  const text = (name: string) => ({ name, type: "text" }) as const;
  const integer = (name: string) => ({ name, type: "integer" }) as const;
  const times = <T>(count: number, row: (at: number) => T): readonly T[] =>
    Array.from({ length: count }, (_, at) => row(at));
  return {
    tables: [
      {
        name: "people",
        columns: [integer("id"), text("zip")],
        rows: [...crowd, ...(isThere ? [[0, "hers"]] : [])],
      },
      {
        name: "visits",
        columns: [integer("person"), integer("cost")],
        rows: [...crowd.map(([id]) => [id, 1]), ...times(visitsOfHer, (at) => [0, at])],
      },
      {
        name: "zips",
        columns: [text("zip"), integer("size")],
        rows: [...zips, ...times(rowsOfHer, (at) => ["hers", at])],
      },
      { name: "sizes", columns: [integer("size")], rows: times(sizes, (at) => [at]) },
    ],
    policy: `version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
tables:
  people: { file: people.parquet, unit: id, columns: { id: { type: integer }, zip: { type: text } } }
  visits: { file: visits.parquet, unit: { through: person, references: people.id }, columns: {
    person: { type: integer }, cost: { type: integer, bounds: [0, 20] } } }
  zips: { file: zips.parquet, public: true, rows_per_key: { zip: 30 }, columns: {
    zip: { type: text }, size: { type: integer, bounds: [0, 100] } } }
  sizes: { file: sizes.parquet, public: true, max_rows: 9, columns: { size: { type: integer, bounds: [0, 20] } } }
`,
  };
}
