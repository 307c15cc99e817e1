import type { Explanation } from "@lethe/client";
import { expectedWords } from "../../words/expected-words.ts";
import { lossWords } from "../../words/loss-words.ts";
import { timeWords } from "../../words/time-words.ts";
import { visible } from "../../words/visible.ts";
import type { Priced } from "./use-price.ts";

/** The price of what stands in the editor, the error that its answer is expected to have, what would make it cheaper, and how its tables are read. */
export function PricePanel({ plan, isFree }: Priced) {
  return (
    <div class="priced">
      <p class="price" role="status" data-price={plan ? lossWords(plan.price) : ""}>
        {plan ? <Price plan={plan} /> : isFree ? "Costs nothing: it asks nothing private." : ""}
      </p>
      {plan ? <Told plan={plan} /> : null}
    </div>
  );
}

function Price({ plan: { price, earlier, answers, confidence } }: { readonly plan: Explanation }) {
  const errors = answers.map(expectedWords).filter((words) => words !== null);
  return (
    <>
      {earlier ? (
        <>
          Costs <strong>nothing</strong>: the answer of {timeWords(earlier.asOf)} is shown again.
        </>
      ) : (
        <>
          Costs <strong>{lossWords(price)}</strong>.
        </>
      )}
      {errors.length > 0 ? (
        <span class="expected">
          {" "}
          Expected: {errors.join("; ")} <span class="quiet">({Math.round(confidence * 1000) / 10} %)</span>
        </span>
      ) : null}
    </>
  );
}

function Told({ plan: { warnings, keyNotice, alternatives, reads } }: { readonly plan: Explanation }) {
  return (
    <>
      {warnings.map(({ message, fix }) => (
        <div key={message} class="panel caution">
          <strong>
            <bdi>{visible(message)}</bdi>
          </strong>
          <p>
            <bdi>{visible(fix)}</bdi>
          </p>
        </div>
      ))}
      {keyNotice === null ? null : <p class="quiet">{visible(keyNotice)}</p>}
      {alternatives.length === 0 ? null : (
        <details class="panel">
          <summary>
            {alternatives.length === 1 ? "One cheaper form" : `${alternatives.length} cheaper forms`}, saving
            up to {Math.round((alternatives[0]?.saved ?? 0) * 100)} %
          </summary>
          <ul class="alternatives">
            {alternatives.map(({ change, how, takes, price, epsilon, saved }) => (
              <li key={change}>
                <strong>{visible(change)}</strong>: {lossWords(price)}, {Math.round(saved * 100)} % less at
                the same error.
                <div class="quiet">
                  Write <code>{visible(how)}</code> and state ε {epsilon}.
                  {takes === null ? "" : ` But ${visible(takes)}.`}
                </div>
              </li>
            ))}
          </ul>
        </details>
      )}
      {reads.length === 0 ? null : (
        <ul class="reads quiet" aria-label="How tables are read">
          {reads
            .flatMap(({ words }) => words)
            .map((sentence) => (
              <li key={sentence}>
                <bdi>{visible(sentence)}</bdi>
              </li>
            ))}
        </ul>
      )}
    </>
  );
}
