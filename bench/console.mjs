// The console of the built `lethe serve`, in a real Chromium on loopback: the 534 people of the CPS of 1985, imported. Absent without Chromium.
// console.load: the bytes of bodies that the browser fetches from an empty cache until somebody who signed in sees the screen that asks and its editor, compressed as they are sent, in kB (target 150). console.load.files: how many.
// console.price: from a key in the editor until the price of what then stands there is shown, median in ms (target 150). The wait after the last key, the service and the browser's drawing are in it.
// console.verify: from the button until a release is verified by the browser, its question planned again, median in ms (target 300). console.verify.first: the first time, in which the thread starts.
import { existsSync } from "node:fs";
import { chromium } from "playwright-core";
import { startService } from "../testing/src/serve/service-process.mjs";
import { figure, median } from "./figure.mjs";
import { makeCpsWorkspace, runLethe } from "./workspace.mjs";

const password = "a long password of a bench";
const person = "ada";
const chromiumPath = [process.env.LETHE_CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser"].find(
  (place) => place && existsSync(place),
);

/** What is measured, each by a page of its own that is signed in. */
const measured = [load, price, verify];

export default async function bench() {
  if (!chromiumPath) {
    console.error("no Chromium on this machine (Debian: apt-get install chromium)");
    return;
  }
  const workspace = makeCpsWorkspace({ epsilon: "1000000" });
  let service;
  let browser;
  try {
    runLethe(workspace.folder, ["people", "add", person]);
    runLethe(workspace.folder, ["people", "password", person], `${password}\n`);
    service = await startService(workspace.folder);
    // Containers run benches as root, where Chromium's own sandbox does not start.
    browser = await chromium.launch({ executablePath: chromiumPath, args: ["--no-sandbox"] });
    for (const measure of measured) {
      const context = await browser.newContext();
      await measure(await context.newPage(), service.url);
      await context.close();
    }
  } finally {
    await browser?.close();
    await service?.stop();
    workspace.remove();
  }
}

/** Signs in, and waits for the screen that asks. */
async function signIn(page, url) {
  await page.goto(url);
  await page.getByLabel("Name").fill(person);
  await page.getByLabel("Password").fill(password);
  await page.keyboard.press("Enter");
  await editorOf(page).waitFor();
}

function editorOf(page) {
  return page.getByRole("textbox", { name: "A question in SQL" });
}

async function load(page, url) {
  const sizes = [];
  page.on("requestfinished", (request) => sizes.push(request.sizes()));
  await signIn(page, url);
  await page.waitForLoadState("networkidle");
  const all = await Promise.all(sizes);
  const bytes = all.reduce((sum, { responseBodySize }) => sum + responseBodySize, 0);
  figure("console.load", bytes / 1000, "kB");
  figure("console.load.files", all.length, "files");
}

async function price(page, url) {
  await signIn(page, url);
  const editor = editorOf(page);
  const times = [];
  for (let turn = 0; turn < 49; turn += 1) {
    // A new text each time, so that nothing that was planned before is shown.
    const epsilon = `0.${101 + 2 * turn}`;
    await editor.fill(
      `SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(epsilon = ${epsilon}\n) sector, AVG(wage) AS mean FROM people WHERE education > ${turn / 100} GROUP BY sector`,
    );
    await page.locator(`.price[data-price="ε ${epsilon}"]`).waitFor();
    await page.keyboard.press("Control+Home");
    await page.keyboard.press("End");
    // A person rests longer than that between two texts: nothing of this one is still on its way.
    await page.waitForTimeout(200);
    await page.evaluate(timePrice);
    await page.keyboard.press("5");
    await page.locator(`.price[data-price="ε ${epsilon}5"]`).waitFor();
    times.push(await page.evaluate("priceIn"));
  }
  figure("console.price", median(times), "ms");
}

/** What the page runs before a key: a promise of the milliseconds from the key until the browser draws another price. */
const timePrice = `priceIn = new Promise((done) => {
  const key = new Promise((pressed) => addEventListener("keydown", ({ timeStamp }) => pressed(timeStamp), { capture: true, once: true }));
  const watch = new MutationObserver(() => {
    watch.disconnect();
    requestAnimationFrame((drawn) => void key.then((began) => done(Math.max(drawn, performance.now()) - began)));
  });
  watch.observe(document.querySelector(".price"), { attributeFilter: ["data-price"] });
}), null`;

async function verify(page, url) {
  await signIn(page, url);
  await page.getByLabel("Price, ε").fill("1");
  await editorOf(page).fill("SELECT sector, COUNT(*) AS n, AVG(wage) AS mean FROM people GROUP BY sector");
  await page.getByRole("button", { name: "Ask", exact: true }).click();
  await page.getByRole("heading", { name: "Answer" }).waitFor();
  await page.getByRole("link", { name: "History" }).click();
  await page.getByRole("link", { name: /^SELECT sector/ }).click();
  await page.getByRole("link", { name: "Verify", exact: true }).click();
  await page.getByRole("button", { name: "Verify in this browser" }).waitFor();
  const times = [];
  for (let turn = 0; turn < 21; turn += 1) times.push(await page.evaluate(timeVerify));
  const [first, ...others] = times;
  figure("console.verify.first", first, "ms");
  figure("console.verify", median(others), "ms");
}

/** What the page runs: a promise of the milliseconds from a press of the button until the browser draws that no check failed. */
const timeVerify = `new Promise((done) => {
  const told = () => document.querySelector("main").textContent.includes("No check failed.");
  const began = performance.now();
  let isNew = !told();
  const watch = new MutationObserver(() => {
    isNew ||= !told();
    if (!isNew || !told()) return;
    watch.disconnect();
    requestAnimationFrame((drawn) => done(Math.max(drawn, performance.now()) - began));
  });
  watch.observe(document.querySelector("main"), { childList: true, subtree: true, characterData: true });
  [...document.querySelectorAll("button")].find(({ textContent }) => textContent === "Verify in this browser").click();
})`;
