import Serial from "embedded:io/serial";
import Listener from "embedded:io/socket/listener";
import TCP from "embedded:io/socket/tcp";
import TLSSocket from "embedded:io/socket/tcp/tls";
import UDP from "embedded:io/socket/udp";
import Resolver from "embedded:network/dns/resolver/udp";
import MQTTClient from "embedded:network/mqtt/client";
import FlashStorage from "embedded:storage/flash";
import KeyValueStorage from "embedded:storage/key-value";
import RNG from "rng";
import verify from "signature";
import { Sha256 } from "./auth/sha256";
import { firmwareMemory } from "./firmware-memory";
import { APPLICATION_SLOTS } from "./update/slots";
import type { Slots } from "./update/types";

/**
 * Platform classes injected into components, so that tests can pass others. Getters of a preloaded class: members would take a slot each.
 */
export abstract class Platform {
  get slots(): Slots {
    return APPLICATION_SLOTS;
  }

  get storage(): typeof KeyValueStorage {
    return KeyValueStorage;
  }

  get flash(): typeof FlashStorage {
    return FlashStorage;
  }

  get memory(): typeof firmwareMemory {
    return firmwareMemory;
  }

  get random(): typeof RNG {
    return RNG;
  }

  get serial(): typeof Serial {
    return Serial;
  }

  get mqttClient(): typeof MQTTClient {
    return MQTTClient;
  }

  get resolver(): typeof Resolver {
    return Resolver;
  }

  get tcp(): typeof TCP {
    return TCP;
  }

  get listener(): typeof Listener {
    return Listener;
  }

  /** Undefined on a board without TLS. */
  get tls(): typeof TLSSocket | undefined {
    return TLSSocket;
  }

  get udp(): typeof UDP {
    return UDP;
  }

  get verify(): typeof verify {
    return verify;
  }

  makeDigest(): Sha256 {
    return new Sha256();
  }
}
