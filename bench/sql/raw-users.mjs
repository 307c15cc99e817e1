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

/** Measures questions over a Parquet file as it lies, where a user owns 20 rows, against the plain query over the same file. */
export async function measureRawUsers(rows, { rounds, limits, data, only }) {
  const found = new Map();
  const asked = Object.entries(questions).filter(([name]) => name.startsWith(only));
  if (asked.length === 0) return found;
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
  await engine.close();
  plain.close();
  return found;
}
