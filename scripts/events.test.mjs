import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { eventFromDpAccounting, eventFromJson } from "../packages/core/src/events/index.ts";

const page = readFileSync(new URL("../docs/reference/events.md", import.meta.url), "utf8");
const blocks = [...page.matchAll(/^```json ?(\w*)\n([\s\S]*?)^```$/gm)].map(([, of, text]) => ({
  of,
  json: JSON.parse(text),
}));
const sections = page
  .split(/^### /m)
  .slice(1)
  .map((section) => [/^`([^`]+)`/.exec(section)?.[1], section]);

/** The refusal of an unknown kind names all that are known. */
function knownKinds() {
  try {
    eventFromJson({ kind: "nothing-like-it", version: 1 });
  } catch ({ fix }) {
    return /knows (.*), each at version 1/.exec(fix)[1].split(", ");
  }
}

describe("docs/reference/events.md", () => {
  it("documents every kind of event once, and no other", () => {
    expect(sections.map(([kind]) => kind).sort()).toEqual([...knownKinds()].sort());
  });

  it.each(sections)("%s: its example is an event of this kind", (kind, section) => {
    const [, example] = /^```json\n([\s\S]*?)^```$/m.exec(section);
    expect(eventFromJson(JSON.parse(example)).kind).toBe(kind);
  });

  it("shows only JSON that is read", () => {
    const foreign = blocks.filter(({ of }) => of === "dp_accounting");
    for (const { json } of foreign) expect(eventFromDpAccounting(json).kind).toBe("repeat");
    expect(foreign).toHaveLength(2);
    for (const { json } of blocks.filter(({ of }) => of === "")) eventFromJson(json);
  });
});
