import type { ComponentChildren } from "preact";
import { Screen } from "../../parts/screen.tsx";
import { hrefOf } from "../../route/route.ts";

const places = [
  { path: "audit", title: "Audit", word: "Chains" },
  { path: "audit/asked", title: "Who asked what", word: "Who asked what" },
  { path: "audit/log", title: "Audit log", word: "Audit log" },
  { path: "audit/ledger", title: "Ledger", word: "Ledger" },
  { path: "audit/attacks", title: "Attack report", word: "Attack report" },
] as const;

interface AuditPageProps {
  readonly path: (typeof places)[number]["path"];
  readonly lead: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A page of the audit, with the ways to the others. */
export function AuditPage({ path, lead, children }: AuditPageProps) {
  const title = places.find((place) => place.path === path)?.title ?? "Audit";
  return (
    <Screen title={title} lead={lead}>
      <nav class="places" aria-label="Audit">
        <ul>
          {places.map((place) => (
            <li key={place.path}>
              <a
                href={hrefOf(place.path)}
                {...(place.path === path ? { "aria-current": "page" as const } : {})}
              >
                {place.word}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      {children}
    </Screen>
  );
}
