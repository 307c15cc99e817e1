import type { FuncCall, Node, SelectStmt, SortBy } from "@pgsql/types";
import { functionName, nodesOf } from "../names/nodes.ts";
import { fieldNames } from "../names/scope.ts";
import { callsIn, holdsAggregate, replaceNodes, writtenAlike } from "./tree-parts.ts";

/** The private question whose answer parts rows into tiles of as many rows each, by the quantiles at which tiles end. */
export interface TileEnds {
  /** A name that says what is parted, and into how many tiles. */
  readonly name: string;
  readonly select: SelectStmt;
}

interface Tiles {
  readonly call: FuncCall;
  readonly count: number;
  readonly by: Node;
  readonly isDescending: boolean;
  readonly nullsFirst: boolean;
}

/** More tiles than percents help nobody. */
const mostTiles = 100;

/** Whether a SELECT of rows asks for tiles of all of them: NTILE(4) OVER (ORDER BY x). */
export function asksForTiles(select: SelectStmt): boolean {
  const { groupClause, havingClause, targetList } = select;
  if (groupClause || havingClause || !select.fromClause || holdsAggregate(targetList)) return false;
  return tilesIn(targetList).length > 0;
}

/**
 * Returns a SELECT of rows in which each row's tile is told by the ends of tiles, which `endsOf` returns in their order: released values of a private question that is asked first. Rows
 * whose value is at an end belong to the tile before it, so tiles are of as many rows as the released quantiles make them.
 */
export function withTiles(select: SelectStmt, endsOf: (asked: TileEnds) => readonly Node[]): SelectStmt {
  const made = new Map(
    tilesIn(select.targetList).map((tiles) => {
      const ends = endsOf({ name: nameOf(tiles), select: quantilesOf(tiles, select) });
      return [writtenAlike(tiles.call), tileOf(tiles, ends)] as const;
    }),
  );
  const targetList = replaceNodes(select.targetList, (node) =>
    "FuncCall" in node ? (made.get(writtenAlike(node.FuncCall)) ?? null) : null,
  ) as Node[];
  return { ...select, targetList };
}

function tilesIn(tree: unknown): readonly Tiles[] {
  return [...callsIn(tree)].flatMap((call) => tilesOf(call) ?? []);
}

function tilesOf(call: FuncCall): Tiles | null {
  const { funcname, over, args = [] } = call;
  if (functionName(funcname) !== "ntile" || !over || over.name || over.refname || over.partitionClause)
    return null;
  const [written, ...moreArguments] = args;
  const [order, ...moreOrders] = over.orderClause ?? [];
  const count = written && "A_Const" in written ? (written.A_Const.ival?.ival ?? 0) : 0;
  if (moreArguments.length > 0 || moreOrders.length > 0 || !order || !("SortBy" in order)) return null;
  const { node, sortby_dir, sortby_nulls }: SortBy = order.SortBy;
  if (!node || count < 2 || count > mostTiles) return null;
  const isDescending = sortby_dir === "SORTBY_DESC";
  const nullsFirst =
    sortby_nulls === "SORTBY_NULLS_FIRST" || (isDescending && sortby_nulls !== "SORTBY_NULLS_LAST");
  return { call, count, by: node, isDescending, nullsFirst };
}

/** The quantiles of the same rows at which the tiles end, each under its own name. */
function quantilesOf({ count, by, isDescending }: Tiles, select: SelectStmt): SelectStmt {
  const { withClause, fromClause = [], whereClause } = select;
  const targetList = Array.from({ length: count - 1 }, (_, at): Node => {
    const share = (isDescending ? count - 1 - at : at + 1) / count;
    const val: Node = {
      FuncCall: {
        funcname: [{ String: { sval: "percentile_cont" } }],
        args: [{ A_Const: { fval: { fval: `${share}` } } }],
        agg_order: [
          { SortBy: { node: by, sortby_dir: "SORTBY_DEFAULT", sortby_nulls: "SORTBY_NULLS_DEFAULT" } },
        ],
        agg_within_group: true,
      },
    };
    return { ResTarget: { name: `end_${at + 1}`, val } };
  });
  return {
    targetList,
    fromClause,
    ...(withClause ? { withClause } : {}),
    ...(whereClause ? { whereClause } : {}),
    op: "SETOP_NONE",
    limitOption: "LIMIT_OPTION_DEFAULT",
  };
}

function nameOf({ count, by }: Tiles): string {
  const [name = "values"] = [...nodesOf<{ fields?: Node[] }>("ColumnRef", by)].flatMap(
    ({ fields }) => fieldNames(fields)?.at(-1) ?? [],
  );
  return `ntile_${count}_of_${name}`;
}

/** The first tile whose end a row does not pass. NULL is in the tile at its side of the order. */
function tileOf({ count, by, isDescending, nullsFirst }: Tiles, ends: readonly Node[]): Node {
  const whole = (ival: number): Node => ({ A_Const: { ival: { ival } } });
  const branch = (expr: Node, tile: number): Node => ({ CaseWhen: { expr, result: whole(tile) } });
  const missing = branch({ NullTest: { arg: by, nulltesttype: "IS_NULL" } }, 1);
  const within = ends.map((end, at) =>
    branch(
      {
        A_Expr: {
          kind: "AEXPR_OP",
          name: [{ String: { sval: isDescending ? ">=" : "<=" } }],
          lexpr: by,
          rexpr: end,
        },
      },
      at + 1,
    ),
  );
  return { CaseExpr: { args: nullsFirst ? [missing, ...within] : within, defresult: whole(count) } };
}
