import { openDuckDb } from "@lethe/engine-duckdb";
import { importTrino, openTrino } from "@lethe/engine-trino";
import { compilePlan, compileTrees, dialects, readPolicy, tablesRead } from "@lethe/query";
import { unseal } from "../../../packages/core/src/exact/exact.ts";
import { comparable, comparableCells } from "../../../testing/src/differential-data.ts";
import { plannedStages } from "../../../testing/src/planned.ts";
import { clinicPolicy, clinicQuestions } from "./clinic.mjs";

const seed = "a secret seed";

const trinoPolicy = (unit, schema) =>
  readPolicy(
    clinicPolicy(
      unit,
      "database: { kind: trino, url_env: LETHE_DATABASE_URL }",
      (table) => `relation: iceberg.${schema}.${table}`,
    ),
  );

/** The URL of a user on a Trino, with what follows the origin. */
export const urlOf = (url, user, path) => `${url.replace("//", `//${user}@`)}/${path}`;

/** Freezes the clinic's tables, by the owner. */
export async function freezeClinic(url, unit, schema, stateDirectory) {
  const policy = trinoPolicy(unit, schema);
  const as = (user) => urlOf(url, user, `iceberg/${schema}`);
  for (const table of Object.keys(policy.tables)) {
    const place = { policy, table, url: as("lethe"), ownersUrl: as("owner"), seed, stateDirectory };
    await importTrino({ ...place, clock: () => 0, log: (detail) => console.error(detail) });
  }
}

/** What a Trino computes of the clinic's questions; of its snapshots where a folder of their manifests is named. */
export function trinoAnswers(url, unit, schema, stateDirectory) {
  const policy = trinoPolicy(unit, schema);
  const log = (detail) => console.error(detail);
  const engine = openTrino({
    ...{ policy, url: urlOf(url, "lethe", `iceberg/${schema}`), seed, log },
    ...(stateDirectory === undefined ? {} : { stateDirectory }),
  });
  return answersOf(engine, policy, clinicQuestions(unit));
}

/** What DuckDB computes of them, over the same clinic in a folder's clinic.duckdb. */
export async function duckDbAnswers(unit, folder) {
  const policy = readPolicy(clinicPolicy(unit, "", () => "file: clinic.duckdb"));
  const log = (detail) => console.error(detail);
  return answersOf(
    await openDuckDb({ policy, baseDirectory: folder, stateDirectory: folder, seed, log }),
    policy,
    clinicQuestions(unit),
  );
}

/** Question → the exact groups of all its statements, in an order of their own. */
async function answersOf(engine, policy, questions) {
  const exact = async (question) => {
    const plans = await plannedStages(question, policy);
    return [question, await Promise.all(plans.map((plan) => exactOf(engine, plan)))];
  };
  try {
    return Object.fromEntries(await Promise.all(questions.map(exact)));
  } finally {
    await engine.close();
  }
}

async function exactOf(engine, plan) {
  const lies = new Map();
  for (const table of tablesRead(plan)) lies.set(table, await engine.storage(table));
  const dialect = dialects[engine.dialect];
  const run = async (query) => unseal(await engine.run(query)).groups;
  const storageOf = (table) => lies.get(table);
  const cells = [];
  for (const query of compileTrees(plan, storageOf, dialect))
    cells.push(comparableCells(plan, await run(query)));
  return [comparable(plan, await run(compilePlan(plan, storageOf, dialect))), ...cells];
}
