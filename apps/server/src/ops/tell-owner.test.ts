import { type ErrorCode, LetheError } from "@lethe/core";
import type { Principal, Service } from "@lethe/serve";
import { expect, test } from "vitest";
import { tellOwner } from "./tell-owner.ts";

const ada = { name: "ada" } as Principal;
const failure = (code: ErrorCode): LetheError =>
  new LetheError(code, "the ledger at /data is older", { fix: "start again" });

/** A service whose tables fail with what is thrown next, and what the owner was told. */
function failing(): { fail: (error: unknown, at: number) => Promise<unknown>; told: string[] } {
  const told: string[] = [];
  let [thrown, clock]: [unknown, number] = [null, 0];
  const service = { tables: () => Promise.reject(thrown) } as unknown as Service;
  const telling = tellOwner(
    service,
    (detail) => told.push(detail),
    () => clock,
  );
  return {
    told,
    fail: (error, at) => {
      [thrown, clock] = [error, at];
      return telling.tables(ada).catch((caught: unknown) => caught);
    },
  };
}

test("an error that only an operator can mend is thrown on, and the owner's log says what it was and how to mend it", async () => {
  const { fail, told } = failing();
  const error = failure("policy.changed");
  expect(await fail(error, 0)).toBe(error);
  await fail(new TypeError("no such thing"), 0);
  expect(told).toEqual([
    "a request of the service was not answered: policy.changed: the ledger at /data is older; start again. The service read its policy when it started: if file and ledger agree, start it again",
    "a request of the service was not answered: TypeError: no such thing",
  ]);
});

test.each(["query.syntax", "ledger.budget", "serve.absent", "serve.busy"] as const)(
  "%s is told to who asks, and not to the owner",
  async (code) => {
    const { fail, told } = failing();
    await fail(failure(code), 0);
    expect(told).toEqual([]);
  },
);

test("the same words are written once a minute", async () => {
  const { fail, told } = failing();
  for (const at of [0, 1, 59_999, 60_000, 60_001]) await fail(failure("ledger.busy"), at);
  expect(told).toHaveLength(2);
});

test("that somebody waits no longer is no failure, and nothing else is kept from the owner by it", async () => {
  const told: string[] = [];
  const left = new AbortController();
  let thrown: unknown = null;
  const service = { ask: () => Promise.reject(thrown) } as unknown as Service;
  const telling = tellOwner(
    service,
    (detail) => told.push(detail),
    () => 0,
  );
  const ask = (): Promise<unknown> =>
    telling.ask(ada, { sql: "SELECT 1", requestId: null }, { signal: left.signal }).catch(() => null);
  thrown = new Error("the client is gone");
  left.abort(thrown);
  await ask();
  expect(told).toEqual([]);
  thrown = failure("ledger.busy");
  await ask();
  expect(told).toHaveLength(1);
});
