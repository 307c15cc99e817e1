import { parseRational } from "@lethe/core";
import { type ExactGroup, releaseGroups, seal } from "@lethe/core/mechanisms";
import { elementAt } from "@lethe/core/numeric";
import { drawsFrom, SeededSource } from "@lethe/core/tape";
import {
  measureAlone,
  type Plan,
  parseQuestion,
  planQuestion,
  policyHash,
  readPolicy,
  releaseProgram,
  resolveQuestion,
} from "@lethe/query";
import { describe, expect, it } from "vitest";
import { isEstimate, type Release } from "../release.ts";
import { answeredRows } from "../rows/answered-rows.ts";
import { madeRows } from "./made-rows.ts";
import { makingOf } from "./making.ts";

const policyOf = (adjacency: string): ReturnType<typeof readPolicy> =>
  readPolicy(`
version: 1
privacy_unit: { name: person, adjacency: ${adjacency} }
budget: { measure: approximate, epsilon: 10, delta: 1e-3 }
tables:
  people:
    file: people.csv
    unit: row
    columns:
      town: { type: text, categories: [a, b], default: a }
      trade: { type: text, categories: [u, v, w], default: u }
      wage: { type: integer, bounds: [-10, 60] }
`);

const runs = 1000;
/** More misses of 5 % than these have a chance of 2.6e-8 in each of the 36 counts below (binomial tail), which makes less than 1e-6 in all. */
const missesAtMost = 91;

const select = "COUNT(*) AS n, COUNT(wage) AS m, SUM(wage) AS s FROM people";

async function planOf(
  text: string,
  adjacency: string,
  mechanism: "laplace" | "gaussian",
  together: boolean,
): Promise<Plan> {
  const policy = policyOf(adjacency);
  const options = {
    epsilon: parseRational("1"),
    delta: parseRational("1e-4"),
    groupSelection: null,
    mechanism,
  };
  const question = resolveQuestion(await parseQuestion(text), policy);
  return planQuestion(question, policy, options, policyHash(policy), ...(together ? [] : [measureAlone]));
}

describe("the interval of a made number", () => {
  const settings = (["laplace", "gaussian"] as const).flatMap((mechanism) =>
    [true, false].flatMap((together) => [
      { mechanism, together, adjacency: "add-or-remove-one", releases: 1, keys: "town" },
      { mechanism, together, adjacency: "replace-one", releases: 3, keys: "town, trade" },
      { mechanism, together, adjacency: "add-or-remove-one", releases: 2, keys: "" },
    ]),
  );
  it.each(settings)(
    "holds the truth: $mechanism noise, $adjacency, joint: $together, $releases releases, by: $keys",
    async ({ mechanism, adjacency, together, releases, keys }) => {
      const fine = await planOf(
        `SELECT town, trade, ${select} GROUP BY town, trade`,
        adjacency,
        mechanism,
        together,
      );
      const by = keys === "" ? "" : ` GROUP BY ${keys}`;
      const shown = keys === "" ? select : `${keys}, ${select}`;
      const asked = await planOf(`SELECT ${shown}${by}`, adjacency, mechanism, together);
      const making = makingOf(fine, asked);
      if (!making) throw new Error("the answer follows from the release");
      const groups = ["a", "b"].flatMap((town, i) =>
        ["u", "v", "w"].map((trade, j): ExactGroup => {
          const [rows, present, sum] = [40 + 7 * i + j, 31 + 5 * i + j, 300 * i - 400 + 90 * j];
          return {
            key: [town, trade],
            units: BigInt(rows),
            sums: fine.sums.map((each) => {
              if (each.kind === "scaled-sum") return BigInt(sum) - BigInt(present) * BigInt(each.mid);
              if (each.kind === "sum") return BigInt(sum);
              return BigInt(each.kind === "count" && each.argument === null ? rows : present);
            }),
          };
        }),
      );
      const truth = (town: unknown, trade: unknown): readonly number[] => {
        const of = ["a", "b"].flatMap((t, i) =>
          ["u", "v", "w"].flatMap((r, j) =>
            (town === undefined || town === t) && (trade === undefined || trade === r)
              ? [[40 + 7 * i + j, 31 + 5 * i + j, 300 * i - 400 + 90 * j] as const]
              : [],
          ),
        );
        return [0, 1, 2].map((at) => of.reduce((all, each) => all + elementAt(each, at), 0));
      };
      const [exact, program, answer] = [seal({ groups }), releaseProgram(fine), answeredRows(fine, 0.95)];
      const coins = drawsFrom(new SeededSource(11));
      const misses = [0, 0, 0];
      let [spread, halves] = [0, 0];
      const keyed = keys === "" ? 0 : keys.split(",").length;
      for (let run = 0; run < runs; run += 1) {
        const all = Array.from({ length: releases }, () => {
          const { rows } = answer(releaseGroups(exact, program, coins));
          return { rows, certificate: { plan: fine } } as unknown as Release;
        });
        const rows = madeRows(asked, making, all, 0.95) ?? [];
        expect(rows).toHaveLength(keyed === 0 ? 1 : keyed === 1 ? 2 : 6);
        const row = elementAt(rows, run % rows.length);
        const due = truth(keyed > 0 ? row[0] : undefined, keyed > 1 ? row[1] : undefined);
        for (const [at, exactly] of due.entries()) {
          const cell = row[keyed + at]!;
          if (!isEstimate(cell) || cell.value === null || cell.lower === null || cell.upper === null)
            throw new Error("no interval");
          if (!(cell.lower <= exactly && exactly <= cell.upper)) misses[at]! += 1;
          if (at < 2) continue;
          spread += (cell.value - exactly) ** 2;
          halves += (cell.upper - cell.lower) / 2;
        }
      }
      for (const missed of misses) expect(missed).toBeLessThanOrEqual(missesAtMost);
      // Half of a 95 % interval is 1.9 to 2.2 standard deviations of these noises, and what rounding adds: noise that were told a fifth too small, or half too large, would show.
      const ratio = halves / runs / Math.sqrt(spread / runs);
      expect(ratio).toBeGreaterThan(1.75);
      expect(ratio).toBeLessThan(2.6);
    },
  );
});

it.each(["laplace", "gaussian"] as const)(
  "the interval of a made average holds it, with %s noise",
  async (mechanism) => {
    const fine = await planOf(
      `SELECT town, trade, ${select} GROUP BY town, trade`,
      "add-or-remove-one",
      mechanism,
      true,
    );
    const asked = await planOf("SELECT AVG(wage) AS a FROM people", "add-or-remove-one", mechanism, true);
    const making = makingOf(fine, asked);
    if (!making) throw new Error("the answer follows from the release");
    const groups = ["a", "b"].flatMap((town) =>
      ["u", "v", "w"].map(
        (trade): ExactGroup => ({
          key: [town, trade],
          units: 50n,
          sums: fine.sums.map((each) => {
            if (each.kind === "scaled-sum") return 1200n - 40n * BigInt(each.mid);
            if (each.kind === "sum") return 1200n;
            return each.kind === "count" && each.argument === null ? 50n : 40n;
          }),
        }),
      ),
    );
    const [exact, program, answer] = [seal({ groups }), releaseProgram(fine), answeredRows(fine, 0.95)];
    const coins = drawsFrom(new SeededSource(5));
    let [missed, narrow] = [0, 0];
    for (let run = 0; run < runs; run += 1) {
      const { rows } = answer(releaseGroups(exact, program, coins));
      const [[cell] = []] =
        madeRows(asked, making, [{ rows, certificate: { plan: fine } } as never], 0.95) ?? [];
      if (!isEstimate(cell!)) throw new Error("no estimate");
      if (cell.lower === null || cell.upper === null) continue;
      if (!(cell.lower <= 30 && 30 <= cell.upper)) missed += 1;
      if (cell.upper - cell.lower < 70) narrow += 1;
    }
    expect(missed).toBeLessThanOrEqual(missesAtMost);
    // Most intervals say more than the bounds do.
    expect(narrow).toBeGreaterThan(runs / 2);
  },
);
