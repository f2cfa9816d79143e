import { expect, it } from "vitest";
import { openPty } from "../../host-sim/pty";
import { accessPointOn, firstStartText, wifiText } from "../../scripts/first-start.mjs";

it("finds the access point's password in the console output", async () => {
  const console = await openPty();
  const said = accessPointOn(console.path, 60);
  const speak = setInterval(
    () =>
      console.write(
        Buffer.from(
          "rst:0x1 (POWERON_RESET)\r\nnetwork: access point JK-BMS-010203, password abcdefghjk23\r\nmore\r\n",
        ),
      ),
    50,
  );
  try {
    expect(await said).toEqual({ name: "JK-BMS-010203", password: "abcdefghjk23" });
  } finally {
    clearInterval(speak);
    await console.close();
  }
});

it("prints nothing when there is nothing to print", async () => {
  const console = await openPty();
  expect(await accessPointOn(console.path, 0.2)).toBeUndefined();
  await console.close();
});

it("names a port that cannot be opened", async () => {
  await expect(accessPointOn("/dev/no-such-port", 1)).rejects.toThrow("/dev/no-such-port");
});

it("prints a Wi-Fi QR code with the password", () => {
  expect(wifiText({ name: "JK-BMS-010203", password: 'a;b,c:d"e\\f' })).toBe(
    'WIFI:T:WPA;S:JK-BMS-010203;P:a\\;b\\,c\\:d\\"e\\\\f;;',
  );
  const text = firstStartText({ name: "JK-BMS-010203", password: "abcdefghjk23" });
  expect(text).toContain("Password      abcdefghjk23\n");
  expect(text).toMatch(/[█▀▄]{10}/);
});
