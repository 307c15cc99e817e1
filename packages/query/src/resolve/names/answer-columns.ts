import type { Domain } from "../../expressions/domain.ts";
import type { OverColumnKind } from "../../over/over-columns.ts";
import { byName } from "../../refusals/by-name.ts";
import type { NamedKey, OutputColumn } from "./resolved-query.ts";

/** Returns the columns of an answer, with the types of their values. `typeOf` returns the type of an aggregate. */
export function answerColumns(
  outputs: readonly OutputColumn[],
  keys: readonly NamedKey[],
  typeOf: (aggregate: string) => Domain["type"],
): readonly Omit<OverColumnKind, "isCopy">[] {
  const columnOf = (output: OutputColumn): Omit<OverColumnKind, "isCopy"> => {
    const { name } = output;
    switch (output.kind) {
      case "key": {
        const { domain } = byName(keys, output.key).expression;
        const isWhole = domain.type === "number" && domain.integer;
        return { name, kind: "key", type: domain.type, ...(isWhole ? { isWhole } : {}) };
      }
      case "aggregate":
        return { name, kind: "aggregate", type: typeOf(output.aggregate) };
      case "computed":
        return { name, kind: output.type === "number" ? "computed" : "label", type: output.type };
      case "interval-end":
        return { name, kind: "label", type: "number" };
    }
  };
  return outputs.map(columnOf);
}
