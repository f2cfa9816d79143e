import * as FIELDS from "jk-bms/field-table";
import { Requests } from "../../../src/mqtt/requests";
import { WriteQueue } from "../../../src/bms/write-queue";
import { FakePack } from "../fakes/fake-monitor";
import { fakeParts } from "../fakes/fake-parts";

export interface WithQueue {
  readonly requests: Requests;
  readonly writes: WriteQueue;
  readonly pack: FakePack;
  readonly accepted: () => number;
  /** There is another pack, so many mV above this one, which is off; undefined: it is not known. */
  readonly others: (pack: FakePack, above: number | undefined) => void;
}

/** Requests over MQTT in front of a write queue that takes all that is allowed, and counts it. */
export function requestsOf(online = true): WithQueue {
  const { monitor, relay, settings } = fakeParts();
  let accepted = 0;
  const pack = Object.assign(monitor.pack, {
    ...{
      online,
      configurationLoaded: online,
      write: () => undefined,
      written: () => undefined,
      abandonWrite: () => true,
    },
  });
  const packs: FakePack[] = [pack];
  const writes = new WriteQueue({
    packs: packs as never,
    listening: false,
    proceed: () => void accepted++,
    packMissed: () => undefined,
    writeEnded: () => undefined,
  });
  const requests = new Requests({
    parts: { relay, settings, restartFor: () => undefined, monitor: Object.assign(monitor, { writes, packs }) },
    resultReady: () => undefined,
  });
  const others = (own: FakePack, above: number | undefined): void => {
    const other = Object.assign(new FakePack(), { label: 2, age: above === undefined ? undefined : 0 });
    other.telemetry.set(FIELDS.packVoltage, 52_800).set(FIELDS.packCurrent, 0).set(FIELDS.chargeMos, 1);
    Object.assign(own, { label: 1, age: 0 });
    own.telemetry.set(FIELDS.packVoltage, 52_800 - (above ?? 0)).set(FIELDS.chargeMos, 0);
    packs.push(other);
  };
  return { requests, writes, pack, accepted: () => accepted, others };
}
