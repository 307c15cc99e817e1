import { basename, dirname, join } from "node:path";
import { openDuckDb } from "@lethe/engine-duckdb";
import { compilePlan, dialects } from "@lethe/query";
import { generate } from "../generate.mjs";
import { policyFor } from "./events.mjs";
import { inTurns } from "./in-turns.mjs";
import { openPlainParquet } from "./plain-side.mjs";
import { planned } from "./planned.mjs";

const rowsPerUser = 20;

/** Figure → the question, and the plain query where that is another. `fine` has 100,000 private keys. */
const questions = {
  "sql.raw-users.grouped": ["SELECT grp, COUNT(*) FROM events GROUP BY grp"],
  "sql.raw-users.avg": ["SELECT grp, AVG(value) FROM events GROUP BY grp"],
  "sql.raw-users.private-keys": ["SELECT fine, COUNT(*) FROM events GROUP BY fine"],
  "sql.raw-users.distinct": ["SELECT grp, COUNT(DISTINCT fine) FROM events GROUP BY grp"],
  "sql.raw-users.vs-count-distinct": [
    "SELECT grp, AVG(value) FROM events GROUP BY grp",
    "SELECT grp, COUNT(DISTINCT uid) FROM events GROUP BY grp",
  ],
};

/**
 * The work of a limit on a user's groups that brings each user's rows of each group together, before it has chosen any. Nothing is limited, hashed or
 * made total here; a value is clamped to an integer where one is summed. Figure → that SELECT, and the plain query.
 */
const floors = {
  "sql.raw-users.floor": [
    "SELECT COUNT(*) FROM (SELECT uid, grp FROM events GROUP BY uid, grp)",
    "SELECT grp, COUNT(*) FROM events GROUP BY grp",
  ],
  "sql.raw-users.floor.avg": [
    `SELECT grp, COUNT(*), SUM(total), SUM(n) FROM (SELECT uid, grp, COUNT(*) AS n, SUM(CAST(CASE WHEN value > 60 THEN 60
     WHEN value < 0 THEN 0 ELSE value END * 1024 AS BIGINT)) AS total FROM events GROUP BY uid, grp) GROUP BY grp`,
    "SELECT grp, AVG(value) FROM events GROUP BY grp",
  ],
  "sql.raw-users.floor.private-keys": [
    "SELECT COUNT(*) FROM (SELECT uid, fine FROM events GROUP BY uid, fine)",
    "SELECT fine, COUNT(*) FROM events GROUP BY fine",
  ],
};

/** Measures questions over a Parquet file as it lies, where a user owns 20 rows, against the plain query over the same file. */
export async function measureRawUsers(rows, { rounds, limits, data, only }) {
  const found = new Map();
  const named = (all) => Object.entries(all).filter(([name]) => name.startsWith(only));
  const [asked, least] = [named(questions), named(floors)];
  if (asked.length + least.length === 0) return found;
  const file = await generate({ users: Math.ceil(rows / rowsPerUser), rowsPerUser, format: "parquet", data });
  const policy = policyFor("by-user-raw", basename(file), null);
  const engine = await openDuckDb({
    policy,
    baseDirectory: dirname(file),
    stateDirectory: join(dirname(file), `${basename(file, ".parquet")}-raw`),
    seed: "bench",
    clock: Date.now,
    log: (detail) => console.error(detail),
    limits,
  });
  const plain = await openPlainParquet(file, limits);
  const storage = await engine.storage("events");
  for (const [name, [question, peerQuestion = question]] of asked) {
    const query = compilePlan(await planned(question, policy), () => storage, dialects[engine.dialect]);
    found.set(
      name,
      await inTurns(
        Math.min(rounds, 3),
        () => plain.rows(peerQuestion),
        () => engine.run(query),
      ),
    );
  }
  for (const [name, [floor, peerQuestion]] of least) {
    const sides = [peerQuestion, floor].map((sql) => () => plain.rows(sql));
    found.set(name, await inTurns(Math.min(rounds, 3), ...sides));
  }
  await engine.close();
  plain.close();
  return found;
}
