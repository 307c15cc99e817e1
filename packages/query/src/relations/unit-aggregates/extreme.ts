import { writeSql } from "../../expressions/write-sql.ts";
import type { UnitAggregateOf } from "../unit-aggregate.ts";
import type { UnitAggregateKind } from "./unit-aggregate-kind.ts";

/** MIN or MAX, by the name that it is written with. */
export function extreme(name: string): UnitAggregateKind<UnitAggregateOf<"min" | "max">> {
  return {
    write: ({ argument }) => `${name}(${writeSql(argument)})`,
    isCount: false,
    inWindows: true,
    fits: () => true,
  };
}
