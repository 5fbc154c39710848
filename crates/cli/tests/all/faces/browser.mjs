// The board in real Chromium: a person who looks on, clicks and types, and others who should not get in. The test beside it
// starts Proctor and says what it expects; this says each thing that it saw on a line of its own, and fails loudly.
import { createRequire } from "node:module";
import http from "node:http";
import fs from "node:fs";

const need = createRequire(`${process.env.BROWSER_TOOLS}/`);
const { chromium } = need("playwright-core");
const axe = fs.readFileSync(need.resolve("axe-core/axe.min.js"), "utf8");
const link = new URL(process.env.LINK);
const shots = process.env.SHOTS;
const patience = 120_000;

const say = (text) => process.stdout.write(`${text}\n`);
const must = (is, text) => {
  if (!is) throw new Error(text);
};

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM,
  args: [
    "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update",
    "--disable-sync", "--no-first-run", "--host-resolver-rules=MAP rebound.example 127.0.0.1",
  ],
});

const outside = [];
async function person(options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  context.setDefaultTimeout(patience);
  context.on("request", (request) => {
    const url = new URL(request.url());
    if (url.protocol !== "data:" && url.host !== link.host) outside.push(request.url());
  });
  const page = await context.newPage();
  page.on("pageerror", (error) => outside.push(`a script broke: ${error}`));
  page.on("console", (told) => {
    if (/Content Security Policy/.test(told.text())) outside.push(told.text());
  });
  await page.goto(link.href);
  must(page.url() === `${link.origin}/`, `the token stays in the address: ${page.url()}`);
  return { context, page };
}

async function sound(page, what) {
  await page.evaluate(axe);
  const found = await page.evaluate(() => globalThis.axe.run(document));
  const grave = found.violations.filter((v) => ["serious", "critical"].includes(v.impact));
  const told = grave.map((v) => `${v.id}: ${v.nodes.map((n) => `${n.target} ${n.failureSummary}`).join("; ")}`);
  must(grave.length === 0, `${what}: axe: ${told.join("\n")}`);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  must(wide <= 0, `${what}: ${wide} pixels too wide`);
}

async function shot(page, name, height) {
  if (!shots) return;
  const size = page.viewportSize();
  await page.screenshot({ path: `${shots}/${name}.png`, clip: { x: 0, y: 0, width: size.width, height: height ?? size.height }, fullPage: true });
}

// Those who should not get in.
{
  const context = await browser.newContext();
  const page = await context.newPage();
  const wrong = await page.goto(`${link.origin}/?token=wrong`);
  must(wrong.status() === 401, `a wrong token: ${wrong.status()}`);
  const rebound = await page.goto(link.href.replace("127.0.0.1", "rebound.example"));
  must(rebound.status() === 421, `another name for this machine: ${rebound.status()}`);
  await context.close();
  say("strangers stay out");
}

const { context, page } = await person();
const second = await context.newPage();
await second.goto(`${link.origin}/`);
await sound(page, "the empty board");
say("ready");

// A run is watched from its beginning, in two tabs, without a reload.
const marked = await page.evaluate(() => (globalThis.never = "reloaded"));
await page.waitForSelector(".column.working .card");
say("it works");
await page.waitForSelector(".column.needs-you .card");
await second.waitForSelector(".column.needs-you .card");
must((await page.evaluate(() => globalThis.never)) === marked, "the board was loaded again");
await sound(page, "the board");
await shot(page, "board", 320);
say("it waits");

// By keys alone.
await page.keyboard.press("?");
must(await page.locator("#help").evaluate((dialog) => dialog.open), "? opens the help");
await page.keyboard.press("Escape");
await page.keyboard.press("w");
await page.keyboard.press("Enter");
await page.waitForURL(/\/run\//);
const path = new URL(page.url()).pathname;
const text = await page.locator("main").innerText();
const wanted = (process.env.WANTED ?? "").split("|").filter(Boolean);
for (const word of wanted) must(text.toLowerCase().includes(word.toLowerCase()), `the run's page lacks ${word}:\n${text}`);
if (await page.locator(".mutant").count()) {
  await page.keyboard.press("n");
  must((await page.locator(".mutant[open]").count()) === 1, "n opens the first mutant");
  await page.keyboard.press("p");
}
await page.locator("details").evaluateAll((all) => all.forEach((one) => (one.open = true)));
await sound(page, "a run");
await page.goto(page.url());
await shot(page, "run", 1400);
say("it is read");

for (const [name, options] of [
  ["dark", { colorScheme: "dark" }],
  ["phone", { viewport: { width: 390, height: 844 }, colorScheme: "dark" }],
]) {
  const other = await person(options);
  await sound(other.page, `the board, ${name}`);
  await other.page.goto(`${link.origin}${path}`);
  await sound(other.page, `a run, ${name}`);
  if (name === "phone") await shot(other.page, "run-phone", 1100);
  for (const place of ["/bugs", "/verify", `${path}/evidence`]) {
    await other.page.goto(`${link.origin}${place}`);
    await sound(other.page, `${place}, ${name}`);
  }
  await other.context.close();
}
const evidence = await context.newPage();
await evidence.goto(`${link.origin}${path}/evidence`);
await sound(evidence, "the evidence");
await shot(evidence, "evidence", 1100);
say("it is fit for dark and small screens");

// A page of somebody else's in the same browser, with the person's cookie at hand.
const form = await page.locator("input[name=form]").first().inputValue();
const shown = await page.locator("input[name=shown]").first().inputValue();
const evil = http.createServer((request, answer) => {
  answer.setHeader("content-type", "text/html");
  answer.end(`<form method=post action="${link.origin}${path}"><input name=form value="${form}"><input name=act value=approve><input name=shown value="${shown}"></form><script>document.forms[0].submit()</script>`);
});
await new Promise((done) => evil.listen(0, "127.0.0.1", done));
const theirs = await context.newPage();
const [refused] = await Promise.all([
  theirs.waitForResponse((answer) => answer.request().method() === "POST"),
  theirs.goto(`http://127.0.0.1:${evil.address().port}/`),
]);
must(refused.status() === 403, `a foreign origin: ${refused.status()}`);
await theirs.close();
evil.closeAllConnections();
evil.close();
outside.splice(0, outside.length, ...outside.filter((url) => !url.includes(`:${evil.address()?.port}`) && !/^http:\/\/127\.0\.0\.1:\d+\/(favicon\.ico)?$/.test(url)));
say("others can't decide");

// What was looked at is what lands.
const stale = await context.newPage();
await stale.goto(`${link.origin}${path}`);
await stale.locator("input[name=shown]").first().evaluate((field) => (field.value = "0".repeat(40)));
await stale.getByRole("button", { name: "Approve and land" }).click();
await stale.waitForSelector("[role=alert]");
must((await stale.innerText("[role=alert]")).includes("is not the one that is proven now"), "a stale approval");
await sound(stale, "a refusal");
say("a stale approval is refused");

await page.getByRole("button", { name: "Approve and land" }).click();
await second.waitForSelector(".column.landed .card");
await page.goto(`${link.origin}/`);
await page.waitForSelector(".column.landed .card");
say("it landed");

must(outside.length === 0, `left the machine: ${outside.join("\n")}`);
await browser.close();
say("done");
