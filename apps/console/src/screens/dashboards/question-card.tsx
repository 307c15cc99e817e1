import type { AskOptions, Explanation, SavedQuestion } from "@lethe/client";
import { useId, useMemo, useState } from "preact/hooks";
import { AnswerView } from "../../answers/answer-view.tsx";
import { PayDialog } from "../../answers/pay-dialog.tsx";
import { useHouse } from "../../house/house.ts";
import { useAction } from "../../house/use-action.ts";
import { useLoaded } from "../../house/use-loaded.ts";
import { Show } from "../../parts/loading.tsx";
import { ProblemPanel } from "../../parts/problem-panel.tsx";
import { hrefOf } from "../../route/route.ts";
import { expectedWords } from "../../words/expected-words.ts";
import { isLarge, leastLeft } from "../../words/left-words.ts";
import { lossWords } from "../../words/loss-words.ts";
import { visible } from "../../words/visible.ts";
import { savedAnswer } from "./saved-answer.ts";

interface QuestionCardProps {
  readonly saved: SavedQuestion;
  /** Does work once what was begun before it is done. */
  readonly inTurn: <T>(work: () => Promise<T>) => Promise<T>;
  /** Null where the visitor may not change the dashboard. */
  readonly onRemove: (() => void) | null;
}

/** A saved question with the answer that costs nothing, and the price of a new one. */
export function QuestionCard({ saved: { title, sql, epsilon }, inTurn, onRemove }: QuestionCardProps) {
  const { service, announce } = useHouse();
  const { lethe } = service;
  const id = useId();
  const options = useMemo<AskOptions>(() => (epsilon === null ? {} : { epsilon }), [epsilon]);
  const loaded = useLoaded(() => inTurn(() => savedAnswer(lethe, sql, options)), [lethe, sql, options]);
  const { busy, problem, run } = useAction();
  const [offered, setOffered] = useState<{ readonly plan: Explanation; readonly isLarge: boolean } | null>(
    null,
  );
  const isThere = loaded.value !== null && loaded.value.answer !== null;
  const offer = (): void =>
    void run(async () => {
      const [plan, budget] = await Promise.all([lethe.explain(sql, options), lethe.budget()]);
      setOffered({ plan, isLarge: isLarge(plan.price, leastLeft(budget)) });
    });
  const pay = ({ warnings }: Explanation): void => {
    setOffered(null);
    void run(async () => {
      await lethe.ask(sql, {
        ...options,
        ...(isThere ? { fresh: true } : {}),
        ...(warnings.length > 0 ? { acceptUninformative: true } : {}),
      });
      announce(`Answered: ${title}`);
      loaded.again();
    });
  };
  return (
    <section class="panel card" aria-labelledby={id}>
      <div class="screen-head">
        <h2 id={id}>
          <bdi>{visible(title)}</bdi>
        </h2>
        <div class="row">
          {loaded.value?.plan ? (
            <button class={isThere ? "small" : "small primary"} type="button" disabled={busy} onClick={offer}>
              {isThere ? "Refresh" : "Ask"} for {lossWords(loaded.value.plan.price)} …
            </button>
          ) : null}
          <a class="button small" href={hrefOf("ask", { sql, ...(epsilon === null ? {} : { epsilon }) })}>
            Edit<span class="heard"> {visible(title)}</span>
          </a>
          {onRemove ? (
            <button class="small" type="button" onClick={onRemove}>
              Take out<span class="heard"> {visible(title)}</span>
            </button>
          ) : null}
        </div>
      </div>
      <p>
        <code>
          <bdi>{visible(sql)}</bdi>
        </code>
      </p>
      <ProblemPanel problem={problem} />
      {busy ? <progress aria-label={`Waiting for the answer to ${visible(title)}`} /> : null}
      <Show of={loaded} what={title}>
        {({ plan, answer }) =>
          answer === null ? (
            <p class="quiet">You have not paid for an answer. {plan ? expectedLine(plan) : ""}</p>
          ) : (
            <AnswerView
              label={title}
              answer={answer}
              source={answer.requestId === undefined ? { sql, options } : { requestId: answer.requestId }}
            />
          )
        }
      </Show>
      {offered ? (
        <PayDialog
          price={lossWords(offered.plan.price)}
          isLarge={offered.isLarge}
          isUninformative={offered.plan.warnings.length > 0}
          isAgain={isThere}
          expected={expectedOf(offered.plan)}
          onPay={() => pay(offered.plan)}
          onCancel={() => setOffered(null)}
        />
      ) : null}
    </section>
  );
}

function expectedOf({ answers }: Explanation): readonly string[] {
  return answers.map(expectedWords).filter((words) => words !== null);
}

function expectedLine(plan: Explanation): string {
  const words = expectedOf(plan);
  return words.length === 0 ? "" : `Expected: ${words.join("; ")}.`;
}
