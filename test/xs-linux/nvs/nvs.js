/** Disturbs the stand-in for NVS: `reserved` entries are taken; `failing`: 0 nothing, 1 each write, 2 each commit. */
export function disturb(reserved, failing) {
  return native("xs_nvs_disturb").call(this, reserved, failing);
}
