import { expect, it } from "vitest";
import type { Exchange } from "http-server/types";
import { answerProbe } from "../../../src/network/portal/probe";

const PHONE = "192.168.4.2";
const network = { accessPointIp: "192.168.4.1", onPortal: (address: string) => address === PHONE };

/** What is answered to a request for `path` by the server at `port`: undefined when nothing is. */
function ask(path: string, remoteAddress = PHONE, port = 80): [status: number, location: unknown] | undefined {
  let answer: [number, unknown] | undefined;
  const respond = (status: number, ...[, , fields]: [unknown?, unknown?, [string, string][]?]): void =>
    void (answer = [status, fields && Object.fromEntries(fields)["Location"]]);
  const answered = answerProbe({ path, remoteAddress, respond } as unknown as Exchange, network, port);
  expect(answered).toBe(answer !== undefined);
  return answer;
}

it("redirects probes from the access point to the portal, at the server's port", () => {
  expect(ask("/generate_204")).toEqual([302, "http://192.168.4.1/"]);
  expect(ask("/hotspot-detect.html", PHONE, 8080)).toEqual([302, "http://192.168.4.1:8080/"]);
});

it("denies them to others, and leaves other requests alone", () => {
  expect(ask("/generate_204", "192.0.2.1")).toEqual([404, undefined]);
  expect(ask("/")).toBeUndefined();
  expect(ask("/generate_204/")).toBeUndefined();
});
