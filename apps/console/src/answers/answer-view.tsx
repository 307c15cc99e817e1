import type { Answer } from "@lethe/client";
import { downwards, isNothing, lossWords } from "../words/loss-words.ts";
import { timeWords } from "../words/time-words.ts";
import { visible } from "../words/visible.ts";
import { AnswerChart } from "./answer-chart.tsx";
import type { AnswerSource } from "./answer-source.ts";
import { AnswerTable } from "./answer-table.tsx";
import { SaveAnswer } from "./save-answer.tsx";
import { ShareAnswer } from "./share-answer.tsx";

interface AnswerViewProps {
  readonly answer: Answer;
  readonly source: AnswerSource;
  /** The name of its table, where several answers are shown. */
  readonly label?: string;
}

/** An answer: its rows, a chart, what it cost, its notes, and what one may do with it. */
export function AnswerView({ answer, source, label = "Answer" }: AnswerViewProps) {
  const { price, charged, asOf, left, notes, confidence } = answer;
  return (
    <div class="answer">
      <AnswerTable answer={answer} label={label} />
      <AnswerChart answer={answer} />
      <dl>
        <dt>Price</dt>
        <dd>
          {isNothing(charged)
            ? isNothing(price)
              ? "nothing"
              : `nothing now: the answer of ${timeWords(asOf)}, which cost ${lossWords(price)}`
            : lossWords(charged)}
        </dd>
        {left ? (
          <>
            <dt>Left</dt>
            <dd>{lossWords(left, downwards)}</dd>
          </>
        ) : null}
        {isNothing(price) ? null : (
          <>
            <dt>Intervals</dt>
            <dd>each holds the true value with a chance of {Math.round(confidence * 1000) / 10} %</dd>
          </>
        )}
      </dl>
      {notes.length > 0 ? (
        <details class="panel">
          <summary>{notes.length === 1 ? "One note" : `${notes.length} notes`}</summary>
          <ul>
            {notes.map((note) => (
              <li key={note}>
                <bdi>{visible(note)}</bdi>
              </li>
            ))}
          </ul>
        </details>
      ) : null}
      <div class="row">
        <SaveAnswer source={source} />
        {"requestId" in source && source.of === undefined ? (
          <ShareAnswer requestId={source.requestId} />
        ) : null}
      </div>
    </div>
  );
}
