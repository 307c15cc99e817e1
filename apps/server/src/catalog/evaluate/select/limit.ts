import type { SelectStmt } from "@pgsql/types";
import { refused } from "../../refuse.ts";
import { coerce } from "../../resolve/coerce.ts";
import { oids } from "../../types/oids.ts";
import type { Tuple } from "../../types/values.ts";
import type { Compiler } from "../compiler.ts";
import type { Frame } from "../frame.ts";
import type { Emit } from "../query.ts";
import type { Scope } from "../scope.ts";

/** Returns what lets only some rows through: those of LIMIT and OFFSET. Null where there is neither. */
export function readLimit(
  { limitCount, limitOffset, limitOption }: SelectStmt,
  compiler: Compiler,
  scope: Scope,
):
  | ((
      frame: Frame,
      emit: Emit,
    ) => { readonly emit: Emit; readonly isNone: boolean; readonly isStopped: () => boolean })
  | null {
  if (!limitCount && !limitOffset) return null;
  if (limitOption === "LIMIT_OPTION_WITH_TIES")
    return refused("query.unsupported", "the catalog here does not know WITH TIES");
  const [count, offset] = [limitCount, limitOffset].map((node) =>
    node
      ? coerce(compiler.expression(node, scope), oids.int8, "a", compiler.place, compiler.parameters).run
      : null,
  );
  return (frame, emit) => {
    const most = Number(count?.(frame) ?? Number.POSITIVE_INFINITY);
    const first = Number(offset?.(frame) ?? 0);
    if (most < 0 || first < 0) return refused("query.type", "LIMIT and OFFSET must not be negative");
    let [seen, isStopped] = [0, false];
    return {
      isNone: most === 0,
      isStopped: () => isStopped,
      emit: (row: Tuple) => {
        seen += 1;
        if (seen <= first) return false;
        isStopped = emit(row);
        return isStopped || seen >= first + most;
      },
    };
  };
}
