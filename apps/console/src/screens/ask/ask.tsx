import type { Answer, Explanation, LetheClient } from "@lethe/client";
import { LetheProblem } from "@lethe/client";
import { useEffect, useState } from "preact/hooks";
import { ProblemPanel } from "../../parts/problem-panel.tsx";
import { downwards, isNothing, lossWords } from "../../words/loss-words.ts";
import { timeWords } from "../../words/time-words.ts";
import { AnswerChart } from "./answer-chart.tsx";
import { AnswerTable } from "./answer-table.tsx";

const typingMs = 400;

interface AskProps {
  readonly lethe: LetheClient;
  readonly sql: string;
  readonly setSql: (sql: string) => void;
  readonly onAnswered: () => void;
}

/** A question, its price while one types, and its answer. */
export function Ask({ lethe, sql, setSql, onAnswered }: AskProps) {
  const [plan, setPlan] = useState<Explanation | null>(null);
  const [problem, setProblem] = useState<unknown>(null);
  const [answer, setAnswer] = useState<Answer | null>(null);
  const [busy, setBusy] = useState(false);
  const [epsilon, setEpsilon] = useState("");
  const stated = epsilon.trim() === "" ? {} : { epsilon: epsilon.trim() };
  useEffect(() => {
    setPlan(null);
    setProblem(null);
    if (sql.trim() === "") return;
    const stop = new AbortController();
    const later = setTimeout(() => {
      lethe.explain(sql, { ...stated, signal: stop.signal }).then(setPlan, (error: unknown) => {
        if (!stop.signal.aborted && !isFree(error)) setProblem(error);
      });
    }, typingMs);
    return () => {
      clearTimeout(later);
      stop.abort();
    };
  }, [sql, epsilon, lethe]);
  const ask = async (): Promise<void> => {
    setBusy(true);
    setProblem(null);
    try {
      const warned = (plan?.warnings.length ?? 0) > 0;
      setAnswer(await lethe.ask(sql, { ...stated, ...(warned ? { acceptUninformative: true } : {}) }));
      onAnswered();
    } catch (error) {
      setProblem(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <section aria-labelledby="ask">
      <h2 id="ask">Ask</h2>
      <label for="sql">A question in SQL</label>
      <textarea
        id="sql"
        spellcheck={false}
        value={sql}
        onInput={(event) => setSql(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && !busy) void ask();
        }}
      />
      <div class="row">
        <label for="epsilon">Price, ε</label>
        <input
          id="epsilon"
          class="short"
          inputMode="decimal"
          placeholder="the policy's"
          value={epsilon}
          onInput={(event) => setEpsilon(event.currentTarget.value)}
        />
        <button class="primary" type="button" disabled={busy || sql.trim() === ""} onClick={() => void ask()}>
          {busy ? "Asking …" : "Ask"}
        </button>
        <span class="price" role="status">
          {plan ? priceWords(plan) : ""}
        </span>
      </div>
      {plan?.warnings.map((warning, at) => (
        <p key={at} class="warning">
          {String(warning.message ?? "The answer would say next to nothing.")}
        </p>
      ))}
      <ProblemPanel problem={problem} />
      {answer ? <Answered answer={answer} /> : null}
    </section>
  );
}

function Answered({ answer }: { readonly answer: Answer }) {
  const { price, charged, asOf, left, notes } = answer;
  return (
    <div>
      <AnswerTable answer={answer} />
      <AnswerChart answer={answer} />
      <dl>
        <dt>Price</dt>
        <dd>
          {isNothing(charged)
            ? `nothing: the answer of ${timeWords(asOf)}, which cost ${lossWords(price)}`
            : lossWords(charged)}
        </dd>
        {left ? (
          <>
            <dt>Left</dt>
            <dd>{lossWords(left, downwards)}</dd>
          </>
        ) : null}
      </dl>
      {notes.length > 0 ? (
        <details class="notes">
          <summary>{notes.length === 1 ? "One note" : `${notes.length} notes`}</summary>
          <ul>
            {notes.map((note) => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        </details>
      ) : null}
    </div>
  );
}

function priceWords({ price, earlier }: Explanation): string {
  return earlier
    ? `costs nothing: the answer of ${timeWords(earlier.asOf)} is shown again`
    : `costs ${lossWords(price)}`;
}

/** Questions of public tables, and of what there is to ask, have no price and no plan. */
function isFree(error: unknown): boolean {
  return error instanceof LetheProblem && error.code === "query.public";
}
