import type { Answer } from "@lethe/client";
import { Scroll } from "../parts/scroll.tsx";
import { isEstimate, keyWords, numberWords } from "../words/cells.ts";
import { visible } from "../words/visible.ts";

/** The rows of an answer: each noisy number with its interval beside it. */
export function AnswerTable({ answer, label }: { readonly answer: Answer; readonly label: string }) {
  const { columns, rows, confidence } = answer;
  if (rows.length === 0) return <p>No row was released.</p>;
  const isNumber = (name: string): boolean => rows.some((row) => isEstimate(row[name]));
  // A number by itself stands where one begins to read.
  const aligned = columns.length > 1 ? "number" : "";
  return (
    <Scroll label={label}>
      <table>
        <thead>
          <tr>
            {columns.map(({ name }) => (
              <th key={name} class={isNumber(name) ? aligned : ""} scope="col">
                <bdi>{visible(name)}</bdi>
                {isNumber(name) ? (
                  <span class="interval"> ({Math.round(confidence * 1000) / 10} % interval)</span>
                ) : null}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            <tr key={at}>
              {columns.map(({ name }) => {
                const cell = row[name];
                if (!isEstimate(cell)) return <td key={name}>{keyWords(cell)}</td>;
                const known = cell.lower !== null && cell.upper !== null;
                return (
                  <td key={name} class={aligned}>
                    {numberWords(cell.value, cell)}{" "}
                    {known ? (
                      <span class="interval">
                        {numberWords(cell.lower, cell)} … {numberWords(cell.upper, cell)}
                      </span>
                    ) : null}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}
