/**
 * vitest's global set-up: gives the programs of this run their own home folder, so that they depend on nothing on the machine and two
 * runs never interfere. Everything, including temporary files, is removed when the run ends.
 */
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { newScratch } from "./scratch";

/** vitest calls this once for each project of a run. */
const DONE = "BMS_TEST_RUN";

export default function setup(): (() => void) | undefined {
  if (process.env[DONE] === String(process.pid)) return;
  process.env[DONE] = String(process.pid);
  const folder = newScratch();
  const own = (...names: string[]): string => {
    const path = join(folder, ...names);
    mkdirSync(path, { recursive: true });
    return path;
  };
  Object.assign(process.env, {
    HOME: own("home"),
    TMPDIR: own("tmp"),
    XDG_CONFIG_HOME: own("home", ".config"),
    XDG_CACHE_HOME: own("home", ".cache"),
    XDG_DATA_HOME: own("home", ".local", "share"),
    XDG_RUNTIME_DIR: own("runtime"),
    // Net-SNMP: its (empty) configuration and its persistent data.
    SNMPCONFPATH: own("snmp"),
    SNMP_PERSISTENT_DIR: own("snmp"),
    // The user's settings of curl, OpenSSL and Python.
    CURL_HOME: own("home"),
    PYTHONNOUSERSITE: "1",
  });
  for (const name of ["OPENSSL_CONF", "http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY", "MIBS", "MIBDIRS"])
    delete process.env[name];
  return () => rmSync(folder, { recursive: true, force: true });
}
