import { elementAt } from "@lethe/core/numeric";
import type { Node, SelectStmt } from "@pgsql/types";
import { allOf } from "../../../parse/tree/conditions.ts";
import type { QualifiedSelect } from "../../../parse/tree/place-qualify.ts";
import { distinctNames } from "../../names/output-name.ts";
import { splitSelect } from "../split-select.ts";
import { columnNamed, holdsAggregate, writtenAlike } from "../tree-parts.ts";
import {
  CountedQuestions,
  type CountNames,
  mostFirst,
  named,
  shown,
  whole,
  withAggregate,
} from "./counted-questions.ts";
import type { Placeholders, RankedValue } from "./placeholders.ts";

/** The most frequent values of each group are joined to it. */
export class GroupedValues {
  readonly select: QualifiedSelect;
  readonly #used: Set<string>;
  /** The names of the keys in the counts and in the groups. */
  readonly #keys: readonly string[];
  readonly #counted: CountedQuestions;

  constructor(
    stated: QualifiedSelect,
    keys: readonly Node[],
    places: Placeholders,
    isColumn: (name: string) => boolean,
  ) {
    const { inner, outer } = splitSelect(stated, isColumn);
    const listed = inner.targetList ?? [];
    this.#used = new Set(listed.flatMap((item) => ("ResTarget" in item ? [item.ResTarget.name ?? ""] : [])));
    const shownBefore = [...this.#used];
    this.#keys = keys.map(() => this.#free("key"));
    const names = { value: this.#free("value"), count: this.#free("count") };
    const shownKeys = keys.map((key, at) => shown(key, elementAt(this.#keys, at)));
    // Without other aggregates, the groups are those that the counts of one expression have.
    const isAlone = !holdsAggregate([listed, inner.havingClause]) && places.expressions().length === 1;
    const { havingClause: _, ...others } = stated;
    this.#counted = new CountedQuestions(
      isAlone && inner.havingClause ? { ...others, havingClause: inner.havingClause } : others,
      { keys, listed: isAlone ? [...listed, ...shownKeys] : shownKeys, names },
    );
    const groups = isAlone
      ? this.#ranked(
          { counted: elementAt(places.expressions(), 0), place: 1 },
          [...shownBefore, ...this.#keys].map((name) => shown(columnNamed(name), name)),
        )
      : { ...withAggregate(inner), targetList: [...(withAggregate(inner).targetList ?? []), ...shownKeys] };
    const joined = new Map<string, { readonly join: (left: Node) => Node; readonly names: CountNames }>();
    const written = places.replace(outer, (ranked) => {
      const which = writtenAlike([ranked.counted, ranked.place]);
      const found = joined.get(which) ?? this.#joined(ranked);
      joined.set(which, found);
      return columnNamed(found.names[ranked.shows]);
    });
    const from = [...joined.values()].reduce((left, { join }) => join(left), named(groups, "groups"));
    this.select = { ...written, fromClause: [from] };
  }

  /** The questions that count values. */
  get questions(): readonly SelectStmt[] {
    return this.#counted.all();
  }

  #joined(ranked: RankedValue): { readonly join: (left: Node) => Node; readonly names: CountNames } {
    const keys = this.#keys.map(() => this.#free("key"));
    const names = { value: this.#free("value"), count: this.#free("count") };
    const { value, count } = this.#counted.names;
    const columns = [
      ...this.#keys.map((key, at) => shown(columnNamed(key), elementAt(keys, at))),
      shown(columnNamed(value), names.value),
      shown(columnNamed(count), names.count),
    ];
    const ranks = named(this.#ranked(ranked, columns), this.#free("most_frequent"));
    const quals = allOf(
      this.#keys.map((key, at) => alike(columnNamed(key), columnNamed(elementAt(keys, at)))),
    );
    return { names, join: (larg) => ({ JoinExpr: { jointype: "JOIN_LEFT", larg, rarg: ranks, quals } }) };
  }

  /** The value of each group that has a place among its most frequent ones. */
  #ranked({ counted, place }: Omit<RankedValue, "shows">, columns: readonly Node[]): QualifiedSelect {
    const number: Node = {
      FuncCall: {
        funcname: [{ String: { sval: "row_number" } }],
        over: {
          partitionClause: this.#keys.map(columnNamed),
          orderClause: mostFirst(counted, this.#counted.names),
        },
      },
    };
    return {
      targetList: [...columns],
      fromClause: [named(this.#counted.question(counted), "counted")],
      qualifyClause: equal(number, whole(place)),
      op: "SETOP_NONE",
      limitOption: "LIMIT_OPTION_DEFAULT",
    };
  }

  #free(word: string): string {
    const name = distinctNames([...this.#used, word]).at(-1) ?? word;
    this.#used.add(name);
    return name;
  }
}

function equal(lexpr: Node, rexpr: Node): Node {
  return { A_Expr: { kind: "AEXPR_OP", name: [{ String: { sval: "=" } }], lexpr, rexpr } };
}

/** Whether two keys are the same group: NULL is a group. */
function alike(left: Node, right: Node): Node {
  const isNull = (arg: Node): Node => ({ NullTest: { arg, nulltesttype: "IS_NULL" } });
  const bothNull = allOf([isNull(left), isNull(right)]);
  return { BoolExpr: { boolop: "OR_EXPR", args: [equal(left, right), bothNull] } };
}
