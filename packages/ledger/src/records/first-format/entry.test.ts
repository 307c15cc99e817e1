import { describe, expect, it } from "vitest";
import { type Entry, entryOf } from "./entry.ts";

const hash = "0123456789abcdef".repeat(4);
const granted = { cap: { measure: "pure", epsilon: "1" }, analysts: [], failureCap: 0, policyHash: "ab" };
const payloads: Readonly<Record<Entry["kind"], Readonly<Record<string, unknown>>>> = {
  genesis: { ...granted, version: 1, measure: "pure", publicKey: "key", source: "people" },
  reserve: {
    requestId: "a",
    requestHash: hash,
    principal: "ana",
    loss: { measure: "pure", epsilon: "1" },
    event: { kind: "constant" },
    text: "",
  },
  settle: { requestId: "a", sha256: hash },
  fail: { requestId: "a" },
  grant: { ...granted, reason: "" },
  apply: { ...granted, closed: false, renamed: [], reason: "" },
};
const kinds = Object.entries(payloads);

/** Values of the kinds that a field may be, and of some that none is. */
const values: Readonly<Record<string, readonly unknown[]>> = {
  text: ["", "text"],
  hash: [hash],
  count: [0, 7],
  object: [{}, { a: 1 }],
  list: [[], [1]],
  flag: [true, false],
  nothing: [null, -1, 0.5, 2 ** 53, Number.NaN, hash.toUpperCase(), hash.slice(1), `${hash}0`, `${hash}\n`],
};
/** The kinds of value that each field takes. */
const takes: Readonly<Record<string, readonly string[]>> = {
  cap: ["object"],
  analysts: ["list"],
  failureCap: ["count"],
  policyHash: ["text", "hash"],
  publicKey: ["text", "hash"],
  source: ["text", "hash"],
  requestId: ["text", "hash"],
  requestHash: ["hash"],
  principal: ["text", "hash"],
  loss: ["object"],
  event: ["object"],
  text: ["text", "hash"],
  sha256: ["hash"],
  reason: ["text", "hash"],
  closed: ["flag"],
  renamed: ["list"],
};

describe("an entry", () => {
  it("is what a kind and a payload with all of its fields state", () => {
    for (const [kind, payload] of kinds) expect(entryOf(kind, payload)).toEqual({ kind, payload });
    for (const measure of ["pure", "approximate", "zcdp"])
      expect(entryOf("genesis", { ...payloads.genesis, measure })).not.toBeNull();
  });

  it("is none with a field too few, a field too many, another kind or no payload", () => {
    for (const [kind, payload] of kinds) {
      for (const name of Object.keys(payload)) {
        const { [name]: _, ...fewer } = payload;
        expect(entryOf(kind, fewer), `${kind} without ${name}`).toBeNull();
        expect(entryOf(kind, { ...fewer, other: "a" }), `${kind} with another ${name}`).toBeNull();
      }
      expect(entryOf(kind, { ...payload, more: "a" }), `${kind} with more`).toBeNull();
      expect(entryOf(`${kind}s`, payload)).toBeNull();
      for (const none of [null, undefined, "text", 1]) expect(entryOf(kind, none)).toBeNull();
    }
  });

  it("takes in each field what its kind of value is, and nothing else", () => {
    for (const [kind, payload] of kinds)
      for (const name of Object.keys(payload)) {
        const due = takes[name];
        if (due === undefined) continue;
        for (const [of, some] of Object.entries(values))
          for (const value of some) {
            // A text that is no hash, however long, is a text all the same.
            const isDue = due.includes(of) || (due.includes("text") && typeof value === "string");
            const entry = entryOf(kind, { ...payload, [name]: value });
            expect(entry !== null, `${kind}.${name} = ${JSON.stringify(value)}`).toBe(isDue);
          }
      }
  });

  it("of the beginning has version 1 and a measure that there is", () => {
    for (const changed of [{ version: 2 }, { version: "1" }, { measure: "renyi" }, { measure: "toString" }])
      expect(entryOf("genesis", { ...payloads.genesis, ...changed })).toBeNull();
  });
});
