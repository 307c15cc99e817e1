import { parseRational } from "@lethe/core";
import { elementAt } from "@lethe/core/numeric";
import {
  measureAlone,
  type Plan,
  parseQuestion,
  planQuestion,
  policyHash,
  resolveQuestion,
} from "@lethe/query";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Answer } from "../statistics/answer.ts";
import { encodedNumber } from "../statistics/layout-of.ts";
import { uniforms } from "../testing/measured.ts";
import { people } from "../testing/people.ts";
import { firstCentroids } from "./first-centroids.ts";
import { kMeansToJson, readFittedKMeans } from "./k-means-json.ts";
import type { KMeansModel, KMeansState } from "./k-means-model.ts";
import { kMeansQuestion, kMeansStart } from "./k-means-question.ts";
import { fitKMeans, kMeansStep } from "./k-means-step.ts";
import { nearest, sidesOf } from "./nearest.ts";
import { kMeansToSql, predictKMeans } from "./predict-k-means.ts";
import { readKMeans } from "./read-k-means.ts";

const text = "version: 1\ntable: people\nmodel: k-means\nfeatures: [wage, hours]\nclusters: 3\nsteps: 4";
const model: KMeansModel = await readKMeans(text, people);

type Person = readonly [wage: number, hours: number];

const middles: readonly Person[] = [
  [0, 10],
  [50, 20],
  [20, 70],
];

function blobs(count: number, seed: number): readonly Person[] {
  const uniform = uniforms(seed);
  return Array.from({ length: count }, (_, at): Person => {
    const [wage, hours] = elementAt(middles, at % 3);
    return [wage + 8 * (uniform() - 0.5), hours + 8 * (uniform() - 0.5)];
  });
}

async function planned(question: string): Promise<Plan> {
  const resolved = resolveQuestion(await parseQuestion(question), people);
  return planQuestion(resolved, people, { epsilon: parseRational("1") }, policyHash(people), measureAlone);
}

/** A release of the next question over some rows, with this added to every number. */
async function released(state: KMeansState, rows: readonly Person[], noise: () => number): Promise<Answer> {
  const scaled = rows.map((row) =>
    model.features.map((column, i) => {
      const { middle, half } = encodedNumber(column);
      return (elementAt(row, i) - middle) / half;
    }),
  );
  const sides = sidesOf(state.centroids, [1, 1]);
  const cells = state.centroids.map((_, cluster) => {
    const mine = scaled.filter((z) => nearest(sides, z) === cluster);
    const sums = [0, 1].map((i) => mine.reduce((sum, z) => sum + elementAt(z, i), 0));
    return [cluster, ...[mine.length, ...sums].map((value) => ({ value: value + noise() }))];
  });
  return {
    columns: ["cluster", "n", "sum 0", "sum 1"].map((name) => ({ name, kind: "number" })),
    rows: cells,
    certificate: { plan: await planned(kMeansQuestion(model, state)) },
  };
}

async function fold(rows: readonly Person[], noise: () => number): Promise<readonly Answer[]> {
  const releases: Answer[] = [];
  let state = kMeansStart(model);
  for (let step = 0; step < model.steps; step++) {
    const release = await released(state, rows, noise);
    releases.push(release);
    state = kMeansStep(model, state, release);
  }
  return releases;
}

describe("a question", () => {
  it("assigns rows to the current centroids, and groups by that", () => {
    const state = {
      step: 0,
      centroids: [
        [-0.5, 0],
        [0.5, 0],
      ],
      counts: null,
    };
    expect(kMeansQuestion({ ...model, clusters: 2, where: "age > 30" }, state)).toBe(
      'SELECT CASE WHEN (-1e+0) * (("wage" - 2.5e+1) / 3.5e+1) + 0e+0 * (("hours" - 4e+1) / 4e+1) >= 0e+0 THEN 0 ELSE 1 END AS "cluster", COUNT(*) AS "n", ' +
        'SUM((("wage" - 2.5e+1) / 3.5e+1)) AS "sum 0", SUM((("hours" - 4e+1) / 4e+1)) AS "sum 1" FROM "people" ' +
        'WHERE (\nage > 30\n) AND "wage" IS NOT NULL AND "hours" IS NOT NULL GROUP BY "cluster"',
    );
  });

  it("has public keys, one a cluster, and costs the joint sensitivity 1 + d of one cell", async () => {
    const plan = await planned(kMeansQuestion(model, kMeansStart(model)));
    expect(plan.keys.program).toEqual({ kind: "public", declared: [[0], [1], [2]] });
    const parts = plan.measurements.map(({ terms, l1 }) => {
      const sum = plan.sums.find(({ name }) => name === terms[0]?.sum);
      return Number(l1) * (sum?.kind === "sum" ? 2 ** sum.grid.exponent : 1);
    });
    expect(parts.map((part) => part.toFixed(4))).toEqual(["1.0000", "1.0000", "1.0000"]);
  });

  it("is a function of the model and of earlier releases alone", async () => {
    const [one, two] = [blobs(90, 1), blobs(600, 2)];
    const first = await released(kMeansStart(model), one, () => 0);
    const other = { ...(await released(kMeansStart(model), two, () => 5)), rows: first.rows };
    const [a, b] = [first, other].map((release) =>
      kMeansQuestion(model, kMeansStep(model, kMeansStart(model), release)),
    );
    expect(a).toBe(b);
  });
});

describe("the nearest centroid", () => {
  const point = fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 3, maxLength: 3 });

  it("is that of the squared distances, by comparisons with later ones alone", () => {
    fc.assert(
      fc.property(
        fc.array(point, { minLength: 2, maxLength: 7 }),
        point,
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 3, maxLength: 3 }),
        (centroids, x, scales) => {
          const distance = (centroid: readonly number[]): number =>
            centroid.reduce((sum, c, i) => sum + ((elementAt(x, i) - c) / elementAt(scales, i)) ** 2, 0);
          const found = nearest(sidesOf(centroids, scales), x);
          const least = Math.min(...centroids.map(distance));
          expect(distance(elementAt(centroids, found))).toBeLessThanOrEqual(least + 1e-12);
        },
      ),
    );
  });

  it("is the first of several that are as near", () => {
    expect(nearest(sidesOf([[1], [0], [0], [1]], [1]), [0])).toBe(1);
    expect(nearest(sidesOf([[1], [1]], [1]), [0.3])).toBe(0);
  });
});

describe("a fit", () => {
  it("finds the clusters of the rows without noise: exactly Lloyd's means", async () => {
    const rows = blobs(300, 3);
    const fitted = fitKMeans(model, await fold(rows, () => 0));
    const places = middles.map(([wage, hours]) => predictKMeans(fitted, { wage, hours }).cluster);
    expect(new Set(places).size).toBe(3);
    for (const [blob, place] of places.entries()) {
      const mine = rows.filter((_, at) => at % 3 === blob);
      const centroid = elementAt(fitted.centroids, Number(place));
      for (const i of [0, 1])
        expect(elementAt(centroid, i)).toBeCloseTo(
          mine.reduce((sum, row) => sum + elementAt(row, i), 0) / mine.length,
          9,
        );
      expect(fitted.counts?.[Number(place)]).toBe(100);
    }
    expect(fitted.steps).toBe(4);
  });

  it("is within the bounds whatever the noise, and keeps the centroid of an empty cluster", async () => {
    for (const [seed, scale] of [
      [1, 3],
      [2, 100],
      [3, 1e12],
    ] as const) {
      const uniform = uniforms(seed);
      const fitted = fitKMeans(model, await fold(blobs(60, seed), () => scale * (uniform() - 0.5)));
      for (const [wage = Number.NaN, hours = Number.NaN] of fitted.centroids) {
        expect(wage >= -10 && wage <= 60 && hours >= 0 && hours <= 80).toBe(true);
      }
      expect(kMeansToSql(fitted)).not.toMatch(/NaN|Infinity/);
    }
    const start = kMeansStart(model);
    const release = await released(start, [], () => -1);
    expect(kMeansStep(model, start, release).centroids).toEqual(start.centroids);
    // One row is less than the noise of a count at this price.
    const lonely = await released(start, [[0, 0]], () => 0);
    expect(kMeansStep(model, start, lonely).centroids).toEqual(start.centroids);
  });

  it("is refused where a release answers another question", async () => {
    const releases = await fold(blobs(90, 4), () => 0);
    const [first, second] = releases;
    if (!first || !second) throw new Error("no releases");
    const wrong: readonly (readonly Answer[])[] = [
      [second, first],
      [{ ...first, rows: first.rows.slice(1) }],
      [{ ...first, columns: first.columns.toReversed() }],
      [{ ...first, rows: first.rows.map((row) => row.map((_, at) => (at === 0 ? row[0] : "a text"))) }],
    ];
    for (const list of wrong)
      expect(() => fitKMeans(model, list)).toThrow(expect.objectContaining({ code: "release.invalid" }));
  });

  it("comes back from its JSON, and is refused with anything else", async () => {
    const fitted = fitKMeans(model, await fold(blobs(90, 5), () => 0.25));
    expect(readFittedKMeans(kMeansToJson(fitted))).toEqual(fitted);
    expect(predictKMeans(fitted, { wage: 3 })).toEqual({ cluster: null });
    for (const change of [
      { extra: 1 },
      { scales: [1] },
      { centroids: [[1, "2"]] },
      { kind: "pca" },
      { counts: [1] },
    ])
      expect(() => readFittedKMeans(JSON.stringify({ ...fitted, ...change }))).toThrow(
        expect.objectContaining({ code: "model.invalid" }),
      );
  });
});

describe("the first centroids", () => {
  it("are spread: of 16 in a square, every quarter has 3 to 5", () => {
    const points = firstCentroids(16, 2);
    for (const [a, b] of [
      [-1, -1],
      [-1, 1],
      [1, -1],
      [1, 1],
    ] as const) {
      const inside = points.filter(([x = 0, y = 0]) => x * a > 0 && y * b > 0).length;
      expect(inside).toBeGreaterThanOrEqual(3);
      expect(inside).toBeLessThanOrEqual(5);
    }
  });

  it("are distinct, and within the bounds", () => {
    for (const dimension of [1, 2, 5, 20]) {
      const points = firstCentroids(32, dimension);
      expect(new Set(points.map(String)).size).toBe(32);
      expect(points.flat().every((x) => x >= -1 && x <= 1)).toBe(true);
    }
  });
});

describe("a description is refused with", () => {
  const wrong: readonly (readonly [string, string, RegExp])[] = [
    ["one cluster", text.replace("clusters: 3", "clusters: 1"), /line 5, clusters: must be at least 2/],
    ["too many", text.replace("clusters: 3", "clusters: 33"), /line 5, clusters: must be at most 32/],
    ["no step", text.replace("steps: 4", "steps: 0"), /line 6, steps: must be at least 1/],
    ["categories", text.replace("hours", "sector"), /line 4, features\[1\]: "sector" has categories/],
    [
      "no bounds",
      text.replace("hours", "debt"),
      /line 4, features\[1\]: "debt" is a number without public bounds/,
    ],
    ["another key", `${text}\nseed: 1`, /unknown key "seed"/],
    [
      "units of several rows",
      text.replace("people", "visits").replace("wage, hours", "cost"),
      /line 2, table: a unit may have several rows/,
    ],
    ["an unknown table", text.replace("people", "nobody"), /line 2, table/],
    ["two sources", `${text}\nfrom: workers`, /table: must stand alone/],
    ["a condition that is none", `${text}\nwhere: wage > 1 GROUP BY wage`, /where/],
  ];
  it.each(wrong)("%s", async (_, yaml, message) => {
    await expect(readKMeans(yaml, people)).rejects.toThrow(message);
  });
});
