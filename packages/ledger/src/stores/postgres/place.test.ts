import { describe, expect, it } from "vitest";
import { placeUrl, readPostgresUrl } from "./place.ts";

const at = (rest: string): string => `postgres://lethe_gateway@db.example/budgets${rest}`;
const refused = (message: RegExp): unknown =>
  expect.objectContaining({ code: "parameter.invalid", message: expect.stringMatching(message) });

describe("the URL of a ledger", () => {
  it("is read, and written as it is read", () => {
    const place = readPostgresUrl(at("?sslmode=verify-full&schema=own&synchronous_replica=required"));
    expect(place).toMatchObject({
      host: "db.example",
      database: "budgets",
      schema: "own",
      needsReplica: true,
    });
    expect(place.url).toBe(at("?sslmode=verify-full"));
    expect(readPostgresUrl(placeUrl(place))).toEqual(place);
    expect(readPostgresUrl(at(""))).toMatchObject({ schema: "lethe", needsReplica: false });
  });

  it.each([
    ["?schem=own", /not known: schem$/],
    ["?synchronous_replicas=required", /not known: synchronous_replicas$/],
    ["?host=elsewhere", /not known: host$/],
    ["?options=-c%20synchronous_commit%3Doff", /not known: options$/],
    ["?synchronous_replica=yes", /something else of synchronous_replica/],
    ["?password=secret", /holds a password/],
    ["?schema=Own", /names a schema/],
  ])("%s is refused", (rest, message) => {
    expect(() => readPostgresUrl(at(rest))).toThrow(refused(message) as Error);
  });
});
