import { expect, it } from "vitest";
import { parseQuestion } from "../../parse/index.ts";
import { readPolicy } from "../../policy/index.ts";
import { resolveQuestion } from "../../resolve/index.ts";
import { RelationNames } from "./relation-names.ts";

const policy = readPolicy(`
version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: approximate, epsilon: 10, delta: 1e-5 }
tables:
  people: { file: a.duckdb, unit: id, key: id, columns: { id: { type: integer } } }
  visits: { file: a.duckdb, unit: { through: person_id, references: people.id }, key: visit_id, columns: {
    visit_id: { type: text }, person_id: { type: integer } } }
  items: { file: a.duckdb, unit: { through: visit_ref, references: visits.visit_id }, columns: {
    visit_ref: { type: text } } }
`);

const namesIn = async (text: string): Promise<RelationNames> =>
  new RelationNames(resolveQuestion(await parseQuestion(text), policy).from);

it("a source gives the keys by which its own rows meet others, and no other source's", async () => {
  const names = await namesIn("SELECT COUNT(*) FROM visits v JOIN items i ON v.visit_id = i.visit_ref");
  const ofKey = (source: string, column: string) => names.ofKey({ source, column });
  expect(names.keysOf("v")).toEqual([["visit_id", ofKey("v", "visit_id")]]);
  expect(names.keysOf("i")).toEqual([["visit_ref", ofKey("i", "visit_ref")]]);
  expect(ofKey("v", "visit_id")).not.toBe(ofKey("i", "visit_ref"));
});

it("keys that name the unit on both sides are not compared again", async () => {
  const names = await namesIn("SELECT COUNT(*) FROM people p JOIN visits v ON p.id = v.person_id");
  expect([names.keysOf("p"), names.keysOf("v")]).toEqual([[], []]);
});
