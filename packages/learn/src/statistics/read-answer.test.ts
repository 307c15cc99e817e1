import { LetheError, parseRational } from "@lethe/core";
import { elementAt } from "@lethe/core/numeric";
import {
  measureAlone,
  type Plan,
  parseQuestion,
  planQuestion,
  policyHash,
  resolveQuestion,
} from "@lethe/query";
import { beforeAll, describe, expect, it } from "vitest";
import { readModel } from "../model/read-model.ts";
import { people } from "../testing/people.ts";
import type { Answer } from "./answer.ts";
import type { Layout } from "./layout.ts";
import { layoutOf } from "./layout-of.ts";
import { readAnswer } from "./read-answer.ts";

let layout: Layout;
let plan: Plan;
beforeAll(async () => {
  const text = "version: 1\ntable: people\nmodel: linear-regression\ntarget: wage\nfeatures: [level]";
  layout = layoutOf(await readModel(text, people));
  plan = await planned(elementAt(layout.questions, 1).text);
});

async function planned(text: string): Promise<Plan> {
  const question = resolveQuestion(await parseQuestion(text), people);
  return planQuestion(question, people, { epsilon: parseRational("1") }, policyHash(people), measureAlone);
}

const estimate = (value: number | null) => ({ value, lower: value, upper: value });
const columns = ["level", "n", "sum 0"].map((name) => ({ name, kind: "aggregate" }));
const rows = [
  [null, estimate(99), estimate(99)],
  [3, estimate(30), estimate(0.3)],
  ["1", estimate(10), estimate(0.1)],
  [2, estimate(20), estimate(0.2)],
];
const answer = (changed: Partial<Answer> = {}): Answer => ({
  columns,
  rows,
  certificate: { plan },
  ...changed,
});
const read = (changed: Partial<Answer> = {}) =>
  readAnswer(elementAt(layout.questions, 1), layout, answer(changed));

describe("an answer", () => {
  it("gives each cell's sums in the layout's order, with the noise of its plan; NULL is no cell", () => {
    const measured = read();
    expect(measured.map(({ value }) => value)).toEqual([10, 0.1, 20, 0.2, 30, 0.3]);
    expect(measured.map(({ statistic }) => statistic.cells)).toEqual(
      [0, 0, 1, 1, 2, 2].map((category) => [{ block: 0, category }]),
    );
    // ε of 1 is shared by two columns of sensitivity 1: Laplace noise of scale 2 has variance 8, on integers 7.84.
    const [count, sum] = measured;
    expect(count?.noise.variance).toBeCloseTo(7.835, 2);
    expect(sum?.noise.variance).toBeCloseTo(8, 2);
    expect(sum?.noise.excess).toBeCloseTo(3, 6);
  });

  it.each<[string, () => Partial<Answer>]>([
    ["other columns", () => ({ columns: columns.slice(1) })],
    ["a group that is missing", () => ({ rows: rows.slice(0, 3) })],
    ["a cell that is no number", () => ({ rows: rows.map(([key]) => [key, estimate(null), estimate(1)]) })],
    ["a plan without aggregates", () => ({ certificate: { plan: { ...plan, outputs: [] } } })],
  ])("is refused for %s", (_, changed) => {
    expect(() => read(changed())).toThrow(/this is no answer to a question of the model/);
  });

  it("is refused where a unit may count with other rows in each question", async () => {
    const other = await planned("SELECT COUNT(*) FROM visits");
    let code = "";
    try {
      read({ certificate: { plan: other } });
    } catch (error) {
      code = error instanceof LetheError ? error.code : String(error);
    }
    expect(code).toBe("model.invalid");
    const kept = await planned("SELECT COUNT(*) FROM stays");
    expect(() => read({ certificate: { plan: kept } })).toThrow(/a column is no aggregate/);
  });
});
