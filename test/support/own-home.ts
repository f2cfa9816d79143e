/**
 * vitest's global set-up: this run's programs find a home of their own instead of the machine's, so that nothing on the machine can help
 * or hurt them and two runs never meet. All of it, temporary files included, goes when the run ends.
 */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** vitest calls this once for each project of a run. */
const DONE = "BMS_TEST_RUN";

export default function setup(): (() => void) | undefined {
  if (process.env[DONE] === String(process.pid)) return;
  process.env[DONE] = String(process.pid);
  const folder = mkdtempSync(join(tmpdir(), "bms-test-"));
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
    // Net-SNMP: its configuration, of which there is none, and what it keeps.
    SNMPCONFPATH: own("snmp"),
    SNMP_PERSISTENT_DIR: own("snmp"),
    // Of the machine's user: curl's, openssl's and Python's.
    CURL_HOME: own("home"),
    PYTHONNOUSERSITE: "1",
  });
  for (const name of ["OPENSSL_CONF", "http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY", "MIBS", "MIBDIRS"])
    delete process.env[name];
  return () => rmSync(folder, { recursive: true, force: true });
}
