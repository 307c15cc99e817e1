import { LetheError } from "@lethe/core";
import type { Principal, Route } from "../access/index.ts";
import { type AuditFact, actorOf, nobodyAt } from "../audit-log/index.ts";
import {
  addPerson,
  type Credentials,
  changeOwnPassword,
  changePerson,
  checkNewPassword,
  createToken,
  endSessions,
  foldName,
  type PeopleHouse,
  type Person,
  type PersonChange,
  revokeToken,
  type SignInHouse,
  setPassword,
  signIn,
  signInByScram,
  tokenHash,
  wrongSignIn,
} from "../people/index.ts";
import { revokeSession, type SessionHouse, sessionsOf } from "../sessions/index.ts";
import type { Gate } from "./gate.ts";
import type { PeopleDesk } from "./people-desk.ts";

/** What the desk is made of. */
export interface DeskParts {
  readonly gate: Gate;
  readonly people: PeopleHouse;
  readonly signIns: SignInHouse;
  readonly sessions: SessionHouse;
  /** Whether people may sign in by passwords: true unless stated. */
  readonly passwords?: boolean;
}

type Change = Extract<AuditFact, { kind: "person-changed" }>["change"];

/** Opens the desk over its parts. */
export function openPeopleDesk({ gate, people, signIns, sessions, passwords = true }: DeskParts): PeopleDesk {
  const { store } = people;
  const { trail } = gate;
  /** Returns the person of a name as far as the asker may use the route on them. Errors: serve.absent for anybody else's, and for nobody's. */
  const isOwn = (who: Principal, name: string): boolean => foldName(name) === foldName(who.name);
  const subject = async (route: Route, who: Principal, name: string): Promise<Person> => {
    // Before they are looked for: how long that takes would tell who there is.
    gate.pass(route, who, { owner: isOwn(who, name) ? who.name : name });
    const person = await store.byName(name);
    gate.pass(route, who, { owner: person?.name ?? null });
    return person as Person;
  };
  const changed = (who: Principal, { name, roles }: Person, change: Change): Promise<void> =>
    trail.write(actorOf(who), {
      kind: "person-changed",
      person: name,
      change,
      ...(change === "added" || change === "roles" ? { roles } : {}),
    });
  /** Signs somebody in over a house that is watched, and writes down how it went. */
  const byPassword = async <Told>(
    { name, address }: Pick<Credentials, "name" | "address">,
    attempt: (house: SignInHouse) => Promise<{ readonly person: Person; readonly told: Told }>,
  ): Promise<Told> => {
    // Who was found is kept as it is looked up, so that a name that somebody has costs no more work than one that nobody has.
    let found: Person | null = null;
    const watched = {
      ...store,
      byName: async (asked: string): Promise<Person | null> => {
        found = await store.byName(asked);
        return found;
      },
    };
    const { person, told } = await attempt({ ...signIns, store: watched }).catch((error: unknown) => {
      if (error instanceof LetheError) {
        // Names are told apart by their hash, whether a person has them or not. What was typed is not kept, nor that it is nobody's.
        const fact = { kind: "sign-in-refused", person: found?.name ?? null, code: error.code } as const;
        gate.refused(nobodyAt(address), fact, tokenHash(foldName(name)));
      }
      throw error;
    });
    await trail.write(
      { name: person.name, by: "password", id: null, address },
      { kind: "signed-in", by: "password" },
    );
    return told;
  };
  return {
    async list(who) {
      gate.pass("person.list", who, null);
      return store.list();
    },
    async add(who, { password, ...person }) {
      gate.pass("person.add", who, null);
      // A password that is refused must not leave a person without one.
      if (password !== undefined) checkNewPassword(password, person.name, people.passwords);
      const added = await addPerson(people, person);
      await changed(who, added, "added");
      if (password === undefined) return added;
      await setPassword(people, added.name, password);
      await changed(who, added, "password");
      return (await store.byName(added.name)) ?? added;
    },
    person: (who, name) => subject("person.read", who, name),
    async change(who, name, changes) {
      const before = await subject("person.change", who, name);
      const after = await changePerson(people, before.name, changes);
      for (const change of changesOf(changes)) await changed(who, after, change);
      return after;
    },
    async setPassword(who, name, { current, next, address }) {
      const own = isOwn(who, name);
      const person = await subject(own ? "password.change" : "password.set", who, name);
      if (!own) await setPassword(people, person.name, next);
      else
        await changeOwnPassword(people, signIns, who, { current, next, address }).catch((error: unknown) => {
          const { code } = error as LetheError;
          if (code === "serve.sign-in" || code === "serve.too-many")
            gate.refused(actorOf(who), { kind: "sign-in-refused", person: who.name, code });
          throw error;
        });
      await changed(who, person, "password");
    },
    async tokens(who, name) {
      return (await subject("token.list", who, name)).tokens;
    },
    async createToken(who, name, wish) {
      const person = await subject("token.create", who, name);
      const { id, text } = await createToken(people, person.name, wish, who);
      await trail.write(actorOf(who), { kind: "token-created", person: person.name, token: id });
      return { id, text };
    },
    async revokeToken(who, name, id) {
      const person = await subject("token.revoke", who, name);
      await revokeToken(people, person.name, id);
      await trail.write(actorOf(who), { kind: "token-revoked", person: person.name, token: id });
    },
    async sessions(who, name) {
      const person = await subject("session.list", who, name);
      const own = await sessionsOf(sessions, person.name);
      return own.map(({ id, startedAt, usedAt }) => ({
        id,
        startedAt,
        usedAt,
        current: who.proof.kind === "session" && who.proof.session === id,
      }));
    },
    async endSession(who, name, id) {
      const person = await subject("session.revoke", who, name);
      await revokeSession(sessions, person.name, id);
      await trail.write(actorOf(who), { kind: "session-revoked", person: person.name, session: id });
    },
    async endSessions(who, name) {
      const person = await subject("session.revoke", who, name);
      await endSessions(people, person.name);
      await changed(who, person, "sessions-ended");
    },
    async signIn(given) {
      trail.requireKept();
      if (!passwords) throw wrongSignIn();
      return byPassword(given, async (house) => {
        const person = await signIn(house, given, people.now());
        return { person, told: person };
      });
    },
    async signInByScram(given) {
      trail.requireKept();
      return byPassword(given, async (house) => {
        // Where no passwords are taken, none fits: a client learns that at the end, as of a wrong one.
        const taken = passwords ? house : { ...house, store: { ...house.store, byName: async () => null } };
        const told = await signInByScram(taken, given, people.random, people.now);
        return { person: told.person, told };
      });
    },
    async signInBy(by, address, prove) {
      trail.requireKept();
      const person = await prove().catch((error: unknown) => {
        if (error instanceof LetheError)
          gate.refused(nobodyAt(address), { kind: "sign-in-refused", person: null, code: error.code });
        throw error;
      });
      await trail.write({ name: person.name, by, id: null, address }, { kind: "signed-in", by });
      return person;
    },
  };
}

function changesOf({ roles, projects, disabled, identities }: PersonChange): readonly Change[] {
  return [
    ...(roles === undefined ? [] : (["roles"] as const)),
    ...(projects === undefined ? [] : (["projects"] as const)),
    ...(identities === undefined ? [] : (["identities"] as const)),
    ...(disabled === undefined ? [] : ([disabled ? "disabled" : "enabled"] as const)),
  ];
}
