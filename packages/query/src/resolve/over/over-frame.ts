import type { WindowDef } from "@pgsql/types";
import type { OverFrame } from "../../over/over-relation.ts";
import { refuse } from "../../refusals/refuse.ts";
import { frameBit } from "../per-unit/resolve-window-frame.ts";

/** The frame where none is stated: all that is not behind the row in the order, or all rows where there is no order. */
const whole: OverFrame = { peers: true, from: null, to: null };
const upToRow: OverFrame = { peers: true, from: null, to: 0 };

/** Returns the frame of a window over released rows. Errors: query.unsupported for GROUPS, EXCLUDE, and RANGE with a distance. */
export function overFrame(over: WindowDef, location: number | undefined): OverFrame {
  const { frameOptions = 0, startOffset, endOffset, orderClause = [] } = over;
  const has = (name: keyof typeof frameBit): boolean => (frameOptions & frameBit[name]) !== 0;
  if (!has("stated")) return orderClause.length > 0 ? upToRow : whole;
  const distances = ["fromBefore", "fromAfter", "toBefore", "toAfter"] as const;
  if (has("groups") || has("excludes") || (has("range") && distances.some(has)))
    refuse(
      "query.unsupported",
      "frames are stated in ROWS, without EXCLUDE",
      "write ROWS BETWEEN 3 PRECEDING AND CURRENT ROW",
      location,
    );
  const rows = (node: typeof startOffset): number => {
    const value =
      node && "A_Const" in node ? (node.A_Const.ival?.ival ?? (node.A_Const.ival ? 0 : null)) : null;
    if (value !== null && value >= 0) return value;
    return refuse(
      "query.unsupported",
      "a frame is stated by a whole number of rows",
      "write ROWS BETWEEN 3 PRECEDING AND CURRENT ROW",
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
  return { peers: has("range"), from, to };
}
