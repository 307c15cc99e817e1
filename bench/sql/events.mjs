import { basename } from "node:path";
import { readPolicy } from "@lethe/query";
import { figure } from "../figure.mjs";
import { generate } from "../generate.mjs";
import { checkSame } from "./exact-answer.mjs";
import { inTurns } from "./in-turns.mjs";
import { openLayout } from "./open-layout.mjs";
import { openPlain } from "./plain-side.mjs";
import { planned } from "./planned.mjs";

const rowsPerUser = 20;
export const grouped = (key, aggregate) => `SELECT ${key}, ${aggregate} FROM events GROUP BY ${key}`;

/** Figure → how the data lies, the question, and the plain query where that is another. `fine` has 100,000 private keys. */
const questions = {
  "sql.row-unit": ["snapshot", grouped("grp", "AVG(value)")],
  "sql.row-unit.text-key": ["snapshot", grouped("sector", "AVG(value)")],
  "sql.row-unit.whole": ["snapshot", "SELECT AVG(value) FROM events"],
  "sql.row-unit.100k-groups": ["snapshot", grouped("fine", "AVG(value)")],
  "sql.row-unit.raw": ["raw", grouped("grp", "AVG(value)")],
  "sql.row-unit.raw.whole": ["raw", "SELECT AVG(value) FROM events"],
  "sql.row-unit.raw.100k-groups": ["raw", grouped("fine", "AVG(value)")],
  "sql.row-unit.count": ["snapshot", grouped("grp", "COUNT(*)")],
  "sql.row-unit.count.whole": ["snapshot", "SELECT COUNT(*) FROM events"],
  "sql.user-unit.unindexed": ["by-user", grouped("grp", "AVG(value)")],
  "sql.user-unit.unindexed.count": ["by-user", grouped("grp", "COUNT(*)")],
  "sql.user-unit.unindexed.100k-groups": ["by-user", grouped("fine", "AVG(value)")],
  "sql.user-unit.vs-count-distinct": [
    "by-user",
    grouped("grp", "AVG(value)"),
    grouped("grp", "COUNT(DISTINCT uid)"),
  ],
  "sql.user-unit.vs-count-distinct.100k-groups": [
    "by-user",
    grouped("fine", "AVG(value)"),
    grouped("fine", "COUNT(DISTINCT uid)"),
  ],
  "sql.user-unit.raw": ["by-user-raw", grouped("grp", "AVG(value)")],
  "sql.user-unit.raw.vs-count-distinct": [
    "by-user-raw",
    grouped("grp", "AVG(value)"),
    grouped("grp", "COUNT(DISTINCT uid)"),
  ],
  "sql.user-unit.indexed": ["indexed", grouped("grp", "AVG(value)")],
  "sql.user-unit.indexed.filter": [
    "indexed",
    "SELECT grp, AVG(value) FROM events WHERE value > 20 GROUP BY grp",
  ],
  "sql.user-unit.indexed.count": ["indexed", grouped("grp", "COUNT(*)")],
  "sql.user-unit.indexed.100k-groups": ["indexed", grouped("fine", "AVG(value)")],
};

/** How the data lies: whose a row is, imported or as it is, and what is bounded when a user owns many. */
const layouts = {
  snapshot: { unit: "row", layout: "snapshot" },
  raw: { unit: "row", layout: "raw" },
  "by-user": { unit: "uid", layout: "snapshot", bound: "groups-after-filter" },
  "by-user-raw": { unit: "uid", layout: "raw", bound: "groups-after-filter" },
  indexed: { unit: "uid", layout: "snapshot", bound: "rows-before-filter", indexed: "events" },
};

/** Figure → the medians of both sides, as ./in-turns.mjs tells them. */
export async function measureEvents(rows, { rounds, limits, data, only }) {
  const found = new Map();
  const asked = Object.entries(questions).filter(([name]) => name.startsWith(only));
  if (asked.length === 0) return found;
  const file = await generate({ users: Math.ceil(rows / rowsPerUser), rowsPerUser, data });
  const plain = await openPlain(file, limits);
  const opened = new Map();
  for (const [name, [kind, question, peerQuestion = question]] of asked) {
    if (!opened.has(kind)) opened.set(kind, await openEvents(kind, file, limits));
    const side = opened.get(kind);
    const plan = await planned(question, side.policy);
    const query = side.compiled(plan);
    const { unit, indexed } = layouts[kind];
    if (unit === "row") await checkAnswer(question, plan, query, plain, side);
    else if (indexed && rows <= 5_000_000) await checkIndex(plan, query, plain, side);
    const turns = unit === "row" || indexed ? rounds : Math.min(rounds, 3);
    found.set(
      name,
      await inTurns(
        turns,
        () => plain.rows(peerQuestion),
        () => side.engine.run(query),
      ),
    );
  }
  for (const { engine } of opened.values()) await engine.close();
  plain.close();
  return found;
}

function openEvents(kind, file, limits) {
  const built = (seconds) => figure("sql.user-unit.index-build", seconds, "s");
  const policy = policyFor(kind, basename(file));
  const { layout, indexed } = layouts[kind];
  return openLayout({ policy, file, name: kind, layout, indexed, limits, built });
}

/** The policy that data of a kind is asked under; a range of groups is a list of categories. A Parquet file has no relation. */
export function policyFor(kind, file, relation = "events") {
  const { unit, bound } = layouts[kind];
  const bounded = `max_groups_contributed: 5
    max_rows_contributed_per_group: 3
    bound: ${bound}`;
  return readPolicy(`version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: approximate, epsilon: 1000, delta: 1e-3 }
defaults: { epsilon: 1, delta: 1e-9 }
tables:
  events:
    file: ${file}
    ${relation === null ? "" : `relation: ${relation}`}
    unit: ${unit}
    ${bound ? bounded : ""}
    columns:
      uid: { type: integer }
      grp: { type: integer, categories: [${Array.from({ length: 100 }, (_, g) => g)}] }
      fine: { type: integer, bounds: [0, 99999] }
      sector: { type: text, categories: [${Array.from({ length: 100 }, (_, g) => `sector ${String(g).padStart(2, "0")}`)}] }
      value: { type: number, bounds: [0, 60] }
`);
}

/** Refuses an index with which other rows are kept than without it. */
async function checkIndex(plan, query, plain, side) {
  const without = side.compiled(plan, (table) => ({ ...side.storageOf(table), hasPlaces: false }));
  const sorted = async (asked) =>
    (await side.rowsOf(plan, asked, plain)).map((row) => row.map(String).join(" ")).sort();
  const [found, expected] = [await sorted(query), await sorted(without)];
  if (String(found) !== String(expected)) throw new Error(`${plan.text}: the index keeps other rows`);
}

/** Both sides must compute the same thing: the plain query over clamped values, to the grid's precision. */
async function checkAnswer(question, plan, query, plain, side) {
  const clamped = question.replace("AVG(value)", "AVG(least(greatest(value, 0), 60))");
  checkSame(question, plan, query, await side.rowsOf(plan, query, plain), await plain.rows(clamped));
}
