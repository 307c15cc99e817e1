import { parseRational } from "@lethe/core";
import { compilePlan, duckdb, parseQuestion, planQuestion, policyHash, resolveQuestion } from "@lethe/query";
import { afterEach, expect, test } from "vitest";
import { unseal } from "../../../core/src/exact/exact.ts";
import { openDuckDb } from "./open-duckdb.ts";
import { type Fixture, fixture } from "./testing/engine-fixture.ts";

let house: Fixture;
afterEach(() => house.remove());

const events = `events: { file: events.duckdb, unit: uid, max_groups_contributed: 5, max_rows_contributed_per_group: 3,
    columns: { uid: { type: text }, grp: { type: text, categories: [${Array.from({ length: 20 }, (_, g) => `group${g}`).join(", ")}] }, x: { type: integer, bounds: [0, 99] } } }`;

test("bounding the groups of many units keeps within its memory, and answers the same as with plenty", async () => {
  house = fixture(events);
  await house.prepare(
    "ATTACH '$DIR/events.duckdb' AS made",
    "CREATE TABLE made.events AS SELECT 'a person of number ' || (i * 7919) % 60000 AS uid, 'group' || hash(i) % 20 AS grp, i % 100 AS x FROM range(600000) t(i)",
    "DETACH made",
  );
  const text = "SELECT grp, AVG(x) FROM events GROUP BY grp";
  const resolved = resolveQuestion(await parseQuestion(text), house.policy);
  const options = { epsilon: parseRational("1") };
  const plan = planQuestion(resolved, house.policy, options, policyHash(house.policy));
  const answers: unknown[] = [];
  for (const memory of [2 ** 30, 100e6]) {
    const engine = await openDuckDb({ ...house, limits: { ...house.limits, memory } });
    try {
      const storage = await engine.storage("events");
      const rows = await engine.run(compilePlan(plan, () => storage, duckdb)).catch((error: unknown) => {
        throw new Error(`${memory}: ${error}: ${house.logged.at(-1)}`);
      });
      answers.push(
        unseal(rows)
          .groups.map(({ key, sums }) => `${key} ${sums}`)
          .sort(),
      );
    } finally {
      await engine.close();
    }
  }
  expect(answers[1]).toEqual(answers[0]);
});
