import { useHouse } from "../../house/house.ts";
import { useLoaded } from "../../house/use-loaded.ts";
import { Show } from "../../parts/loading.tsx";
import { Screen } from "../../parts/screen.tsx";
import { isOneOf } from "../../session/me.ts";
import { DraftDesk } from "./draft-desk.tsx";
import { InForce } from "./in-force.tsx";
import type { ServedPolicy } from "./policy-parts.ts";

/** The policy in force, for owners and auditors; owners draft another, see what it would change, and put it in force. */
export default function PolicyScreen() {
  const { service, me } = useHouse();
  const policy = useLoaded(
    (signal) => service.call<ServedPolicy>("GET", "policy", undefined, signal),
    [service],
  );
  const isOwner = isOneOf(me, ["owner"]);
  return (
    <Screen
      title="Policy"
      lead={
        isOwner
          ? "What may be asked of which data, and what it may cost. Text and form are one draft: nothing changes until you accept it."
          : "What may be asked of which data, and what it may cost."
      }
    >
      <Show of={policy} what="the policy">
        {(served) => (
          <>
            <InForce key={`of ${served.text}`} served={served} />
            <DraftDesk key={served.text} served={served} isOwner={isOwner} onServed={policy.again} />
          </>
        )}
      </Show>
    </Screen>
  );
}
