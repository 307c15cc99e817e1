import type { AuditEntry } from "@lethe/serve/audit-chain";

type Fact = AuditEntry["fact"];
type Kind = Fact["kind"];
type Of<K extends Kind> = Extract<Fact, { kind: K }>;

/** Every kind of fact as one looks for it. */
export const kindWords: Readonly<Record<Kind, string>> = {
  asked: "asked a question",
  read: "looked at what is others'",
  received: "received an answer",
  offered: "offered an answer",
  "signed-in": "signed in",
  "sign-in-refused": "was refused at sign-in",
  "signed-out": "signed out",
  denied: "was denied a request",
  "person-changed": "changed a person",
  "token-created": "made a token",
  "token-revoked": "revoked a token",
  "session-revoked": "ended a session",
  "policy-changed": "changed the policy",
  started: "the service started",
  stopped: "the service stopped",
  counted: "did it again and again",
};

const says: { readonly [K in Kind]: (fact: Of<K>) => string } = {
  asked: ({ request, outcome, ledger, question }) =>
    `asked ${request === null ? "a question" : `as ${request}`}: ${outcome}${recordWords(ledger)}; the text's SHA-256 begins with ${question.slice(0, 12)}`,
  read: ({ route, person, request }) =>
    `looked at ${route.replace(/\.read$/, "")}${person === null ? "" : ` of ${person}`}${request === null ? "" : `, request ${request}`}`,
  received: ({ request, person, outcome, ledger }) =>
    `received the answer to ${request} of ${person}: ${outcome}${recordWords(ledger)}`,
  offered: ({ request, person, to }) => `offered the answer to ${request} of ${person} to ${to}`,
  "signed-in": ({ by }) => `signed in by ${by}`,
  "sign-in-refused": ({ person, code }) =>
    `was refused at sign-in${person === null ? "" : ` as ${person}`}: ${code}`,
  "signed-out": () => "signed out",
  denied: ({ route, code }) => `was denied ${route ?? "a request"}: ${code}`,
  "person-changed": ({ person, change, roles }) =>
    `changed ${person}: ${change}${roles === undefined ? "" : ` (${roles.join(", ")})`}`,
  "token-created": ({ person, token }) => `made the token ${token} of ${person}`,
  "token-revoked": ({ person, token }) => `revoked the token ${token} of ${person}`,
  "session-revoked": ({ person, session }) => `ended the session ${session} of ${person}`,
  "policy-changed": ({ from, to }) => `changed the policy from ${from.slice(0, 12)} to ${to.slice(0, 12)}`,
  started: ({ version }) => `the service started, version ${version}`,
  stopped: ({ version }) => `the service stopped, version ${version}`,
  counted: ({ fact, more }) => `${more} more within ten minutes: ${factWords(fact)}`,
};

/**
 * Says a fact in a line. A kind that this page does not know is told as it is written.
 * @example factWords({ kind: "signed-in", by: "password" }) // => "signed in by password"
 */
export function factWords(fact: Fact): string {
  if (!Object.hasOwn(says, fact.kind)) return JSON.stringify(fact);
  return (says[fact.kind] as (fact: Fact) => string)(fact);
}

function recordWords(ledger: number | null): string {
  return ledger === null ? "" : `, record ${ledger} of the ledger`;
}
