import type { RequestLine } from "@lethe/client";
import { lossWords } from "./loss-words.ts";
import { Scroll } from "./scroll.tsx";
import { timeWords } from "./time-words.ts";

interface HistoryProps {
  readonly requests: readonly RequestLine[];
  readonly onChosen: (sql: string) => void;
}

/** The visitor's own questions, newest first. A question that is chosen goes back into the form: asking it again costs nothing while its answer stands. */
export function History({ requests, onChosen }: HistoryProps) {
  if (requests.length === 0) return null;
  return (
    <section aria-labelledby="history">
      <h2 id="history">What you asked</h2>
      <Scroll label="What you asked">
        <table>
          <thead>
            <tr>
              <th scope="col">When</th>
              <th scope="col">Question</th>
              <th class="number" scope="col">
                Price
              </th>
            </tr>
          </thead>
          <tbody>
            {requests.map(({ requestId, at, text, price, state, sharedBy }) => (
              <tr key={`${sharedBy ?? ""} ${requestId}`}>
                <td>{timeWords(at)}</td>
                <td class="text">
                  <button class="link" type="button" onClick={() => onChosen(text)}>
                    {text}
                  </button>
                  {sharedBy === null ? "" : ` (received from ${sharedBy})`}
                </td>
                <td class="number">
                  {lossWords(price)}
                  {state === "settled" ? "" : ` (${state})`}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </section>
  );
}
