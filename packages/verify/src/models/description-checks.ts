import type { Policy } from "@lethe/query";
import { type Verdict, verdict } from "../checks/check.ts";
import { isDeclaredColumn } from "../procedure/declared-domain.ts";
import { columnsNamed, type Description, isKMeans } from "./description.ts";

/** The name of a model in sentences: its place in the file. */
export const modelAt = (at: number): string => `model ${at + 1}`;

/** Checks that descriptions say what their kinds can: for each a model, columns once each, and settings within what they mean. */
export function descriptionsAreSound(
  descriptions: readonly Description[],
  models: readonly unknown[],
): Verdict {
  const alone = descriptions.length === 1;
  return verdict(
    [
      ...(descriptions.length > 0 ? [] : ["no model is described"]),
      ...(models.length === descriptions.length ? [] : ["there is not one model for each description"]),
      ...(alone || !descriptions.some(isKMeans)
        ? []
        : ["a k-means stands beside other models, and its questions are its own"]),
      ...descriptions.flatMap((each, at) => faultsOf(each).map((fault) => `${modelAt(at)} ${fault}`)),
    ],
    "each model is described by what its kind has",
  );
}

function faultsOf(description: Description): readonly string[] {
  const names = columnsNamed(description).map(({ name }) => name);
  const common = [
    ...(names.length > 0 ? [] : ["names no column"]),
    ...(new Set(names).size === names.length ? [] : ["names a column twice"]),
  ];
  if (isKMeans(description)) return common;
  const { task } = description;
  switch (task.kind) {
    case "linear-regression":
      return [...common, ...(task.penalty === 0 ? [] : ["has a penalty, and is no ridge regression"])];
    case "ridge-regression":
      return [...common, ...(task.penalty > 0 ? [] : ["has a penalty that is not above 0"])];
    case "pca":
      return [
        ...common,
        ...(task.components <= task.features.length ? [] : ["has more components than features"]),
      ];
    case "marginals": {
      const wide = task.marginals.some(({ length }) => length < 1 || length > 2);
      return [...common, ...(wide ? ["has a marginal of neither one column nor two"] : [])];
    }
    default:
      return common;
  }
}

/** Checks that every column is described with the bounds or categories of the policy, and with its NULLs. */
export async function columnsAreDescribed(
  descriptions: readonly Description[],
  policy: Policy,
): Promise<Verdict> {
  const known = new Map<string, boolean>();
  const amiss: string[] = [];
  for (const [at, description] of descriptions.entries())
    for (const column of columnsNamed(description)) {
      const key = JSON.stringify([description.source, column]);
      const holds = known.get(key) ?? (await isDeclaredColumn(column, description.source, policy));
      known.set(key, holds);
      if (!holds) amiss.push(`${modelAt(at)} describes ${column.name} otherwise than the policy`);
    }
  return verdict(amiss, "every column is described by the bounds and categories that the policy declares");
}
