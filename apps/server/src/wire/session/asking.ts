import { LetheError } from "@lethe/core";
import { asksCatalog, asksToExplain, type DescribedParameter, scanTokens } from "@lethe/query";
import type { Principal, RequestKind, ServedQuestion, Service } from "@lethe/serve";
import type { Value as CatalogValue } from "../../catalog/index.ts";
import { catalogColumns } from "../answers/catalog-columns.ts";
import type { Value } from "../answers/decode-parameter.ts";
import { noticesOf } from "../answers/notices.ts";
import {
  type AnswerForm,
  describedColumns,
  explanationColumns,
  type WireAnswer,
  type WireColumn,
  wireAnswer,
} from "../answers/wire-answer.ts";
import { asksOfCatalog, type CatalogAsking } from "./catalog-asking.ts";
import type { CatalogQuery } from "./catalog-query.ts";
import { questionSettings, type Settings } from "./settings.ts";

/** The form of a question: the types of its parameters, as far as they are known, and its columns. */
export interface QuestionForm {
  readonly parameters: readonly DescribedParameter["type"][];
  /** Stated of a query of the catalog, whose parameters have types of their own. */
  readonly catalog?: CatalogQuery;
  readonly columns: readonly WireColumn[];
}

/** An answer, and what is told beside it. */
export interface Answered {
  readonly answer: WireAnswer;
  readonly notices: readonly string[];
}

/** What a connection asks with. */
export interface AskingParts {
  readonly service: Service;
  readonly settings: Settings;
  readonly catalog: CatalogAsking;
  /** Lets a request of a kind in, and returns who sends it, as of now. Errors: serve.signed-out, serve.too-many. */
  readonly admitted: (kind: RequestKind) => Promise<Principal>;
  /** Aborted when the client stops waiting. */
  readonly signal: () => AbortSignal | undefined;
}

/** A value of a question, or of the catalog. */
export type AskedValue = Value | CatalogValue;

const mostForms = 100;
const longestKept = 4_096;

/** Asks the service on behalf of one connection. What it remembers of questions' forms is that connection's own, so that nobody learns by a time what others ask. */
export class Asking {
  readonly #parts: AskingParts;
  readonly #forms = new Map<string, QuestionForm>();

  constructor(parts: AskingParts) {
    this.#parts = parts;
  }

  /** Pays, and answers. Errors: those of `Service.ask`. */
  async ask(text: string, values: readonly AskedValue[], types: readonly number[] = []): Promise<Answered> {
    const { service, admitted, signal } = this.#parts;
    if (asksOfCatalog(text)) {
      const reader = await admitted("read");
      const query = await this.#parts.catalog.read(text, types, reader);
      if (query)
        return { answer: this.#parts.catalog.answer(query, values as readonly CatalogValue[]), notices: [] };
    }
    const who = await admitted("ask");
    const isPlain = asksCatalog(text) || asksToExplain(text);
    // What cannot be described is refused by asking, in the same words.
    const form = isPlain ? null : await this.#described(text, who).catch(() => null);
    const question = this.#question(text, values as readonly Value[]);
    const answer = await service.ask(who, question, { signal: signal() });
    const isCharged = answer.kind === "release" && answer.repeat === null;
    const left = isCharged ? await service.budget(who, null).catch(() => null) : null;
    return {
      answer: wireAnswer(answer, form?.columns ?? null, this.#answerForm),
      notices: noticesOf(answer, left),
    };
  }

  /** Returns the form of a question, for nothing, before its parameters have values. Errors: those of `Service.describe`. */
  async form(text: string, types: readonly number[] = []): Promise<QuestionForm> {
    if (asksOfCatalog(text)) {
      const reader = await this.#parts.admitted("read");
      const catalog = await this.#parts.catalog.read(text, types, reader);
      if (catalog) return { parameters: [], columns: catalogColumns(catalog), catalog };
    }
    const who = await this.#parts.admitted("explain");
    if (asksCatalog(text)) return this.#formOfFree(text, who);
    try {
      const { parameters, columns } = await this.#described(text, who);
      return { parameters, columns: asksToExplain(text) ? explanationColumns : columns };
    } catch (error) {
      if (error instanceof LetheError && error.code === "query.public") return this.#formOfFree(text, who);
      throw error;
    }
  }

  async #described(text: string, who: Principal): Promise<QuestionForm> {
    const known = this.#forms.get(text);
    if (known) return known;
    const { service, signal } = this.#parts;
    const description = await service.describe(who, text, { signal: signal() });
    const form = {
      parameters: description.parameters.map(({ type }) => type),
      columns: describedColumns(description, mayHoldMarks(text), this.#answerForm),
    };
    if (text.length <= longestKept) this.#keep(text, form);
    return form;
  }

  /** The form of what asks the policy or public tables alone: that of its answer, which is free, to parameters that are NULL. */
  async #formOfFree(text: string, who: Principal): Promise<QuestionForm> {
    const parameters = Array.from({ length: parameterCount(text) }, () => "text" as const);
    const question = this.#question(
      text,
      parameters.map(() => null),
    );
    const answer = await this.#parts.service.ask(who, { ...question, made: true });
    return { parameters, columns: wireAnswer(answer, null, this.#answerForm).columns };
  }

  /** It is stated as the connection begins, so that what was described once stays as it is. */
  get #answerForm(): AnswerForm {
    return { hasIntervals: this.#parts.settings.value("lethe.intervals") !== "off" };
  }

  #question(text: string, values: readonly Value[]): ServedQuestion {
    const stated = Object.entries(questionSettings).flatMap(([setting, option]) => {
      const value = this.#parts.settings.value(setting);
      return value === null || value === "" ? [] : [[option, value] as const];
    });
    return {
      sql: text,
      requestId: null,
      ...Object.fromEntries(stated),
      ...(values.length === 0 ? {} : { params: values }),
    };
  }

  #keep(text: string, form: QuestionForm): void {
    this.#forms.set(text, form);
    const oldest = this.#forms.keys().next();
    if (this.#forms.size > mostForms && !oldest.done) this.#forms.delete(oldest.value);
  }
}

/** Whether an answer may have rows for several groups together, whose keys are marks and no values. */
function mayHoldMarks(text: string): boolean {
  for (const { kind, start, end } of scanTokens(text))
    if (kind === "word" && /^(?:rollup|cube|sets)$/i.test(text.slice(start, end))) return true;
  return false;
}

/** The highest n of the $n of a text. */
function parameterCount(text: string): number {
  let [count, dollar] = [0, -1];
  for (const { kind, start, end } of scanTokens(text)) {
    const word = text.slice(start, end);
    if (kind === "number" && start === dollar) count = Math.max(count, Math.min(1_000, Number(word) || 0));
    dollar = kind === "operator" && word === "$" ? end : -1;
  }
  return count;
}
