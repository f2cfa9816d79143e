import { expect, it } from "vitest";
import product from "../../package.json";
import { homepageOf, withAddress } from "../../scripts/homepage.mjs";

const published = { name: "jk-bms-monitor", repository: { url: "git+https://github.com/somebody/jk-bms-monitor.git" } };
const address = "https://github.com/somebody/jk-bms-monitor";

it("the project has no address until a name is filled in", () => {
  expect(homepageOf({ ...published, repository: { url: published.repository.url.replace("somebody", "OWNER") } })).toBe(
    undefined,
  );
  expect(homepageOf(published)).toBe(address);
});

it("its address replaces another one wherever it stands, and nothing else", () => {
  const text =
    "https://github.com/OWNER/jk-bms-monitor/issues https://github.com/OWNER/jk-bms-monitor " +
    "https://github.com/OWNER/other https://github.com/OWNER/jk-bms-monitor-2 git+https://github.com/x/jk-bms-monitor.git";
  expect(withAddress(text, published)).toBe(
    `${address}/issues ${address} https://github.com/OWNER/other https://github.com/OWNER/jk-bms-monitor-2 git+https://github.com/x/jk-bms-monitor.git`,
  );
});

it("package.json names one project", () => {
  expect(product.homepage).toBe(product.repository.url.replace(/^git\+|\.git$/g, ""));
  expect(product.bugs).toBe(`${product.homepage}/issues`);
});
