import { writeSql } from "../../expressions/write-sql.ts";
import type { UnitAggregateOf } from "../unit-aggregate.ts";
import type { UnitAggregateKind } from "./unit-aggregate-kind.ts";

export const count: UnitAggregateKind<UnitAggregateOf<"count">> = {
  write: ({ argument }) => (argument === null ? "COUNT(*)" : `COUNT(${writeSql(argument)})`),
  isCount: true,
  inWindows: true,
  fits: (_, { type }) => type === "integer",
};
