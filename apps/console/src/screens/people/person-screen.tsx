import { useHouse } from "../../house/house.ts";
import { useLoaded } from "../../house/use-loaded.ts";
import { Show } from "../../parts/loading.tsx";
import { Screen } from "../../parts/screen.tsx";
import { hrefOf } from "../../route/route.ts";
import { isOneOf } from "../../session/me.ts";
import { timeWords } from "../../words/time-words.ts";
import { visible } from "../../words/visible.ts";
import { ChangePerson } from "./change-person.tsx";
import { PasswordForm } from "./password-form.tsx";
import { type Person, personPath } from "./person.ts";
import { Sessions } from "./sessions.tsx";
import { Spending } from "./spending.tsx";
import { Tokens } from "./tokens.tsx";

/** One person: who they are, what they may spend, their password, tokens and sessions. */
export function PersonScreen({ name }: { readonly name: string }) {
  const { service, me } = useHouse();
  const person = useLoaded(
    (signal) => service.call<Person>("GET", personPath(name), undefined, signal),
    [service, name],
  );
  const isOwn = name === me.name;
  const isOwner = isOneOf(me, ["owner"]);
  return (
    <Screen
      title={isOwn ? "You" : visible(name)}
      actions={
        isOneOf(me, ["owner", "auditor"]) ? (
          <a class="button" href={hrefOf("people")}>
            Everybody
          </a>
        ) : null
      }
    >
      <Show of={person} what="the person">
        {(held) => (
          <>
            <dl>
              <dt>Name</dt>
              <dd>
                <bdi>{visible(held.name)}</bdi>
              </dd>
              <dt>Roles</dt>
              <dd>{held.roles.join(", ")}</dd>
              <dt>State</dt>
              <dd>{held.disabled ? "kept out: no password, token or session works" : "let in"}</dd>
              <dt>Since</dt>
              <dd>{timeWords(held.createdAt)}</dd>
            </dl>
            {isOwner ? <ChangePerson person={held} onChanged={person.again} /> : null}
            {isOneOf(me, ["owner", "analyst", "auditor"]) ? <Spending name={held.name} /> : null}
            {isOwn || isOwner ? (
              <>
                <Tokens person={held} />
                <Sessions name={held.name} />
                <PasswordForm name={held.name} isOwn={isOwn} hasPassword={held.hasPassword} />
              </>
            ) : null}
          </>
        )}
      </Show>
    </Screen>
  );
}
