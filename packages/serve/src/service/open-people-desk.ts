import { LetheError } from "@lethe/core";
import type { Principal, Route } from "../access/index.ts";
import { actorOf, nobodyAt } from "../audit-log/index.ts";
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
  revokeToken,
  type SignInHouse,
  setPassword,
  signIn,
  signInByScram,
  signInByToken,
  tokenHash,
  wrongSignIn,
} from "../people/index.ts";
import { revokeSession, type SessionHouse, sessionsOf } from "../sessions/index.ts";
import type { Gate } from "./gate.ts";
import type { PeopleDesk } from "./people-desk.ts";

/** What the desk is made of. */
export interface DeskParts {
  readonly gate: Gate;
  readonly people: Omit<PeopleHouse, "by">;
  readonly signIns: SignInHouse;
  readonly sessions: SessionHouse;
  /** Whether people may sign in by passwords: true unless stated. */
  readonly passwords?: boolean;
}

/** Opens the desk over its parts. */
export function openPeopleDesk({
  gate,
  people: house,
  signIns,
  sessions,
  passwords = true,
}: DeskParts): PeopleDesk {
  const { store } = house;
  const peopleBy = (who: Principal): PeopleHouse => ({ ...house, by: actorOf(who) });
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
      if (password !== undefined) checkNewPassword(password, person.name, house.passwords);
      const people = peopleBy(who);
      const added = await addPerson(people, person);
      if (password === undefined) return added;
      await setPassword(people, added.name, password);
      return (await store.byName(added.name)) ?? added;
    },
    person: (who, name) => subject("person.read", who, name),
    async change(who, name, changes) {
      const before = await subject("person.change", who, name);
      return changePerson(peopleBy(who), before.name, changes);
    },
    async setPassword(who, name, { current, next, address }) {
      const own = isOwn(who, name);
      const person = await subject(own ? "password.change" : "password.set", who, name);
      const people = peopleBy(who);
      if (!own) await setPassword(people, person.name, next);
      else
        await changeOwnPassword(people, signIns, who, { current, next, address }).catch((error: unknown) => {
          const { code } = error as LetheError;
          if (code === "serve.sign-in" || code === "serve.too-many")
            gate.refused(actorOf(who), { kind: "sign-in-refused", person: who.name, code });
          throw error;
        });
    },
    async tokens(who, name) {
      return (await subject("token.list", who, name)).tokens;
    },
    async createToken(who, name, wish) {
      const person = await subject("token.create", who, name);
      return createToken(peopleBy(who), person.name, wish, who);
    },
    async revokeToken(who, name, id) {
      const person = await subject("token.revoke", who, name);
      await revokeToken(peopleBy(who), person.name, id);
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
      await revokeSession(sessions, person.name, id, actorOf(who));
    },
    async endSessions(who, name) {
      const person = await subject("session.revoke", who, name);
      await endSessions(peopleBy(who), person.name);
    },
    async signIn(given) {
      trail.requireKept();
      if (!passwords) throw wrongSignIn();
      return byPassword(given, async (watched) => {
        const person = await signIn(watched, given, house.now());
        return { person, told: person };
      });
    },
    async signInByScram(given) {
      trail.requireKept();
      return byPassword(given, async (watched) => {
        // Where no passwords are taken, none fits: a client learns that at the end, as of a wrong one.
        const taken = passwords
          ? watched
          : { ...watched, store: { ...watched.store, byName: async () => null } };
        const told = await signInByScram(taken, given, house);
        return { person: told.person, told };
      });
    },
    async signInByToken(given) {
      trail.requireKept();
      return signInByToken(signIns, given, house).catch((error: unknown) => {
        if (error instanceof LetheError)
          gate.refused(nobodyAt(given.address), { kind: "denied", route: null, code: error.code });
        throw error;
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
