import type {
  DescribedCategory,
  DescribedNumber,
  Description,
  KMeansDescription,
} from "../models/description.ts";
import type { TrainedFile } from "../models/trained-file.ts";
import { genuineWorkload } from "./forgeries/workloads.ts";

/** A policy of people whose rows may have no wage and no membership. */
export const modelsPolicy = (unit = "unit: row"): string => `
version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
tables:
  people:
    file: people.csv
    ${unit}
    columns:
      id: { type: text }
      wage: { type: number, bounds: [0, 60] }
      age: { type: integer, bounds: [18, 90], default: 40 }
      sector: { type: text, categories: [trade, other], default: other }
      member: { type: boolean }
budget: { measure: pure, epsilon: 10 }
`;

export const wage: DescribedNumber = { kind: "number", name: "wage", bounds: [0, 60], nullable: true };
export const age: DescribedNumber = { kind: "number", name: "age", bounds: [18, 90], nullable: false };
export const sector: DescribedCategory = {
  ...{ kind: "category", name: "sector", nullable: false },
  categories: ["trade", "other"],
};
export const member: DescribedCategory = {
  ...{ kind: "category", name: "member", nullable: true },
  categories: [false, true],
};

const z = { wage: '(("wage" - 3e+1) / 3e+1)', age: '(("age" - 5.4e+1) / 3.6e+1)' } as const;
const rows = 'FROM "people" WHERE (\nage >= 20\n) AND "wage" IS NOT NULL AND "member" IS NOT NULL';
const people = { version: 1, source: "people" } as const;

/** A file as it is written, with what stands in it for models. */
export interface Written extends Omit<TrainedFile, "releaseJson"> {
  readonly version: 1;
  readonly confidence: number;
}

async function fileOf(
  descriptions: readonly Description[],
  texts: readonly string[],
  policy: string = modelsPolicy(),
): Promise<Written> {
  const release = await genuineWorkload(texts, policy);
  const { confidence } = release.certificate;
  return { version: 1, descriptions, models: descriptions.map(() => ({})), confidence, release };
}

/** The questions of a ridge regression and a naive Bayes over the same rows. */
export const jointTexts: readonly string[] = [
  `SELECT COUNT(*) AS n, SUM(${z.wage}) AS a, SUM(${z.age}) AS b, SUM(POWER(${z.wage}, 2)) AS aa, SUM(${z.wage} * ${z.age}) AS ab, SUM(POWER(${z.age}, 2)) AS bb ${rows}`,
  `SELECT sector, COUNT(*) AS n, SUM(${z.wage}) AS a, SUM(${z.age}) AS b, SUM(POWER(${z.wage}, 2)) AS aa ${rows} GROUP BY sector`,
  `SELECT member, COUNT(*) AS n, SUM(${z.wage}) AS a, SUM(${z.age}) AS b ${rows} GROUP BY member`,
  `SELECT member, sector, COUNT(*) AS n ${rows} GROUP BY member, sector`,
];

/** Two models that share their sums. */
export async function jointFile(
  texts: readonly string[] = jointTexts,
  policy: string = modelsPolicy(),
): Promise<Written> {
  const described = { ...people, where: "age >= 20" };
  const ridge = { kind: "ridge-regression", target: wage, intercept: true, penalty: 5 } as const;
  return fileOf(
    [
      { ...described, task: { ...ridge, features: [age, sector, member] } },
      { ...described, task: { kind: "naive-bayes", target: sector, features: [member, wage] } },
    ],
    texts,
    policy,
  );
}

/** Components and counts of columns that are never NULL, so that all rows are read. */
export function plainFile(policy: string = modelsPolicy()): Promise<Written> {
  const all = { ...people, where: null };
  return fileOf(
    [
      { ...all, task: { kind: "pca", features: [age], components: 1 } },
      { ...all, task: { kind: "covariance", features: [age] } },
      { ...all, task: { kind: "marginals", marginals: [[sector]] } },
      {
        ...all,
        task: { kind: "linear-regression", target: age, features: [sector], intercept: false, penalty: 0 },
      },
    ],
    [
      `SELECT COUNT(*) AS n, SUM(${z.age}) AS a, SUM(POWER(${z.age}, 2)) AS aa FROM people`,
      `SELECT sector, COUNT(*) AS n, SUM(${z.age}) AS a FROM people GROUP BY sector`,
    ],
    policy,
  );
}

/** Three clusters of ages, at these centroids in scaled numbers. */
function clustersText([a, b, c]: readonly [number, number, number]): string {
  const side = (one: number, other: number): string =>
    `${one - other} * ${z.age} >= ${((one - other) * (one + other)) / 2}`;
  const key = `CASE WHEN ${side(a, b)} AND ${side(a, c)} THEN 0 WHEN ${side(b, c)} THEN 1 ELSE 2 END`;
  return `SELECT ${key} AS cluster, COUNT(*) AS n, SUM(${z.age}) AS a FROM people GROUP BY cluster`;
}

export const threeClusters: KMeansDescription = {
  ...{ kind: "k-means", ...people, where: null, features: [age], clusters: 3, steps: 2 },
};

/** The two questions of a k-means: the first at the golden ratio's multiples, the second where the answer to the first leads to. */
export async function kMeansTexts(): Promise<readonly [string, string]> {
  const golden = (1 + Math.sqrt(5)) / 2;
  const [a = 0, b = 0, c = 0] = [1, 2, 3].map((j) => 2 * ((0.5 + j / golden) % 1) - 1);
  const first = clustersText([a, b, c]);
  const [answer] = (await genuineWorkload([first], modelsPolicy())).answers;
  const estimated = (cell: unknown): number => (cell as { readonly value: number }).value;
  const [p = 0, q = 0, r = 0] = [a, b, c].map((centroid, cluster) => {
    const row = answer?.rows.find(([key]) => key === cluster) ?? [];
    const [n, sum] = [estimated(row[1]), estimated(row[2])];
    return n > 10 ? Math.min(1, Math.max(-1, sum / n)) : centroid;
  });
  return [first, clustersText([p, q, r])];
}

export async function kMeansFile(texts?: readonly string[]): Promise<Written> {
  return fileOf([threeClusters], texts ?? (await kMeansTexts()));
}
