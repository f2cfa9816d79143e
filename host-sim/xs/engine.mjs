import { join } from "node:path";
import { root } from "../specifiers.mjs";

/** Install location of the XS engine, see scripts/xs-engine.mjs. */
export const ENGINE_FOLDER = join(root, ".cache/xs-engine");
export const XSNAP = join(ENGINE_FOLDER, "node_modules/@agoric/xsnap");

/** Name of the engine's makefiles for this platform; undefined if unsupported. */
export const XS_PLATFORM = { linux: "lin", darwin: "mac" }[process.platform];

/** The program that runs scripts on XS. */
export const XS_WORKER = join(XSNAP, `xsnap-native/xsnap/build/bin/${XS_PLATFORM}/release/xsnap-worker`);
