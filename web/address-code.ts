/**
 * What the address carried in its fragment, which is not sent to the device: the set-up code, or the secret of a read-only link (`kiosk`:
 * one that shows the wall view); empty: neither. Taken out of the address.
 */
const SECRET = /^#(code|link|kiosk)=(\w{1,64})$/;

const [, kind, secret = ""] = SECRET.exec(location.hash) ?? [];

export const addressCode = kind === "code" ? secret : "";
export const addressLink = kind === "code" ? "" : secret;

if (secret) history.replaceState(null, "", location.pathname + (kind === "kiosk" ? "#/kiosk" : ""));
// The same link opened in a window that has the page: only the fragment changes, and nothing is loaded.
addEventListener("hashchange", () => SECRET.test(location.hash) && location.reload());
