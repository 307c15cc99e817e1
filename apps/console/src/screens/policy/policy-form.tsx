import { useState } from "preact/hooks";
import { useLoaded } from "../../house/use-loaded.ts";
import { Field } from "../../parts/field.tsx";
import { Show } from "../../parts/loading.tsx";
import { askThread } from "../../thread/ask-thread.ts";
import type { Path, Stated } from "../../thread/works.ts";
import { visible } from "../../words/visible.ts";
import { alternativeOf, isStatedMap, kindOf, type SchemaNode } from "./schema-node.ts";
import { ValueField } from "./value-field.tsx";
import { yamlValue } from "./yaml-value.ts";

/** Changes one place of the draft: YAML of one value, or null where it is taken away. */
export type Change = (path: Path, to: string | null) => void;

interface PolicyFormProps {
  /** What the draft states; null where it is no YAML. */
  readonly stated: Stated;
  readonly change: Change;
  readonly readOnly: boolean;
}

/** The policy as a form: made of its schema, whose words are the labels and hints. */
export function PolicyForm({ stated, change, readOnly }: PolicyFormProps) {
  const schema = useLoaded(async () => (await askThread("policySchema", null)) as SchemaNode, []);
  return (
    <Show of={schema} what="the schema">
      {(node) =>
        stated === null ? (
          <p class="panel caution">The text is no YAML: correct it first, or drop the draft.</p>
        ) : (
          <fieldset class="plain policy-form" disabled={readOnly}>
            <legend class="heard">The policy as a form</legend>
            <Group node={node} path={[]} stated={stated} change={change} />
          </fieldset>
        )
      }
    </Show>
  );
}

interface PlaceProps {
  readonly node: SchemaNode;
  readonly path: Path;
  readonly stated: Stated | undefined;
  readonly change: Change;
}

/** The parts of a map with words of its own: first single values, then what lies deeper. */
function Group({ node, path, stated, change }: PlaceProps) {
  const held = isStatedMap(stated) ? stated : {};
  const known = node.properties ?? {};
  const unknown = Object.keys(held).filter((key) => !(key in known));
  const places = [...Object.entries(known), ...unknown.map((key) => [key, unfit] as const)].map(
    ([key, of]) => {
      const own = alternativeOf(of, held[key]);
      return {
        key,
        node: own,
        isDeep: ["group", "map"].includes(kindOf(own)),
        isNeeded: node.required?.includes(key) ?? false,
        path: [...path, key],
        stated: held[key],
      };
    },
  );
  return (
    <>
      <div class="fields">
        {places
          .filter(({ isDeep }) => !isDeep)
          .map(({ key, ...place }) => (
            <ValueField key={key} label={labelOf(key)} {...place} change={change} />
          ))}
      </div>
      {places
        .filter(({ isDeep }) => isDeep)
        .map(({ key, isNeeded, ...place }) => (
          <Deeper key={key} title={labelOf(key)} {...place} change={change} isOpen={opened.has(key)} />
        ))}
    </>
  );
}

/** What is stated where the format knows no such word, such as bounds of what became a text. */
const unfit: SchemaNode = {
  description: "The format knows no such word here. Empty the field to remove it.",
};

/** What one comes for most. */
const opened = new Set(["tables", "columns", "budget"]);

function Deeper({
  title,
  isOpen,
  ...place
}: PlaceProps & { readonly title: string; readonly isOpen: boolean }) {
  return (
    <details class="panel" open={isOpen}>
      <summary>
        <bdi>{visible(title)}</bdi>
      </summary>
      {place.node.description ? <p class="hint">{place.node.description}</p> : null}
      {kindOf(place.node) === "map" ? <Named {...place} title={title} /> : <Group {...place} />}
    </details>
  );
}

/** A map whose words its owner chooses, such as that of tables: what is there, and a way to add. */
function Named({ node, path, stated, change, title }: PlaceProps & { readonly title: string }) {
  const [name, setName] = useState("");
  const each = typeof node.additionalProperties === "object" ? node.additionalProperties : {};
  const held = isStatedMap(stated) ? stated : {};
  const add = (): void => {
    const key = name.trim();
    if (key === "" || key in held) return;
    change([...path, key], beginningOf(each, key));
    setName("");
  };
  return (
    <>
      {Object.entries(held).map(([key, value]) => {
        const own = { node: alternativeOf(each, value), path: [...path, key], stated: value, change };
        const isDeep = ["group", "map"].includes(kindOf(own.node));
        return (
          <div key={key} class="named">
            {isDeep ? (
              <Deeper title={key} {...own} isOpen={false} />
            ) : (
              <ValueField label={key} {...own} isNeeded={false} />
            )}
            <button
              class="small"
              type="button"
              aria-label={`Remove ${visible(key)} from ${title}`}
              onClick={() => change([...path, key], null)}
            >
              Remove
            </button>
          </div>
        );
      })}
      <div class="row">
        <Field label={`Another of ${title}`}>
          {(input) => (
            <input
              {...input}
              class="short"
              value={name}
              onInput={({ currentTarget }) => setName(currentTarget.value)}
              onKeyDown={(event) => {
                if (event.key === "Enter") add();
              }}
            />
          )}
        </Field>
        <button type="button" disabled={name.trim() === ""} aria-label={`Add to ${title}`} onClick={add}>
          Add
        </button>
      </div>
    </>
  );
}

/** What a new part begins with: what it must state as far as the schema knows it. The lint says what is missing. */
function beginningOf(node: SchemaNode, name: string): string {
  const own = alternativeOf(node, undefined);
  if (own.properties?.columns) return `{ file: ${yamlValue(`${name}.csv`, "text")}, unit: row, columns: {} }`;
  if (own.properties?.type) return "{ type: text }";
  if (own.properties?.tables) return "{ tables: [] }";
  return own.properties ? "{}" : '""';
}

/** Writes a word of the format for people. */
function labelOf(key: string): string {
  const words = key.replaceAll("_", " ");
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
}
