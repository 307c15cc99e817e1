import { expect, it } from "vitest";
import { relocate } from "./relocate.ts";

it("every place of a tree is moved, and what says that there is none stays", () => {
  const tree = {
    location: 0,
    name: "location",
    list: [{ location: 3 }, null, { inner: { location: -1, stmt_location: 9 } }],
  };
  relocate(tree, (byte) => byte + 10);
  expect(tree).toEqual({
    location: 10,
    name: "location",
    list: [{ location: 13 }, null, { inner: { location: -1, stmt_location: 9 } }],
  });
});
