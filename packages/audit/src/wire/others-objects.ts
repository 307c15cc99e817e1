import type { AuditRow } from "../audits/audit-row.ts";
import type { Wire, WireReply, WireRequest } from "./wire.ts";
import { notMade, wireRow } from "./wire-row.ts";

const subject = "others' objects";
const claim =
  "another's release, certificate, request, budget and person are answered as what does not exist";

/** One analyst asks for what is another's, and for what does not exist: every byte that comes back must be the same. */
export async function othersObjects({ analysts, newName }: Wire): Promise<AuditRow> {
  const [first, second] = analysts;
  if (second === undefined) return notMade(subject, claim, "--other-token-file FILE names a second analyst");
  const id = await first.answered();
  const pairs = [
    ...peopleOf(first.name, newName()),
    ...(id === null ? [] : releasesOf(id, first.name, newName)),
  ];
  const different: string[] = [];
  for (const { what, real, none } of pairs) {
    const [one, other] = [await second.send(get(real)), await second.send(get(none))];
    if (isOpened(one)) different.push(`${what} of ${first.name} was given to ${second.name}`);
    else if (!isSame(one, other)) different.push(`${what} that exists is told from none`);
  }
  const listed = id === null ? "" : (await second.send(get("/v1/releases?limit=200"))).body;
  if (id !== null && listed.includes(JSON.stringify(id)))
    different.push(`${second.name}'s list has the request ${id}`);
  return wireRow(subject, claim, `${different.length} of ${pairs.length + 1} differ`, {
    finding: different.length === 0 ? null : different.join("; "),
    how:
      id === null
        ? `${first.name} has no answer yet: its reading was not tried`
        : "status, type and bytes compared",
  });
}

interface Pair {
  readonly what: string;
  readonly real: string;
  readonly none: string;
}

function peopleOf(name: string, nobody: string): readonly Pair[] {
  const paths: readonly (readonly [string, (of: string) => string])[] = [
    ["the budget", (of) => `/v1/budget?of=${encodeURIComponent(of)}`],
    ["the person", (of) => `/v1/people/${encodeURIComponent(of)}`],
    ["a list of tokens", (of) => `/v1/people/${encodeURIComponent(of)}/tokens`],
  ];
  return paths.map(([what, path]) => ({ what, real: path(name), none: path(nobody) }));
}

function releasesOf(id: string, name: string, newName: () => string): readonly Pair[] {
  return ["", `?of=${encodeURIComponent(name)}`].flatMap((query) =>
    ["", "/certificate"].map((part) => ({
      what: part === "" ? "a release" : "a certificate",
      real: `/v1/releases/${encodeURIComponent(id)}${part}${query}`,
      none: `/v1/releases/${encodeURIComponent(newName())}${part}${query}`,
    })),
  );
}

const get = (path: string): WireRequest => ({ method: "GET", path, headers: { accept: "application/json" } });
const isOpened = ({ status }: WireReply): boolean => status >= 200 && status < 300;
const isSame = (one: WireReply, other: WireReply): boolean =>
  one.status === other.status && one.type === other.type && one.body === other.body;
