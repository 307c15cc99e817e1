export type * from "./query.ts";
export type { Comparison, SqlType, ValueWriter } from "./value-writer.ts";
export type { Order, Window, WindowFunction } from "./window.ts";
