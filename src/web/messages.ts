/** What whoever may not is told. */
export const NOT_SIGNED_IN = "Not signed in.";
export const MISDIRECTED =
  "The device does not answer to the name in the address. Use its IP address or its own name, or add the other name to its settings.";
export const OTHER_SITE = "The request comes from another site.";
export const WRONG = "Wrong password.";
export const WAIT = "Too many wrong passwords, or another one is being looked at. Wait a little.";
export const FULL = "Too many passwords are being looked at. Wait a little.";
export const NONE_CHOSEN = "No password has been chosen yet.";
export const LOST =
  "The stored password is damaged: nobody can sign in until the settings are reset, by the device's button or by erasing its flash.";
export const NOT_PRESENT =
  "Show that you are at the device: press its button, or give the set-up code from its console.";
export const CHANGED = "The password has been changed meanwhile.";
