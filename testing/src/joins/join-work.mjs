import { DuckDBInstance } from "@duckdb/node-api";
import { one } from "@lethe/core/numeric";
import { duckdb, parseQuestion, planQuestion, policyHash, readPolicy, resolveQuestion } from "@lethe/query";
import { loadTables, mostJoined, statedBound } from "./counted-rows.mjs";
import { dice, randomData, randomPolicy, randomQuestion } from "./join-graphs.mjs";

/**
 * Answers `graphs` join graphs that Lethe accepts: how many were refused on the way, and of each accepted one the bound that its plan
 * states, the one that is derived of it again, and the most joined rows that a private row was counted in.
 */
export async function joinWork(graphs, firstSeed, data = 3) {
  const instance = await DuckDBInstance.create(":memory:", { threads: "1" });
  const connection = await instance.connect();
  const run = (sql) => connection.run(sql);
  const query = async (sql, isSeeded) =>
    (await connection.runAndReadAll(sql, isSeeded ? ["a secret seed"] : undefined)).getRows();
  const found = [];
  const refusals = new Map();
  try {
    for (let seed = firstSeed; found.length < graphs; seed += 1) {
      const random = dice(seed);
      const policy = readPolicy(randomPolicy(random));
      const text = randomQuestion(random);
      const plan = await planOf(text, policy).catch((error) => {
        if (!String(error.code).startsWith("query.")) throw error;
        const kind = error.message.replaceAll(/\b[a-z]\d\b|\d+/g, "…");
        refusals.set(kind, (refusals.get(kind) ?? 0) + 1);
        return null;
      });
      if (plan === null || !("from" in plan)) continue;
      const { stated, derived } = statedBound(plan);
      let most = 0;
      for (let n = 0; n < data; n += 1) {
        const tables = randomData(random, n === 0 ? 40 : 12);
        await loadTables(run, policy, tables, duckdb);
        const rids = (table) => new Set(tables[table].map(({ rid }) => rid));
        most = Math.max(most, await mostJoined(query, plan, { rids }));
      }
      found.push({ seed, text, stated, derived, most });
    }
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
  return { found, refusals };
}

async function planOf(text, policy) {
  const question = resolveQuestion(await parseQuestion(text), policy);
  return planQuestion(question, policy, { epsilon: one }, policyHash(policy));
}
