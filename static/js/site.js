// What every page does. Each part looks for its own marks in the page and leaves alone what it doesn't find.
import { startClocks } from "./clock.js";
import { startForms } from "./forms.js";
import { startLive } from "./live.js";
import { startMenus } from "./menus.js";
import { startNotify } from "./notify.js";

startMenus();
startForms();
startClocks();
startNotify();
startLive();
