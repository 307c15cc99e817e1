import type { Attack, AttackResult } from "./attack.ts";
import { canary } from "./services/expressions.ts";
import { withAndWithoutCanary } from "./services/neighbours.ts";
import type { Account, Asked, Laboratory, Reply, Whole, World } from "./services/service.ts";

const questions = [
  "SELECT COUNT(*) AS n FROM people",
  "SELECT team, COUNT(*) AS n, SUM(x) AS s FROM people GROUP BY team",
  "SELECT team, AVG(x) AS a FROM people WHERE x > 400 GROUP BY team ORDER BY team",
  `SELECT team, COUNT(*) AS n FROM people WHERE x > ${canary.number - 1} GROUP BY team`,
  "SELECT COUNT(*) FILTER (WHERE name LIKE 'k%') AS n, MEDIAN(x) AS m FROM people",
  "SELECT team, VARIANCE(x) AS v FROM people GROUP BY team LIMIT 1",
  "SELECT COUNT(DISTINCT name) AS n FROM people",
  "SELECT WIDTH_BUCKET(x, 0, 1000000, 10) AS b, COUNT(*) AS n FROM people GROUP BY b",
];

/** Everything that leaves beside the numbers: names, order, count of rows, notes, prices, the certificate. */
export const metadata: Attack = {
  id: "metadata",
  describes:
    "compares everything in a release except its noisy numbers, on two data sets that differ in one person",
  source: "Haeberlen, Pierce & Narayan 2011 (side channels of what is told beside the noise)",
  async run(laboratory) {
    const [without, having] = withAndWithoutCanary();
    const released = await skeletons(laboratory, without);
    const neighbours = await skeletons(laboratory, having);
    const exact = await exactShapes(laboratory, without);
    return [
      {
        ...differing("exact answers", exact, await exactShapes(laboratory, having)),
        control: 1,
        note: "compared: whether it was answered, its columns, its rows without their numbers",
      },
      {
        ...differing("Lethe", released, neighbours),
        ceiling: 0,
        note: "compared: all fields except noisy numbers, hashes, keys, signatures and the time",
      },
    ];
  },
};

function differing(service: string, some: readonly string[], others: readonly string[]): AttackResult {
  const count = questions.filter((_, at) => some[at] !== others[at]).length;
  return {
    attack: "metadata",
    service,
    measure: "releases that differ in more than their noise",
    value: count,
    interval: [count, count],
    trials: questions.length,
    blind: 0,
    ceiling: null,
    control: null,
    note: null,
  };
}

/** Returns all that leaves Lethe for each question, without what is noise. */
async function skeletons(laboratory: Laboratory, world: World): Promise<readonly string[]> {
  const service = await laboratory.lethe(world, account);
  try {
    const each: string[] = [];
    for (const [at, question] of questions.entries()) {
      each.push(skeleton(await service.whole(question, { ...asked, requestId: `q${at}` })));
    }
    return each;
  } finally {
    await service.close();
  }
}

/** Returns the shape of each exact answer, without its numbers. */
async function exactShapes(laboratory: Laboratory, world: World): Promise<readonly string[]> {
  const service = await laboratory.exact(world);
  try {
    const each: string[] = [];
    for (const question of questions) each.push(shapeOf(await service.ask(question, asked)));
    return each;
  } finally {
    await service.close();
  }
}

const account: Account = { epsilon: "100", delta: "0", analysts: { attacker: "100" } };
const asked: Asked = { as: "attacker", epsilon: "1", delta: "0" };

function shapeOf(reply: Reply): string {
  if (reply.kind === "refused") return JSON.stringify(reply);
  const rows = reply.rows.map((row) => row.map((cell) => (typeof cell === "number" ? "a number" : cell)));
  return JSON.stringify([reply.columns, rows]);
}

/** A release with what is noise, or made of noise or of the ledger's own coins, taken out; its shape and all else stay. */
function skeleton({ text, charged }: Whole): string {
  const blind = (value: unknown, path: readonly string[]): unknown => {
    const name = path.at(-1) ?? "";
    if (["rowsHash", "signature", "publicKey", "at", "hash"].includes(name)) return typeof value;
    if (path.includes("rows") && typeof value === "number") return "a number";
    if (Array.isArray(value)) return value.map((each) => blind(each, path));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, blind(each, [...path, key])]));
  };
  return JSON.stringify([blind(JSON.parse(text), []), charged]);
}
