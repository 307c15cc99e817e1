import type { LeastOfUnit } from "../dialect.ts";
import { firstOfUnit } from "../first-of-unit.ts";
import { write } from "./values.ts";

/**
 * Keeps the rows by ROW_NUMBER, which sorts once and stops numbering a unit at the last row that is kept. A threshold (the kth
 * hash of array_agg, joined back) took as long at best and holds each unit's hashes in memory.
 */
export const leastOfUnit: LeastOfUnit = (request) => firstOfUnit(request, write);
