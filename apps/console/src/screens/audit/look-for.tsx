import type { ComponentChildren } from "preact";
import { Field } from "../../parts/field.tsx";
import { goTo } from "../../route/use-route.ts";

interface LookForProps {
  /** The page's place, whose address tells what is looked for. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  /** The field between the person's and those of the time. */
  readonly children: ComponentChildren;
}

/** The form of what is looked for in a list: a person, something of the list's own, and a span of time. */
export function LookFor({ path, query, children }: LookForProps) {
  return (
    <form
      class="look-for"
      onSubmit={(event) => {
        event.preventDefault();
        const given = [...new FormData(event.currentTarget)].flatMap(([name, value]) =>
          typeof value === "string" && value.trim() !== "" ? [[name, value.trim()] as const] : [],
        );
        goTo(path, Object.fromEntries(given));
      }}
    >
      <Field label="Person">
        {(input) => (
          <input
            {...input}
            name="person"
            maxLength={200}
            autocomplete="off"
            defaultValue={query.person ?? ""}
          />
        )}
      </Field>
      {children}
      {(["from", "to"] as const).map((name) => (
        <Field key={name} label={name === "from" ? "From (UTC)" : "Until (UTC)"}>
          {(input) => <input {...input} type="datetime-local" name={name} defaultValue={query[name] ?? ""} />}
        </Field>
      ))}
      <div class="row">
        <button class="primary" type="submit">
          Look
        </button>
        <button type="button" onClick={() => goTo(path)}>
          Show all
        </button>
      </div>
    </form>
  );
}
