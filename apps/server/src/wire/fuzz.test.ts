import { afterAll, beforeAll, expect, test } from "vitest";
import { randomConversation, seeded } from "./testing/random-frames.ts";
import { query } from "./testing/raw-client.ts";
import { openWireHouse, type WireHouse } from "./testing/wire-house.ts";

let house: WireHouse;
const unhandled: unknown[] = [];
const note = (error: unknown): void => void unhandled.push(error);
beforeAll(async () => {
  process.on("unhandledRejection", note);
  house = await openWireHouse();
});
afterAll(async () => {
  process.off("unhandledRejection", note);
  await house?.close();
});

test("whatever is sent, the service goes on, charges nothing, and keeps no memory of it", {
  timeout: 120_000,
}, async () => {
  const random = seeded(17);
  const told = new Set<string>();
  const converse = async (count: number): Promise<void> => {
    for (let turn = 0; turn < count; turn += 1) {
      const client = house.raw();
      if (random() < 0.7) await client.signIn(house.tokens.operator);
      client.send(...randomConversation(random));
      client.socket.end();
      for (const { kind } of await client.until("end")) told.add(kind);
      client.close();
    }
  };
  await converse(100);
  global.gc?.();
  const before = process.memoryUsage();
  await converse(400);
  global.gc?.();
  const after = process.memoryUsage();
  expect(after.arrayBuffers - before.arrayBuffers).toBeLessThan(30e6);
  expect([...told]).toEqual(expect.arrayContaining(["E", "Z", "T", "D", "C", "I", "1", "2", "3", "t", "n"]));
  expect(unhandled).toEqual([]);
  expect((await house.ledger.report()).charges).toHaveLength(0);
  const client = await house.client();
  expect((await client.ask(query("SELECT 1"))).at(-1)?.kind).toBe("Z");
});
