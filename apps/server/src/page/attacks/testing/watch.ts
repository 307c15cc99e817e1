import type { Page } from "playwright-core";
import type { Visit } from "../../../testing/page-house.ts";

/** What a page shows: its text, and what must not be in it. */
export interface Seen {
  /** All that is shown or read out: text, labels, values, options and the title. */
  readonly text: string;
  /** Elements and attributes that the console does not make. */
  readonly foreign: readonly string[];
  /** Texts with characters that are not seen, outside of what one writes in. */
  readonly hidden: readonly string[];
}

/** Has a page tell when a script of a payload runs: it becomes a complaint. */
export async function watch({ page, complaints }: Visit): Promise<void> {
  await page.exposeFunction("ran", () => void (complaints as string[]).push("ran: a text ran as a script"));
}

/** Looks at all of a page, also into the editor's shadow root. */
export async function look(page: Page): Promise<Seen> {
  return page.evaluate<Seen>(`(${inPage})()`);
}

/** Runs in the page, as text. */
const inPage = String.raw`() => {
  const foreign = [], hidden = [], text = [document.title], labels = [];
  const made = new Set("HTML HEAD META TITLE LINK SCRIPT BODY NOSCRIPT DIV SPAN P H1 H2 H3 H4 A BUTTON UL OL LI DL DT DD TABLE THEAD TBODY TR TH TD MAIN NAV HEADER SECTION FORM LABEL INPUT SELECT OPTION TEXTAREA FIELDSET LEGEND DETAILS SUMMARY DIALOG CODE PRE KBD BDI STRONG EM FIGURE FIGCAPTION PROGRESS BR IMG SVG G LINE RECT PATH TEXT".split(" "));
  const unseen = /[^\P{C}\n\t]|[\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;
  const visit = (node, isWritten) => {
    if (node.nodeType === Node.TEXT_NODE) {
      text.push(node.data);
      if (!isWritten && unseen.test(node.data)) hidden.push(node.parentElement?.outerHTML.slice(0, 300) ?? node.data);
      return;
    }
    if (!(node instanceof Element || node instanceof ShadowRoot || node instanceof Document)) return;
    if (node instanceof Element) {
      const tag = node.tagName.toUpperCase();
      const told = () => node.cloneNode(false).outerHTML.slice(0, 300);
      const isIcon = tag === "IMG" && node.className === "cm-widgetBuffer";
      if (!made.has(tag) || (tag === "IMG" && !isIcon)) foreign.push(told());
      if (tag === "SCRIPT" && (node.textContent || !node.src.startsWith(location.origin + "/assets/"))) foreign.push(told());
      if (tag === "LINK" && !node.href.startsWith(location.origin + "/assets/")) foreign.push(told());
      if (tag === "META" && node.httpEquiv) foreign.push(told());
      for (const { name, value } of node.attributes) {
        if (/^on/i.test(name) || name === "srcdoc" || name === "formaction" || name === "action") foreign.push(told());
        if ((name === "href" || name === "src" || name === "xlink:href") && !value.startsWith("#") && !value.startsWith("/assets/") && !value.startsWith(location.origin + "/assets/") && !isIcon && !value.startsWith("blob:" + location.origin)) foreign.push(told());
        if (["aria-label", "title", "placeholder", "label"].includes(name)) {
          labels.push(value);
          if (unseen.test(value)) hidden.push(told());
        }
      }
      if ("value" in node && typeof node.value === "string") text.push(node.value);
      if (tag === "SCRIPT") return;
      if (node.shadowRoot) visit(node.shadowRoot, isWritten);
      isWritten ||= tag === "TEXTAREA";
    }
    for (const child of node.childNodes) visit(child, isWritten);
  };
  visit(document, false);
  return { text: [...text, ...labels].join("\n"), foreign, hidden };
}`;
