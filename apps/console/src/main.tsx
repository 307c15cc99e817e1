import { render } from "preact";
import { App } from "./frame/app.tsx";
import { applyTheme, storedTheme } from "./frame/theme.ts";
import { ownService } from "./session/own-service.ts";
import { otherWindows } from "./session/windows.ts";

const root = document.getElementById("app");
if (root) {
  applyTheme(storedTheme());
  root.replaceChildren();
  const ways = (root.dataset.signIn ?? "").split(" ");
  render(<App service={ownService()} windows={otherWindows()} ways={ways} />, root);
}
