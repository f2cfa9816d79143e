/** The sources of the firmware against the types of the Moddable SDK that is installed, as each build checks them. */
import { checkTypes } from "./moddable.mjs";

checkTypes();
