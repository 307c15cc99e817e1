import type { Policy } from "@lethe/query";
import type { Path } from "@lethe/query/files";
import type { CategoryColumn, ModelColumn, NumberColumn, Task } from "./model.ts";
import type { ModelFile } from "./model-file.ts";
import { readColumn, unfit } from "./read-columns.ts";

/** Runs a check whose refusal names the place of a path. */
export type At = <T>(path: Path, read: () => Promise<T>) => Promise<T>;

/** Resolves the columns of a task, and checks that each is of the kind that the task needs. Errors: model.invalid. */
export async function readTask(file: ModelFile, source: string, policy: Policy, at: At): Promise<Task> {
  const column = (path: Path, name: string): Promise<ModelColumn> =>
    at(path, () => readColumn(source, name, policy));
  const number = (path: Path, name: string): Promise<NumberColumn> =>
    at(path, async () => demandNumber(await readColumn(source, name, policy)));
  const category = (path: Path, name: string): Promise<CategoryColumn> =>
    at(path, async () => demandCategory(await readColumn(source, name, policy)));
  const all = async <T>(
    names: readonly string[],
    read: (path: Path, name: string) => Promise<T>,
  ): Promise<T[]> => {
    const columns: T[] = [];
    for (const [place, name] of names.entries()) columns.push(await read(["features", place], name));
    return columns;
  };

  switch (file.model) {
    case "linear-regression":
    case "ridge-regression":
      return {
        kind: file.model,
        target: await number(["target"], file.target),
        features: await all(file.features, column),
        intercept: file.intercept ?? true,
        penalty: file.model === "ridge-regression" ? file.penalty : 0,
      };
    case "covariance":
      return { kind: "covariance", features: await all(file.features, number) };
    case "pca": {
      const features = await all(file.features, number);
      return { kind: "pca", features, components: file.components ?? features.length };
    }
    case "naive-bayes":
      return {
        kind: "naive-bayes",
        target: await category(["target"], file.target),
        features: await all(file.features, column),
      };
    case "marginals": {
      if (typeof file.marginals === "number") {
        const features = await all(file.features ?? [], category);
        return { kind: "marginals", marginals: waysOf(features, file.marginals) };
      }
      const marginals: CategoryColumn[][] = [];
      for (const [place, names] of file.marginals.entries())
        marginals.push(
          await all(names, (path, name) => category(["marginals", place, ...path.slice(1)], name)),
        );
      return { kind: "marginals", marginals };
    }
  }
}

/** All marginals of one column, or of two; of a single column its own. */
function waysOf(columns: readonly CategoryColumn[], ways: 1 | 2): readonly (readonly CategoryColumn[])[] {
  if (ways === 1 || columns.length === 1) return columns.map((column) => [column]);
  return columns.flatMap((one, place) => columns.slice(place + 1).map((other) => [one, other]));
}

export function demandNumber(column: ModelColumn): NumberColumn {
  if (column.kind === "number") return column;
  throw unfit(
    `${JSON.stringify(column.name)} has categories, and a number is needed`,
    "name a number with bounds",
  );
}

function demandCategory(column: ModelColumn): CategoryColumn {
  if (column.kind === "category") return column;
  throw unfit(
    `${JSON.stringify(column.name)} is a number, and categories are needed`,
    "name a column with public categories, or a boolean",
  );
}
