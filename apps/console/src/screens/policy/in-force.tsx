import { useHouse } from "../../house/house.ts";
import { useLoaded } from "../../house/use-loaded.ts";
import { CopyButton } from "../../parts/copy-button.tsx";
import { saveFile } from "../../parts/save-file.ts";
import type { OwnService } from "../../session/own-service.ts";
import { timeWords } from "../../words/time-words.ts";
import { visible } from "../../words/visible.ts";
import type { ServedPolicy } from "./policy-parts.ts";

interface LogPage {
  readonly items: readonly {
    readonly at: number;
    readonly actor: { readonly name: string | null };
    readonly fact: { readonly to?: string };
  }[];
  readonly before: string | null;
}

/** The policy in force: its hash, and since when, as the audit log tells. */
export function InForce({ served }: { readonly served: ServedPolicy }) {
  const { service } = useHouse();
  const change = useLoaded((signal) => lastChange(service, signal), [service]);
  return (
    <section class="panel" aria-label="In force">
      <dl class="in-force">
        <dt>In force since</dt>
        <dd>{change.value ? sinceWords(change.value.last, served) : change.problem ? "not known" : "…"}</dd>
        <dt>Hash</dt>
        <dd>
          <code>{served.hash}</code>
        </dd>
      </dl>
      <p class="hint">
        The hash covers what gives answers their meaning, and no budget. Certificates name it.
      </p>
      <div class="row">
        <CopyButton text={served.hash} label="Copy the hash" />
        <button type="button" onClick={() => saveFile("lethe.yaml", served.text, "application/yaml")}>
          Save the text
        </button>
      </div>
    </section>
  );
}

type Last = LogPage["items"][number] | null;

function sinceWords(last: Last, { hash }: ServedPolicy) {
  if (last === null || last.fact.to !== hash)
    return "not known: the newest entries of the audit log name no change to this policy by the service";
  return (
    <>
      {timeWords(new Date(last.at).toISOString())}, put in force by{" "}
      <bdi>{visible(last.actor.name ?? "nobody who is named")}</bdi>
    </>
  );
}

const mostPages = 20;

/** The last change of the policy by the service, among the newest entries of the audit log. */
async function lastChange(service: OwnService, signal: AbortSignal): Promise<{ readonly last: Last }> {
  let before: string | null = null;
  for (let page = 0; page < mostPages; page += 1) {
    const from: string = before === null ? "" : `&before=${encodeURIComponent(before)}`;
    const found: LogPage = await service.call<LogPage>(
      "GET",
      `audit-log?kind=policy-changed&limit=1${from}`,
      undefined,
      signal,
    );
    if (found.items[0]) return { last: found.items[0] };
    if (found.before === null) break;
    before = found.before;
  }
  return { last: null };
}
