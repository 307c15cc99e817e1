import { LetheError } from "@lethe/core";
import type { JoinExpr, Node, RangeVar, SelectStmt } from "@pgsql/types";
import { expressionBuilder } from "../../expressions/build/build-expression.ts";
import type { OverRelation } from "../../over/over-relation.ts";
import { allOf, conjuncts } from "../../parse/tree/conditions.ts";
import { refuse } from "../../refusals/refuse.ts";
import { groupByAll } from "../names/group-by-all.ts";
import { nodesOf, offsetOf, offsetWithin, partOf } from "../names/nodes.ts";
import { releasedNode } from "../names/released-node.ts";
import type { ResolvedQuery } from "../names/resolved-query.ts";
import type { Scope } from "../names/scope.ts";
import { AskedQuestions } from "./asked-questions.ts";
import { combinedScopes } from "./combined-scopes.ts";
import { asksForMostFrequent } from "./frequent/placed-values.ts";
import { selectMostFrequent } from "./frequent/select-most-frequent.ts";
import { joinedScopes, onOf, qualified } from "./joined-scopes.ts";
import { type LiftedAnswers, liftedAnswers, withInnerSelects, withLiftedColumns } from "./lifted-answers.ts";
import { type Named, selectOf, standingAlone, withNames } from "./named-selects.ts";
import { checkOver, overClauses, unionClauses, valuesClauses } from "./over-clauses.ts";
import { type OverScope, type OverScopeColumn, shownAs } from "./over-scope.ts";
import { columnsRead, type PublicTable, publicScope } from "./public-scope.ts";
import { asksForValues, ReleasedValues, withReleasedValues } from "./released-values.ts";
import { type OverContext, selectOver } from "./select-over.ts";
import { asksOverItself, splitSelect } from "./split-select.ts";
import { asksForTiles, withTiles } from "./tiles.ts";
import { columnNamed, holdsAggregate, holdsSubquery, holdsWindow } from "./tree-parts.ts";
import { valuesScope } from "./values-scope.ts";

/** The tables of the policy, as SELECTs over answers speak of them. */
export interface PolicyTables {
  /** Resolves a SELECT of private tables. */
  readonly ask: (select: SelectStmt) => ResolvedQuery;
  /** Returns whether a name is that of a column of a SELECT's FROM. */
  readonly columnsOf: (select: SelectStmt) => (name: string) => boolean;
  /** Returns the public table that an item of FROM names; null where it names none. */
  readonly publicTable: (range: RangeVar) => PublicTable | null;
  /** Returns what the text writes from the first opening bracket behind a place on to the one that closes it. */
  readonly written: (offset: number) => string;
}

const mostRelations = 100;

/**
 * Resolves a SELECT over private answers: the questions of private tables, wherever they stand in the text, each once however often it is named, and what is made of their
 * released rows, beside rows of public tables. Null where the text is no such SELECT. Errors: those of the private questions, and of selectOver.
 * @example resolveOver(select of "SELECT town, COUNT(*), RANK() OVER (ORDER BY COUNT(*) DESC) FROM people GROUP BY town", tables)
 */
export function resolveOver(select: SelectStmt, tables: PolicyTables): ResolvedQuery | null {
  const reader = new OverReader(tables, columnsRead(select));
  if (!reader.isOver(select, new Map()) && !asksForValues(select) && !reader.readsFirst(select)) return null;
  const { relation } = reader.read(select, new Map());
  return reader.question(relation);
}

class OverReader {
  readonly #tables: PolicyTables;
  readonly #isRead: (column: string) => boolean;
  /** The private questions that were met so far. */
  readonly asked: AskedQuestions;
  readonly #constants: Scope = { from: noTable, sources: [], merged: [], build: expressionBuilder() };
  readonly #isOver = new Map<SelectStmt, boolean>();
  readonly #liftedOf = new Map<SelectStmt, LiftedAnswers | null>();
  readonly #isAnswered = new Map<SelectStmt, boolean>();
  #released: ReleasedValues;
  #relations = 0;

  constructor(tables: PolicyTables, isRead: (column: string) => boolean) {
    this.#tables = tables;
    this.#isRead = isRead;
    this.asked = new AskedQuestions(tables.ask);
    this.#released = new ReleasedValues(tables.written, (relation) => this.asked.mostRows(relation));
  }

  /** Returns the question that all private ones are together, with what is made of their answers. */
  question(relation: OverRelation): ResolvedQuery | null {
    return this.asked.question(relation, this.#released.all());
  }

  /** Whether a SELECT is made of an answer: it reads one, or asks for windows and the like over its own groups. */
  isOver(select: SelectStmt, named: Named): boolean {
    const known = this.#isOver.get(select);
    if (known !== undefined) return known;
    // A SELECT that names itself is none.
    this.#isOver.set(select, false);
    const own = withNames(select, named);
    if (this.#lifted(select, own)) return asksOverItself(select);
    const found =
      select.larg && select.rarg
        ? [select.larg, select.rarg].some((part) => this.isOver(part, own) || this.#isAnswer(part, own))
        : asksOverItself(select) ||
          asksForMostFrequent(select) ||
          (!select.fromClause && holdsSubquery(select.targetList)) ||
          (select.fromClause ?? []).some((item) => this.#readsAnswer(item, own));
    this.#isOver.set(select, found);
    return found;
  }

  /** Whether any SELECT of a text has answers beside tables in its FROM, or parts rows into tiles. */
  readsFirst(select: SelectStmt, named: Named = new Map()): boolean {
    const own = withNames(select, named);
    if (this.#lifted(select, own)) return true;
    return [...nodesOf<SelectStmt>("SelectStmt", select)].some((inner) => {
      const around = withNames(inner, own);
      return this.#lifted(inner, around) !== null || this.#isTiled(inner, around);
    });
  }

  /** Returns what remains of a SELECT's FROM beside answers of one row; null where there are none, or no tables. */
  #lifted(select: SelectStmt, own: Named): LiftedAnswers | null {
    const known = this.#liftedOf.get(select);
    if (known !== undefined) return known;
    this.#liftedOf.set(select, null);
    const parts = liftedAnswers(select, (item) => this.#readsAnswer(item, own));
    const isPossible =
      parts !== null &&
      !this.#isPublic(parts.rows, own) &&
      this.#tried(() => parts.answers.every((item) => this.asked.hasOneRow(this.#item(item, own).relation)));
    const found = isPossible ? parts : null;
    this.#liftedOf.set(select, found);
    return found;
  }

  /** Returns a SELECT without the answers in its FROM: what it reads of them is released before. */
  #withoutAnswers({ rows, answers }: LiftedAnswers, own: Named): SelectStmt {
    const columns = answers
      .flatMap((item) => this.#item(item, own))
      .map((scope) => this.#released.columns(scope));
    const from: SelectStmt = { targetList: [], fromClause: rows.fromClause ?? [] };
    return withLiftedColumns(rows, columns.flat(), this.#tables.columnsOf(this.#alone(from, own)));
  }

  #readsAnswer(item: Node, named: Named): boolean {
    if ("JoinExpr" in item)
      return [item.JoinExpr.larg, item.JoinExpr.rarg].some((side) => side && this.#readsAnswer(side, named));
    const found = selectOf(item, named);
    return (
      found !== null && (this.isOver(found.select, found.named) || this.#isAnswer(found.select, found.named))
    );
  }

  /** Whether a SELECT adds up rows of several units, which is to be released before anything reads it. */
  #isAnswer(select: SelectStmt, named: Named): boolean {
    if (select.larg) return false;
    // Groups by their names alone are no answer to count: COUNT(DISTINCT town) counts what there is.
    if (!holdsAggregate([select.targetList, select.havingClause, select.sortClause])) return false;
    const known = this.#isAnswered.get(select);
    if (known !== undefined) return known;
    const found = this.#tried(() => {
      try {
        this.#tables.ask(this.#alone(select, named));
        return true;
      } catch (error) {
        if (error instanceof LetheError) return false;
        throw error;
      }
    });
    this.#isAnswered.set(select, found);
    return found;
  }

  /** Tries something, and forgets what it asked. */
  #tried<Found>(attempt: () => Found): Found {
    const released = this.#released;
    this.#released = released.copy();
    try {
      return this.asked.tried(attempt);
    } finally {
      this.#released = released;
    }
  }

  /** Returns a SELECT that can be asked by itself: with the names of WITH that it reads, and what is released before it in the place of subqueries. */
  #alone(select: SelectStmt, named: Named): SelectStmt {
    const own = withNames(select, named);
    const beside = this.#lifted(select, own);
    const rows = beside ? this.#withoutAnswers(beside, own) : select;
    const alone = withInnerSelects(standingAlone(rows, named), (inner) => {
      const around = withNames(inner, own);
      const lifted = this.#lifted(inner, around);
      const alike = lifted ? this.#withoutAnswers(lifted, around) : inner;
      return this.#isTiled(alike, around) ? this.#withTiles(alike, around) : alike;
    });
    const isAnswer = (subquery: SelectStmt): boolean =>
      this.isOver(subquery, own) || this.#isAnswer(subquery, own);
    return withReleasedValues(alone, {
      value: (link, subquery) =>
        isAnswer(subquery) ? this.#released.of(link, this.read(subquery, own)) : null,
      list: (link, subquery) =>
        isAnswer(subquery) ? this.#released.list(link, this.read(subquery, own)) : null,
    });
  }

  /** Whether a SELECT of private rows parts them into tiles. */
  #isTiled(select: SelectStmt, own: Named): boolean {
    return (
      asksForTiles(select) &&
      !(select.fromClause ?? []).some((item) => this.#readsAnswer(item, own)) &&
      !this.#isPublic(select, own)
    );
  }

  /** Returns it with its tiles told by quantiles of the same rows, which are released before. */
  #withTiles(select: SelectStmt, own: Named): SelectStmt {
    return withTiles(select, ({ name, select: quantiles }) => {
      const { relation, columns } = this.read(quantiles, own);
      const named = columns.map((column) => ({ ...column, source: name }));
      return this.#released.columns({ relation, columns: named }).map(({ value }) => releasedNode(value));
    });
  }

  /** Whether a SELECT reads public tables alone. */
  #isPublic({ fromClause, larg, rarg }: SelectStmt, named: Named): boolean {
    if (larg && rarg) return [larg, rarg].every((part) => this.#isPublic(part, withNames(part, named)));
    const isPublic = (item: Node): boolean => {
      if ("JoinExpr" in item)
        return [item.JoinExpr.larg, item.JoinExpr.rarg].every((side) => side && isPublic(side));
      const found = selectOf(item, named);
      if (found) return this.#isPublic(found.select, withNames(found.select, found.named));
      return "RangeVar" in item && this.#tables.publicTable(item.RangeVar) !== null;
    };
    return fromClause?.every(isPublic) ?? false;
  }

  read(select: SelectStmt, named: Named): OverScope {
    this.#relations += 1;
    if (this.#relations > mostRelations)
      refuse("query.too-large", `more than ${mostRelations} subqueries`, "ask several questions");
    const own = withNames(select, named);
    if (select.larg && select.rarg) return this.#combined(select, own);
    if (select.valuesLists) return this.#values(select);
    const lifted = this.#lifted(select, own);
    if (lifted) return this.#rows(this.#withoutAnswers(lifted, own), named);
    const [first] = select.fromClause ?? [];
    if (!first) {
      checkOver(select, overClauses);
      return selectOver(select, oneRow, this.#context(own));
    }
    if (
      (select.fromClause ?? []).some((item) => this.#readsAnswer(item, own)) ||
      this.#isPublic(select, own)
    ) {
      checkOver(select, overClauses);
      return selectOver(withoutFrom(select), this.#from(select, own), this.#context(own));
    }
    return this.#rows(select, named);
  }

  /** The answer to a SELECT of private tables, and what is made of it alone. */
  #rows(select: SelectStmt, named: Named): OverScope {
    if (asksForMostFrequent(select)) {
      checkOver(select, overClauses);
      const isColumn = this.#tables.columnsOf(this.#alone(select, named));
      const { select: over, questions } = selectMostFrequent(select, isColumn);
      // What they refuse is what is wrong with the text.
      for (const question of questions) this.#tables.ask(this.#alone(question, withNames(select, named)));
      return this.read(over, named);
    }
    if (!asksOverItself(select)) return this.asked.answer(select, () => this.#alone(select, named));
    checkOver(select, overClauses);
    const grouped = groupByAll(select, (node) => holdsAggregate(node) || holdsWindow(node));
    const { inner, outer } = splitSelect(grouped, this.#tables.columnsOf(this.#alone(select, named)));
    return selectOver(
      outer,
      this.asked.answer(select, () => this.#alone(inner, named)),
      this.#context(withNames(select, named)),
    );
  }

  #context(named: Named): OverContext {
    return {
      constants: this.#constants,
      isOneRow: (relation) => this.asked.mostRows(relation) <= 1,
      subquery: (select: SelectStmt, offset: number | undefined): OverScope => {
        const isKnown =
          this.isOver(select, named) ||
          this.#isAnswer(select, named) ||
          this.#isPublic(select, withNames(select, named));
        if (select.fromClause && !isKnown)
          refuse(
            "query.unsupported",
            "a subquery in an expression reads the answer that stands in WITH",
            "name the answer, WITH a AS (SELECT …), and write (SELECT AVG(x) FROM a)",
            offset,
          );
        return this.read(select, named);
      },
    };
  }

  #from(select: SelectStmt, named: Named): OverScope {
    const items = (select.fromClause ?? []).map((item) => this.#item(item, named));
    const [first, ...others] = items;
    if (others.length === 0) return partOf(first);
    return others.reduce((left, right) => joinedScopes("inner", left, right, null), partOf(first));
  }

  #item(item: Node, named: Named): OverScope {
    if ("JoinExpr" in item) return this.#join(item.JoinExpr, named, offsetWithin(item));
    const found = selectOf(item, named);
    const table = !found && "RangeVar" in item ? this.#tables.publicTable(item.RangeVar) : null;
    if (table && "RangeVar" in item) return publicScope(table, item.RangeVar, this.#isRead);
    if (!found)
      return refuse(
        "query.unsupported",
        "an answer is joined with answers and public tables alone",
        "join private tables inside the question whose answer it is",
        offsetOf(item) ?? offsetWithin(item),
      );
    this.asked.call(found.select, found.alias);
    const { relation, columns } = this.read(found.select, found.named);
    const named_ = found.columns.reduce(renamed, columns);
    // Names of tables keep the columns of several apart.
    const shown = named_.map((column) => shownAs(`${found.alias}.${column.name}`, column));
    return {
      relation: { kind: "shown", of: relation, columns: shown },
      columns: named_.map(({ name, type }) => ({
        source: found.alias,
        name,
        column: `${found.alias}.${name}`,
        type,
      })),
    };
  }

  #join(join: JoinExpr, named: Named, offset: number | undefined): OverScope {
    const left = this.#item(partOf(join.larg), named);
    const right = this.#item(partOf(join.rarg), named);
    const types: Readonly<Record<string, "inner" | "left" | "right" | "full">> = {
      JOIN_INNER: "inner",
      JOIN_LEFT: "left",
      JOIN_RIGHT: "right",
      JOIN_FULL: "full",
    };
    const type = types[join.jointype ?? "JOIN_INNER"];
    if (!type || join.isNatural || join.alias || join.join_using_alias)
      return refuse("query.unsupported", "this join of answers is not known", "write JOIN … ON", offset);
    const using = (join.usingClause ?? []).flatMap((node) =>
      "String" in node ? [node.String.sval ?? ""] : [],
    );
    if (using.length > 0 && type === "full")
      refuse(
        "query.unsupported",
        "FULL JOIN … USING of answers is not known",
        "write FULL JOIN … ON",
        offset,
      );
    const sides = joinedScopes(type, left, right, null);
    const equal = using.map(
      (name): Node => ({
        A_Expr: {
          kind: "AEXPR_OP",
          name: [{ String: { sval: "=" } }],
          lexpr: qualified(left, name, offset),
          rexpr: qualified(right, name, offset),
        },
      }),
    );
    const conditions = [...equal, ...conjuncts(join.quals)];
    const on = conditions.length > 0 ? allOf(conditions) : undefined;
    const condition = on
      ? selectOver(
          { targetList: [{ ResTarget: { name: "met", val: on } }] },
          { relation: { kind: "answer" }, columns: sides.columns },
          this.#context(named),
        )
      : null;
    const expression = condition && onOf(condition.relation);
    // What USING names is one column, before all others: that of the side whose rows are kept.
    const [kept, hidden] = type === "right" ? [right, left] : [left, right];
    const merged = kept.columns.filter(({ name }) => using.includes(name));
    const others = sides.columns.filter(
      (column) =>
        !merged.includes(column) && !(hidden.columns.includes(column) && using.includes(column.name)),
    );
    const columns = using.length === 0 ? sides.columns : [...merged, ...others];
    const { relation } = joinedScopes(type, left, right, expression);
    return { relation, columns };
  }

  /** UNION, INTERSECT or EXCEPT of two SELECTs, with the clauses behind them. */
  #combined(select: SelectStmt, named: Named): OverScope {
    checkOver(select, unionClauses);
    const { larg, rarg, sortClause, limitCount, limitOffset } = select;
    const combined = combinedScopes(select, [this.read(partOf(larg), named), this.read(partOf(rarg), named)]);
    if (!sortClause && !limitCount && !limitOffset) return combined;
    const outer: SelectStmt = {
      targetList: combined.columns.map(({ name }): Node => ({ ResTarget: { name, val: columnNamed(name) } })),
      ...(sortClause ? { sortClause } : {}),
      ...(limitCount ? { limitCount } : {}),
      ...(limitOffset ? { limitOffset } : {}),
    };
    return selectOver(outer, combined, this.#context(named));
  }

  /** VALUES (…), (…), whose columns are called as PostgreSQL calls them. */
  #values(select: SelectStmt): OverScope {
    checkOver(select, valuesClauses);
    return valuesScope(select, this.#constants);
  }
}

/** Constants read no table. */
const noTable: Scope["from"] = {
  kind: "table",
  table: "",
  source: null,
  unit: { kind: "public" },
  oncePer: null,
  columns: {},
};

/** The rows of a SELECT without FROM: one, without a column. */
const oneRow: OverScope = { relation: { kind: "values", columns: [], rows: [[]] }, columns: [] };

function renamed(columns: readonly OverScopeColumn[], names: readonly string[]): readonly OverScopeColumn[] {
  return columns.map((column, at) => ({ ...column, name: names[at] ?? column.name }));
}

function withoutFrom({ fromClause: _, withClause: __, ...rest }: SelectStmt): SelectStmt {
  return rest;
}
