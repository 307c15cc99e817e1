import { writeSql } from "../../expressions/write-sql.ts";
import type { UnitAggregateOf } from "../unit-aggregate.ts";
import type { UnitAggregateKind } from "./unit-aggregate-kind.ts";

export const countDistinct: UnitAggregateKind<UnitAggregateOf<"count-distinct">> = {
  write: ({ argument }) => `COUNT(DISTINCT ${writeSql(argument)})`,
  isCount: true,
  inWindows: false,
  fits: (_, { type }) => type === "integer",
};
