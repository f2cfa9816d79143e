/** The set-up code that the address carried in its fragment, which is not sent to the device; empty: none. Taken out of the address. */
const CODE = /^#code=(\w{1,64})$/;

export const addressCode = CODE.exec(location.hash)?.[1] ?? "";

if (addressCode) history.replaceState(null, "", location.pathname);
// The same link opened in a window that has the page: only the fragment changes, and nothing is loaded.
addEventListener("hashchange", () => CODE.test(location.hash) && location.reload());
