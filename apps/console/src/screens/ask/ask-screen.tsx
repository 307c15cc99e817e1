import { type AskOptions, LetheProblem, type TableOffered } from "@lethe/client";
import { useEffect, useMemo, useState } from "preact/hooks";
import { AnswerView } from "../../answers/answer-view.tsx";
import { hasNoPrice } from "../../answers/has-no-price.ts";
import { PayDialog } from "../../answers/pay-dialog.tsx";
import { useHouse } from "../../house/house.ts";
import type { ScreenAddress } from "../../house/screen-address.ts";
import { useLoaded } from "../../house/use-loaded.ts";
import { Field } from "../../parts/field.tsx";
import { ProblemPanel } from "../../parts/problem-panel.tsx";
import { Screen } from "../../parts/screen.tsx";
import { replaceRoute } from "../../route/use-route.ts";
import { isLarge, leastLeft } from "../../words/left-words.ts";
import { isNothing, lossWords } from "../../words/loss-words.ts";
import { visible } from "../../words/visible.ts";
import { wordsAt } from "./completions.ts";
import { DataList } from "./data-list.tsx";
import { Editor } from "./editor.tsx";
import { PricePanel } from "./price-panel.tsx";
import { SaveQuestion } from "./save-question.tsx";
import { useAsking } from "./use-asking.ts";
import { pricedBy, usePrice } from "./use-price.ts";
import { Waiting } from "./waiting.tsx";

/** Ask a question, see its price and expected error while one types it, and read the answer. */
export default function AskScreen({ query }: ScreenAddress) {
  const { service, drafts, announce } = useHouse();
  const { lethe } = service;
  const [sql, setSql] = useState(query.sql ?? drafts.get("ask") ?? "");
  const [epsilon, setEpsilon] = useState(query.epsilon ?? drafts.get("ask.epsilon") ?? "");
  const [given, setGiven] = useState({ text: sql });
  const write = (text: string): void => {
    setProblem(null);
    setSql(text);
    setGiven({ text });
  };
  useEffect(() => {
    if (query.sql === undefined) return;
    write(query.sql);
    setEpsilon(query.epsilon ?? "");
    // The draft holds it from now on, and the browser's history does not.
    drafts.set("ask", query.sql);
    drafts.set("ask.epsilon", query.epsilon ?? "");
    replaceRoute("ask");
  }, [query.sql]);
  useEffect(() => {
    drafts.set("ask", sql);
    drafts.set("ask.epsilon", epsilon);
  }, [sql, epsilon]);
  const options = useMemo<AskOptions>(
    () => (epsilon.trim() === "" ? {} : { epsilon: epsilon.trim() }),
    [epsilon],
  );
  const offered = useLoaded(
    () =>
      service.call<{ readonly items: readonly TableOffered[]; readonly functions: readonly string[] }>(
        "GET",
        "tables",
      ),
    [service],
  );
  const [tables, functions] = [offered.value?.items ?? [], offered.value?.functions ?? []];
  const [answers, setAnswers] = useState(0);
  const priced = usePrice(lethe, sql, options, answers);
  const asking = useAsking(lethe);
  const [toConfirm, setToConfirm] = useState<{
    readonly price: string;
    readonly isLarge: boolean;
    readonly options: AskOptions;
  } | null>(null);
  const [isSaving, setIsSaving] = useState(false);
  const [problem, setProblem] = useState<unknown>(null);
  const send = async (all: AskOptions): Promise<void> => {
    const answer = await asking.ask(sql, all);
    if (answer === null) return;
    setAnswers((before) => before + 1);
    announce(`Answered: ${answer.rows.length} ${answer.rows.length === 1 ? "row" : "rows"}`);
  };
  /** Asks, after one more question where the price is a large part of what is left, or the answer would say next to nothing. */
  const begin = async (): Promise<void> => {
    if (sql.trim() === "" || asking.since !== null) return;
    setProblem(null);
    const known = priced.of === pricedBy(sql, options);
    if (known && priced.isFree) return send(options);
    try {
      const [plan, budget] = await Promise.all([
        known && priced.plan ? priced.plan : lethe.explain(sql, options),
        lethe.budget(),
      ]);
      const warned = plan.warnings.length > 0;
      const all = warned ? { ...options, acceptUninformative: true } : options;
      const isFree = plan.earlier !== null || isNothing(plan.price);
      const large = isLarge(plan.price, leastLeft(budget));
      if (!isFree && (warned || large))
        setToConfirm({ price: lossWords(plan.price), isLarge: large, options: all });
      else await send(all);
    } catch (error) {
      if (hasNoPrice(sql, error)) await send(options);
      else setProblem(error);
    }
  };
  const refusal = problem ?? asking.problem ?? priced.refusal;
  const marked = refusal instanceof LetheProblem ? refusal : null;
  const { answered } = asking;
  return (
    <Screen title="Ask">
      <div class="ask">
        <Editor
          label="A question in SQL"
          given={given}
          onChange={(text) => {
            setProblem(null);
            setSql(text);
          }}
          onAsk={() => void begin()}
          wordsAt={(before, whole) => wordsAt(before, whole, tables, functions)}
          problem={marked}
        />
        <div class="row ask-row">
          <button
            class="primary"
            type="button"
            aria-keyshortcuts="Control+Enter"
            disabled={asking.since !== null || sql.trim() === ""}
            onClick={() => void begin()}
          >
            Ask
          </button>
          <button type="button" disabled={sql.trim() === ""} onClick={() => setIsSaving(true)}>
            Save …
          </button>
          <Field label="Price, ε">
            {(input) => (
              <input
                {...input}
                class="short"
                inputMode="decimal"
                placeholder="the policy's"
                value={epsilon}
                onInput={({ currentTarget }) => setEpsilon(currentTarget.value)}
              />
            )}
          </Field>
          <span class="quiet hint-keys">
            <kbd>Ctrl</kbd>+<kbd>Enter</kbd> asks
          </span>
        </div>
        {asking.since === null ? null : <Waiting since={asking.since} onStop={asking.stop} />}
        {asking.stopped ? (
          <p class="panel caution" role="status">
            You stopped waiting. What was charged stands; ask again to see the answer for nothing once it is
            there.
          </p>
        ) : null}
        <PricePanel {...priced} />
        <ProblemPanel problem={refusal} />
        <Rewrite problem={marked} onChosen={write} />
      </div>
      {answered ? (
        <section aria-labelledby="answer" class={asking.since === null ? "" : "stale"}>
          <h2 id="answer">Answer</h2>
          {answered.sql === sql ? null : (
            <p class="quiet">
              To the question <code>{visible(answered.sql)}</code>
            </p>
          )}
          <AnswerView
            answer={answered.answer}
            source={
              answered.answer.requestId === undefined
                ? { sql: answered.sql, options: answered.options }
                : { requestId: answered.answer.requestId }
            }
          />
        </section>
      ) : null}
      <DataList tables={tables} onChosen={write} />
      {isSaving ? (
        <SaveQuestion sql={sql} epsilon={epsilon.trim() || null} onClose={() => setIsSaving(false)} />
      ) : null}
      {toConfirm ? (
        <PayDialog
          price={toConfirm.price}
          isLarge={toConfirm.isLarge}
          isUninformative={toConfirm.options.acceptUninformative ?? false}
          onCancel={() => setToConfirm(null)}
          onPay={() => {
            setToConfirm(null);
            void send(toConfirm.options);
          }}
        />
      ) : null}
    </Screen>
  );
}

/** A question near the one that was refused, which would be accepted. */
function Rewrite({
  problem,
  onChosen,
}: {
  readonly problem: LetheProblem | null;
  readonly onChosen: (sql: string) => void;
}) {
  const rewrite = problem?.fields.rewrite;
  if (typeof rewrite !== "string") return null;
  return (
    <p class="row">
      <button type="button" onClick={() => onChosen(rewrite)}>
        Write this instead
      </button>
      <code>{visible(rewrite)}</code>
    </p>
  );
}
