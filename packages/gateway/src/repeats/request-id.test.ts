import { expect, it } from "vitest";
import { type AskedAgain, isGivenId, requestIds } from "./request-id.ts";

const asked: AskedAgain = {
  principal: "ana",
  same: "the hash of a question",
  version: { tables: [{ table: "visits", imported: "one", declared: null }], validFor: null },
};
const idOf = (change: Partial<AskedAgain>, place = 1): string => requestIds({ ...asked, ...change })(place);

it("is that of the same question, by the same analyst, of the same data, and of no other", () => {
  expect(idOf({})).toBe(idOf({}));
  const others = [
    idOf({ principal: "ben" }),
    idOf({ same: "the hash of another" }),
    idOf({ version: { tables: [{ table: "visits", imported: "two", declared: null }], validFor: null } }),
    idOf({ version: { tables: [], validFor: null } }),
    idOf({}, 2),
  ];
  expect(new Set([idOf({}), ...others]).size).toBe(1 + others.length);
});

it("is known by its form, also of a pilot", () => {
  expect([idOf({}), `${idOf({}, 12)} pilot`].map(isGivenId)).toEqual([true, true]);
  expect(["q-1", `x${idOf({})}`, `${idOf({})}x`].map(isGivenId)).toEqual([false, false, false]);
});
