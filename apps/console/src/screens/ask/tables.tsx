import type { TableOffered } from "@lethe/client";

interface TablesProps {
  readonly tables: readonly TableOffered[];
  readonly onChosen: (sql: string) => void;
}

/** What one may ask about: tables, their columns, and questions to begin with. */
export function Tables({ tables, onChosen }: TablesProps) {
  return (
    <section aria-labelledby="tables">
      <h2 id="tables">Data</h2>
      {tables.map(({ name, kind, columns, questions }) => (
        <details key={name} class="panel">
          <summary>
            {name} ({kind}, {columns.length} columns)
          </summary>
          <p>{columns.map((column) => `${String(column.name)} ${String(column.type)}`).join(" · ")}</p>
          <ul>
            {questions.map((question) => (
              <li key={question}>
                <button class="link" type="button" onClick={() => onChosen(question)}>
                  {question}
                </button>
              </li>
            ))}
          </ul>
        </details>
      ))}
    </section>
  );
}
