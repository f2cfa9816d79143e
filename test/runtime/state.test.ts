import type { Storage } from "embedded:storage/key-value";
import { beforeEach, describe, expect, it } from "vitest";
import { readState, writeState } from "../../src/runtime/state";
import { FaultyStorage } from "../support/fakes/storage";

/** Counts the domains that are open. */
class CountingStorage extends FaultyStorage {
  opened = 0;

  override open(options: Parameters<FaultyStorage["open"]>[0]): Storage {
    const domain = super.open(options);
    const close = domain.close.bind(domain);
    this.opened++;
    domain.close = () => {
      this.opened--;
      close();
    };
    return domain;
  }
}

let storage: CountingStorage;
beforeEach(() => {
  storage = new CountingStorage();
});

describe("the device's state", () => {
  it("is text by key, in its own domain", () => {
    expect(readState(storage, "relay")).toBeUndefined();
    writeState(storage, "relay", "1");
    writeState(storage, "energy", "1 2 3");
    expect([readState(storage, "relay"), readState(storage, "energy")]).toEqual(["1", "1 2 3"]);
    expect(storage.get("state", "relay")).toBe("1");
    expect(storage.opened).toBe(0);
  });

  it("closes the storage when it fails, and reports it", () => {
    storage.failsToRead = ["relay"];
    storage.writesLeft = 0;
    expect(() => readState(storage, "relay")).toThrow("ESP_ERR_NVS_NOT_FOUND");
    expect(() => writeState(storage, "relay", "1")).toThrow("ESP_ERR_NVS_NOT_ENOUGH_SPACE");
    expect(storage.opened).toBe(0);
    storage.failsToOpen = true;
    expect(() => readState(storage, "relay")).toThrow("ESP_ERR_NVS_NOT_INITIALIZED");
  });
});
