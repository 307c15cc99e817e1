import { type AuditRow, isWrong, verdictOf, verdictWords } from "@lethe/audit/audit-row";
import { useState } from "preact/hooks";
import { CopyButton } from "../../parts/copy-button.tsx";
import { DataTable } from "../../parts/data-table.tsx";
import { Field } from "../../parts/field.tsx";
import { TextOrFile } from "../../parts/text-or-file.tsx";
import { visible } from "../../words/visible.ts";
import { attackCommand } from "./attack-command.ts";
import { attackRows } from "./attack-rows.ts";
import { AuditPage } from "./audit-page.tsx";

/** What is shown where no address is given. */
const example = "https://copy.lethe.example";

/** How a copy of the service is attacked, and the report of it as a table. */
export function AttackReport() {
  const [address, setAddress] = useState("");
  const [text, setText] = useState("");
  const command = attackCommand(address.trim() === "" ? example : address);
  const rows = text.trim() === "" ? null : attackRows(text);
  return (
    <AuditPage
      path="audit/attacks"
      lead="Two analysts who collude attack a service over the wire: its budget, others' answers, names at sign-in, other sites and strange requests."
    >
      <p class="panel caution">
        This page starts no attack: one spends budget for good, makes sign-ins wait, and needs the tokens of
        two analysts, which no page should hold. Run it on a copy of the service, over a copy of its policy.
      </p>
      <h2>Run it</h2>
      <Field
        label="Address of the copy"
        hint={
          command?.includes(` ${location.origin} `)
            ? "This page is of that very service: is it the copy?"
            : null
        }
        error={command === null ? "An address begins with https:// or http://." : null}
      >
        {(input) => (
          <input
            {...input}
            type="url"
            placeholder={example}
            value={address}
            onInput={({ currentTarget }) => setAddress(currentTarget.value)}
          />
        )}
      </Field>
      {command === null ? null : (
        <div class="panel">
          <pre>{command}</pre>
          <p class="row">
            <CopyButton text={command} label="Copy the command" />
          </p>
          <p class="hint">
            Each file holds a token of one analyst, as <code>lethe people token</code> prints it.
          </p>
        </div>
      )}
      <h2>Read the report</h2>
      <TextOrFile
        label="The report"
        hint="The file attacks.json. It is read in this browser, and sent nowhere."
        accept=".json,.txt"
        value={text}
        onChange={setText}
      />
      {rows !== null ? (
        <Rows rows={rows} />
      ) : text.trim() === "" ? null : (
        <p class="panel problem" role="alert">
          This is not what <code>lethe audit --json</code> writes.
        </p>
      )}
    </AuditPage>
  );
}

const badges = { stands: "good", caught: "good", finding: "bad", missed: "bad", told: "" } as const;

function Rows({ rows }: { readonly rows: readonly AuditRow[] }) {
  const wrong = rows.filter(isWrong).length;
  return (
    <section aria-labelledby="rows">
      <h2 id="rows">What the attacks found</h2>
      <div class={`panel ${wrong === 0 ? "well" : "problem"}`} role={wrong === 0 ? "status" : "alert"}>
        <strong>
          {wrong === 0
            ? "Nothing is wrong."
            : `${wrong} of ${rows.length} rows ${wrong === 1 ? "shows" : "show"} something wrong.`}
        </strong>
        <p>
          {wrong === 0
            ? "A claim that stands was not refuted; it is not proved by that."
            : "Do not put the service to use before that is explained."}
        </p>
      </div>
      <DataTable
        label="Rows of the report"
        rows={[...rows].sort((one, other) => Number(isWrong(other)) - Number(isWrong(one)))}
        keyOf={(_row, at) => String(at)}
        empty="There is no row."
        columns={[
          {
            title: "Verdict",
            cell: (row) => {
              const verdict = verdictOf(row);
              return <span class={`badge ${badges[verdict]}`}>{verdictWords[verdict]}</span>;
            },
          },
          { title: "Attack", cell: ({ subject }) => <bdi>{visible(subject)}</bdi> },
          { title: "Claim", kind: "text", cell: ({ claim }) => <bdi>{visible(claim)}</bdi> },
          { title: "Measured", kind: "text", cell: ({ measured }) => <bdi>{visible(measured)}</bdi> },
          { title: "What", kind: "text", cell: ({ finding, how }) => <bdi>{visible(finding ?? how)}</bdi> },
        ]}
      />
    </section>
  );
}
