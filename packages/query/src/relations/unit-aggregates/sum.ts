import { writeSql } from "../../expressions/write-sql.ts";
import type { UnitAggregateOf } from "../unit-aggregate.ts";
import { canBeSummed } from "./can-be-summed.ts";
import type { UnitAggregateKind } from "./unit-aggregate-kind.ts";

export const sum: UnitAggregateKind<UnitAggregateOf<"sum">> = {
  write: ({ argument }) => `SUM(${writeSql(argument)})`,
  isCount: false,
  inWindows: true,
  fits: ({ grid }, { type }) => canBeSummed(grid) && (type === "number" || grid.exponent === 0),
};
