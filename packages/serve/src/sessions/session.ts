import { createHash } from "node:crypto";
import { absent, type Principal, signedOut } from "../access/index.ts";
import type { Actor } from "../audit-log/index.ts";
import { foldName, type PeopleStore, type Person, type RandomBytes, randomText } from "../people/index.ts";
import type { Session, SessionStore } from "./session-store.ts";

/** How long sessions last. */
export interface SessionRules {
  /** Without a request. */
  readonly idleMs: number;
  /** In all. */
  readonly absoluteMs: number;
}

/** Half an hour without a request, twelve hours in all. */
export const sessionRules: SessionRules = { idleMs: 30 * 60_000, absoluteMs: 12 * 3_600_000 };

/** The means by which sessions are kept. */
export interface SessionHouse {
  readonly sessions: SessionStore;
  readonly people: PeopleStore;
  readonly rules: SessionRules;
  readonly random: RandomBytes;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

const hashOf = (secret: string): string => createHash("sha256").update(secret).digest("hex");

/** The most sessions of one person; a further one ends the oldest. */
export const mostSessions = 20;

/** A use is written down at most as often as this, so that a page that asks often does not write often. */
const usedEveryMs = 60_000;

/** Whether a session still holds by its times. One that began after now began under a clock that was set back, and does not. */
function holds({ startedAt, usedAt }: Session, { idleMs, absoluteMs }: SessionRules, now: number): boolean {
  return now >= startedAt - usedEveryMs && now - startedAt < absoluteMs && now - usedAt < idleMs;
}

/**
 * Opens a session for a person who has just been signed in, and returns the secret of its cookie. The session that the browser had before ends, so that no secret from before the
 * sign-in is worth anything after it.
 * @param before the secret that the browser sent, or null
 */
export async function openSession(
  { sessions, random, now }: SessionHouse,
  person: Person,
  before: string | null,
): Promise<string> {
  if (before !== null) await sessions.remove(hashOf(before), []);
  const secret = randomText(random);
  const at = now();
  const own = [...(await sessions.ofPerson(person.name))].sort((a, b) => b.startedAt - a.startedAt);
  for (const { hash } of own.slice(mostSessions - 1)) await sessions.remove(hash, []);
  await sessions.add({
    hash: hashOf(secret),
    id: Buffer.from(random(8)).toString("hex"),
    person: person.name,
    generation: person.generation,
    startedAt: at,
    usedAt: at,
  });
  return secret;
}

/**
 * Says whose a cookie is. The roles are those that the person has now.
 * @param secret the cookie's value
 * Errors: serve.signed-out, with one text, for a session that is unknown, ended or too old, and of a person who is disabled.
 */
export async function principalOfSession(
  { sessions, people, rules, now }: SessionHouse,
  secret: string | null,
): Promise<Principal> {
  const session = secret === null ? null : await sessions.get(hashOf(secret));
  if (session === null) throw signedOut();
  const at = now();
  const person = await people.byName(session.person);
  if (!holds(session, rules, at) || !person || person.disabled || person.generation !== session.generation) {
    await sessions.remove(session.hash, []);
    throw signedOut();
  }
  if (at - session.usedAt >= usedEveryMs) await sessions.used(session.hash, at);
  return {
    name: person.name,
    roles: person.roles,
    projects: person.projects,
    proof: { kind: "session", session: session.id },
  };
}

/** Ends the session of a cookie, if there is one: signing out, which is a fact of the audit log. */
export async function closeSession(
  { sessions, now }: SessionHouse,
  secret: string | null,
  address: string,
): Promise<void> {
  const session = secret === null ? null : await sessions.get(hashOf(secret));
  if (session === null) return;
  const actor = { name: session.person, by: "session", id: session.id, address } as const;
  await sessions.remove(session.hash, [{ at: now(), actor, fact: { kind: "signed-out" } }]);
}

/** The sessions of a person that still hold, without their hashes. */
export async function sessionsOf(
  { sessions, people, rules, now }: SessionHouse,
  name: string,
): Promise<readonly Omit<Session, "hash">[]> {
  const person = await people.byName(name);
  const own = await sessions.ofPerson(name);
  return own
    .filter((session) => holds(session, rules, now()) && session.generation === person?.generation)
    .map(({ hash: _, ...shown }) => shown);
}

/** Ends a session of a person, which is a fact of the audit log. Errors: serve.absent, also where another's session has this id. To end all, `endSessions` raises the person's generation. */
export async function revokeSession(
  { sessions, now }: SessionHouse,
  name: string,
  id: string,
  actor: Actor,
): Promise<void> {
  const own = await sessions.ofPerson(name);
  const session = own.find((each) => each.id === id && foldName(each.person) === foldName(name));
  if (!session) throw absent();
  const fact = { kind: "session-revoked", person: session.person, session: id } as const;
  await sessions.remove(session.hash, [{ at: now(), actor, fact }]);
}
