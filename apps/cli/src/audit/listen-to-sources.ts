import { LetheError } from "@lethe/core";
import type { Engine } from "@lethe/query";

/**
 * Wraps engines so that the first error of a source is kept, with the side it was on. A fault of a table is learned from the catalog alone, before a
 * charge, and may name where the table lies. So it is told as it is when one side has it, and is no difference between answers.
 */
export function listenToSources(
  engines: readonly Engine[],
  sharesState: boolean,
): { readonly engines: readonly Engine[]; error(): unknown } {
  let first: unknown = null;
  return {
    error: () => first,
    engines: engines.map((engine, side) => ({
      dialect: engine.dialect,
      async storage(table) {
        try {
          return await engine.storage(table);
        } catch (error) {
          first ??= side === 0 ? error : ofNeighbour(error, sharesState);
          throw error;
        }
      },
      run: (query) => engine.run(query),
      rows: (query) => engine.rows(query),
      published: (query) => engine.published(query),
      close: () => engine.close(),
    })),
  };
}

function ofNeighbour(error: unknown, sharesState: boolean): unknown {
  if (!(error instanceof LetheError)) return error;
  const { code, message, fields } = error;
  // Two policies of one folder would import over each other's snapshots.
  const isOthers = sharesState && code === "policy.changed";
  const isTyped = code === "engine.not-imported" || code === "policy.changed";
  const fix = isOthers
    ? "keep the neighbour's policy in a folder of its own, and import there"
    : isTyped
      ? `in the folder of the neighbour's policy: ${error.fix}`
      : error.fix;
  return new LetheError(code, `on the neighbour: ${message}`, { fix, fields });
}
