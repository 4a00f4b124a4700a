// Types are checked, or else this would be an error: there is none to expect.
import { step } from "../../svckit/widgets/base/grid.js";

// @ts-expect-error
step("Home", "first", 3);
