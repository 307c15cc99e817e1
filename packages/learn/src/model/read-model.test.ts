import { LetheError } from "@lethe/core";
import { describe, expect, it } from "vitest";
import { people } from "../testing/people.ts";
import { rowsOfModel } from "./missing-rows.ts";
import { readModel } from "./read-model.ts";

const regression = (rest: string): string => `version: 1\nmodel: linear-regression\n${rest}`;

async function refused(text: string): Promise<readonly unknown[]> {
  const error: unknown = await readModel(text, people).then(
    () => "was accepted",
    (caught: unknown) => caught,
  );
  if (!(error instanceof LetheError)) throw error;
  return [error.code, error.message, error.fix];
}

describe("a model", () => {
  it("has the bounds and the categories of the policy", async () => {
    const model = await readModel(
      regression("table: people\ntarget: wage\nfeatures: [age, sector, member, level]\nwhere: age >= 20"),
      people,
    );
    expect(model).toEqual({
      version: 1,
      source: "people",
      where: "age >= 20",
      task: {
        kind: "linear-regression",
        target: { kind: "number", name: "wage", bounds: [-10, 60], nullable: true },
        features: [
          { kind: "number", name: "age", bounds: [18, 90], nullable: false },
          { kind: "category", name: "sector", categories: ["trade", "it's", "other"], nullable: true },
          { kind: "category", name: "member", categories: [false, true], nullable: false },
          { kind: "category", name: "level", categories: [1, 2, 3], nullable: false },
        ],
        intercept: true,
        penalty: 0,
      },
    });
    expect(rowsOfModel(model).slice(0, 4)).toEqual([
      "rows where wage, sector is NULL are left out",
      "wage is clamped between -10 and 60",
      "age is clamped between 18 and 90",
      "sector is one of trade, it's, other; any other value counts as NULL",
    ]);
  });

  it("keeps its owner's words, one limit as a list of one", async () => {
    const rest = "table: people\ntarget: wage\nfeatures: [age]\npurpose: Plans beds.\nlimits: ";
    const words = async (limits: string): Promise<unknown> => {
      const { purpose, limits: kept } = await readModel(regression(rest + limits), people);
      return [purpose, kept];
    };
    expect(await words("Not for one patient.")).toEqual(["Plans beds.", ["Not for one patient."]]);
    expect(await words("[Not for one., Not after 2027.]")).toEqual([
      "Plans beds.",
      ["Not for one.", "Not after 2027."],
    ]);
    const plain = await readModel(regression("table: people\ntarget: wage\nfeatures: [age]"), people);
    expect(Object.keys(plain)).toEqual(["version", "source", "where", "task"]);
    const refusals = [
      ['""', "line 7, limits: is empty"],
      ["|\n  one\n  two", "line 7, limits: holds a control"],
      [`[${"a,".repeat(21)}]`, "line 7, limits: is no text"],
    ];
    for (const [limits, message] of refusals)
      expect((await refused(regression(rest + limits)))[1]).toContain(message);
    expect((await refused(regression(`${rest}a\npurposes: b`)))[1]).toContain('unknown key "purposes"');
  });

  it("may read a view, whose columns have derived domains", async () => {
    const { task } = await readModel("version: 1\nfrom: workers\nmodel: covariance\nfeatures: [pay]", people);
    expect(task).toMatchObject({ features: [{ name: "pay", bounds: [-1, 6] }] });
  });

  it("may be of a table whose units have several rows that are limited before any question", async () => {
    const text = "version: 1\ntable: stays\nmodel: pca\nfeatures: [cost, days]";
    expect((await readModel(text, people)).task).toMatchObject({ kind: "pca", components: 2 });
  });

  it("lists marginals of one column, of two, or those that it names", async () => {
    const names = async (rest: string): Promise<readonly (readonly string[])[]> => {
      const { task } = await readModel(`version: 1\ntable: people\nmodel: marginals\n${rest}`, people);
      return task.kind === "marginals"
        ? task.marginals.map((columns) => columns.map(({ name }) => name))
        : [];
    };
    expect(await names("features: [sector, level]\nmarginals: 1")).toEqual([["sector"], ["level"]]);
    expect(await names("features: [sector, level, member]\nmarginals: 2")).toEqual([
      ["sector", "level"],
      ["sector", "member"],
      ["level", "member"],
    ]);
    expect(await names("marginals: [[sector, level], [member]]")).toEqual([["sector", "level"], ["member"]]);
  });
});

describe("a refusal names line, key and fix", () => {
  it.each<[string, string, readonly string[]]>([
    [
      "another kind",
      "version: 1\nmodel: forest",
      ["line 2, model: is not a kind of model", "write model: linear-regression"],
    ],
    [
      "an unknown key",
      regression("table: people\ntarget: wage\nfeatures: [age]\npenalty: 2"),
      ['line 6, the model: unknown key "penalty"'],
    ],
    [
      "a penalty of 0",
      "version: 1\ntable: people\nmodel: ridge-regression\ntarget: wage\nfeatures: [age]\npenalty: 0",
      ["line 6, penalty: must be above 0"],
    ],
    ["no table", regression("target: wage\nfeatures: [age]"), ["must stand alone: table or from"]],
    ["an unknown table", regression("table: persons\ntarget: wage\nfeatures: [age]"), ["line 3, table: "]],
    [
      "an unknown column",
      regression("table: people\ntarget: wage\nfeatures: [age, sectr]"),
      ["line 5, features[1]: ", 'did you mean "sector"?'],
    ],
    [
      "a number without bounds",
      regression("table: people\ntarget: wage\nfeatures:\n  - debt"),
      ['line 6, features[0]: "debt" is a number without public bounds', "write bounds: [lowest, highest]"],
    ],
    [
      "a text without categories",
      regression("table: people\ntarget: wage\nfeatures: [name]"),
      ['line 5, features[0]: "name" is a text without public categories', "write categories: [a, b, c]"],
    ],
    [
      "a date",
      regression("table: people\ntarget: wage\nfeatures: [born]"),
      ['"born" is a date without public categories'],
    ],
    [
      "a target of categories",
      regression("table: people\ntarget: sector\nfeatures: [age]"),
      ['line 4, target: "sector" has categories, and a number is needed'],
    ],
    [
      "a class that is a number",
      "version: 1\ntable: people\nmodel: naive-bayes\ntarget: age\nfeatures: [sector]",
      ['line 4, target: "age" is a number, and categories are needed'],
    ],
    [
      "the target among the features",
      regression("table: people\ntarget: wage\nfeatures: [wage]"),
      ["line 5, features: hold the target"],
    ],
    [
      "more components than features",
      "version: 1\ntable: people\nmodel: pca\nfeatures: [age]\ncomponents: 2",
      ["line 5, components: are more than the features"],
    ],
    [
      "a condition that is none",
      regression("table: people\ntarget: wage\nfeatures: [age]\nwhere: age"),
      ["line 6, where: "],
    ],
    [
      "a condition that ends early",
      regression("table: people\ntarget: wage\nfeatures: [age]\nwhere: age > 1) OR (age < 1"),
      ["line 6, where: "],
    ],
    [
      "a condition with more behind it",
      regression("table: people\ntarget: wage\nfeatures: [age]\nwhere: age > 1 GROUP BY sector"),
      ["line 6, where: "],
    ],
    [
      "a condition with a comment",
      regression('table: people\ntarget: wage\nfeatures: [age]\nwhere: "age > 1 LIMIT 3 --"'),
      ["line 6, where: "],
    ],
    [
      "rows that each question would choose",
      regression("table: visits\ntarget: cost\nfeatures: [cost]"),
      ["hold the target"],
    ],
    [
      "units of several rows",
      "version: 1\ntable: visits\nmodel: pca\nfeatures: [cost]",
      ["line 2, table: a unit may have several rows", "write limit: rows-before-filter"],
    ],
    [
      "a public table",
      "version: 1\ntable: zones\nmodel: pca\nfeatures: [size]",
      ["line 2, table: zones is public"],
    ],
    [
      "features beside lists",
      "version: 1\ntable: people\nmodel: marginals\nfeatures: [sector]\nmarginals: [[sector]]",
      ["line 4, features: stand beside"],
    ],
  ])("of %s", async (_, text, parts) => {
    const [code, message, fix] = await refused(text);
    expect(code).toBe("model.invalid");
    for (const part of parts) expect(`${message}\n${fix}`).toContain(part);
  });

  it("of a text that is no YAML", async () => {
    expect((await refused("version: [1"))[0]).toBe("model.unreadable");
  });
});
