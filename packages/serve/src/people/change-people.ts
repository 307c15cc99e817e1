import { LetheError } from "@lethe/core";
import { absent, type Principal, type Role } from "../access/index.ts";
import type { Actor, AuditFact } from "../audit-log/index.ts";
import { checkNewPassword, type PasswordRules } from "./passwords/check-new-password.ts";
import { type Derive, makeVerifier } from "./passwords/scram-verifier.ts";
import type { PeopleStore } from "./people-store.ts";
import type { Identity, Person } from "./person.ts";
import { checkPersonName, foldName } from "./person-name.ts";
import type { RandomBytes } from "./random-bytes.ts";
import { issueToken, type TokenRequest } from "./tokens/issue-token.ts";

/** The means by which people are changed. */
export interface PeopleHouse {
  readonly store: PeopleStore;
  readonly random: RandomBytes;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** The one who changes them, as the audit log names them: each change is written there, or is not made. */
  readonly by: Actor;
  readonly passwords: PasswordRules & { readonly iterations: number; readonly derive: Derive };
}

const tries = 10;

/** A change of a person, and what the audit log says of it. */
interface Change<T> {
  readonly person: Person;
  readonly facts: readonly AuditFact[];
  readonly result: T;
}

type What = Extract<AuditFact, { kind: "person-changed" }>["change"];

function changed({ name, roles }: Person, what: What): AuditFact {
  const isOfRoles = what === "added" || what === "roles";
  return { kind: "person-changed", person: name, change: what, ...(isOfRoles ? { roles } : {}) };
}

/** Decides by what the store holds and puts, again where somebody else changed the people meanwhile. Errors: people.changed. */
async function change<T>({ store, now, by }: PeopleHouse, decide: () => Promise<Change<T>>): Promise<T> {
  for (let attempt = 0; attempt < tries; attempt += 1) {
    const revision = await store.revision();
    const { person, facts, result } = await decide();
    const records = facts.map((fact) => ({ at: now(), actor: by, fact }));
    if (await store.put(person, revision, records)) return result;
  }
  throw new LetheError("people.changed", "the people were changed by somebody else at the same time", {
    fix: "look at the people again, then repeat the change",
  });
}

async function existing(store: PeopleStore, name: string): Promise<Person> {
  const person = await store.byName(name);
  if (!person) throw absent();
  return person;
}

const invalid = (message: string, fix: string): LetheError =>
  new LetheError("people.invalid", message, { fix, fields: { what: "person" } });

/** Somebody must be able to change people through the service. */
async function checkOwnerRemains(store: PeopleStore, changed: Person): Promise<void> {
  const owns = ({ roles, disabled }: Person): boolean => roles.includes("owner") && !disabled;
  const before = await store.list();
  const after = before.map((person) => (foldName(person.name) === foldName(changed.name) ? changed : person));
  if (before.some(owns) && !after.some(owns))
    throw invalid("nobody would own the service any more", "give another person the role owner first");
}

/** Adds a person, who has no password and no token yet. Errors: people.invalid for a name that is none, or taken. */
export function addPerson(
  house: PeopleHouse,
  {
    name,
    roles,
    projects = [],
  }: { readonly name: string; readonly roles: readonly Role[]; readonly projects?: readonly string[] },
): Promise<Person> {
  checkPersonName(name);
  const { store, now } = house;
  return change(house, async () => {
    if (await store.byName(name))
      throw invalid(
        `there is a person named ${JSON.stringify(name)}`,
        "choose another name; names of disabled people stay theirs",
      );
    const person: Person = {
      name,
      roles: [...new Set(roles)],
      disabled: false,
      projects: [...new Set(projects)],
      password: null,
      tokens: [],
      identities: [],
      createdAt: now(),
      generation: 0,
    };
    return { person, facts: [changed(person, "added")], result: person };
  });
}

/** A change of a person by an owner: the members to replace. */
export interface PersonChange {
  readonly roles?: readonly Role[];
  readonly projects?: readonly string[];
  readonly disabled?: boolean;
  readonly identities?: readonly Identity[];
}

/**
 * Changes a person. Sessions end where roles change or the person is disabled; tokens of a disabled person do not hold.
 * Errors: serve.absent; people.invalid where nobody would be an owner any more, or an identity is another's.
 */
export function changePerson(house: PeopleHouse, name: string, changes: PersonChange): Promise<Person> {
  const { store } = house;
  return change(house, async () => {
    const before = await existing(store, name);
    const ends = changes.roles !== undefined || changes.disabled !== undefined;
    const person: Person = { ...before, ...changes, generation: before.generation + (ends ? 1 : 0) };
    await checkOwnerRemains(store, person);
    for (const identity of person.identities) {
      const holder = await store.byIdentity(identity);
      if (holder && foldName(holder.name) !== foldName(name))
        throw invalid("the identity belongs to another person", "take it from that person first");
    }
    return { person, facts: wordsOf(changes).map((what) => changed(person, what)), result: person };
  });
}

function wordsOf({ roles, projects, disabled, identities }: PersonChange): readonly What[] {
  return [
    ...(roles === undefined ? [] : (["roles"] as const)),
    ...(projects === undefined ? [] : (["projects"] as const)),
    ...(identities === undefined ? [] : (["identities"] as const)),
    ...(disabled === undefined ? [] : ([disabled ? "disabled" : "enabled"] as const)),
  ];
}

/** Sets a password and ends every session of the person. Errors: serve.absent; people.invalid for a password that is refused. */
export async function setPassword(house: PeopleHouse, name: string, password: string): Promise<void> {
  const { store, random, passwords } = house;
  const prepared = checkNewPassword(password, name, passwords);
  const verifier = await makeVerifier(prepared, passwords.iterations, random, passwords.derive);
  await change(house, async () => {
    const before = await existing(store, name);
    const person = { ...before, password: verifier, generation: before.generation + 1 };
    return { person, facts: [changed(person, "password")], result: null };
  });
}

/** Ends every session of a person. Errors: serve.absent. */
export function endSessions(house: PeopleHouse, name: string): Promise<void> {
  return change(house, async () => {
    const before = await existing(house.store, name);
    const person = { ...before, generation: before.generation + 1 };
    return { person, facts: [changed(person, "sessions-ended")], result: undefined };
  });
}

/** Makes a token; its text is shown once. Errors: serve.absent; people.invalid. */
export function createToken(
  house: PeopleHouse,
  name: string,
  request: TokenRequest,
  by: Principal | null,
): Promise<{ readonly id: string; readonly text: string }> {
  const { store, random, now, passwords } = house;
  return change(house, async () => {
    const means = { random, derive: passwords.derive, now: now() };
    const { person, text, record } = await issueToken(await existing(store, name), request, by, means);
    const fact = { kind: "token-created", person: person.name, token: record.id } as const;
    return { person, facts: [fact], result: { id: record.id, text } };
  });
}

/** Revokes a token of a person, at once. Errors: serve.absent, also where another has a token of this id. */
export function revokeToken(house: PeopleHouse, name: string, id: string): Promise<void> {
  return change(house, async () => {
    const before = await existing(house.store, name);
    const tokens = before.tokens.filter((token) => token.id !== id);
    if (tokens.length === before.tokens.length) throw absent();
    const fact = { kind: "token-revoked", person: before.name, token: id } as const;
    return { person: { ...before, tokens }, facts: [fact], result: undefined };
  });
}
