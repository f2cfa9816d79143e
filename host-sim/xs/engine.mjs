import { join } from "node:path";
import { root } from "../specifiers.mjs";

/** Where scripts/xs-engine.mjs puts the XS engine. */
export const ENGINE_FOLDER = join(root, ".cache/xs-engine");
export const XSNAP = join(ENGINE_FOLDER, "node_modules/@agoric/xsnap");

/** The engine's makefiles of this machine; undefined where it has none. */
export const XS_PLATFORM = { linux: "lin", darwin: "mac" }[process.platform];

/** The program that runs scripts on XS. */
export const XS_WORKER = join(XSNAP, `xsnap-native/xsnap/build/bin/${XS_PLATFORM}/release/xsnap-worker`);
