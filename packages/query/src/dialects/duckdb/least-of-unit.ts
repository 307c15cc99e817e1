import type { LeastOfUnit } from "../dialect.ts";
import { firstOfUnit } from "../first-of-unit.ts";
import { write } from "./values.ts";

/**
 * Keeps the rows by ROW_NUMBER, whose sort spills. Under a single order DuckDB makes a heap a unit of it, which is a sixth
 * faster, cannot spill, and so dies with many units where memory is capped: the unit as a second order keeps it from that.
 */
export const leastOfUnit: LeastOfUnit = (request) =>
  firstOfUnit({ ...request, order: [...request.order, "owned.u"] }, write);
