import type { WindowDef } from "@pgsql/types";
import { refuse } from "../../refusals/refuse.ts";
import { mostFrameRows, type WindowFrame } from "../../relations/unit-window.ts";
import { resolveExpression } from "../expressions/resolve-expression.ts";
import { constantNumber } from "../expressions/resolve-literal.ts";
import type { Scope } from "../names/scope.ts";

/** PostgreSQL's bits of WindowDef.frameOptions. */
export const frameBit = {
  stated: 0x1,
  range: 0x2,
  groups: 0x8,
  fromFirst: 0x20,
  toFirst: 0x40,
  fromLast: 0x80,
  toLast: 0x100,
  fromRow: 0x200,
  toRow: 0x400,
  fromBefore: 0x800,
  toBefore: 0x1000,
  fromAfter: 0x2000,
  toAfter: 0x4000,
  excludes: 0x38000,
} as const;

/**
 * The frame that is stated; null where none is. Errors: query.unsupported for RANGE and GROUPS, EXCLUDE, and frames whose
 * rows would have to be added up anew for each row.
 */
export function frameOf(over: WindowDef, scope: Scope, location: number | undefined): WindowFrame | null {
  const { frameOptions = 0, startOffset, endOffset } = over;
  const has = (name: keyof typeof frameBit): boolean => (frameOptions & frameBit[name]) !== 0;
  if (!has("stated")) return null;
  if (has("range") || has("groups") || has("excludes"))
    refuse(
      "query.unsupported",
      "frames are stated in ROWS, without EXCLUDE",
      "write ROWS BETWEEN 3 PRECEDING AND CURRENT ROW",
      location,
    );
  const rows = (offset: typeof startOffset): number => {
    const count = offset ? constantNumber(resolveExpression(offset, scope)) : null;
    if (count !== null && Number.isInteger(count) && count >= 0 && count <= mostFrameRows) return count;
    return refuse(
      "query.unsupported",
      `a frame spans at most ${mostFrameRows} rows before and after`,
      `write ROWS BETWEEN ${mostFrameRows} PRECEDING AND CURRENT ROW`,
      location,
    );
  };
  const from = has("fromFirst")
    ? null
    : has("fromBefore")
      ? 0 - rows(startOffset)
      : has("fromAfter")
        ? rows(startOffset)
        : 0;
  const to = has("toLast")
    ? null
    : has("toBefore")
      ? 0 - rows(endOffset)
      : has("toAfter")
        ? rows(endOffset)
        : 0;
  if (has("fromLast") || has("toFirst") || (from !== null && to !== null && from > to))
    refuse("query.unsupported", "the frame ends before it begins", "write the earlier end first", location);
  if (from !== null && to === null)
    refuse(
      "query.unsupported",
      "a frame that ends with the last row must begin with the first",
      "reverse the order: ORDER BY x DESC ROWS UNBOUNDED PRECEDING",
      location,
    );
  return { from, to };
}
