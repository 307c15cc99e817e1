import { type Principal, signedOut } from "../access/index.ts";
import type { PeopleStore } from "./people-store.ts";
import type { Person } from "./person.ts";

/**
 * Returns the principal of somebody who signed in on a connection, with the roles of now. The connection holds as a session does: for the generation in which the person signed in.
 * @param session the public name of the connection
 * Errors: serve.signed-out where the person was disabled since, or all their sessions were ended.
 */
export async function stillLetIn(
  store: PeopleStore,
  { name, generation }: Pick<Person, "name" | "generation">,
  session: string,
): Promise<Principal> {
  const person = await store.byName(name);
  if (!person || person.disabled || person.generation !== generation) throw signedOut();
  return {
    name: person.name,
    roles: person.roles,
    projects: person.projects,
    proof: { kind: "session", session },
  };
}
