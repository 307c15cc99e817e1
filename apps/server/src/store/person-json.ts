import { LetheError, parseRational, toText } from "@lethe/core";
import {
  isRole,
  type Person,
  RecentValues,
  readVerifier,
  type TokenRecord,
  verifierText,
} from "@lethe/serve";

/** A person as one JSON text: a verifier as PostgreSQL writes it, and an ε as an exact fraction. */
export function personText(person: Person): string {
  return JSON.stringify({
    ...person,
    password: person.password && verifierText(person.password),
    tokens: person.tokens.map((token) => ({
      ...token,
      verifier: token.verifier && verifierText(token.verifier),
      maxEpsilon: token.maxEpsilon && toText(token.maxEpsilon),
    })),
  });
}

/** A person as it is written: an ε and a verifier are texts. */
type WrittenPerson = Omit<Person, "password" | "tokens"> & {
  readonly password: string | null;
  readonly tokens: readonly WrittenToken[];
};

/** A token as it is written. One that was made before tokens had verifiers has none. */
type WrittenToken = Omit<TokenRecord, "maxEpsilon" | "verifier"> & {
  readonly maxEpsilon: string | null;
  readonly verifier?: string | null;
};

/** Reads what {@link personText} wrote. Errors: people.unreadable where a role is none of this version. */
export function readPerson(text: string): Person {
  const written = JSON.parse(text) as WrittenPerson;
  const held = [...written.roles, ...written.tokens.flatMap(({ roles }) => roles)];
  if (!held.every(isRole))
    throw new LetheError("people.unreadable", "a person has a role that this version does not know", {
      fix: "open the file with the release of Lethe that wrote it",
    });
  return {
    ...written,
    password: written.password === null ? null : readVerifier(written.password),
    tokens: written.tokens.map((token) => ({
      ...token,
      verifier: token.verifier ? readVerifier(token.verifier) : null,
      maxEpsilon: token.maxEpsilon === null ? null : parseRational(token.maxEpsilon),
    })),
  };
}

/** The people who asked last, of some kB each. */
const mostRecent = 200;

/** Returns what reads people as {@link readPerson} does, and one who asks again and again once. Each is found by the whole text, so that whoever was changed is read anew. */
export function recentPeople(): (text: string) => Person {
  const recent = new RecentValues<Person>(mostRecent);
  return (text) => {
    const person = recent.get(text) ?? readPerson(text);
    recent.set(text, person);
    return person;
  };
}
