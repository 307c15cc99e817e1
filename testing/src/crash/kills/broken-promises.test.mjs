import { describe, expect, it } from "vitest";
import { brokenPromises } from "./broken-promises.mjs";
import { unsettled, whereKilled } from "./where-killed.mjs";

const charge = { sequence: 1, kind: "reserve", request: "q1", hash: "a", release: null };
const answer = { sequence: 2, kind: "settle", request: "q1", hash: "b", release: "r" };
const charged = { did: "charged", id: "q1", sequence: 1, hash: "a" };
const answered = { did: "answered", id: "q1", release: "r" };
const failed = { did: "failed", id: "q1" };

function counts(rows, told, affordable = 2) {
  const found = brokenPromises(rows, told, affordable);
  return Object.fromEntries(
    Object.entries(found).flatMap(([kind, lines]) => (lines.length > 0 ? [[kind, lines.length]] : [])),
  );
}

describe("what a chain of dead processes is judged by", () => {
  it.each([
    ["nothing told", [], [], {}],
    ["all that was told", [charge, answer], [charged, answered], {}],
    ["an answer that nobody heard", [charge, answer], [], {}],
    ["a charge whose process died", [charge], [charged], {}],
    ["a failure that another run settled", [charge, answer], [charged, failed], {}],
    ["a charge that was told and is gone", [], [charged], { lost: 1 }],
    ["a charge at another place", [{ ...charge, sequence: 3 }], [charged], { lost: 1 }],
    ["a charge under another hash", [{ ...charge, hash: "c" }], [charged], { lost: 1 }],
    ["an answer that was told and is gone", [charge], [answered], { lost: 1 }],
    ["a failure that was told and is gone", [charge], [failed], { lost: 1 }],
    ["an answer without its bytes", [charge, { ...answer, release: null }], [], { lost: 1 }],
    ["an answer without a charge", [answer], [answered], { unpaid: 2 }],
    ["an answer before its charge", [{ ...answer, sequence: 0 }, charge], [], { unpaid: 1 }],
    ["a second charge", [charge, { ...charge, sequence: 2 }], [], { doubled: 1, overspent: 1 }],
    ["a second answer", [charge, answer, { ...answer, sequence: 3 }], [], { doubled: 1 }],
    ["another answer than was told", [charge, answer], [{ ...answered, release: "s" }], { doubled: 1 }],
  ])("%s", (_, rows, told, found) => expect(counts(rows, told)).toEqual(found));

  it("more charges than the budget has", () => {
    expect(counts([charge], [], 1)).toEqual({ overspent: 1 });
  });

  it("a refusal of what would have fitted at the end, and none of what would not", () => {
    const refused = { did: "refused", id: "q3" };
    expect(counts([charge], [refused], 3)).toEqual({ refused: 1 });
    expect(counts([charge], [refused], 2)).toEqual({});
  });
});

describe("where a gateway died", () => {
  const told = (...steps) => steps.map((did) => ({ did, id: "q1" }));
  it.each([
    ["opening", told("begun")],
    ["waiting", told("opened", "asks")],
    ["deciding", told("opened", "asks", "begins")],
    ["writing", told("opened", "begins", "writes")],
    ["committing", told("opened", "begins", "writes", "commits")],
    ["executing", told("opened", "begins", "writes", "commits", "ends", "charged")],
    ["waiting", told("opened", "commits", "ends", "charged", "answered")],
  ])("%s", (place, lines) => expect(whereKilled(lines)).toBe(place));

  it("with what it had paid for", () => {
    expect(unsettled(told("charged", "settles"))).toEqual(["q1"]);
    expect(unsettled(told("charged", "failed"))).toEqual([]);
  });
});
