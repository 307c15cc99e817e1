import type { FuncCall, Node, RangeFunction } from "@pgsql/types";
import { unsupported } from "../../refuse.ts";
import { coerce } from "../../resolve/coerce.ts";
import type { Column } from "../../system/system.ts";
import { oids } from "../../types/oids.ts";
import type { Tuple } from "../../types/values.ts";
import { type Called, calledFunction, setRows } from "../expressions/calls.ts";
import type { Frame } from "../frame.ts";
import { stringsOf } from "../nodes.ts";
import { Scope } from "../scope.ts";
import { targetName } from "../targets.ts";
import { addPart } from "./join-parts.ts";
import { type FromPart, type FromReader, leafPart } from "./part.ts";

interface Rows {
  readonly columns: readonly Column[];
  readonly rows: (frame: Frame) => readonly Tuple[];
}

/** Reads a function in FROM, or several side by side. It may name what stands before it. Errors: those of functions; query.unsupported for lists of columns. */
export function functionPart(range: RangeFunction, reader: FromReader, seen: Scope): FromPart {
  const { level } = reader;
  const names = new Scope(level, seen.parent);
  addPart(names, seen);
  const { made: sets, slots } = level.recording(() =>
    (range.functions ?? []).flatMap((list) => {
      const [node] = "List" in list ? (list.List.items ?? []) : [];
      return rowsOf(node as Node, reader, names);
    }),
  );
  if (range.coldeflist && range.coldeflist.length > 0)
    return unsupported("a list of columns behind a function");
  const single = sets.length === 1 ? sets[0] : null;
  const whole = single ?? sideBySide(sets);
  const named =
    single && whole.columns.length === 1 && range.alias && stringsOf(range.alias.colnames).length === 0
      ? whole.columns.map((column) => ({ ...column, name: range.alias?.aliasname ?? column.name }))
      : whole.columns;
  const columns = range.ordinality ? [...named, { name: "ordinality", type: oids.int8, typmod: -1 }] : named;
  const rows = range.ordinality
    ? (frame: Frame) => whole.rows(frame).map((row, at) => [...row, BigInt(at + 1)])
    : whole.rows;
  return leafPart(
    level,
    { slot: level.newSlot(), needs: slots, size: 10, rows, index: null, rowsEach: null },
    columns,
    { alias: range.alias, name: single?.columns[0]?.name ?? "" },
  );
}

function rowsOf(node: Node, { compiler }: FromReader, names: Scope): readonly Rows[] {
  if ("FuncCall" in node) {
    const call: FuncCall = node.FuncCall;
    const path = stringsOf(call.funcname);
    const many = path.at(-1) === "unnest" && (call.args ?? []).length > 1 ? (call.args ?? []) : null;
    if (many)
      return many.flatMap((arg) =>
        rowsOf({ FuncCall: { ...call, args: [arg] } }, { compiler } as FromReader, names),
      );
    const known = compiler.place.catalog.functions.get(path.at(-1) ?? "") ?? [];
    if (known.some(({ returnsSet }) => returnsSet)) {
      const called = calledFunction(call, compiler, names);
      if (called.signature.returnsSet)
        return [
          { columns: columnsOf(called, compiler.place.catalog.types), rows: setRows(called, call.location) },
        ];
    }
  }
  const read = compiler.expression(node, names);
  const expr =
    read.type === oids.unknown ? coerce(read, oids.text, "i", compiler.place, compiler.parameters) : read;
  return [
    {
      columns: [{ name: targetName(node), type: expr.type, typmod: expr.typmod }],
      rows: (frame) => [[expr.run(frame)]],
    },
  ];
}

function columnsOf(
  { signature, result, name, values }: Called,
  types: FromReader["compiler"]["place"]["catalog"]["types"],
): readonly Column[] {
  const { outputs } = signature;
  const element = types.elementOf(types.baseOf(values[0]?.type ?? 0));
  if (outputs.length > 1)
    return outputs.map((output) => ({
      name: output.name,
      type: output.type === oids.anyelement ? element : types.baseOf(output.type),
      typmod: -1,
    }));
  return [{ name: outputs[0]?.name || name, type: types.baseOf(result), typmod: -1 }];
}

/** ROWS FROM: the rows of several functions side by side, up to the longest. */
function sideBySide(sets: readonly Rows[]): Rows {
  return {
    columns: sets.flatMap(({ columns }) => columns),
    rows: (frame) => {
      const all = sets.map(({ rows }) => rows(frame));
      const most = Math.max(0, ...all.map(({ length }) => length));
      return Array.from({ length: most }, (_, at) =>
        all.flatMap((rows, which) => rows[at] ?? (sets[which]?.columns ?? []).map(() => null)),
      );
    },
  };
}
