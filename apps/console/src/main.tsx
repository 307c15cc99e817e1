import { connect } from "@lethe/client";
import { render } from "preact";
import { App } from "./app.tsx";
import { ownSession } from "./session.ts";

const root = document.getElementById("app");
if (root) {
  root.replaceChildren();
  const ways = (root.dataset.signIn ?? "").split(" ");
  render(<App lethe={connect()} session={ownSession()} ways={ways} />, root);
}
