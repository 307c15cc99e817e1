import { expect, test } from "vitest";
import { attackCommand } from "./attack-command.ts";
import { attackRows } from "./attack-rows.ts";

const row = {
  audit: "wire",
  subject: "loop",
  of: "lethe",
  finding: null,
  claim: "paid for once",
  measured: "once",
  interval: null,
  ceiling: null,
  how: "asked 20 times",
};

test("rows of an audit are read, and nothing else is", () => {
  const control = { ...row, of: "control", finding: "found" };
  expect(attackRows(JSON.stringify([row, control]))).toEqual([row, control]);
  const wrong = [{ ...row, of: "other" }, { ...row, finding: 1 }, { ...row, claim: null }, null, "row", []];
  for (const each of [...wrong.map((one) => [row, one]), [], {}, row, null])
    expect(attackRows(JSON.stringify(each)), JSON.stringify(each)).toBeNull();
  for (const text of ["", "[", "ok  loop"]) expect(attackRows(text)).toBeNull();
});

test("the command names the service alone, and nothing that a shell would run", () => {
  expect(attackCommand(" https://copy.example:8377/x?y=$(z)#w ")).toBe(
    "lethe audit --server https://copy.example:8377 --token-file ada.token --other-token-file bob.token --epsilon 6 --json > attacks.json",
  );
  for (const address of [
    "",
    "copy.example",
    "file:///etc/passwd",
    "javascript:alert(1)",
    "https://a b; rm x",
  ])
    expect(attackCommand(address)).toBeNull();
});
