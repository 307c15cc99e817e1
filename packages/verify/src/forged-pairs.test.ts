import { LetheError, parseRational } from "@lethe/core";
import { describe, expect, it } from "vitest";
import type { Release } from "./format/release.ts";
import { changed, leavesOf, withLeaf } from "./testing/leaves.ts";
import { ownWord } from "./testing/own-word.ts";
import { newSigner, releaseOf, samplePlan, signed } from "./testing/sample-release.ts";
import { verifyRelease } from "./verify-release.ts";

const policyText = `
version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
tables:
  people:
    file: people.csv
    unit: id
    max_groups_contributed: 3
    max_rows_contributed_per_group: 4
    columns:
      wage: { type: number, bounds: [0, 60] }
      change: { type: integer, bounds: [-5, 12], default: 0 }
      sector: { type: text, categories: [manufacturing, construction, other], default: other }
      city: { type: text }
      id: { type: text }
budget: { measure: approximate, epsilon: 10, delta: 1e-5 }
`;
const granted = { measure: "approximate", epsilon: "10", delta: "1/100000" } as const;
const signer = newSigner();

/** The questions, each with the columns whose intervals rest on noisy sums that are not released. */
const questions: readonly (readonly [string, readonly number[]])[] = [
  [
    "SELECT sector, COUNT(*) AS n, SUM(change) AS total, AVG(wage) AS mean FROM people WHERE wage > 3 GROUP BY sector",
    [3],
  ],
  ["SELECT city, MEDIAN(wage), COUNT(DISTINCT change) FROM people GROUP BY city", [1]],
  [
    "SELECT sector, COVAR_POP(wage, change), STDDEV_POP(wage) FROM people GROUP BY ROLLUP (sector) ORDER BY 2",
    [1, 2],
  ],
];

/**
 * The statements that the service can make in two places without being contradicted: that noise and event have a larger scale than was paid for,
 * which overstates a loss; and what its account was granted, and so what is left of it.
 */
const saidTwice = [
  /^certificate\.plan\.(measurements|trees)\.\d+\.noise\.(scale|sigma)$/,
  /^certificate\.plan\.event\.events\.\d+\.(scale|sigma)$/,
  /^certificate\.account\.(granted|left)\.\w+$/,
];

type Path = readonly (string | number)[];

async function failed(release: Release): Promise<boolean> {
  try {
    const { checks } = await verifyRelease(JSON.stringify(release), {
      policyText,
      publicKeyPem: signer.publicKey,
    });
    return checks.some(({ outcome }) => outcome === "failed");
  } catch (error) {
    if (error instanceof LetheError && error.code === "release.invalid") return true;
    throw error;
  }
}

const matches = (words: readonly RegExp[], path: Path): boolean =>
  words.some((word) => word.test(path.join(".")));

/** Paths to leaves that hold the same value, but for the commonest values, which say the same by chance. */
function alike(release: Release, open: readonly number[]): readonly (readonly Path[])[] {
  const byValue = new Map<string, Path[]>();
  for (const [path, value] of leavesOf(JSON.parse(JSON.stringify(release)))) {
    if (matches(ownWord, path) || (path[0] === "rows" && open.includes(Number(path[2])))) continue;
    const name = JSON.stringify(value);
    byValue.set(name, [...(byValue.get(name) ?? []), path]);
  }
  return [...byValue.values()].filter((paths) => paths.length > 1);
}

/** Lies that are consistent with one another: what one place says, another says too. */
describe("values that say the same, changed alike and truly signed", () => {
  it.each(questions)("are seen through: %s", async (text, open) => {
    const release = releaseOf(
      await samplePlan(text, policyText, { epsilon: parseRational("0.5") }),
      signer,
      granted,
    );
    expect(await failed(release)).toBe(false);
    const unnoticed: string[] = [];
    let tried = 0;
    const forge = async (paths: readonly Path[]): Promise<void> => {
      tried += 1;
      const lie = paths.reduce<unknown>((draft, path) => withLeaf(draft, path, changed), release);
      if (!(await failed(signed(lie as Release, signer))))
        if (!paths.every((path) => matches(saidTwice, path)))
          unnoticed.push(paths.map((path) => path.join(".")).join(" and "));
    };
    for (const paths of alike(release, open)) {
      await forge(paths);
      // Each with its neighbour in the file, and each with the last.
      for (let at = 1; at < paths.length; at += 1) await forge([paths[at - 1]!, paths[at]!]);
      if (paths.length > 2) await forge([paths[0]!, paths.at(-1)!]);
    }
    expect(unnoticed).toEqual([]);
    expect(tried).toBeGreaterThan(50);
  });
});
