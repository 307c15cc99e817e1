import { elementAt } from "@lethe/core/numeric";
import type { SelectStmt } from "@pgsql/types";
import { familyOf } from "../../aggregates/family-of.ts";
import { publicKeys } from "../../expressions/domain.ts";
import type { OverRelation, ReleasedRelation } from "../../over/over-relation.ts";
import { byName } from "../../refusals/by-name.ts";
import { refuse } from "../../refusals/refuse.ts";
import { answerColumns } from "../names/answer-columns.ts";
import { offsetWithin } from "../names/nodes.ts";
import { distinctNames } from "../names/output-name.ts";
import { questionIdentity } from "../names/question-identity.ts";
import type { ResolvedQuery } from "../names/resolved-query.ts";
import { type OverScope, type OverScopeColumn, shownAs } from "./over-scope.ts";

/** A private question of the text, and the SELECTs that ask it. */
interface AskedQuestion {
  readonly query: ResolvedQuery;
  /** What it shares with every SELECT that asks the same. */
  readonly identity: string;
  /** The name of its answer in the relation over all; undefined of the first. */
  readonly name: string | undefined;
}

/** The most private questions of one text. */
const mostQuestions = 30;

/**
 * The private questions of one text: each is asked, paid for and answered once, by however many SELECTs it is asked. Two SELECTs ask the same where they resolve to the same question,
 * whatever they call its columns.
 */
export class AskedQuestions {
  readonly #ask: (select: SelectStmt) => ResolvedQuery;
  readonly #bySelect = new Map<SelectStmt, AskedQuestion>();
  readonly #asked: AskedQuestion[] = [];
  readonly #called = new Map<SelectStmt, string>();

  constructor(ask: (select: SelectStmt) => ResolvedQuery) {
    this.#ask = ask;
  }

  /** Remembers the name by which the text speaks of a SELECT. */
  call(select: SelectStmt, name: string): void {
    this.#called.set(select, name);
  }

  /** Tries something, and forgets which questions it asked. */
  tried<Found>(attempt: () => Found): Found {
    const asked = this.#asked.length;
    const known = new Set(this.#bySelect.keys());
    try {
      return attempt();
    } finally {
      this.#asked.length = asked;
      for (const select of this.#bySelect.keys()) if (!known.has(select)) this.#bySelect.delete(select);
    }
  }

  /** Returns the rows of a private question, which the SELECT that `alone` returns asks by itself. Questions that it reads values of stand before it. */
  answer(select: SelectStmt, alone: () => SelectStmt): OverScope {
    const before = this.#bySelect.get(select);
    const query = before?.query ?? this.#ask(alone());
    const asked = before ?? this.#questionOf(select, query);
    this.#bySelect.set(select, { ...asked, query });
    const answer: OverRelation =
      asked.name === undefined ? { kind: "answer" } : { kind: "answer", name: asked.name };
    const own = columnsOf(query);
    // The columns of the same question may have other names here.
    const shared = columnsOf(elementAt(this.#asked, this.#placeOf(asked)).query);
    const isRenamed = own.some(({ name }, at) => name !== elementAt(shared, at).name);
    if (!isRenamed) return { relation: answer, columns: own };
    const columns = own.map(({ name }, at) => shownAs(name, elementAt(shared, at)));
    return { relation: { kind: "shown", of: answer, columns }, columns: own };
  }

  #placeOf({ identity }: AskedQuestion): number {
    return this.#asked.findIndex((other) => other.identity === identity);
  }

  #questionOf(select: SelectStmt, query: ResolvedQuery): AskedQuestion {
    const identity = questionIdentity(query);
    const same = this.#asked.find((other) => other.identity === identity);
    if (same) return same;
    if (this.#asked.length >= mostQuestions)
      refuse(
        "query.too-large",
        `a text asks more than ${mostQuestions} private questions`,
        "ask them in several texts",
        offsetWithin(select.targetList),
      );
    const wanted = this.#called.get(select) ?? "answer";
    const names = this.#asked.map(({ name }) => name ?? "");
    const name = this.#asked.length === 0 ? undefined : distinctNames([...names, wanted]).at(-1);
    const asked = { query, identity, name };
    this.#asked.push(asked);
    return asked;
  }

  /** Returns the text's question, of which `over` is made, and whose parts read `released`; null where it asks none. */
  question(over: OverRelation, released: readonly ReleasedRelation[]): ResolvedQuery | null {
    const [first, ...others] = this.#asked;
    if (!first) return null;
    const views = [...new Set(this.#asked.flatMap(({ query }) => query.views ?? []))];
    return {
      ...first.query,
      over,
      ...(views.length === 0 ? {} : { views }),
      ...(others.length === 0 ? {} : { others: others.map(({ name = "", query }) => ({ name, query })) }),
      ...(released.length === 0 ? {} : { released }),
    };
  }

  /** Whether a relation has exactly one row, whatever the data. */
  hasOneRow(relation: OverRelation): boolean {
    if (relation.kind === "shown" || relation.kind === "windowed") return this.hasOneRow(relation.of);
    if (relation.kind === "grouped") return relation.by.length === 0;
    if (relation.kind !== "answer") return false;
    const asked = this.#asked.find(({ name }) => name === relation.name);
    if (asked === undefined || asked.query.groupBy.length > 0) return false;
    const { having, limit, offset } = asked.query.post;
    return having === null && offset === 0 && (limit === null || limit > 0);
  }

  /** Returns the most rows that a relation may have, whatever the data; Infinity where nothing public bounds them. */
  mostRows(relation: OverRelation): number {
    switch (relation.kind) {
      case "answer": {
        const asked = this.#asked.find(({ name }) => name === relation.name);
        return asked === undefined ? Number.POSITIVE_INFINITY : mostRowsOf(asked.query);
      }
      case "values":
        return relation.table === undefined ? relation.rows.length : Number.POSITIVE_INFINITY;
      case "grouped":
        return relation.by.length === 0 ? 1 : this.mostRows(relation.of);
      case "ordered":
        return Math.min(relation.limit ?? Number.POSITIVE_INFINITY, this.mostRows(relation.of));
      case "shown":
      case "windowed":
      case "filtered":
      case "distinct":
        return this.mostRows(relation.of);
      case "joined": {
        const [left, right] = [this.mostRows(relation.left), this.mostRows(relation.right)];
        const met = left * right;
        // Rows that meet none are kept beside those that meet some.
        return relation.type === "full" ? Math.max(met, left + right) : Math.max(met, left, right);
      }
      case "union":
        return relation.parts.reduce((sum, part) => sum + this.mostRows(part), 0);
    }
  }
}

/** The most rows of an answer: as many as its LIMIT lets through of the groups that are public. */
function mostRowsOf({ groupBy, groupings, post }: ResolvedQuery): number {
  const groups = groupBy.reduce(
    (product, { expression }) =>
      product * (publicKeys(expression.domain)?.length ?? Number.POSITIVE_INFINITY),
    1,
  );
  const all = groupings ? Number.POSITIVE_INFINITY : groups;
  return Math.min(all, post.limit ?? Number.POSITIVE_INFINITY);
}

function columnsOf(query: ResolvedQuery): readonly OverScopeColumn[] {
  const typeOf = (name: string): OverScopeColumn["type"] => {
    const aggregate = byName(query.aggregates, name);
    return familyOf(aggregate).time(aggregate) ?? "number";
  };
  return answerColumns(query.outputs, query.groupBy, typeOf).map(
    ({ name, type }): OverScopeColumn => ({ source: null, name, column: name, type }),
  );
}
