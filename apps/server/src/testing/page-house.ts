import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";
import { chromiumPath } from "../../../../testing/src/browser/chromium.ts";
import { listen } from "../ops/listen.ts";
import { type AppHouse, openHouse, password } from "./app-house.ts";

/** Why tests in a browser are skipped, or null. */
export const noBrowser: string | null =
  chromiumPath === null ? "no Chromium on this machine (Debian: apt-get install chromium)" : null;

/** What a page looks like to its visitor. */
export interface Sight {
  readonly theme?: "light" | "dark";
  readonly size?: "desktop" | "phone";
}

/** A page of the console, and what the browser complained of. */
export interface Visit {
  readonly page: Page;
  /** The reports of the content security policy, errors of scripts and in the console, dialogs of the browser, and requests to anybody but the service: none is due. */
  readonly complaints: readonly string[];
}

/** A service over real data that browsers reach on loopback. */
export interface PageHouse {
  readonly house: AppHouse;
  readonly url: string;
  /** Opens the page, in a browser's profile of its own; signed in where a name is stated. */
  visit(name?: string | null, place?: string, sight?: Sight): Promise<Visit>;
  close(): Promise<void>;
}

const sizes = { desktop: { width: 1280, height: 860 }, phone: { width: 360, height: 740 } } as const;

/** Opens a service and a headless browser. The options are those of the service. */
export async function openPageHouse(options: Parameters<typeof openHouse>[0] = {}): Promise<PageHouse> {
  const here = { house: null as AppHouse | null };
  const listening = await listen(
    (request, env) => here.house?.app.fetch(request, env) ?? new Response(null, { status: 503 }),
    { address: "127.0.0.1", port: 0, tls: null, proxies: [] },
  );
  const url = `http://127.0.0.1:${listening.port}`;
  const house = await openHouse({ ...options, at: url, tls: false });
  here.house = house;
  // Containers run tests as root, where Chromium's own sandbox does not start.
  const browser: Browser = await chromium.launch({
    executablePath: chromiumPath ?? "",
    args: ["--no-sandbox"],
  });
  return {
    house,
    url,
    visit: async (name = null, place = "", { theme = "light", size = "desktop" } = {}) => {
      const context = await browser.newContext({
        colorScheme: theme,
        viewport: sizes[size],
        reducedMotion: "reduce",
      });
      context.setDefaultTimeout(20_000);
      if (name !== null) {
        const signedIn = await context.request.post(`${url}/v1/session`, {
          data: { name, password },
          headers: { origin: url },
        });
        if (signedIn.status() !== 204) throw new Error(`${name} was not signed in`);
      }
      const page = await context.newPage();
      const complaints: string[] = [];
      page.on("pageerror", (error) => complaints.push(`error: ${error.message}`));
      page.on("console", (line) => {
        // What the service refuses is told in the console too, and is no fault of the page.
        const refused = /^Failed to load resource: the server responded with a status of 4\d\d/.test(
          line.text(),
        );
        if (line.type() === "error" && !refused) complaints.push(`console: ${line.text()}`);
      });
      page.on("dialog", (dialog) => {
        complaints.push(`dialog: ${dialog.message()}`);
        void dialog.dismiss();
      });
      page.on("request", (request) => {
        const isOwn = [url, `blob:${url}`].some((own) => request.url().startsWith(`${own}/`));
        if (!isOwn) complaints.push(`request: ${request.url()}`);
      });
      await page.exposeFunction("reportOfPolicy", (told: string) => void complaints.push(`policy: ${told}`));
      await page.addInitScript(
        "addEventListener('securitypolicyviolation', (e) => reportOfPolicy([e.violatedDirective, e.blockedURI, e.sample].join(' ')))",
      );
      await page.goto(`${url}/${place}`);
      return { page, complaints };
    },
    close: async () => {
      await browser.close();
      await listening.close(0);
      await house.close();
    },
  };
}

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Returns what axe finds serious or critical on a page, each with the elements that it concerns. */
export async function seriousFaults(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe);
  const { violations } = await page.evaluate<Found>("axe.run()");
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(
      ({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(({ html }) => html.slice(0, 200)).join(" | ")}`,
    );
}

interface Found {
  readonly violations: readonly {
    readonly id: string;
    readonly impact: string;
    readonly help: string;
    readonly nodes: readonly { readonly html: string }[];
  }[];
}

/** Returns whether a page is wider than what shows it. */
export function isTooWide(page: Page): Promise<boolean> {
  return page.evaluate<boolean>(
    "document.documentElement.scrollWidth > document.documentElement.clientWidth",
  );
}

/** Returns the kind of element that has the focus, and its text or its label: "H1 Budget". */
export function focused(page: Page): Promise<string> {
  return page.evaluate<string>(
    "(({ tagName, ariaLabel, textContent }) => [tagName, ariaLabel ?? textContent].join(' '))(document.activeElement)",
  );
}

/** Writes a picture of the whole page into the folder that LETHE_PICTURES names, for a person to look at. Does nothing where it names none. */
export async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env.LETHE_PICTURES;
  if (folder) await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
}
