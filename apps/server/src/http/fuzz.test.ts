import { expect, test } from "vitest";
// @ts-expect-error: a program of Node, without types
import { seededRandom } from "../../../../testing/src/crash/seeded-random.mjs";
import type { Listening } from "../ops/begin-listening.ts";
import { listen } from "../ops/listen.ts";
import { nameOf, openHouse, origin, secretValue } from "../testing/app-house.ts";
// @ts-expect-error: a program of Node, without types
import { fuzz, unpaidOrUntold } from "../testing/fuzz/fuzz.mjs";

/** The requests of a slice: LETHE_FUZZ asks for more. */
const count = Number(process.env.LETHE_FUZZ ?? 2000);

test(`${count} random requests: each answer is one of those that there are, holds nothing that is hidden, and is paid`, async () => {
  const house = await openHouse();
  const at: Listening = await listen((request, env) => house.app.fetch(request, env), {
    address: "127.0.0.1",
    port: 0,
    tls: null,
    proxies: [],
  });
  try {
    const marked = "SELECT COUNT(*) AS of_bob_alone FROM people";
    const bobs = await house.send("/v1/query", { as: "bob", json: { sql: marked, epsilon: "3" } });
    const { answer } = JSON.parse(await bobs.text());
    const hidden = [
      secretValue,
      house.folder,
      "of_bob_alone",
      answer.requestId,
      "node_modules",
      house.tokens.bob,
    ];
    const found = await fuzz(
      { port: at.port, host: new URL(origin).host, token: house.tokens.analyst, hidden },
      { count, random: seededRandom(7) },
    );
    const { charges } = await house.ledger.report();
    const own = charges.filter(({ principal }) => principal === nameOf.analyst);
    expect(own.length).toBeGreaterThan(0);
    expect([...found.violations, ...unpaidOrUntold(found, own)]).toEqual([]);
    // The slice meets what it is about.
    for (const status of [200, 400, 401, 403, 404, 413, 422, 431])
      expect(found.statuses).toHaveProperty(String(status));
    expect((await fetch(`http://127.0.0.1:${at.port}/`)).status).toBe(200);
  } finally {
    await at.close(500);
    await house.close();
  }
});
