import type { ColumnOffered, TableOffered } from "@lethe/client";
import { visible } from "../../words/visible.ts";

interface DataListProps {
  readonly tables: readonly TableOffered[];
  readonly onChosen: (sql: string) => void;
}

/** What one may ask about: tables, their columns as the policy declares them, and questions to begin with. */
export function DataList({ tables, onChosen }: DataListProps) {
  return (
    <section aria-labelledby="data">
      <h2 id="data">Data</h2>
      {tables.length === 0 ? <p class="quiet">The policy offers no table.</p> : null}
      {tables.map(({ name, kind, unit, columns, questions }) => (
        <details key={name} class="panel">
          <summary>
            <bdi>{visible(name)}</bdi> <span class="badge">{kind}</span>
          </summary>
          {unit === null ? null : <p class="quiet">{visible(unit)}</p>}
          <ul class="columns">
            {columns.map((column) => (
              <li key={column.name}>
                <code>
                  <bdi>{visible(column.name)}</bdi>
                </code>{" "}
                <bdi class="quiet">{visible(columnWords(column))}</bdi>
              </li>
            ))}
          </ul>
          <p>Questions to begin with:</p>
          <ul>
            {questions.map((question) => (
              <li key={question}>
                <button class="link" type="button" onClick={() => onChosen(question)}>
                  <code>
                    <bdi>{visible(question)}</bdi>
                  </code>
                </button>
              </li>
            ))}
          </ul>
        </details>
      ))}
    </section>
  );
}

const mostShown = 8;

function columnWords({ type, bounds, categories }: ColumnOffered): string {
  const values = categories?.slice(0, mostShown).map(String).join(", ");
  const more = categories && categories.length > mostShown ? ", …" : "";
  return [
    type,
    bounds ? `${bounds[0]} to ${bounds[1]}` : "",
    values === undefined ? "" : `one of ${values}${more}`,
  ]
    .filter(Boolean)
    .join(", ");
}
