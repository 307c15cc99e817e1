import { parseRational } from "@lethe/core";
import { elementAt } from "@lethe/core/numeric";
import {
  measureAlone,
  type Plan,
  parseQuestion,
  planQuestion,
  policyHash,
  readPolicy,
  resolveQuestion,
} from "@lethe/query";
import { describe, expect, it } from "vitest";
import { readModel } from "../model/read-model.ts";
import { addedBy, norm1, type Row, squaredNorm, statisticsIn } from "../testing/measured.ts";
import { peoplePolicy } from "../testing/people.ts";
import type { Layout } from "./layout.ts";
import { layoutOf } from "./layout-of.ts";

const policyOf = (adjacency: string) => readPolicy(peoplePolicy.replace("add-or-remove-one", adjacency));
const addOrRemove = policyOf("add-or-remove-one");
const replaceOne = policyOf("replace-one");

const models = {
  numbers: "model: covariance\nfeatures: [age, wage]",
  regression: "model: linear-regression\ntarget: wage\nfeatures: [age, sector, member]",
  "one block": "model: ridge-regression\npenalty: 2\ntarget: wage\nfeatures: [sector]",
  bayes: "model: naive-bayes\ntarget: sector\nfeatures: [age, wage, member]",
  marginals: "model: marginals\nfeatures: [sector, member, level]\nmarginals: 2",
};

const layoutFor = async (text: string): Promise<Layout> =>
  layoutOf(await readModel(`version: 1\ntable: people\n${text}`, addOrRemove));

/** All rows whose scaled numbers are among these. */
function rowsOver({ numbers, blocks }: Layout, values: readonly number[]): readonly Row[] {
  const combined = (
    count: number,
    each: (place: number) => readonly number[],
  ): readonly (readonly number[])[] =>
    Array.from({ length: count }, (_, place) => each(place)).reduce<readonly (readonly number[])[]>(
      (all, next) => all.flatMap((list) => next.map((value) => [...list, value])),
      [[]],
    );
  const categories = combined(blocks.length, (block) => [...elementAt(blocks, block).categories.keys()]);
  return combined(numbers.length, () => values).flatMap((z) =>
    categories.map((places) => ({ z, categories: places })),
  );
}

/** The largest ℓ1 and squared ℓ2 norm of what a neighbour changes, over all rows of a small domain, and an absent one. */
function bruteForce(layout: Layout, values: readonly number[], replaced: boolean) {
  const statistics = statisticsIn(layout).flat();
  const vectors = rowsOver(layout, values).map((row) =>
    Float64Array.from(statistics, (statistic) => addedBy(row, statistic)),
  );
  // A row with a NULL adds nothing, so it may stand in place of a row that counts.
  const replacements = [...vectors, new Float64Array(statistics.length)];
  const moved = replaced
    ? vectors.flatMap((one) =>
        replacements.map((other) => one.map((x, place) => x - elementAt(other, place))),
      )
    : vectors;
  return {
    l1: Math.max(...moved.map(norm1)),
    l2Squared: Math.max(...moved.map(squaredNorm)),
    vertices: vectors.filter((vector) => norm1(vector) === Math.max(...vectors.map(norm1))).length,
  };
}

async function planned(text: string, policy: typeof addOrRemove): Promise<Plan> {
  const question = resolveQuestion(await parseQuestion(text), policy);
  return planQuestion(question, policy, { epsilon: parseRational("1") }, policyHash(policy), measureAlone);
}

/** The sums of the sensitivities that the planner has for each column, in units of the encoding. */
async function charged(layout: Layout, policy: typeof addOrRemove) {
  const plans = await Promise.all(layout.questions.map(({ text }) => planned(text, policy)));
  const parts = plans.flatMap(({ measurements, sums }) =>
    measurements.map(({ terms, l1, l2Squared }) => {
      const sum = sums.find(({ name }) => name === terms[0]?.sum);
      const step = sum?.kind === "sum" ? 2 ** sum.grid.exponent : 1;
      return { l1: Number(l1) * step, l2Squared: Number(l2Squared) * step ** 2 };
    }),
  );
  return {
    l1: parts.reduce((total, part) => total + part.l1, 0),
    l2Squared: parts.reduce((total, part) => total + part.l2Squared, 0),
  };
}

describe("under add-or-remove", () => {
  it.each(Object.entries(models))(
    "the parts of %s add up to the joint sensitivity, which a vertex reaches",
    async (_, text) => {
      const layout = await layoutFor(text);
      const joint = bruteForce(layout, [-1, -0.5, 0, 0.7, 1], false);
      const parts = await charged(layout, addOrRemove);
      expect(parts.l1).toBeCloseTo(joint.l1, 5);
      expect(parts.l2Squared).toBeCloseTo(joint.l2Squared, 5);
      expect(joint.l1).toBe(joint.l2Squared);
      expect(joint.vertices).toBeGreaterThan(0);
    },
  );

  it("are 1 + d + d(d+1)/2 + B(1+d) + B(B−1)/2", async () => {
    const { l1 } = bruteForce(await layoutFor(models.regression), [-1, 0, 1], false);
    const [d, blocks] = [2, 2];
    expect(l1).toBe(1 + d + (d * (d + 1)) / 2 + blocks * (1 + d) + (blocks * (blocks - 1)) / 2);
  });
});

describe("under replace-one", () => {
  it.each(Object.entries(models))(
    "what is charged for %s is at least the joint sensitivity",
    async (_, text) => {
      const layout = await layoutFor(text);
      const joint = bruteForce(layout, [-1, 0, 0.7, 1], true);
      const parts = await charged(layout, replaceOne);
      expect(parts.l1).toBeGreaterThanOrEqual(joint.l1 - 1e-4);
      expect(parts.l2Squared).toBeGreaterThanOrEqual(joint.l2Squared - 1e-4);
    },
  );

  it("two numbers move jointly by 6, where their parts add up to more: signs that change together leave the product", async () => {
    const layout = await layoutFor(models.numbers);
    expect(bruteForce(layout, [-1, -1 / 3, 0, 0.5, 1], true).l1).toBe(6);
    // The condition that a wage is there makes COUNT(*) move by 1.
    expect((await charged(layout, replaceOne)).l1).toBeCloseTo(1 + 2 * 2 + 2 * 1 + 2, 4);
  });
});
