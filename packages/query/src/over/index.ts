export { mostOverRows, type OverColumnKind } from "./over-columns.ts";
export type {
  OverAggregate,
  OverColumn,
  OverFrame,
  OverOrder,
  OverPlace,
  OverRelation,
  OverValue,
  OverWindow,
  ReleasedRelation,
} from "./over-relation.ts";
export { type PublicValues, publicValues, withPublicRows } from "./public-values.ts";
