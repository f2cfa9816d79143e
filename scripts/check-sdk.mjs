/** Type-checks the firmware's sources against the installed Moddable SDK, as every build does. */
import { checkTypes } from "./moddable.mjs";

checkTypes();
