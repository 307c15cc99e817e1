import { useRef } from "preact/hooks";
import { Field, type FieldInput } from "../../parts/field.tsx";
import type { Path, Stated } from "../../thread/works.ts";
import { visible } from "../../words/visible.ts";
import { kindOf, type SchemaNode } from "./schema-node.ts";
import { writtenAs, yamlValue } from "./yaml-value.ts";

interface ValueFieldProps {
  readonly label: string;
  readonly node: SchemaNode;
  readonly path: Path;
  readonly stated: Stated | undefined;
  /** Whether the format asks for it. */
  readonly isNeeded: boolean;
  readonly change: (path: Path, to: string | null) => void;
}

/** A field of one value of the policy. What is emptied is taken out of the text. */
export function ValueField({ label, node, path, stated, isNeeded, change }: ValueFieldProps) {
  const kind = kindOf(node);
  const set = (to: string | null): void => change(path, to);
  return (
    <Field label={visible(label)} hint={node.description}>
      {(input) => {
        if (kind === "choice" || kind === "truth")
          return (
            <Choice
              input={input}
              of={node.enum ?? ["true", "false"]}
              now={writtenAs(stated)}
              isNeeded={isNeeded}
              set={set}
            />
          );
        if (kind === "pair")
          return <Pair input={input} label={label} node={node} stated={stated} set={set} />;
        if (kind === "list")
          return (
            <textarea
              {...input}
              class="low"
              key={writtenAs(stated)}
              defaultValue={Array.isArray(stated) ? stated.map((each) => writtenAs(each)).join("\n") : ""}
              onChange={({ currentTarget }) => {
                const lines = currentTarget.value.split("\n").filter((line) => line !== "");
                const one =
                  typeof node.items === "object" && node.items.type === "string" ? "text" : "number";
                set(lines.length === 0 ? null : `[${lines.map((line) => yamlValue(line, one)).join(", ")}]`);
              }}
            />
          );
        const isRaw = kind === "written" || (typeof stated === "object" && stated !== null);
        return (
          <input
            {...input}
            key={writtenAs(stated)}
            defaultValue={writtenAs(stated)}
            readOnly={kind === "fixed"}
            onChange={({ currentTarget: { value } }) =>
              set(
                value === "" ? null : isRaw ? value : yamlValue(value, kind === "number" ? "number" : "text"),
              )
            }
          />
        );
      }}
    </Field>
  );
}

interface ChoiceProps {
  readonly input: FieldInput;
  readonly of: readonly string[];
  readonly now: string;
  readonly isNeeded: boolean;
  readonly set: (to: string | null) => void;
}

function Choice({ input, of, now, isNeeded, set }: ChoiceProps) {
  return (
    <select
      {...input}
      value={now}
      onChange={({ currentTarget: { value } }) => set(value === "" ? null : value)}
    >
      {isNeeded && now !== "" ? null : <option value="">not stated</option>}
      {of.map((word) => (
        <option key={word} value={word}>
          {word}
        </option>
      ))}
    </select>
  );
}

interface PairProps {
  readonly input: FieldInput;
  readonly label: string;
  readonly node: SchemaNode;
  readonly stated: Stated | undefined;
  readonly set: (to: string | null) => void;
}

/** Two ends, which are written when both are there. */
function Pair({ input, label, node, stated, set }: PairProps) {
  const low = useRef<HTMLInputElement>(null);
  const high = useRef<HTMLInputElement>(null);
  const [from = "", to = ""] = Array.isArray(stated) ? stated.map((each) => writtenAs(each)) : [];
  const kind = node.prefixItems?.[0]?.type === "string" ? "text" : "number";
  const tell = (): void => {
    const ends = [low.current?.value ?? "", high.current?.value ?? ""];
    if (ends.every((end) => end === "")) set(null);
    else if (ends.every((end) => end !== "")) set(`[${ends.map((end) => yamlValue(end, kind)).join(", ")}]`);
  };
  return (
    <div class="row">
      <input {...input} ref={low} key={`from ${from}`} class="short" defaultValue={from} onChange={tell} />
      <span aria-hidden="true">to</span>
      <input
        ref={high}
        key={`to ${to}`}
        class="short"
        aria-label={`${visible(label)}, the upper end`}
        defaultValue={to}
        onChange={tell}
      />
    </div>
  );
}
