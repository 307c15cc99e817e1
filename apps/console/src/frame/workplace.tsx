import { useMemo, useRef, useState } from "preact/hooks";
import { type House, HouseContext } from "../house/house.ts";
import { Screen } from "../parts/screen.tsx";
import { hrefOf } from "../route/route.ts";
import { useRoute } from "../route/use-route.ts";
import { draftsOf, windowStore } from "../session/drafts.ts";
import { isOneOf, type Me } from "../session/me.ts";
import type { OwnService } from "../session/own-service.ts";
import { visible } from "../words/visible.ts";
import { Navigation } from "./navigation.tsx";
import { type ScreenEntry, screens } from "./screens.ts";
import { ShownScreen } from "./shown-screen.tsx";
import { ThemeChoice } from "./theme-choice.tsx";
import { useShortcuts } from "./use-shortcuts.ts";

interface WorkplaceProps {
  readonly service: OwnService;
  readonly me: Me;
  readonly onSignOut: () => void;
}

/** The page of somebody who is signed in: the screens that their roles may see, and the one that the address names. */
export function Workplace({ service, me, onSignOut }: WorkplaceProps) {
  const main = useRef<HTMLElement>(null);
  const [said, setSaid] = useState("");
  const mine = useMemo(() => screens.filter(({ roles }) => isOneOf(me, roles)), [me]);
  const house = useMemo<House>(
    () => ({ service, me, screens: mine, drafts: draftsOf(me.name, windowStore()), announce: setSaid }),
    [service, me, mine],
  );
  useShortcuts(mine);
  const { path, query } = useRoute();
  const [first = "", ...rest] = path.split("/");
  const current = mine.find((screen) => screen.path === first) ?? (path === "" ? mine[0] : undefined) ?? null;
  return (
    <HouseContext.Provider value={house}>
      <button class="skip" type="button" onClick={() => main.current?.focus()}>
        Skip to the content
      </button>
      <header>
        <a class="brand" href={hrefOf(mine[0]?.path ?? "")}>
          Lethe
        </a>
        <span class="who">
          <bdi>{visible(me.name)}</bdi> <span class="quiet">{me.roles.join(", ")}</span>
        </span>
        <ThemeChoice />
        <button type="button" onClick={onSignOut}>
          Sign out
        </button>
      </header>
      <div class="house">
        <Navigation screens={mine} current={current} />
        <main ref={main} tabIndex={-1}>
          {current ? (
            <ShownScreen key={current.path} screen={current} rest={rest.join("/")} query={query} />
          ) : (
            <Nowhere mine={mine} />
          )}
        </main>
      </div>
      <p class="heard" role="status">
        {visible(said)}
      </p>
    </HouseContext.Provider>
  );
}

/** What is said where the address names no screen that the visitor may see. */
function Nowhere({ mine }: { readonly mine: readonly ScreenEntry[] }) {
  return (
    <Screen title="Nothing here">
      {mine.length === 0 ? (
        <p>Your roles see no screen. Ask the owner of the service.</p>
      ) : (
        <p>No screen that you may see has this address. Choose one beside.</p>
      )}
    </Screen>
  );
}
