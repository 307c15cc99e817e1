import { writeSql } from "../../expressions/write-sql.ts";
import type { UnitAggregateOf } from "../unit-aggregate.ts";
import { canBeSummed } from "./can-be-summed.ts";
import type { UnitAggregateKind } from "./unit-aggregate-kind.ts";

export const average: UnitAggregateKind<UnitAggregateOf<"avg">> = {
  write: ({ argument }) => `AVG(${writeSql(argument)})`,
  isCount: false,
  inWindows: true,
  fits: ({ grid }, column) => canBeSummed(grid) && column.type === "number" && column.bounds !== null,
};
