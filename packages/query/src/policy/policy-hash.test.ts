import { expect, test } from "vitest";
import { readPolicy } from "./file/read-policy.ts";
import { policyHash } from "./policy-hash.ts";

const policy = `version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
tables:
  people: { file: people.csv, unit: row, expected_rows: 534, columns: { wage: { type: number, bounds: [0, 60] }, age: { type: integer } } }
budget: { measure: approximate, epsilon: 5, delta: 1e-6 }
`;
const hash = (text: string): string => policyHash(readPolicy(text));

test.each([
  ["comments and order", policy.replace("version: 1\n", "# words\n").replace(/$/, "version: 1\n")],
  ["the budget", policy.replace("epsilon: 5", "epsilon: 6, analysts: { ana: 1 }")],
  ["where the ledger's head is kept", policy.replace("epsilon: 5", "epsilon: 5, head_file: /mnt/head")],
  ["defaults", `${policy}defaults: { epsilon: 0.5 }\n`],
  ["expected rows", policy.replace("534", "535")],
  [
    "what the default was anyway",
    policy.replace(
      "unit: row,",
      "unit: row, max_groups_contributed: 1, trusted: false, csv: { header: true },",
    ),
  ],
])("%s do not change the hash", (_, text) => {
  expect(text).not.toBe(policy);
  expect(hash(text)).toBe(hash(policy));
});

test.each([
  ["bounds", policy.replace("[0, 60]", "[0, 61]")],
  ["adjacency", policy.replace("add-or-remove-one", "replace-one")],
  ["unit", policy.replace("name: person", "name: household")],
  ["file", policy.replace("people.csv", "others.csv")],
  ["how a file is read", policy.replace("unit: row,", 'unit: row, csv: { delimiter: ";" },')],
  ["what the owner vouches for", policy.replace("unit: row,", "unit: row, trusted: true,")],
  ["limit", policy.replace("unit: row,", "unit: row, limit: rows-before-filter,")],
  ["default", policy.replace("[0, 60]", "[0, 60], default: 0")],
  ["column", policy.replace("age:", "years:")],
  ["type", policy.replace("type: integer", "type: number")],
  ["table", policy.replace("people:", "folk:")],
])("%s changes the hash", (_, text) => {
  expect(text).not.toBe(policy);
  expect(hash(text)).not.toBe(hash(policy));
});

test("the older word for limit means the same, and a policy keeps its hash", () => {
  const [older, newer] = ["bound", "limit"].map((word) =>
    policy.replace("unit: row,", `unit: row, ${word}: rows-before-filter,`),
  ) as [string, string];
  expect(readPolicy(older)).toEqual(readPolicy(newer));
  // Computed when the policy had the older word alone.
  expect(hash(newer)).toBe("07ebfe07400c0f96fc1a2435657d6a2bbc1dc133b974a222b4c45c057cefba2c");
});
