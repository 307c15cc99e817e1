import type { ColumnPolicy, TimeColumn } from "@lethe/query";
import {
  boolean,
  extended,
  integer,
  list,
  literal,
  nullable,
  number,
  object,
  pair,
  type Read,
  tagged,
  text,
} from "./shape.ts";

const time = <T extends "date" | "timestamp">(type: T): Read<TimeColumn & { readonly type: T }> =>
  extended(
    { type: literal(type), nullable: boolean, bounds: pair(integer()), default: nullable(integer()) },
    { rounding: integer(1) },
  );

/** A column as the policy declares it. */
export const column: Read<ColumnPolicy> = tagged("type", {
  number: object({
    type: literal("number"),
    nullable: boolean,
    bounds: nullable(pair(number)),
    default: nullable(number),
  }),
  integer: object({
    type: literal("integer"),
    nullable: boolean,
    bounds: nullable(pair(number)),
    categories: nullable(list(number)),
    default: nullable(number),
  }),
  text: object({
    type: literal("text"),
    nullable: boolean,
    categories: nullable(list(text)),
    default: nullable(text),
    maxLength: integer(0),
  }),
  boolean: object({ type: literal("boolean"), nullable: boolean, default: nullable(boolean) }),
  date: time("date"),
  timestamp: time("timestamp"),
});
